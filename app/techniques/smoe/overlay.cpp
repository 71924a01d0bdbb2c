// SPDX-License-Identifier: BSD-3-Clause
// The mouse over the picture and what is drawn over it: the wheel decodes nearer, a drag moves the
// part or the view, ellipses show the components.
#include "app/core/color.h"
#include "app/techniques/smoe/navigation.h"
#include "app/techniques/smoe/reference.h"
#include "app/techniques/smoe/technique.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom::smoe {
namespace {

constexpr double kTurn = 6.283185307179586;
constexpr double kWheelStep = 1.25;
constexpr double kFinest = 1.0 / 512;  // model px per window pixel
constexpr std::size_t kMaxEllipses = 3000;
constexpr double kMinRadius = 1.0;  // of an ellipse that is drawn, window pixels

/// The ellipse of one standard deviation: center + across * cos + along * sin.
struct Ellipse {
  glm::dvec2 center, across, along;
};

Ellipse ellipseOf(const Record& r) {
  return {r.center, {1 / r.w11, -r.w21 / (r.w11 * r.w22)}, {0, 1 / r.w22}};
}

/// Half the sides of the box around it.
glm::dvec2 reachOf(const Ellipse& e) {
  return {std::hypot(e.across.x, e.along.x), std::hypot(e.across.y, e.along.y)};
}

/// As displayed, and half way to white: seen on its own picture.
float lit(float linear) { return 0.5f + 0.5f * srgbFromLinear(linear); }

/// Colors of the ellipses, from the components' own.
std::vector<OverlayColor> colorsOf(const std::vector<Record>& records, ColorSpace space) {
  std::vector<glm::dvec3> means;
  means.reserve(records.size());
  for (const Record& r : records) means.push_back(r.color);
  const Image linear = reference::toImage(means, {int(means.size()), 1}, space);
  std::vector<OverlayColor> colors;
  colors.reserve(records.size());
  for (const glm::vec4& p : linear.pixels) colors.push_back({lit(p.r), lit(p.g), lit(p.b), 1});
  return colors;
}

}  // namespace

// The mouse
// -------------------------------------------------------------------------------------------------

/// Decodes nearer or farther about the cursor. What is seen fills the window; as soon as all of the
/// model would fit, it is shown as a whole.
void SmoeTechnique::zoom(const PictureInput& input) {
  if (!settings_.window.empty() && !part()) return;
  const glm::dvec2 room = glm::dvec2(input.high - input.low) * double(input.zoom);
  const glm::dvec2 inRoom = glm::dvec2(input.at - input.low) * double(input.zoom);
  const glm::dvec2 whole(model_->width, model_->height);
  const double widest = std::max(whole.x / room.x, whole.y / room.y);
  // The wheel turns on from what is asked for, which may not be decoded yet: what is seen then is
  // an older picture.
  const ViewWindow asked = windowFor(*model_, settings_, pictureSize());
  double shown = asked.step;
  glm::dvec2 under = asked.corner + inRoom * shown;
  if (asked == drawn_->window) {
    shown = asked.step / input.zoom;
    under = asked.corner + glm::dvec2(input.at) * asked.step;
  } else if (settings_.window.empty()) {
    shown = widest;
    under = (inRoom - (room - whole / widest) / 2.0) * widest;
  }
  const double step = std::max(shown / std::pow(kWheelStep, input.wheel), kFinest);
  if (step >= widest) {
    settings_.window.clear();
    return;
  }
  const glm::dvec2 extent = room * step;
  settings_.window =
      windowText({glm::clamp(under - inRoom * step, -extent / 2.0, whole - extent / 2.0), extent});
}

/// `dragged`: share of the picture's width and height.
void SmoeTechnique::moveView(glm::dvec2 dragged) {
  setView(draggedView(*model_, view(), dragged, viewRangeOf(*model_, settings_.beyond)));
}

/// The view goes round by the clock.
void SmoeTechnique::turn() {
  if (!settings_.orbit || asked_ || !model_ || model_->leading() == 0) return;
  const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
  setView(orbitView(*model_, now.count()));
}

bool SmoeTechnique::interact(const PictureInput& input) {
  if (!model_ || !drawn_) return false;
  if (input.inside && input.wheel != 0) {
    zoom(input);
    return true;
  }
  const auto& left = input.buttons[PictureInput::Left];
  const auto& middle = input.buttons[PictureInput::Middle];
  const bool moved = input.drag != glm::vec2(0);
  if (left.held && moved && model_->leading() > 0) {
    moveView(glm::dvec2(input.drag) / glm::dvec2(size()));
    return true;
  }
  const bool pans = (left.held && model_->leading() == 0) || middle.held;
  const std::optional<Part> now = part();
  if (!pans || !moved || !now) return left.held && model_->leading() > 0;
  settings_.window =
      windowText({now->corner - glm::dvec2(input.drag) * drawn_->window.step, now->extent});
  return true;
}

// Over the picture
// -------------------------------------------------------------------------------------------------

void SmoeTechnique::drawEllipses(PictureOverlay& overlay) {
  const ViewWindow& window = drawn_->window;
  const std::vector<Record>& records = recordsOfView();
  if (sliced_.colors.size() != records.size())
    sliced_.colors = colorsOf(records, model_->colorSpace);
  const glm::dvec2 low = window.corner, high = low + glm::dvec2(window.size) * window.step;
  const double pixelsPerUnit = overlay.zoom() / window.step;
  std::vector<std::uint32_t> visible;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Ellipse e = ellipseOf(records[i]);
    const glm::dvec2 reach = reachOf(e);
    const bool inside = e.center.x + reach.x > low.x && e.center.x - reach.x < high.x &&
                        e.center.y + reach.y > low.y && e.center.y - reach.y < high.y;
    if (inside && std::max(reach.x, reach.y) * pixelsPerUnit >= kMinRadius)
      visible.push_back(std::uint32_t(i));
  }
  // Too many to be told apart: every n-th, always the same ones.
  const std::size_t stride = visible.size() / kMaxEllipses + 1;
  std::array<glm::vec2, 40> points;
  for (std::size_t k = 0; k < visible.size(); k += stride) {
    const Ellipse e = ellipseOf(records[visible[k]]);
    const glm::dvec2 reach = reachOf(e);
    const auto count = std::size_t(
        std::clamp(6 + std::sqrt(std::max(reach.x, reach.y) * pixelsPerUnit) * 2.5, 8.0, 40.0));
    for (std::size_t i = 0; i < count; ++i) {
      const double angle = kTurn * double(i) / double(count);
      const glm::dvec2 at = e.center + e.across * std::cos(angle) + e.along * std::sin(angle);
      points[i] = glm::vec2((at - window.corner) / window.step);
    }
    overlay.outline({points.data(), count}, {0, 0, 0, 0.6f}, 3);
    overlay.outline({points.data(), count}, sliced_.colors[visible[k]], 1.25f);
  }
  if (stride > 1)
    overlay.label({8 / overlay.zoom(), 36 / overlay.zoom()},
                  fmt::format("one ellipse of {}", stride), {1, 1, 1, 1}, true);
}

void SmoeTechnique::drawOverlay(PictureOverlay& overlay) {
  if (!model_ || !drawn_) return;
  if (settings_.ellipses) drawEllipses(overlay);
  if (model_->leading() > 0)
    overlay.label({8 / overlay.zoom(), 16 / overlay.zoom()},
                  (model_->dims == 4 ? "view " : "frame ") + viewName(drawn_->window.at),
                  {1, 1, 1, 1}, true);
}

}  // namespace fathom::smoe
