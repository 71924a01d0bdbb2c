// SPDX-License-Identifier: BSD-3-Clause
// Which components are visible, and their outlines in pixels of the picture.
#include "app/window/smoe/ellipses.h"

#include <fmt/format.h>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fathom::smoe {
namespace {

constexpr std::size_t kMaxEllipses = 3000;
constexpr double kMinRadius = 1.0;  // of an ellipse that is drawn, window pixels
constexpr std::size_t kMaxPoints = 40;

/// center + across * cos + along * sin.
struct Ellipse {
  glm::dvec2 center, across, along;
};

Ellipse ellipseOf(const Record& r) {
  return {r.center, {1 / r.w11, -r.w21 / (r.w11 * r.w22)}, {0, 1 / r.w22}};
}

/// Half the sides of the box around it.
glm::dvec2 halfBoxOf(const Ellipse& e) {
  return {std::hypot(e.across.x, e.along.x), std::hypot(e.across.y, e.along.y)};
}

std::vector<std::uint32_t> visibleOf(std::span<const Record> records, const ViewWindow& window,
                                     double pixelsPerUnit) {
  const glm::dvec2 low = window.corner, high = low + glm::dvec2(window.size) * window.step;
  std::vector<std::uint32_t> visible;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Ellipse e = ellipseOf(records[i]);
    const glm::dvec2 half = halfBoxOf(e);
    const bool inside = e.center.x + half.x > low.x && e.center.x - half.x < high.x &&
                        e.center.y + half.y > low.y && e.center.y - half.y < high.y;
    if (inside && std::max(half.x, half.y) * pixelsPerUnit >= kMinRadius)
      visible.push_back(std::uint32_t(i));
  }
  return visible;
}

void drawEllipse(PictureOverlay& overlay, const Ellipse& e, const ViewWindow& window,
                 double pixelsPerUnit, OverlayColor color) {
  const glm::dvec2 half = halfBoxOf(e);
  const auto count = std::size_t(std::clamp(
      6 + std::sqrt(std::max(half.x, half.y) * pixelsPerUnit) * 2.5, 8.0, double(kMaxPoints)));
  std::array<glm::vec2, kMaxPoints> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = glm::two_pi<double>() * double(i) / double(count);
    const glm::dvec2 at = e.center + e.across * std::cos(angle) + e.along * std::sin(angle);
    points[i] = glm::vec2((at - window.corner) / window.step);
  }
  overlay.outline({points.data(), count}, {0, 0, 0, 0.6f}, 3);
  overlay.outline({points.data(), count}, color, 1.25f);
}

}  // namespace

void drawEllipses(PictureOverlay& overlay, const ViewWindow& window,
                  std::span<const Record> records, std::span<const OverlayColor> colors) {
  const double pixelsPerUnit = overlay.zoom() / window.step;
  const std::vector<std::uint32_t> visible = visibleOf(records, window, pixelsPerUnit);
  const std::size_t stride = visible.size() / kMaxEllipses + 1;
  for (std::size_t k = 0; k < visible.size(); k += stride)
    drawEllipse(overlay, ellipseOf(records[visible[k]]), window, pixelsPerUnit, colors[visible[k]]);
  if (stride > 1)
    overlay.label({8 / overlay.zoom(), 36 / overlay.zoom()},
                  fmt::format("one ellipse of {}", stride), {1, 1, 1, 1}, true);
}

}  // namespace fathom::smoe
