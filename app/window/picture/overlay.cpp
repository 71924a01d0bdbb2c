// SPDX-License-Identifier: BSD-3-Clause
// Points are in picture pixels, widths and radii in units of the design; lines get a dark rim so
// that they are visible on any picture.
#include "app/window/picture/overlay.h"

#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace fathom::viewer {
using namespace ui;
namespace {

ImU32 packedColor(OverlayColor c) { return packed({c.r, c.g, c.b, c.a}); }

}  // namespace

ImVec2 DrawListOverlay::place(glm::vec2 picture) const {
  // Points far outside would overflow the rasterizer's coordinates.
  const glm::vec2 at = glm::clamp(view_.toWindow(picture), glm::vec2(-1e5f), glm::vec2(1e5f));
  return {at.x, at.y};
}

void DrawListOverlay::line(glm::vec2 from, glm::vec2 to, OverlayColor color, float width) {
  const ImVec2 a = place(from), b = place(to);
  draw_.AddLine(a, b, packed({0, 0, 0, 0.5f * color.a}), px(width + 2));
  draw_.AddLine(a, b, packedColor(color), px(width));
}

void DrawListOverlay::dashed(glm::vec2 from, glm::vec2 to, OverlayColor color, float width) {
  const ImVec2 a = place(from), b = place(to);
  const float length = std::hypot(b.x - a.x, b.y - a.y), dash = px(5);
  // Longer than any screen: a plain line.
  if (length < dash || length > px(6000)) return line(from, to, color, width);
  const ImVec2 step((b.x - a.x) / length, (b.y - a.y) / length);
  for (float at = 0; at < length; at += dash * 2) {
    const float end = std::min(at + dash, length);
    draw_.AddLine({a.x + step.x * at, a.y + step.y * at}, {a.x + step.x * end, a.y + step.y * end},
                  packedColor(color), px(width));
  }
}

void DrawListOverlay::outline(std::span<const glm::vec2> points, OverlayColor color, float width) {
  for (const glm::vec2 point : points) draw_.PathLineTo(place(point));
  draw_.PathStroke(packedColor(color), ImDrawFlags_Closed, px(width));
}

void DrawListOverlay::polygon(std::span<const glm::vec2> convex, OverlayColor fill) {
  for (const glm::vec2 point : convex) draw_.PathLineTo(place(point));
  draw_.PathFillConvex(packedColor(fill));
}

void DrawListOverlay::circle(glm::vec2 center, float radius, OverlayColor color, float width) {
  const ImVec2 at = place(center);
  draw_.AddCircle(at, px(radius), packed({0, 0, 0, 0.5f * color.a}), 0, px(width + 2));
  draw_.AddCircle(at, px(radius), packedColor(color), 0, px(width));
}

void DrawListOverlay::disc(glm::vec2 center, float radius, OverlayColor fill) {
  draw_.AddCircleFilled(place(center), px(radius), packedColor(fill));
}

void DrawListOverlay::handle(glm::vec2 at, OverlayColor color, bool hot) {
  const ImVec2 center = place(at);
  const float radius = px(hot ? 6.5f : 4.5f);
  draw_.AddCircleFilled(center, radius + px(1.5f), packed({0, 0, 0, 0.7f * color.a}));
  draw_.AddCircleFilled(center, radius, packedColor(color));
  if (hot) draw_.AddCircle(center, radius + px(3), packed({1, 1, 1, 0.9f}), 0, px(1.5f));
}

void DrawListOverlay::label(glm::vec2 at, std::string_view text, OverlayColor color, bool plate) {
  const ImVec2 center = place(at);
  const char *first = text.data(), *last = first + text.size();
  ImFont* font = fonts().small;
  const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e9f, 0, first, last);
  const ImVec2 low(std::round(center.x + px(9)), std::round(center.y - size.y / 2));
  if (plate)
    draw_.AddRectFilled({low.x - px(5), low.y - px(3)},
                        {low.x + size.x + px(5), low.y + size.y + px(3)},
                        packed(color::kBar, 0.86f * color.a), px(4));
  else
    draw_.AddText(font, font->FontSize, {low.x + 1, low.y + 1}, packed({0, 0, 0, 0.8f * color.a}),
                  first, last);
  draw_.AddText(font, font->FontSize, low, packedColor(color), first, last);
}

void DrawListOverlay::landmark(glm::vec2 at, const std::string& name) {
  const glm::vec2 window = view_.toWindow(at);
  Landmarks::note(name, {window.x - 1, window.y - 1}, {window.x + 1, window.y + 1});
}

}  // namespace fathom::viewer
