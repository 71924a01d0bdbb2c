// SPDX-License-Identifier: BSD-3-Clause
// Ground truth: the scene drawn from many points of the lens, each through an off-axis frustum that
// keeps the plane in focus where it is, averaged. Points on Vogel's spiral; a bladed aperture keeps
// those that lie in it. One point at a time, so that the picture can be shown while it converges.
#pragma once

#include "app/gpu/pass.h"
#include "app/scene/picture_capture.h"
#include "app/scene/scene_renderer.h"
#include "app/techniques/dof/lens/optics.h"

#include <vector>

namespace fathom::dof {

/// About `count` points in the aperture, in radii of the disc of equal area, x right and y down.
std::vector<glm::dvec2> lensPoints(const Aperture& aperture, int count);

/// The camera moved to a lens point: an image point at depth z moves by r(z) times the point.
Camera throughLensPoint(const Camera& camera, const Lens& lens, glm::dvec2 point, glm::ivec2 size);

class LensSampler {
 public:
  explicit LensSampler(gpu::Context& gpu) : gpu_(gpu), capture_(gpu) {}
  /// Starts over; nothing is drawn yet.
  void begin(const Camera& camera, const Lens& lens, const Aperture& aperture, int count,
             glm::ivec2 size);
  /// Draws the next point; true when it was the last. mean() is complete then, and a coarser
  /// picture of the same before.
  bool step(SceneRenderer& renderer);
  bool done() const { return next_ >= points_.size(); }
  std::size_t pointCount() const { return points_.size(); }
  std::size_t pointsDone() const { return next_; }
  const gpu::Texture& mean() const { return mean_; }

 private:
  gpu::Context& gpu_;
  PictureCapture capture_;
  gpu::Texture sum_, mean_;
  Camera camera_;
  Lens lens_;
  glm::ivec2 size_{0};
  std::vector<glm::dvec2> points_;
  std::size_t next_ = 0;
};

}  // namespace fathom::dof
