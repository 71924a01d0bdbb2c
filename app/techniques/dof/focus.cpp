// SPDX-License-Identifier: BSD-3-Clause
// Focus by a click on the picture: the median depth of 5 x 5 pixels, reached in a short move, and
// what is drawn over the picture meanwhile.
#include "app/techniques/dof/technique.h"

#include <algorithm>
#include <cmath>

namespace fathom::dof {
namespace {

constexpr double kMoveSeconds = 0.35;
constexpr OverlayColor kMark{0.21f, 0.77f, 0.71f, 1};

}  // namespace

bool DofTechnique::interact(const PictureInput& input) {
  picker_.cursor = input.inside ? std::optional(glm::ivec2(glm::floor(input.at))) : std::nullopt;
  if (input.inside && input.buttons[PictureInput::Left].clicked)
    pickFocus(int(std::floor(input.at.x)), int(std::floor(input.at.y)));
  return false;  // a click also pins the pixel, a drag moves the camera
}

void DofTechnique::pickFocus(int x, int y) {
  const std::optional<float> depth = focusAt(x, y);
  if (!depth) return;
  picker_.from = lens().focus;
  picker_.to = *depth;
  picker_.at = glm::ivec2(x, y);
  picker_.start = std::chrono::steady_clock::now();
  picker_.moving = true;
}

/// Moves evenly in 1/z, which is evenly in blur.
Effect DofTechnique::takeChange() {
  if (!picker_.moving) return Effect::None;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - picker_.start;
  const double t = std::min(1.0, spent.count() / kMoveSeconds), eased = t * t * (3 - 2 * t);
  settings_.focusDistance =
      t < 1 ? float(1 / ((1 - eased) / picker_.from + eased / picker_.to)) : float(picker_.to);
  picker_.moving = t < 1;
  return Effect::Redraw;
}

void DofTechnique::drawOverlay(PictureOverlay& overlay) {
  if (!picture_ || stage_ != Stage::Done) return;
  if (picker_.at) {
    const glm::vec2 at = glm::vec2(*picker_.at) + 0.5f;
    overlay.circle(at, 6, kMark);
    overlay.label(at + 8.0f / overlay.zoom(), fmt::format("in focus {:.4g}", lens().focus), kMark,
                  true);
    overlay.landmark(at, "focus");
  }
  // The circle of confusion under the cursor, as large as it is in the picture.
  if (!picker_.cursor || settings_.show == Show::Difference) return;
  const glm::ivec2 p = *picker_.cursor;
  if (p.x < 0 || p.y < 0 || p.x >= size_.x || p.y >= size_.y) return;
  const double r = lens().cocRadius(picture_->texel(p.x, p.y).a);
  if (std::abs(r) >= 1)
    overlay.circle(glm::vec2(p) + 0.5f, float(std::abs(r)) * overlay.zoom(), kMark.faded(0.6f), 1);
}

std::vector<TechniqueAction> DofTechnique::actions() {
  return {{"Focus", "Focus on what lies under the cursor", "Click", nullptr}};
}

}  // namespace fathom::dof
