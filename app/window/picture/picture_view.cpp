// SPDX-License-Identifier: BSD-3-Clause
// Zoom about a point, and the camera by mouse and keys.
#include "app/window/picture/picture_view.h"

namespace fathom::viewer {

constexpr float kMinZoom = 1.0f / 64, kMaxZoom = 256.0f;
constexpr float kMaxFit = 16.0f;  // a tiny picture is not enlarged further
constexpr float kAlwaysVisible = 40.0f;

void PictureView::place(Area area, glm::ivec2 pictureSize, float aspect) {
  if (area == area_ && pictureSize == size_ && aspect == aspect_) return;
  const glm::vec2 middleBefore = middle();
  const bool otherPicture = pictureSize != size_ || aspect != aspect_;
  area_ = area;
  aspect_ = aspect;
  size_ = pictureSize;
  if (fitted_ || otherPicture)
    fit();
  else
    show(zoom_, middleBefore);
}

void PictureView::fit() {
  fitted_ = true;
  if (size_.x <= 0 || size_.y <= 0) return;
  zoom_ =
      std::clamp(std::min(area_.width / (float(size_.x) * aspect_), area_.height / float(size_.y)),
                 kMinZoom, kMaxFit);
  if (zoom_ > 1) zoom_ = std::max(1.0f, std::floor(zoom_ * 4) / 4);  // even pixels
  const glm::vec2 extent = glm::vec2(size_) * scale();
  corner_ = glm::vec2(std::round(area_.x + (area_.width - extent.x) / 2),
                      std::round(area_.y + (area_.height - extent.y) / 2));
}

void PictureView::zoomTo(glm::vec2 at, float zoom) {
  const glm::vec2 fixed = toPicture(at);
  const bool crossesOne = (zoom_ - 1) * (zoom - 1) < 0;  // wheel steps meet 1:1 exactly
  zoom_ = crossesOne ? 1.0f : std::clamp(zoom, kMinZoom, kMaxZoom);
  corner_ = at - fixed * scale();
  if (zoom_ == 1) corner_ = glm::vec2(std::round(corner_.x), std::round(corner_.y));
  fitted_ = false;
  keepVisible();
}

void PictureView::pan(glm::vec2 windowPixels) {
  corner_ += windowPixels;
  fitted_ = false;
  keepVisible();
}

void PictureView::show(float zoom, glm::vec2 middle) {
  zoom_ = std::clamp(zoom, kMinZoom, kMaxZoom);
  corner_ = area_.center() - middle * scale();
  fitted_ = false;
  keepVisible();
}

void PictureView::keepVisible() {
  // Some of the picture always stays visible.
  const glm::vec2 extent = glm::vec2(size_) * scale();
  corner_.x = std::clamp(
      corner_.x, area_.x + kAlwaysVisible - extent.x,
      std::max(area_.x + kAlwaysVisible - extent.x, area_.x + area_.width - kAlwaysVisible));
  corner_.y = std::clamp(
      corner_.y, area_.y + kAlwaysVisible - extent.y,
      std::max(area_.y + kAlwaysVisible - extent.y, area_.y + area_.height - kAlwaysVisible));
}

glm::ivec2 PictureView::pixelAt(glm::vec2 window) const {
  const glm::vec2 p = toPicture(window);
  return {int(std::floor(p.x)), int(std::floor(p.y))};
}

bool PictureView::inPicture(glm::ivec2 pixel) const {
  return pixel.x >= 0 && pixel.y >= 0 && pixel.x < size_.x && pixel.y < size_.y;
}

// ---- Camera

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
