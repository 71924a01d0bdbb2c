// SPDX-License-Identifier: BSD-3-Clause
// The packed encoding of models: centers in Morton order on a grid, every other number rounded as
// finely as the picture notices, predicted from components beside it, and written by an adaptive
// range coder. Blocks of components are independent, so that parts of a huge model can be read.
// docs/reference/smoe-file.md describes every byte.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {

inline constexpr std::size_t kPackedBlock = 4096;  // components
/// Many blocks are smaller ones: a part of a picture then needs less.
constexpr std::size_t packedBlock(std::size_t components) {
  return components > 4 * kPackedBlock ? kPackedBlock / 2 : kPackedBlock;
}

/// What changes once some numbers are rounded, to make up for that. Centers and slopes of
/// differences of color never do; with Sizes all else, with Gates all but the diagonals of W, with
/// Experts colors and slopes of luma, with Colors only colors.
enum class Refit { Sizes, Gates, Experts, Colors };
/// Knows the picture that a model, of colors, or a gray one: of alpha, was fitted to.
struct Refitter {
  std::function<void(Model& model, Refit what)> refit;
  /// The picture's values in the model's color space, row by row; for as long as the refitter.
  std::function<std::span<const glm::vec4>(const Model& model)> source;

  explicit operator bool() const { return bool(refit); }
  void operator()(Model& model, Refit what) const { refit(model, what); }
};

struct Sensitivity;  // packed_plan.h

/// Packs one model, at any loss: what the picture notices is measured once. The model must outlive
/// it.
class Packer {
 public:
  explicit Packer(const Model& model) : Packer(model, model.psnr) {}
  ~Packer();
  const Model& model() const { return model_; }
  /// Of the model's alpha; null: it is opaque.
  const Packer* alpha() const { return alpha_.get(); }
  /// `loss` in dB below the model's own PSNR (40 dB where it is not known) decides how fine steps
  /// are; with a refitter, numbers are chosen for the picture, which gives part of it back.
  std::vector<std::byte> pack(double loss, const Refitter& refit = {}) const;

 private:
  Packer(const Model& model, double psnr);

  const Model& model_;
  double psnr_;  // dB, that losses are counted from
  std::vector<Sensitivity> sensitivity_;
  std::unique_ptr<const Packer> alpha_;
};
std::vector<std::byte> pack(const Model& model, double loss);
/// The file, and what reading it gives. The model is not validated here.
EncodedModel encodePacked(const Packer& packer, double loss, const std::string& name = "model",
                          const Refitter& refit = {});

/// What the payload of `count` components needs at least, in bytes.
std::size_t leastPackedBytes(int dims, std::size_t count);
/// Into `model`, whose components are sized already; in Morton order. Throws Error naming the block
/// and what is wrong; numbers are not checked here. `first`: of Fathom 0.1.0, whose tables are
/// wider.
void unpack(std::span<const std::byte> payload, Model& model, const std::string& name,
            Progress& progress, bool first = false);

/// What can be known of a block's components before decoding; of the only one nothing.
struct PackedBlock {
  std::size_t begin = 0, bytes = 0;           // in the payload
  std::size_t first = 0, count = 0;           // components
  std::optional<std::uint32_t> crc;           // of the only one the file's head has it
  glm::dvec2 low{-INFINITY}, high{INFINITY};  // of the centers, px
  /// Largest log weights beside that box: on it, and from so many px on.
  static constexpr std::array<double, 8> kDistances{0, 32, 64, 96, 128, 192, 256, 512};
  std::array<float, kDistances.size()> weights{};

  /// No component of the block has a larger log weight in the other box, or so many px from its
  /// center.
  double upperBound(const reference::SampleBox& box) const;
  double upperBound(double distance) const;
};
std::vector<PackedBlock> packedBlocks(std::span<const std::byte> payload, int dims,
                                      std::size_t count, const std::string& name,
                                      bool first = false);
/// Which components are asked for: those of at least this log weight somewhere in the box.
struct PackedPart {
  reference::SampleBox box;
  double least;
};
/// The components of one block, without those whose centers tell that they are not of `part`.
std::vector<Component> unpackBlock(std::span<const std::byte> payload, const PackedBlock& block,
                                   const Model& frame, const std::string& name, bool first = false,
                                   const PackedPart* part = nullptr);

}  // namespace fathom::smoe
