// SPDX-License-Identifier: BSD-3-Clause
// The sharp picture of a shot on the GPU: color and depth of what is nearest in each pixel, drawn
// from a scene or uploaded from a file, and the fragments behind it as a source of splats.
#pragma once

#include "app/engine/dof/shot.h"
#include "app/engine/dof/splats/pipeline.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/scene/scene_renderer.h"

namespace fathom::dof {

class Capture {
 public:
  explicit Capture(gpu::Context& gpu) : gpu_(gpu), drawn_(gpu) {}

  /// Draws or uploads the picture. Warns of depth that looks averaged at edges.
  void take(const Shot& shot);
  /// Linear color and planar Z (rgba32f, 0: background), with the margin; null before take().
  const gpu::Texture* picture() const { return picture_; }
  int margin() const { return margin_; }
  /// Alpha of a file that has it (r32f); else null.
  const gpu::Texture* alpha() const { return alpha_ ? &alpha_ : nullptr; }
  /// The focus mask over the picture (r32f); null where there is none.
  const gpu::Texture* mask() const { return mask_ ? &mask_ : nullptr; }
  /// What is held out of the picture; null: nothing.
  const HoldOut* held() const { return held_.samples > 0 ? &held_ : nullptr; }
  /// Z at a pixel of the shot (a sample, where it was taken finer), which may lie beyond it; waits
  /// for the device.
  float depthAt(int x, int y) const;
  /// What the focus mask multiplies radii with there; waits for the device.
  float maskAt(int x, int y) const;
  /// Median depth of the 5 x 5 pixels of the picture around one of the shot, in scene units; of
  /// translucent surfaces, behind which half of the light is hidden; background: 10^6 mm. There is
  /// a picture.
  float focusAt(int x, int y, double mmPerUnit) const;
  /// focusAt() in the middle; 1 before take(). Waits for the device when asked for the first time.
  double autoFocus() const;

  /// Fragments of the shot that was taken, volumes cut for this lens; refers to the picture, and
  /// for scenes to the renderer. Made anew when the shot was taken again or the slices must change;
  /// a scene's keeps its buffers.
  Source& source(const Shot& shot, const Lens& lens);
  /// Of a deep image that source() was made of; else null.
  const std::shared_ptr<const PointLists>& lists() const { return lists_; }
  /// Of the scene that was taken.
  SceneRenderer& renderer() const { return *renderer_; }

 private:
  void draw(const Shot& shot);
  float medianAround(const gpu::Texture& picture, int x, int y, int reach) const;
  void upload(const Shot& shot);
  void uploadMask(const Shot& shot);
  void uploadHoldOut(const Shot& shot);
  std::unique_ptr<Source> makeSource(const Shot& shot, const Lens& lens);

  gpu::Context& gpu_;
  PictureCapture drawn_;
  Camera camera_;  // of it
  std::unique_ptr<SceneRenderer> renderer_;
  gpu::Texture uploaded_, alpha_, mask_;
  HoldOut held_;
  const gpu::Texture* picture_ = nullptr;    // uploaded_, or what drawn_ holds
  mutable std::optional<double> autoFocus_;  // scene units
  double mmPerUnit_ = 1000;                  // when it was taken
  int margin_ = 0;                           // px
  int samples_ = 1;                          // along a pixel of the picture
  std::unique_ptr<Source> source_;           // null: to be made
  bool sourceLayered_ = false;
  CaptureSource* captured_ = nullptr;        // source_, when it is one
  bool retakes_ = false;                     // captured_ is to look again
  int sourceRadius_ = 0;                     // px: what it was made for
  std::shared_ptr<const PointLists> lists_;  // of a deep image
  std::optional<Slicing> sliced_;            // how its volumes were cut
};

}  // namespace fathom::dof
