// SPDX-License-Identifier: BSD-3-Clause
// Light fields from the program's own scenes: a grid of pinhole cameras on a plane, parallel axes,
// off-axis frusta that keep the plane in focus where it is. Content at depth z moves by
// -p b (1/z - 1/focus) px per step to the right or down (p: distance of the image plane in px, b:
// baseline): near things against the camera.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/scene/scene_renderer.h"
#include "app/engine/smoe/fit/training.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::smoe {

struct CaptureRequest {
  glm::ivec2 grid{9};
  glm::ivec2 size{256, 192};
  double disparity = 1;  // px per step: the largest of anything in sight
  double focus = 0;      // m along the view axis; 0: such that nearest and farthest move alike
  int samples = 4;       // per pixel and axis
};

struct CaptureFacts {
  double focus = 0, baseline = 0;              // m; baseline per step
  double nearZ = 0, farZ = 0;                  // m: what is in sight in the views looked at so far
  double disparityLow = 0, disparityHigh = 0;  // px per step, of these
};

/// Draws views of one scene, Lambertian: without the highlights, which move against their surface.
class ViewCapture {
 public:
  /// Looks at the scene from the middle and from the corners of the grid to choose focus and
  /// baseline. Throws Error when nothing is in sight, or when this device cannot draw the size.
  ViewCapture(gpu::Context& gpu, std::shared_ptr<const Scene> scene, const CaptureRequest& request,
              Progress& progress);

  /// The view at any coordinates, whole or not: linear, w 1.
  Image view(ViewCoordinates a);
  /// All views of the grid, a1 outermost, encoded for a fit.
  TrainingSet training(ColorSpace space, Progress& progress);
  const CaptureFacts& facts() const { return facts_; }
  const CaptureRequest& request() const { return request_; }
  glm::dvec2 origin() const { return glm::dvec2(request_.grid - 1) / 2.0; }
  const std::string& source() const { return renderer_.scene().name; }

 private:
  void chooseBaseline(Progress& progress);
  Camera cameraAt(ViewCoordinates a) const;
  Image drawn(const Camera& camera);
  void addDepths(const Image& colorAndDepth);

  gpu::Context& gpu_;
  CaptureRequest request_;
  SceneRenderer renderer_;
  PictureCapture capture_;
  Camera camera_;
  double pixelsPerTangent_ = 0;  // p
  CaptureFacts facts_;
};

/// Writes the views as PNG with their views.json into `folder`, which must be new or empty;
/// complete or not at all.
void writeViews(ViewCapture& capture, const std::string& folder, Progress& progress);

}  // namespace fathom::smoe
