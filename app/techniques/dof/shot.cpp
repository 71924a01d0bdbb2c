// SPDX-License-Identifier: BSD-3-Clause
// The lens of a shot: its full frame is the display window of a file, or the picture of a scene.
#include "app/techniques/dof/shot.h"

#include <glm/trigonometric.hpp>

#include <cmath>
#include <utility>

namespace fathom::dof {
namespace {

constexpr glm::ivec2 kSceneSize{1280, 720};  // until the window or --size says otherwise

/// In rad; 0 where no camera says.
double horizontalFov(const Shot& shot) {
  if (!shot.input.scene || shot.size.y <= 0) return 0;
  const double tangent = std::tan(glm::radians(double(shot.camera.verticalFovDeg)) / 2);
  return 2 * std::atan(tangent * shot.size.x / shot.size.y);
}

/// Pixels that the sensor's width stands for.
int frameWidth(const Shot& shot) {
  const Input& input = shot.input;
  if (input.flat) return input.flat->frameWidth;
  if (input.deep && !input.deep->displayWindow.empty()) return input.deep->displayWindow.width;
  return shot.size.x;
}

}  // namespace

void Shot::open(Input next) {
  input = std::move(next);
  ++inputCount;
  if (input.scene) {
    camera = input.scene->camera;
    if (size.x <= 0) size = kSceneSize;
  } else if (input.deep) {
    size = {input.deep->dataWindow.width, input.deep->dataWindow.height};
  } else {
    size = {input.flat->image.width, input.flat->image.height};
  }
}

Camera Shot::sceneCamera() const {
  Camera fitted = camera;
  fitted.fitDepth(input.scene->bounds);
  return fitted;
}

Lens Shot::lens(double autoFocus) const {
  return lensOf(settings, horizontalFov(*this), frameWidth(*this), autoFocus);
}

double Shot::tangentPerPixel() const {
  const Lens l = lens(1);  // the focus does not matter
  return l.sensorWidth / (l.focalLength * l.pictureWidth);
}

glm::ivec2 Shot::origin() const {
  return input.deep ? glm::ivec2(input.deep->dataWindow.x, input.deep->dataWindow.y)
                    : glm::ivec2(0);
}

}  // namespace fathom::dof
