// SPDX-License-Identifier: BSD-3-Clause
// Draws a cloud of points in its box, a chunk after the other, so that a large cloud appears bit by
// bit while the window stays fluid.
#pragma once

#include "app/engine/deep/settings/settings.h"
#include "app/engine/deep/view/points.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"

namespace fathom::deep {

/// How points look, apart from where they are.
struct PointLook {
  PointColor color = PointColor::Color;
  float size = 2;
  bool alpha = false;
  ZRange range;
  std::array<glm::vec3, DEEP_POINT_COLORS> colors{};  // of the scale or of the inputs
};

class PointRenderer {
 public:
  explicit PointRenderer(gpu::Context& gpu) : gpu_(gpu) {}

  /// Starts a picture of the cloud, which lives on; drawSome() fills it.
  void begin(glm::ivec2 size, const Camera& camera, const PointSpace& space, const PointLook& look);
  /// Draws for about this long; true once all points are there.
  bool drawSome(const PointCloud& cloud, double budgetMs);
  const gpu::Texture& picture() const { return picture_; }
  std::uint64_t drawn() const { return next_; }

 private:
  void drawFrame(const PointSpace& space, const PointLook& look);
  void drawRange(const PointCloud& cloud, std::uint64_t first, std::uint64_t count);

  gpu::Context& gpu_;
  gpu::Texture picture_, depth_;
  gpu::Target target_;
  gpu::Buffer<glm::vec4> frame_;
  shared::PointParams params_{};
  std::uint64_t next_ = 0;   // the first point that is not drawn yet
  std::uint64_t chunk_ = 0;  // points at once
};

}  // namespace fathom::deep
