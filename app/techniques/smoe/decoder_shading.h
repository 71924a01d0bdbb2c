// SPDX-License-Identifier: BSD-3-Clause
// From lists to pictures: the passes that evaluate components per sample, a few rows of tiles at a
// time, and the views of the same data.
#pragma once

#include "app/gpu/pass.h"
#include "app/gpu/texture.h"
#include "app/techniques/smoe/decoder.h"
#include "app/techniques/smoe/decoder_model.h"
#include "app/techniques/smoe/lists.h"

#include <cstdint>
#include <vector>

#include <glm/vec4.hpp>

namespace fathom::smoe {

struct ShadingInput {
  const DeviceModel& model;
  const ListBuilder& lists;
  const DecodeOptions& options;
  const ViewWindow& window;
};

class Shading {
 public:
  explicit Shading(gpu::Context& gpu) : gpu_(gpu) {}

  void setModel(const Model& model);
  /// The next step begins with the first row.
  void restart() { row_ = 0; }
  /// Shades the next rows of tiles into the picture, or all of them; true when it is complete.
  bool step(const ShadingInput& input, const gpu::Texture& result, bool all);
  void show(const ShadingInput& input, const gpu::Texture& result, Show what, float gain);
  std::vector<glm::vec4> downloadRaw(const ShadingInput& input);

 private:
  /// Rows [firstRow, firstRow + rowCount) of tiles, all of one band.
  void shadeRows(const ShadingInput& input, const TileBand& band, std::uint32_t firstRow,
                 std::uint32_t rowCount, int output, float gain, const gpu::Texture* result,
                 const gpu::RawBuffer* raw);

  gpu::Context& gpu_;
  std::uint32_t row_ = 0;
};

}  // namespace fathom::smoe
