// SPDX-License-Identifier: BSD-3-Clause
// Draws the picture, its overlays and its legend; reads the mouse.
#include "app/window/picture/viewport.h"

#include "app/engine/inspect.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom {
using namespace ui;

// ---- What lies over it

namespace {

ImU32 packedColor(OverlayColor c) { return packed({c.r, c.g, c.b, c.a}); }

}  // namespace

ImVec2 PictureOverlay::place(glm::vec2 picture) const {
  // Points far outside would overflow the rasterizer's coordinates.
  const glm::vec2 at = glm::clamp(view_.toWindow(picture), glm::vec2(-1e5f), glm::vec2(1e5f));
  return {at.x, at.y};
}

void PictureOverlay::line(glm::vec2 from, glm::vec2 to, OverlayColor color, float width) {
  const ImVec2 a = place(from), b = place(to);
  draw_.AddLine(a, b, packed({0, 0, 0, 0.5f * color.a}), px(width + 2));
  draw_.AddLine(a, b, packedColor(color), px(width));
}

void PictureOverlay::dashed(glm::vec2 from, glm::vec2 to, OverlayColor color, float width) {
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

void PictureOverlay::dashed(const Rect& r, OverlayColor color) {
  const glm::vec2 corners[] = {
      {r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}};
  for (int i = 0; i < 4; ++i) dashed(corners[i], corners[(i + 1) % 4], color);
}

void PictureOverlay::outline(std::span<const glm::vec2> points, OverlayColor color, float width) {
  for (const glm::vec2 point : points) draw_.PathLineTo(place(point));
  draw_.PathStroke(packedColor(color), ImDrawFlags_Closed, px(width));
}

void PictureOverlay::polygon(std::span<const glm::vec2> convex, OverlayColor fill) {
  for (const glm::vec2 point : convex) draw_.PathLineTo(place(point));
  draw_.PathFillConvex(packedColor(fill));
}

void PictureOverlay::circle(glm::vec2 center, float radius, OverlayColor color, float width) {
  const ImVec2 at = place(center);
  draw_.AddCircle(at, px(radius), packed({0, 0, 0, 0.5f * color.a}), 0, px(width + 2));
  draw_.AddCircle(at, px(radius), packedColor(color), 0, px(width));
}

void PictureOverlay::disc(glm::vec2 center, float radius, OverlayColor fill) {
  draw_.AddCircleFilled(place(center), px(radius), packedColor(fill));
}

void PictureOverlay::handle(glm::vec2 at, OverlayColor color, bool hot) {
  const ImVec2 center = place(at);
  const float radius = px(hot ? 6.5f : 4.5f);
  draw_.AddCircleFilled(center, radius + px(1.5f), packed({0, 0, 0, 0.7f * color.a}));
  draw_.AddCircleFilled(center, radius, packedColor(color));
  if (hot) draw_.AddCircle(center, radius + px(3), packed({1, 1, 1, 0.9f}), 0, px(1.5f));
}

void PictureOverlay::label(glm::vec2 at, std::string_view text, OverlayColor color, bool plate) {
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

void PictureOverlay::landmark(glm::vec2 at, const std::string& name) {
  const glm::vec2 window = view_.toWindow(at);
  Landmarks::note(name, {window.x - 1, window.y - 1}, {window.x + 1, window.y + 1});
}

float PictureOverlay::zoom() const { return view_.zoom(); }

glm::vec2 PictureOverlay::size() const { return glm::vec2(view_.pictureSize()); }

}  // namespace fathom

namespace fathom::viewer {
using namespace ui;

// ---- The picture

namespace {

constexpr float kWheelStep = 1.18f, kSplitReach = 7, kHandleReach = 9;
constexpr float kMinValueZoom = 70;  // window pixels per picture pixel that numbers need

float splitX(const Comparison& compare, const Area& area) {
  return std::round(area.x + area.width * compare.splitAt);
}

/// A dark plate that keeps text readable over any picture.
void plate(ImDrawList& draw, ImVec2 low, ImVec2 high) {
  draw.AddRectFilled(low, high, packed(color::kBar, 0.86f), px(6));
  draw.AddRect(low, high, packed(color::kLine), px(6));
}

/// The technique's classes by color, from the upper right corner down.
void drawLegend(ImDrawList& draw, const Area& area, const std::vector<LegendEntry>& legend) {
  if (legend.empty()) return;
  ImFont* font = fonts().small;
  const float row = font->FontSize + px(6), pad = px(10), box = font->FontSize;
  float widest = 0;
  for (const LegendEntry& entry : legend) widest = std::max(widest, textSize(font, entry.label).x);
  const float width = widest + box + px(8) + pad * 2;
  const float height = row * float(legend.size()) + pad * 2 - px(6);
  const ImVec2 low(area.x + area.width - width - px(12), area.y + px(12));
  plate(draw, low, {low.x + width, low.y + height});
  Landmarks::note("legend", {low.x, low.y}, {low.x + width, low.y + height});
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const LegendEntry& entry = legend[i];
    const ImVec2 at(low.x + pad, low.y + pad + row * float(i));
    draw.AddRectFilled(at, {at.x + box, at.y + box}, packed(fromLinear(entry.r, entry.g, entry.b)),
                       px(3));
    draw.AddRect(at, {at.x + box, at.y + box}, packed({1, 1, 1, 0.15f}), px(3));
    drawText(draw, font, {at.x + box + px(8), at.y}, color::kText, entry.label);
  }
}

/// A bar of colors with what its left end, middle and right end mean.
void drawColorBar(ImDrawList& draw, const Area& area, const std::array<std::string, 3>& labels,
                  const std::function<glm::vec3(float)>& colorAt) {
  constexpr int kSteps = 24;
  const float width = px(200), height = px(10), pad = px(10);
  const ImVec2 low(area.x + px(12), area.y + px(12));
  plate(draw, low, {low.x + width + pad * 2, low.y + height + pad * 2 + px(16)});
  const ImVec2 bar(low.x + pad, low.y + pad);
  const auto tint = [&](int step) {
    const glm::vec3 c = colorAt(float(step) / kSteps);
    return packed({c.r, c.g, c.b, 1});
  };
  for (int i = 0; i < kSteps; ++i) {
    const float x = bar.x + width * float(i) / kSteps, end = bar.x + width * float(i + 1) / kSteps;
    draw.AddRectFilledMultiColor({x, bar.y}, {end, bar.y + height}, tint(i), tint(i + 1),
                                 tint(i + 1), tint(i));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float room = width - textSize(fonts().small, labels[i]).x;
    drawText(draw, fonts().small, {bar.x + room * float(i) / 2, bar.y + height + px(4)},
             color::kDim, labels[i]);
  }
  Landmarks::note("scale", {low.x, low.y},
                  {low.x + width + pad * 2, low.y + height + pad * 2 + px(16)});
}

/// The scale of false color, labeled with the values at its ends.
void drawScale(ImDrawList& draw, const Area& area, const DisplaySettings& s,
               const ValueRange& range) {
  if (!s.falseColor) return;
  // Exposure does not change alpha, so the scale of alpha always ends at 1.
  const bool alpha = s.channel == DisplaySettings::Channel::A;
  const float gain = alpha ? 1 : std::exp2(s.exposureStops);
  const float span = s.normalize && !alpha ? range.high - range.low : 1;
  const float low = s.normalize && !alpha ? range.low : 0, offset = alpha ? 0 : s.offset;
  const auto value = [&](float t) {
    return fmt::format("{:.4g}", low + (t - offset) * span / gain);
  };
  drawColorBar(draw, area, {value(0), "", value(1)}, [&](float t) { return mapColor(s.map, t); });
}

/// The colors of a difference, as display.frag has them.
void drawDifferenceScale(ImDrawList& draw, const Area& area, const DisplaySettings& s, float gain) {
  if (s.difference != DisplaySettings::Difference::Signed)
    return drawColorBar(draw, area, {"A = B", "", fmt::format("{:.3g}", 1 / gain)},
                        [&](float t) { return mapColor(s.map, t); });
  const glm::vec3 below(0.290f, 0.639f, 1), none(0.063f), above(1, 0.561f, 0.180f);
  drawColorBar(draw, area,
               {fmt::format("{:+.3g}", -1 / gain), "A = B", fmt::format("{:+.3g}", 1 / gain)},
               [&](float t) {
                 return t < 0.5f ? glm::mix(below, none, t * 2) : glm::mix(none, above, t * 2 - 1);
               });
}

void sideLabel(ImDrawList& draw, ImVec2 at, ImVec4 tint, const std::string& text, bool alignRight) {
  const ImVec2 size = textSize(fonts().strong, text);
  const float width = size.x + px(16);
  const ImVec2 low(alignRight ? at.x - width : at.x, at.y);
  plate(draw, low, {low.x + width, low.y + size.y + px(8)});
  drawText(draw, fonts().strong, {low.x + px(8), low.y + px(4)}, tint, text);
}

void drawSplit(ImDrawList& draw, const Comparison& compare, const Area& area, bool hot,
               Comparison::Show show) {
  const float bottom = area.y + area.height, y = bottom - px(44);
  const std::string b = compare.frozen() ? "B: " + compare.name() : "B";
  Landmarks::note(b, {area.x, y}, {area.x + area.width, bottom});
  if (show != Comparison::Show::Split) {
    const bool both = show == Comparison::Show::Difference;
    sideLabel(draw, {area.x + px(12), y}, both ? color::kText : color::kSecond,
              both ? fmt::format("A against B, x {:.3g}", compare.differenceGain) : b, false);
    return;
  }
  const float x = splitX(compare, area);
  draw.AddLine({x, area.y}, {x, bottom}, packed({0, 0, 0, 0.55f}), px(4));
  draw.AddLine({x, area.y}, {x, bottom}, packed(hot ? color::kAccent : color::kText), px(2));
  const ImVec2 middle(x, area.y + area.height / 2);
  draw.AddCircleFilled(middle, px(11), packed(color::kPanel));
  draw.AddCircle(middle, px(11), packed(hot ? color::kAccent : color::kText), 0, px(2));
  for (const float side : {-1.0f, 1.0f})
    draw.AddTriangleFilled({middle.x + side * px(7), middle.y},
                           {middle.x + side * px(2.5f), middle.y - px(4)},
                           {middle.x + side * px(2.5f), middle.y + px(4)}, packed(color::kText));
  sideLabel(draw, {x - px(10), y}, color::kAccent, "A", true);
  sideLabel(draw, {x + px(10), y}, color::kSecond, b, false);
}

void drawPinned(ImDrawList& draw, std::optional<glm::ivec2> pinned, const PictureView& view) {
  if (!pinned) return;
  const glm::vec2 pixel(*pinned);
  glm::vec2 low = view.toWindow(pixel), high = view.toWindow(pixel + 1.0f);
  const float minSide = px(9);
  if (high.x - low.x < minSide) {  // a larger box around a pixel that is too small to be seen
    const glm::vec2 middle = (low + high) * 0.5f;
    low = middle - minSide / 2, high = middle + minSide / 2;
  }
  low = glm::floor(low), high = glm::ceil(high);  // a box between pixels would be a blur
  draw.AddRect({low.x - 2, low.y - 2}, {high.x + 2, high.y + 2}, packed({0, 0, 0, 0.8f}));
  draw.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, packed(color::kAccent));
}

void drawEmpty(ImDrawList& draw, const Area& area) {
  const std::string title = "Reading";
  const std::string line = "The image appears as soon as the first one is made.";
  const glm::vec2 c = area.center();
  const ImVec2 a = textSize(fonts().strong, title), b = textSize(fonts().text, line);
  drawText(draw, fonts().strong, {c.x - a.x / 2, c.y - px(22)}, color::kText, title);
  drawText(draw, fonts().text, {c.x - b.x / 2, c.y + px(4)}, color::kDim, line);
}

}  // namespace

/// Numbers in pixels that are large enough: the values of the picture, read when they change.
void Viewport::drawValues(ImDrawList& draw, const Area& area, const gpu::Texture& picture,
                          std::uint64_t generation, const PictureView& view) {
  const float zoom = view.zoom();
  if (zoom < px(kMinValueZoom) || picture.size() != view.pictureSize()) return;
  const glm::ivec2 first = glm::max(view.pixelAt({area.x, area.y}), glm::ivec2(0));
  const glm::ivec2 last =
      glm::min(view.pixelAt({area.x + area.width, area.y + area.height}), picture.size() - 1);
  const Rect region{first.x, first.y, last.x - first.x + 1, last.y - first.y + 1};
  if (region.width < 1 || region.height < 1) return;
  if (!(region == valuesRegion_) || generation != valuesGeneration_) {
    valuesRegion_ = region, valuesGeneration_ = generation;
    values_.clear();
    for (int y = 0; y < region.height; ++y)
      for (int x = 0; x < region.width; ++x)
        values_.push_back(picture.texel(region.x + x, region.y + y));
  }
  draw.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height}, true);
  ImFont* const font = fonts().small;
  static const ImVec4 tints[] = {color::rgb(0xff8d87), color::rgb(0x92e07f), color::rgb(0x8dbbff),
                                 color::kText};
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const glm::ivec2 pixel(region.x + int(i) % region.width, region.y + int(i) / region.width);
    const glm::vec2 at = view.toWindow(glm::vec2(pixel));
    const glm::vec4& v = values_[i];
    for (int c = 0; c < 4; ++c) {
      const std::string text = fmt::format("{:.3g}", v[c]);
      const ImVec2 where(at.x + px(6), at.y + px(4) + float(c) * (font->FontSize + px(1)));
      drawText(draw, font, {where.x + 1, where.y + 1}, {0, 0, 0, 0.9f}, text);
      drawText(draw, font, where, tints[c], text);
    }
  }
  Landmarks::note("values");
  draw.PopClipRect();
}

/// The mouse as passed to the technique; `own`: the window uses it itself.
PictureInput Viewport::inputOf(const PictureView& view, bool own) const {
  const ImGuiIO& io = ImGui::GetIO();
  PictureInput input;
  const float zoom = std::max(view.zoom(), 1e-6f);
  input.zoom = zoom;
  input.reach = px(kHandleReach) / zoom;
  input.at = view.toPicture({io.MousePos.x, io.MousePos.y});
  input.low = view.toPicture({view.area().x, view.area().y});
  input.high = input.low + glm::vec2(view.area().width, view.area().height) / view.scale();
  if (own) return input;
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  input.drag =
      glm::vec2(io.MouseDelta.x, io.MouseDelta.y) / glm::max(view.scale(), glm::vec2(1e-6f));
  input.inside = hovered || active;
  input.shift = io.KeyShift, input.ctrl = io.KeyCtrl, input.alt = io.KeyAlt;
  input.wheel = hovered ? io.MouseWheel : 0;
  const int buttons[] = {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle};
  for (std::size_t i = 0; i < input.buttons.size(); ++i) {
    PictureInput::ButtonState& state = input.buttons[i];
    const int button = buttons[i];
    state.pressed = active && ImGui::IsMouseClicked(button);
    state.held = active && ImGui::IsMouseDown(button);
    state.released = ImGui::IsMouseReleased(button) && (active || ImGui::IsItemDeactivated());
    state.clicked = state.released && !dragged_;
    state.doubleClicked = hovered && ImGui::IsMouseDoubleClicked(button);
  }
  return input;
}

ViewportEvents Viewport::interact(Document& document, Comparison& compare, PictureView& view,
                                  bool spaceHeld) {
  ViewportEvents events;
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 mouse(io.MousePos.x, io.MousePos.y), drag(io.MouseDelta.x, io.MouseDelta.y);
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const bool hasCamera = document.hasCamera();
  const bool hasB = compare.picture(document) && compare.show == Comparison::Show::Split;
  const auto held = [&](int button) { return active && ImGui::IsMouseDown(button); };
  const glm::ivec2 pixel = view.pixelAt(mouse);
  if (hovered && view.inPicture(pixel)) events.hovered = pixel;

  if (ImGui::IsItemActivated()) {
    dragged_ = false;
    panning_ = spaceHeld;
    draggingSplit_ = hasB && !compare.held && ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
                     std::abs(mouse.x - splitX(compare, view.area())) < px(kSplitReach);
  }
  for (const int button : {0, 1, 2})
    if (ImGui::IsMouseDragging(button, px(4))) dragged_ = true;
  if (!active && !ImGui::IsItemDeactivated()) draggingSplit_ = panning_ = false;

  const bool ctrlWheel = io.KeyCtrl && io.MouseWheel != 0;
  const bool own = draggingSplit_ || panning_ || spaceHeld || ctrlWheel;
  PictureTools* const tools = document.active().parts().tools;
  if (document.hasPicture() && tools && tools->interact(inputOf(view, own))) return events;

  const float wheel = hovered ? io.MouseWheel : 0;
  const bool cameraWheel = hasCamera && !io.KeyCtrl;
  if (!cameraWheel)  // step by step: one of them may stop at 1:1
    for (float left = std::abs(wheel); left > 0; left -= 1)
      view.zoomAt(mouse, std::pow(kWheelStep, std::copysign(std::min(left, 1.0f), wheel)));

  if (draggingSplit_) {
    compare.splitAt =
        std::clamp((mouse.x - view.area().x) / std::max(view.area().width, 1.0f), 0.02f, 0.98f);
  } else if ((spaceHeld || panning_) && held(ImGuiMouseButton_Left)) {
    view.pan(drag);
  } else if (hasCamera && !io.KeyCtrl) {
    events.camera.orbit = held(ImGuiMouseButton_Left) && dragged_;
    events.camera.pan = held(ImGuiMouseButton_Middle);
    events.camera.fly = held(ImGuiMouseButton_Right);
    events.camera.drag = drag;
    events.camera.pictureHeight = view.area().height;
  } else if (held(ImGuiMouseButton_Middle) || (held(ImGuiMouseButton_Left) && dragged_)) {
    view.pan(drag);
  }
  if (cameraWheel) events.camera.wheel = wheel;

  const bool clickable = hovered && view.inPicture(pixel) && !dragged_ && !draggingSplit_;
  if (clickable && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) events.clicked = pixel;
  if (clickable && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) events.doubleClicked = pixel;
  return events;
}

std::vector<std::uint8_t> Viewport::displayed(gpu::Context& gpu, const gpu::Texture& picture,
                                              glm::ivec2 size, const DisplaySettings& settings,
                                              const ValueRange& range, ColorView& color) {
  Display display(gpu);
  PictureView view;
  view.place({0, 0, float(size.x), float(size.y)}, picture.size());
  ShownPictures pictures;
  pictures.a = &picture;
  pictures.range = range, pictures.color = &color;
  const gpu::Texture& shown = display.draw(pictures, view, settings);
  std::vector<std::uint8_t> bytes(std::size_t(size.x) * std::size_t(size.y) * 4);
  shown.read(bytes.data(), std::int64_t(bytes.size()));
  return bytes;
}

ViewportEvents Viewport::draw(Document& document, Comparison& compare,
                              std::optional<glm::ivec2> pinned, const DisplaySettings& settings,
                              const ValueRange& range, ColorView& color, PictureView& view,
                              bool spaceHeld) {
  const Area area = view.area();
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##viewport", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
  ImGui::InvisibleButton("##picture", {area.width, area.height},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                             ImGuiButtonFlags_MouseButtonMiddle);
  Landmarks::note("picture");
  const ViewportEvents events = interact(document, compare, view, spaceHeld);

  ShownPictures pictures;
  pictures.range = range, pictures.color = &color;
  pictures.a = document.picture();
  const gpu::Texture* second = compare.picture(document);
  Comparison::Show show = compare.held ? Comparison::Show::B : compare.show;
  if (show == Comparison::Show::Difference && pictures.a && second &&
      !sameShape(glm::vec2(pictures.a->size()), glm::vec2(second->size())))
    show = Comparison::Show::Split;  // what differs in shape has no difference
  if (second && show != Comparison::Show::A) {
    pictures.b = second;
    pictures.splitX = show == Comparison::Show::Split ? splitX(compare, area) : area.x;
    pictures.difference = show == Comparison::Show::Difference ? compare.differenceGain : 0;
  }
  pictures.generation = document.pictures().generation() * 4096 + compare.generation() * 2 +
                        (document.pictures().busy() ? 1 : 0);
  const gpu::Texture& shown = display_.draw(pictures, view, settings);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddImage(imageOf(shown), {area.x, area.y},
                {area.x + float(shown.width()), area.y + float(shown.height())});

  if (!pictures.a && document.loader().loading()) drawEmpty(draw, area);
  if (pictures.b) {
    const bool near = std::abs(ImGui::GetIO().MousePos.x - splitX(compare, area)) < px(kSplitReach);
    const bool hot =
        show == Comparison::Show::Split && (draggingSplit_ || (ImGui::IsItemHovered() && near));
    if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    drawSplit(draw, compare, area, hot, show);
  }
  if (pictures.a) {
    draw.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height}, true);
    PictureOverlay overlay(draw, view);
    if (PictureTools* tools = document.active().parts().tools) tools->drawOverlay(overlay);
    draw.PopClipRect();
    drawPinned(draw, pinned, view);
    const std::vector<LegendEntry> legend =
        document.technique() ? document.technique()->legend() : std::vector<LegendEntry>();
    const bool onlyB = pictures.b && show != Comparison::Show::Split;
    if (!legend.empty() && !onlyB) drawLegend(draw, area, legend);
    if (show == Comparison::Show::Difference && pictures.b)
      drawDifferenceScale(draw, area, settings, compare.differenceGain);
    else
      drawScale(draw, area, settings, range);
    drawValues(draw, area, *pictures.a, pictures.generation, view);
  }
  ImGui::End();
  return events;
}

}  // namespace fathom::viewer
