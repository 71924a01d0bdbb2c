// SPDX-License-Identifier: BSD-3-Clause
// The camera of a captured scene as EXR keeps it, and back from the attributes of a file: where a
// fragment lies in the world.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"
#include "app/engine/scene/camera.h"

namespace fathom::deep {

/// worldToCamera, worldToNDC, screenWindowCenter and screenWindowWidth of a picture of this size;
/// the lens of a pinhole: its focal length before a sensor of 24 mm height, aperture (f-number) and
/// focus infinite, since everything is sharp.
SharedAttributes cameraAttributes(const Camera& camera, glm::ivec2 size, const std::string& scene);

/// From a place in the picture and a depth along the view axis to the world.
class Unprojection {
 public:
  /// None when the attributes have no camera, or one that cannot be inverted.
  static std::optional<Unprojection> from(const SharedAttributes& attributes,
                                          const Rect& displayWindow);
  /// `at` in image coordinates, the middle of pixel (x, y) being (x + 0.5, y + 0.5).
  glm::dvec3 world(glm::dvec2 at, double z) const;

 private:
  glm::dmat4 toWorld_{1}, toNdc_{1};  // both from camera space
  glm::dvec2 corner_{0}, size_{1};    // of the display window
};

}  // namespace fathom::deep
