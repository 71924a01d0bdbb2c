// SPDX-License-Identifier: BSD-3-Clause
// Speeds: how far a drag orbits, a notch of the wheel dollies, and a second of flying moves.
#include "app/window/picture/camera_control.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom::viewer {
namespace {
constexpr float kRadiansPerHeight = 3.1415927f;  // a drag across the picture is half a turn
}

bool CameraControl::apply(const CameraInput& input, Camera& camera) {
  const Camera before = camera;
  const glm::vec2 drag = input.drag / std::max(input.pictureHeight, 1.0f);
  const auto now = std::chrono::steady_clock::now();

  if (input.orbit && drag != glm::vec2(0))
    camera.orbit(-drag.x * kRadiansPerHeight, -drag.y * kRadiansPerHeight);
  if (input.pan && drag != glm::vec2(0)) camera.pan({-drag.x, drag.y});
  if (input.fly) {
    if (drag != glm::vec2(0)) camera.look(-drag.x * kRadiansPerHeight, -drag.y * kRadiansPerHeight);
    if (input.wheel != 0) speed_ = std::clamp(speed_ * std::pow(1.25f, input.wheel), 0.02f, 50.0f);
  } else if (input.wheel != 0) {
    camera.dolly(std::pow(0.88f, input.wheel));
  }

  const bool wasFlying = std::exchange(flying_, input.fly && input.keys != glm::vec3(0));
  if (flying_) {
    // The first frame has no duration yet, and a long one (loading) must not cause a leap.
    const float seconds =
        wasFlying ? std::min(std::chrono::duration<float>(now - last_).count(), 0.25f) : 0.02f;
    const float reach = glm::length(camera.target - camera.position);
    camera.fly(input.keys * (reach * speed_ * seconds * (input.fast ? 4.0f : 1.0f)));
  }
  last_ = now;
  return camera != before;
}

void focusOn(Camera& camera, glm::vec3 point) {
  if (glm::length(point - camera.position) > 1e-6f) camera.target = point;
}

}  // namespace fathom::viewer
