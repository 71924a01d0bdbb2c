// SPDX-License-Identifier: BSD-3-Clause
// From lists to pictures: the passes that evaluate components per sample, a few rows of tiles at a
// time, and the views of the same data.
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/decode/device_model.h"
#include "app/engine/smoe/decode/lists.h"

namespace fathom::smoe {

struct ShadingInput {
  DeviceModel& model;
  const ListBuilder& lists;
  const DecodeOptions& options;
  const ViewWindow& window;
};

class Shading {
 public:
  /// `columns`: samples in columns fetch records for themselves; else through shared memory.
  Shading(gpu::Context& gpu, bool columns) : gpu_(gpu), columns_(columns) {}

  void setModel(const Model& model);
  /// The next step begins with the first row.
  void restart() { row_ = 0; }
  /// Shades the next rows of tiles into the picture, or all of them; true when it is complete.
  bool step(const ShadingInput& input, const gpu::Texture& result, bool all);
  void show(const ShadingInput& input, const gpu::Texture& result, Show what, float gain);
  std::vector<glm::vec4> downloadRaw(const ShadingInput& input);

 private:
  /// Rows of tiles, all of one band, and what becomes of them.
  struct Rows {
    const TileBand& band;
    std::uint32_t first, count;
    int output;  // SMOE_SHADE_*
    float gain = 1;
    const gpu::Texture* result = nullptr;
    const gpu::RawBuffer* raw = nullptr;
  };
  void shadePicture(const ShadingInput& input, Rows rows);
  void shadeRows(const ShadingInput& input, const Rows& rows);
  void averageRows(const Rows& rows);
  void showTiles(const TileBand& band, const gpu::Texture& result, bool certificate, float gain);
  gpu::Pass& passFor(const ShadingInput& input, int output);
  void uploadPaper();

  gpu::Context& gpu_;
  bool columns_;
  std::uint32_t row_ = 0;
  Model model_;                  // for the paper's modes
  gpu::Buffer<float> paper_;     // float[K][], see batch_paper.glsl; empty: not asked for yet
  gpu::Buffer<glm::vec4> rows_;  // colors of single samples, of some rows of tiles
};

}  // namespace fathom::smoe
