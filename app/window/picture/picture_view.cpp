// SPDX-License-Identifier: BSD-3-Clause
// Limits of zoom and pan: some of the picture always stays visible.
#include "app/window/picture/picture_view.h"

#include <algorithm>
#include <cmath>

namespace fathom::viewer {
namespace {
constexpr float kMinZoom = 1.0f / 64, kMaxZoom = 256.0f;
constexpr float kMaxFit = 16.0f;  // a tiny picture is not enlarged further
constexpr float kAlwaysVisible = 40.0f;
}  // namespace

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
  zoom_ = std::clamp(std::min(area_.width / (float(size_.x) * aspect_), area_.height / float(size_.y)),
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

}  // namespace fathom::viewer
