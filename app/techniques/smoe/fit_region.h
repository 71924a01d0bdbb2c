// SPDX-License-Identifier: BSD-3-Clause
// A rectangle of one picture of the training set on the GPU: its target tile by tile, and the lists
// that say which components its tiles see. Pictures too large for one pass are several regions.
#pragma once

#include "app/gpu/buffer.h"
#include "app/gpu/texture.h"
#include "app/techniques/smoe/fit_lists.h"
#include "shaders/smoe/fit.h"

#include <vector>

namespace fathom::smoe {

class FitRegion {
 public:
  /// `view` are the coordinates of the picture. The target is uploaded at once.
  FitRegion(gpu::Context& gpu, const Image& picture, const PixelBox& box, ViewCoordinates view);

  /// Slots of a list that is out of date still are what they were, so sums stay consistent.
  void setLists(const FitLists& lists);
  bool hasLists() const { return !starts_.name().empty(); }

  const PixelBox& box() const { return box_; }
  ViewCoordinates view() const { return view_; }
  std::size_t tileCount() const { return std::size_t(tiles_.x) * std::size_t(tiles_.y); }
  std::size_t slotCount() const { return slotCount_; }

 private:
  friend class FitPasses;
  gpu::Context& gpu_;
  PixelBox box_;
  ViewCoordinates view_;
  glm::ivec2 tiles_;
  std::size_t slotCount_ = 0;
  gpu::Buffer<glm::vec4> target_;  // vec4[tileCount][64]
  gpu::TexelView targetTexels_;
  // FitLists.
  gpu::Buffer<std::uint32_t> starts_, components_, slotTiles_, ends_, slots_, order_, bounds_;
  gpu::Buffer<float> offsets_;
};

/// Rectangles of whole tiles that cover a picture, none of more than `most` tiles.
std::vector<PixelBox> regionsOf(glm::ivec2 size, std::size_t most);

}  // namespace fathom::smoe
