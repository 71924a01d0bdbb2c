// SPDX-License-Identifier: BSD-3-Clause
// A model on the device: records packed as shaders/smoe/decode/shared.h says, scaled to base 2, and
// for models of more than two dimensions their slice at a view. And the samples of a picture as the
// device sees them: sizes of the boxes they are grouped in, and where those lie in the model's
// fixed point.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/smoe/model/model.h"
#include "shaders/smoe/decode/shared.h"

namespace fathom::smoe {

enum class Mode { Record, PaperFast, PaperSlow };
enum class Relevance { Bounded, Budget, Window };

struct DecodeOptions {
  Mode mode = Mode::Record;
  Relevance relevance = Relevance::Bounded;
  int bits = 10;
  int tilePixels = 16;
  bool masks = true;
  int windowBorder = 32;
  float tau = 0;  // bits of weight that lists keep below the largest; 0: as `bits` ask for
  bool operator==(const DecodeOptions&) const = default;
};

class DeviceModel {
 public:
  explicit DeviceModel(gpu::Context& gpu) : gpu_(gpu) {}

  /// Buffers of the right size are kept. Throws Error when the device cannot hold the model.
  void upload(const Model& model);
  /// Room for the gates of so many records of pictures, which somebody else writes on the device:
  /// cull() and reach(), for lists only.
  void reserve(std::uint32_t count, int fractionBits);
  /// The records of a view; nothing happens for images. Ends with the barrier for Access::Storage.
  void slice(ViewCoordinates at);

  std::uint32_t count() const { return count_; }
  int leading() const { return leading_; }
  int fractionBits() const { return fractionBits_; }
  const Coding& coding() const { return coding_; }

  const gpu::Buffer<glm::uvec4>& cull() const { return cull_; }    // uvec4[2 K]
  const gpu::Buffer<glm::uvec4>& shade() const { return shade_; }  // uvec4[2 K]
  /// cull() and shade() as texels.
  const gpu::TexelView& cullTexels();
  const gpu::TexelView& shadeTexels();
  const gpu::Buffer<float>& reach() const { return reach_; }    // float[K]
  const gpu::Buffer<glm::vec4>& lead() const { return lead_; }  // vec4[4 K] or vec4[2 K]

 private:
  gpu::Context& gpu_;
  std::uint32_t count_ = 0;
  int leading_ = 0, fractionBits_ = 20;
  Coding coding_ = ColorSpace::Srgb;
  gpu::Buffer<glm::uvec4> cull_, shade_;          // of the view
  gpu::Buffer<glm::uvec4> baseCull_, baseShade_;  // of the model, when it has leading coordinates
  gpu::TexelView cullTexels_, shadeTexels_;
  gpu::Buffer<float> reach_;
  gpu::Buffer<glm::vec4> lead_;
};

/// How many boxes of so many samples a side cover a picture.
inline glm::ivec2 boxes(glm::ivec2 size, int side) { return (size + side - 1) / side; }

/// The natural logarithm of the ratio to the strongest component below which one may be dropped,
/// for a strict test of `bits` bits: (bits + 1) ln 2 + 2; here in bits.
float thresholdBits(int bits);

/// Everything in shared::Params but the band; `samples` per pixel and axis make the grid finer.
shared::Params gridParams(const ViewWindow& window, const DecodeOptions& options,
                          const DeviceModel& model);

/// uvec2[columns + rows]: the fixed-point position before every 8th column and row of samples, and
/// the rest in px (float bits).
std::vector<glm::uvec2> axesOf(const ViewWindow& window, const shared::Params& params);

}  // namespace fathom::smoe
