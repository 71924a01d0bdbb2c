// SPDX-License-Identifier: BSD-3-Clause
// Drawn with ImDrawList over ImGui's own items, so that hovering, focus and keyboard keep working.
#include "app/window/ui/widgets.h"

#include <imgui_internal.h>

namespace fathom::ui {
namespace {

/// Rectangles of one frame.
struct Place {
  ImVec2 low, high;
};
std::map<std::string, Place>& places() {
  static std::map<std::string, Place> all;
  return all;
}

}  // namespace

void Landmarks::note(const std::string& name) {
  if (ImGui::IsWindowAppearing()) return;  // it finds its size in its first frame
  const Place place = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  places()[name] = place;
  if (ImGui::GetIO().NavVisible && ImGui::IsItemFocused()) places()["focused:" + name] = place;
}

void Landmarks::note(const std::string& name, glm::vec2 low, glm::vec2 high) {
  places()[name] = {{low.x, low.y}, {high.x, high.y}};
}

void Landmarks::noteWindow(const std::string& name) {
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  places()[name] = {low, {low.x + size.x, low.y + size.y}};
}

void Landmarks::beginFrame() { places().clear(); }

std::string Landmarks::text() {
  std::string lines;
  for (const auto& [name, place] : places())
    lines += fmt::format("{} {:.0f} {:.0f} {:.0f} {:.0f}\n", name, place.low.x, place.low.y,
                         place.high.x - place.low.x, place.high.y - place.low.y);
  return lines;
}

bool button(const std::string& label, const std::string& landmark, ImVec2 size,
            const std::string& about, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label.c_str(), size);
  ImGui::EndDisabled();
  Landmarks::note(landmark);
  tooltip(about);
  return pressed;
}

bool checkbox(const char* label, const std::string& landmark, bool& on, const std::string& about) {
  const bool changed = ImGui::Checkbox(label, &on);
  Landmarks::note(landmark);
  tooltip(about);
  return changed;
}

std::optional<std::size_t> pickFrom(const std::string& landmark,
                                    const std::vector<std::string>& names, const std::string& shown,
                                    const char* about) {
  const bool open = ImGui::BeginCombo(("##" + landmark).c_str(), shown.c_str());
  Landmarks::note(landmark);
  if (!open && about) tooltip(about);
  if (!open) return std::nullopt;
  std::optional<std::size_t> picked;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const IdScope scope{int(i)};
    if (ImGui::Selectable(names[i].c_str(), names[i] == shown)) picked = i;
    Landmarks::note(landmark + "=" + names[i]);
  }
  ImGui::EndCombo();
  return picked;
}

bool switchControl(const std::string& landmark, bool& on, const std::string& about) {
  const float height = ImGui::GetFrameHeight() * 0.72f, width = height * 1.85f;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inset = (ImGui::GetFrameHeight() - height) / 2;
  const bool changed = ImGui::InvisibleButton(landmark.c_str(), {width, ImGui::GetFrameHeight()});
  if (changed) on = !on;
  Landmarks::note(landmark);
  const float alpha = ImGui::GetStyle().Alpha;
  const ImVec4 track = on ? color::kAccent : ImGui::IsItemHovered() ? color::kPress : color::kHover;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 low(at.x, at.y + inset), high(at.x + width, at.y + inset + height);
  draw.AddRectFilled(low, high, packed(track, alpha), height / 2);
  if (!on) draw.AddRect(low, high, ImGui::GetColorU32(ImGuiCol_Border), height / 2);
  const float radius = height / 2 - px(2.5f);
  draw.AddCircleFilled({on ? high.x - height / 2 : low.x + height / 2, low.y + height / 2}, radius,
                       packed(on ? color::rgb(0xffffff) : color::kDim, alpha));
  tooltip(about);
  return changed;
}

SliderTrack::SliderTrack(float value, float from, float to, bool logarithmic, float width) {
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  const float share = logarithmic
                          ? std::log(std::clamp(value, from, to) / from) / std::log(to / from)
                          : (value - from) / std::max(to - from, 1e-20f);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high(low.x + width, low.y + ImGui::GetFrameHeight());
  const float rounding = ImGui::GetStyle().FrameRounding, alpha = ImGui::GetStyle().Alpha;
  const bool over = ImGui::IsMouseHoveringRect(low, high) && ImGui::IsWindowHovered();
  const bool active = over && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, high, packed(over || active ? color::kHover : color::kRaised, alpha),
                     rounding);
  const float end = low.x + std::clamp(share, 0.0f, 1.0f) * width;
  draw.PushClipRect(low, {end, high.y}, true);
  draw.AddRectFilled(low, high, packed(color::kAccent, (active ? 0.36f : 0.26f) * alpha), rounding);
  draw.PopClipRect();
  for (const ImGuiCol item : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                              ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive})
    ImGui::PushStyleColor(item, ImVec4(0, 0, 0, 0));
  ImGui::SetNextItemWidth(width);
}

SliderTrack::~SliderTrack() { ImGui::PopStyleColor(5); }

float segmentsWidth(const std::vector<std::string>& names) {
  float widest = 0;
  for (const std::string& name : names)
    widest = std::max(widest, ImGui::CalcTextSize(name.c_str()).x);
  return (widest + px(10)) * float(names.size());
}

namespace {

/// Equal widths where all names fit, else as their names need.
std::vector<float> segmentWidths(const std::vector<std::string>& names, float width) {
  std::vector<float> wide(names.size(), width / float(names.size()));
  if (segmentsWidth(names) <= width) return wide;
  float sum = 0;
  for (std::size_t n = 0; n < names.size(); ++n)
    sum += wide[n] = ImGui::CalcTextSize(names[n].c_str()).x + px(8);
  for (float& each : wide) each *= width / sum;
  return wide;
}

}  // namespace

bool segments(const char* id, int& index, const std::vector<std::string>& names, float width,
              int* hovered) {
  bool changed = false;
  if (hovered) *hovered = -1;
  const IdScope scope{id};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  const std::vector<float> wide = segmentWidths(names, width);
  float left = at.x;
  const float rounding = ImGui::GetStyle().FrameRounding, alpha = ImGui::GetStyle().Alpha;
  const ImVec2 end(at.x + width, at.y + height);
  draw.AddRectFilled(at, end, packed(color::kRaised, alpha), rounding);
  draw.AddRect(at, end, ImGui::GetColorU32(ImGuiCol_Border), rounding);
  for (int i = 0; i < int(names.size()); ++i) {
    const float each = wide[std::size_t(i)];
    const ImVec2 low(left, at.y), high(low.x + each, low.y + height);
    left += each;
    ImGui::SetCursorScreenPos(low);
    if (ImGui::InvisibleButton(names[std::size_t(i)].c_str(), {each, height}) && index != i)
      index = i, changed = true;
    Landmarks::note(std::string(id) + "=" + names[std::size_t(i)]);
    const bool over = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    if (over && hovered) *hovered = i;
    const bool active = index == i;
    if (active || over)
      draw.AddRectFilled(
          {low.x + px(2), low.y + px(2)}, {high.x - px(2), high.y - px(2)},
          packed(active ? color::kAccent : color::kHover, active ? 0.22f * alpha : alpha),
          rounding - px(1));
    const char* name = names[std::size_t(i)].c_str();
    const ImVec2 text = ImGui::CalcTextSize(name);
    draw.PushClipRect(low, high, true);
    draw.AddText(
        {std::max(low.x + px(3), (low.x + high.x - text.x) / 2), (low.y + high.y - text.y) / 2},
        packed(active ? color::rgb(0x7fe9de) : color::kText, alpha), name);
    draw.PopClipRect();
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
  return changed;
}

namespace {

constexpr const char* kDialog = "##dialog ";  // begins the name of each

/// A window over everything, so that nothing behind a dialog is hovered or clicked.
void beginShade(const std::string& dialog) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##shade", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(2);
  ImGui::GetWindowDrawList()->AddRectFilled({0, 0}, screen, packed({0, 0, 0, 0.55f}));
  if (ImGui::IsWindowFocused()) ImGui::SetWindowFocus(dialog.c_str());
  ImGui::End();
}

}  // namespace

void beginDialog(const char* title, ImVec2 size, bool* open) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const std::string name = kDialog + std::string(title);
  beginShade(name);
  size = {std::min(size.x, screen.x - px(32)), std::min(size.y, screen.y - px(32))};
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(size, ImGuiCond_Always);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(24), px(18)});
  ImGui::Begin(name.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetWindowPos(), high(low.x + size.x, low.y + size.y);
  draw.PushClipRectFullScreen();
  draw.AddRectFilled(low, high, packed(color::rgb(0x181c23)), px(10));
  draw.AddRect(low, high, packed(color::kPress), px(10));
  draw.PopClipRect();
  textIn(fonts().strong, color::kText, title);
  if (!open) return;
  const char* close = "Close";
  ImGui::SameLine(size.x - px(24) - ImGui::CalcTextSize(close).x -
                  ImGui::GetStyle().FramePadding.x * 2);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().FramePadding.y);
  if (button(close, "dialog:close")) *open = false;
}

bool inDialog() {
  const ImGuiWindow* const window = ImGui::GetCurrentContext()->NavWindow;
  const std::string_view name = window ? window->RootWindow->Name : "";
  return name.starts_with(kDialog) || name == "##start";
}

void moveKeyboardTo(const char* window) {
  ImGui::SetWindowFocus(window);
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (g.NavWindow) ImGui::NavInitWindow(g.NavWindow, false);
  g.NavDisableHighlight = false, g.NavDisableMouseHover = true;
}

void moveByTab() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::PushItemFlag(ImGuiItemFlags_Inputable, true);
  if (!g.NavMoveSubmitted || !(g.NavMoveFlags & ImGuiNavMoveFlags_Tabbing)) return;
  if (!g.IO.NavVisible && g.ActiveId == 0 && !inDialog()) return ImGui::NavMoveRequestCancel();
  if (g.NavTabbingDir == 0 && g.NavId != 0) g.NavTabbingDir = 1;
  g.NavDisableHighlight = false, g.NavDisableMouseHover = true;
}

bool enterPressed() {
  const ImGuiIO& io = ImGui::GetIO();
  return !ImGui::IsWindowAppearing() && !io.NavVisible && !io.WantTextInput &&
         ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) &&
         ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
}

bool defaultButton(const std::string& label, const std::string& landmark, ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_Button,
                        ImVec4(color::kAccent.x, color::kAccent.y, color::kAccent.z, 0.35f));
  const bool pressed = button(label, landmark, size);
  ImGui::PopStyleColor();
  if (ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
  return pressed || enterPressed();
}

bool barButton(const char* label, const std::string& landmark, bool active,
               const std::string& about, bool enabled) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_Button,
                        active ? ImVec4(color::kAccent.x, color::kAccent.y, color::kAccent.z, 0.18f)
                               : ImVec4(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, active ? color::rgb(0x7fe9de) : color::kText);
  const bool pressed = button(label, landmark, {0, 0}, about, enabled);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
  return pressed;
}

namespace {

constexpr std::chrono::milliseconds kTooltipDelay{600};
struct {
  std::chrono::steady_clock::time_point since;  // the mouse has rested
  int asked = -2, shown = -2;                   // frames
} rest;

}  // namespace

bool tooltipRipe() {
  const int frame = ImGui::GetFrameCount();
  const auto now = std::chrono::steady_clock::now();
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  const bool first = rest.asked < frame - 1, moves = moved.x != 0 || moved.y != 0;
  if (first || (moves && rest.asked < frame)) rest.since = now;
  rest.asked = frame;
  const bool ripe = rest.shown >= frame - 1 || now - rest.since >= kTooltipDelay;
  if (ripe) rest.shown = frame;
  return ripe;
}

std::optional<std::chrono::steady_clock::time_point> tooltipDue() {
  const int frame = ImGui::GetFrameCount();
  if (rest.asked != frame || rest.shown == frame) return std::nullopt;
  return rest.since + kTooltipDelay;
}

void tooltip(const std::string& text, const std::string& second) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltipAbove(text, second);
}

void tooltipAbove(const std::string& text, const std::string& second) {
  if (!tooltipRipe()) return;
  // What the item belongs to lies below it; where there is no room above, what is below waits.
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool right = low.x > ImGui::GetIO().DisplaySize.x / 2, above = low.y > px(84);
  ImGui::SetNextWindowPos({right ? high.x : low.x, above ? low.y - px(6) : high.y + px(6)},
                          ImGuiCond_Always, {right ? 1.0f : 0.0f, above ? 1.0f : 0.0f});
  ImGui::BeginTooltip();
  Landmarks::noteWindow("tooltip");
  ImGui::PushTextWrapPos(px(320));
  noteLetters(text);
  ImGui::TextUnformatted(text.c_str());
  if (!second.empty()) textIn(fonts().text, color::kDim, second);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void wrappedText(ImFont* font, ImVec4 textColor, const std::string& text) {
  ImGui::PushTextWrapPos(0);
  textIn(font, textColor, text);
  ImGui::PopTextWrapPos();
}

void textRight(ImFont* font, ImVec4 textColor, const std::string& text) {
  const float width = textSize(font, text).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                       std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
  textIn(font, textColor, text);
}

std::string fitting(ImFont* font, const std::string& text, float width) {
  const auto fits = [&](const std::string& part) { return textSize(font, part).x <= width; };
  if (fits(text)) return text;
  std::size_t length = text.size();
  while (length > 0 && !fits(text.substr(0, length) + "\u2026")) --length;
  while (length > 0 && (text[length] & 0xc0) == 0x80) --length;  // not within a letter
  return text.substr(0, length) + "\u2026";
}

void textToFit(ImFont* font, ImVec4 textColor, const std::string& text,
               std::optional<float> width) {
  const std::string shown = fitting(font, text, width.value_or(ImGui::GetContentRegionAvail().x));
  textIn(font, textColor, shown);
  if (shown != text) tooltip(text);
}

float wholeRows(float height, float header, float row) {
  return height < header + row ? height : header + std::floor((height - header) / row) * row;
}

void meter(float fraction, ImVec4 fill, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + (ImGui::GetTextLineHeight() - height) / 2;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({at.x, top}, {at.x + width, top + height}, packed(color::kRaised), height / 2);
  const float filled = width * std::clamp(fraction, 0.0f, 1.0f);
  if (filled >= 1)
    draw.AddRectFilled({at.x, top}, {at.x + std::max(filled, height), top + height}, packed(fill),
                       height / 2);
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
}

void closeOnEscape() {
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false)) ImGui::CloseCurrentPopup();
}

bool openTree(const char* title, const std::string& landmark, bool first) {
  if (first) ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  const bool open = ImGui::TreeNode(title);
  Landmarks::note(landmark);
  return open;
}

void fact(const char* name, float width, const std::string& value) {
  dimText(name);
  ImGui::SameLine(px(width));
  monoText(value);
}

void factTable(const std::string& prefix,
               const std::vector<std::pair<std::string, std::string>>& facts) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(4), px(2)});
  if (ImGui::BeginTable(prefix.c_str(), 2, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.48f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.52f);
    for (const auto& [name, value] : facts) {
      nextRow();
      wrappedText(fonts().text, color::kDim, name);
      Landmarks::note(prefix + name);
      ImGui::TableNextColumn();
      textToFit(fonts().mono, color::kText, value);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

void rowLabel(const char* label, const char* about, float width) {
  ImGui::AlignTextToFramePadding();
  dimText(label);
  if (about) tooltip(about);
  ImGui::SameLine(width > 0 ? px(width) : ImGui::GetWindowContentRegionMax().x * 0.42f);
  ImGui::SetNextItemWidth(-1);
}

bool numberRow(const char* label, double& value, float step, double low, double high,
               const char* format, const char* about) {
  const IdScope scope{label};
  rowLabel(label, about);
  const bool changed = ImGui::DragScalar("##value", ImGuiDataType_Double, &value, step, &low, &high,
                                         format, ImGuiSliderFlags_AlwaysClamp);
  Landmarks::note(std::string("row:") + label);
  return changed;
}

void drawPictureWithin(ImDrawList& draw, const gpu::Texture& picture, ImVec2 low, ImVec2 high,
                       float rounding) {
  const float width = high.x - low.x, height = high.y - low.y;
  const float scale = std::min(width / float(picture.width()), height / float(picture.height()));
  const ImVec2 size(float(picture.width()) * scale, float(picture.height()) * scale);
  const ImVec2 at(low.x + (width - size.x) / 2, low.y + (height - size.y) / 2);
  draw.AddImageRounded(imageOf(picture), at, {at.x + size.x, at.y + size.y}, {0, 0}, {1, 1},
                       packed({1, 1, 1, 1}), rounding);
}

PlotGround::PlotGround(const std::string& landmark, float height)
    : size(ImGui::GetContentRegionAvail().x, height), high(low.x + size.x, low.y + size.y) {
  ImGui::Dummy(size);
  Landmarks::note(landmark);
  draw.AddRectFilled(low, high, packed(color::kRaised), px(3));
}

void PlotGround::line(const std::vector<float>& values, float max, ImVec4 lineColor,
                      bool filled) const {
  if (values.empty() || max <= 0) return;
  if (values.size() == 1) return line({values[0], values[0]}, max, lineColor, filled);
  const float step = size.x / float(values.size() - 1);
  const auto point = [&](std::size_t i) {
    return ImVec2(low.x + step * float(i),
                  high.y - std::clamp(values[i] / max, 0.0f, 1.0f) * size.y);
  };
  for (std::size_t i = 1; i < values.size(); ++i) {
    const ImVec2 a = point(i - 1), b = point(i);
    if (filled) draw.AddQuadFilled({a.x, high.y}, a, b, {b.x, high.y}, packed(lineColor, 0.14f));
    draw.AddLine(a, b, packed(lineColor), px(1.5f));
  }
}

}  // namespace fathom::ui
