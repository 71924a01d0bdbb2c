// SPDX-License-Identifier: BSD-3-Clause
// From the mouse to strokes in the model's plane, and what is drawn of them.
#include "app/window/smoe/brush.h"

#include <glm/geometric.hpp>

namespace fathom::smoe {
namespace {

constexpr float kBrushRadius = 20;   // window px
constexpr double kDabsApart = 0.35;  // of the radius
constexpr OverlayColor kPaint{1, 0.75f, 0.2f, 1};

}  // namespace

bool FitBrush::interact(const PictureInput& input, const ViewWindow& window) {
  if (!ready()) return false;
  at_ = window.corner + glm::dvec2(input.at) * window.step;
  inside_ = input.inside;
  const PictureInput::ButtonState& left = input.buttons[PictureInput::Left];
  if (left.pressed && input.inside)
    stroke_ = Attention{{at_}, double(kBrushRadius / input.zoom) * window.step, window.at};
  if (!stroke_) return false;
  if (glm::distance(stroke_->points.back(), at_) > kDabsApart * stroke_->radius)
    stroke_->points.push_back(at_);
  if (left.released || !left.held) done_ = std::exchange(stroke_, std::nullopt);
  return true;
}

void FitBrush::draw(PictureOverlay& overlay, const ViewWindow& window, glm::vec2 shift) const {
  if (!ready()) return;
  const auto onPicture = [&](glm::dvec2 p) {
    return glm::vec2((p - window.corner) / window.step) + shift;
  };
  if (stroke_)
    for (const glm::dvec2 p : stroke_->points)
      overlay.disc(onPicture(p), kBrushRadius, kPaint.faded(0.25f));
  if (inside_) overlay.circle(onPicture(at_), kBrushRadius, kPaint);
}

}  // namespace fathom::smoe
