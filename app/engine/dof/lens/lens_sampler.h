// SPDX-License-Identifier: BSD-3-Clause
// Ground truth: the scene drawn from many points of the lens, each through an off-axis frustum that
// keeps the plane in focus where it is, averaged. Points on Vogel's spiral, as many as let light
// through somewhere in the frame; what passes where is the aperture's. Channels with a focus or
// size of their own get views of their own. One point at a time, so that the picture can be shown
// while it converges. Each view may look through another part of its pixels.
#pragma once

#include "app/engine/dof/lens/aperture_map.h"
#include "app/engine/dof/lens/optics.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/scene/scene_renderer.h"

namespace fathom::dof {

/// About `count` points in the aperture in the middle of the frame, as seen in the image: in radii
/// of the disc of equal area, x right and y down. Where faults vary over the frame, those beside
/// them that let light through somewhere in a picture of this size.
std::vector<glm::dvec2> lensPoints(const Aperture& aperture, int count, const ImageFrame& frame,
                                   glm::ivec2 size);

/// The camera moved to a lens point: an image point at depth z moves by r(z) times the point. Of a
/// channel: its radii are `axial` px more, and its picture is larger by `lateral`.
Camera throughLensPoint(const Camera& camera, const Lens& lens, glm::dvec2 point, glm::ivec2 size,
                        double axial = 0, double lateral = 0);

/// Where in its pixels (-0.5 .. 0.5) view `k` looks: the middle of one of samples x samples cells,
/// by Roberts' R2 sequence, which goes well with the spiral's golden angle.
glm::dvec2 placeInPixel(std::size_t k, int samples);

/// The camera with its picture moved by a part of a pixel, right and up.
Camera movedByPixels(Camera camera, glm::dvec2 by, glm::ivec2 size);

class LensSampler {
 public:
  explicit LensSampler(gpu::Context& gpu) : gpu_(gpu) {}
  /// Starts over; nothing is drawn yet. `tables` are those of the aperture and live as long. Views
  /// are of `samples` x `samples` places in each pixel, evenly among the points.
  void begin(const Camera& camera, const Lens& lens, const Aperture& aperture,
             const ApertureTables& tables, const shared::Optics& optics, int count,
             const ImageFrame& frame, glm::ivec2 size, int samples = 1);
  /// Draws the next point; true when it was the last. mean() is complete then, and a coarser
  /// picture of the same before, a few points behind.
  bool step(SceneRenderer& renderer);
  bool done() const { return next_ >= points_.size(); }
  std::size_t pointCount() const { return points_.size(); }
  std::size_t pointsDone() const { return next_; }
  const gpu::Texture& mean() const { return mean_; }

 private:
  void draw(SceneRenderer& renderer, glm::vec4 channels, double axial, double lateral);
  gpu::PassKey addKey(std::size_t views) const;
  void addDrawn();

  gpu::Context& gpu_;
  std::vector<std::unique_ptr<PictureCapture>> views_;  // DOF_VIEWS at most
  std::size_t drawn_ = 0;                               // of them, not yet added
  shared::LensPoints drawnPoints_{};
  gpu::Texture sum_, sumNear_, count_, mean_;
  Camera camera_;
  Lens lens_;
  Aperture aperture_;
  const ApertureTables* tables_ = nullptr;
  shared::Optics optics_{};
  glm::ivec2 size_{0};
  int samples_ = 1;
  std::vector<glm::dvec2> points_;
  std::size_t next_ = 0;
};

}  // namespace fathom::dof
