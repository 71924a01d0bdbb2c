// SPDX-License-Identifier: BSD-3-Clause
// Mouse and keys to camera: orbit, pan, dolly, and flying while the right button is held.
#pragma once

#include "app/engine/scene/camera.h"

#include <chrono>

namespace fathom::viewer {

/// Mouse and keys over the picture in this frame.
struct CameraInput {
  bool orbit = false, pan = false, fly = false;  // which button is held
  glm::vec2 drag{0};                             // window pixels since the last frame
  float wheel = 0;
  glm::vec3 keys{0};  // right, up, forward: -1, 0 or 1
  bool fast = false;  // Shift
  float pictureHeight = 1;
};

class CameraControl {
 public:
  /// Changes the camera; true when it did.
  bool apply(const CameraInput& input, Camera& camera);
  /// True while keys fly the camera, which needs continuous frames.
  bool flying() const { return flying_; }

 private:
  float speed_ = 1.0f;  // of flying, in distances to the target per second
  bool flying_ = false;
  std::chrono::steady_clock::time_point last_{};
};

/// Turns the camera toward `point`, which becomes the center of orbits.
void focusOn(Camera& camera, glm::vec3 point);

}  // namespace fathom::viewer
