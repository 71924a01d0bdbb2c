// SPDX-License-Identifier: BSD-3-Clause
// The few controls that ImGui does not have, or not in this look; and where controls are, for
// scripts that click them.
#pragma once

#include "app/engine/gpu/texture.h"
#include "app/window/ui/theme.h"

namespace fathom::ui {

/// To be drawn.
inline ImTextureID imageOf(const gpu::Texture& texture) {
  return reinterpret_cast<ImTextureID>(std::uintptr_t(texture.id()));
}

/// Positions of controls on the screen, by name, so that scripts and tests can click them without
/// knowing the layout.
class Landmarks {
 public:
  /// Notes the rectangle of the last ImGui item under this name, and under "focused:NAME" while the
  /// keyboard is on it.
  static void note(const std::string& name);
  /// Notes the ImGui window that is being drawn.
  static void noteWindow(const std::string& name);
  /// Notes a rectangle of the window.
  static void note(const std::string& name, glm::vec2 low, glm::vec2 high);
  /// Forgets what was noted in earlier frames.
  static void beginFrame();
  /// One line "NAME X Y WIDTH HEIGHT" each, in pixels of the window.
  static std::string text();
};

/// What is drawn while it lives has its own IDs.
class IdScope {
 public:
  explicit IdScope(auto id) { ImGui::PushID(id); }
  ~IdScope() { ImGui::PopID(); }
  IdScope(const IdScope&) = delete;
  IdScope& operator=(const IdScope&) = delete;
};

/// A button that scripts find under the name `landmark`; `about`: its tooltip.
bool button(const std::string& label, const std::string& landmark, ImVec2 size = {0, 0},
            const std::string& about = {}, bool enabled = true);
/// True when it was changed.
bool checkbox(const char* label, const std::string& landmark, bool& on,
              const std::string& about = {});
/// An on/off switch; true when it was changed.
bool switchControl(const std::string& landmark, bool& on, const std::string& about = {});
/// A list of names of which one is shown; the place of the one that was picked, if any was.
std::optional<std::size_t> pickFrom(const std::string& landmark,
                                    const std::vector<std::string>& names, const std::string& shown,
                                    const char* about = nullptr);
/// The track of a slider, filled up to the value; `width` 0: to the right end of the row. The ImGui
/// slider that is drawn while it lives is as wide, and shows only its value.
class SliderTrack {
 public:
  SliderTrack(float value, float from, float to, bool logarithmic = false, float width = 0);
  ~SliderTrack();
  SliderTrack(const SliderTrack&) = delete;
  SliderTrack& operator=(const SliderTrack&) = delete;
};
/// All choices side by side, one of them active; true when another was picked. `hovered` receives
/// the index under the cursor, or -1.
bool segments(const char* id, int& index, const std::vector<std::string>& names, float width,
              int* hovered = nullptr);
/// The minimum width at which segments() shows all names in full.
float segmentsWidth(const std::vector<std::string>& names);
/// A window in the middle with everything behind it darkened, a title and, unless `open` is null, a
/// button that closes it; end with ImGui::End().
void beginDialog(const char* title, ImVec2 size, bool* open = nullptr);
/// The keyboard is in a dialog, or on the start page: there, keys that move the focus do no more.
bool inDialog();
/// The keyboard goes to this window, and is seen there.
void moveKeyboardTo(const char* window);
/// Once after ImGui::NewFrame(): Tab goes to the next control, whatever it is, where the keyboard
/// has the focus. ImGui's own goes to what is typed into only. Elsewhere it is a shortcut.
void moveByTab();
/// Enter is meant for the window that is being drawn as a whole: no text is typed, no control has a
/// visible focus, and it is not the Enter that has opened the window.
bool enterPressed();
/// The button that Enter presses wherever the focus is, in the color of what is active.
bool defaultButton(const std::string& label, const std::string& landmark, ImVec2 size);
/// A flat button for bars; `active` shows it as switched on.
bool barButton(const char* label, const std::string& landmark, bool active = false,
               const std::string& about = {}, bool enabled = true);
/// A tooltip for the last item, wrapped, with an optional second paragraph.
void tooltip(const std::string& text, const std::string& second = {});
/// The same, hovered or not.
void tooltipAbove(const std::string& text, const std::string& second = {});
/// Where the mouse is over something that has a tooltip: whether it has rested there long enough,
/// or came from another one that is shown.
bool tooltipRipe();
/// When the tooltip of what is under the mouse is to be shown; none: nothing is waiting.
std::optional<std::chrono::steady_clock::time_point> tooltipDue();
/// Text over as many lines as it needs in this width.
void wrappedText(ImFont* font, ImVec4 textColor, const std::string& text);
/// Text at the right end of the column or window.
void textRight(ImFont* font, ImVec4 textColor, const std::string& text);
/// The text, or as much of it as fits with an ellipsis behind it.
std::string fitting(ImFont* font, const std::string& text, float width);
/// Text that ends in an ellipsis where it is wider, or would go beyond the column or window; then a
/// tooltip shows all of it.
void textToFit(ImFont* font, ImVec4 textColor, const std::string& text,
               std::optional<float> width = {});
/// The height of a table that ends below a whole row.
float wholeRows(float height, float header, float row);
/// A thin bar filled from the left by this fraction.
void meter(float fraction, ImVec4 fill, float width, float height);
/// The picture as large as fits between two corners, in the middle.
void drawPictureWithin(ImDrawList& draw, const gpu::Texture& picture, ImVec2 low, ImVec2 high,
                       float rounding = 0);
/// The ground of a plot: the rest of the row, filled.
struct PlotGround {
  PlotGround(const std::string& landmark, float height);
  ImVec2 low = ImGui::GetCursorScreenPos(), size, high;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  /// Values as a line from left to right; `max` is at the top.
  void line(const std::vector<float>& values, float max, ImVec4 lineColor, bool filled) const;
};

// Rows of a panel or sheet: a label, and a value that is dragged or typed.

/// Of a table that scrolls, with stripes.
inline constexpr ImGuiTableFlags kRows = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                         ImGuiTableFlags_SizingStretchProp |
                                         ImGuiTableFlags_NoSavedSettings;
/// The first cell of the next row of a table.
inline void nextRow() {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
}
/// The next row of a table: what draws each cell.
template <class... Cells>
void tableRow(const Cells&... cells) {
  ImGui::TableNextRow();
  ((ImGui::TableNextColumn(), cells()), ...);
}
/// Within a popup.
void closeOnEscape();
/// A part below a title that opens and closes it; `first`: it begins open. Where it is open, end
/// with ImGui::TreePop().
bool openTree(const char* title, const std::string& landmark, bool first = false);
/// A name, and its value `width` units of the design behind where it begins.
void fact(const char* name, float width, const std::string& value);
/// Names and values in two columns; landmarks: `prefix` and the name.
void factTable(const std::string& prefix,
               const std::vector<std::pair<std::string, std::string>>& facts);
/// The label left, the next item to the right of it in the rest of the row; `width` of the label in
/// units of the design, 0: a share of the row.
void rowLabel(const char* label, const char* about = nullptr, float width = 0);
/// True while it is being changed. `step`: change per pixel of a drag. Ctrl+click types a number.
bool numberRow(const char* label, double& value, float step, double low, double high,
               const char* format = "%.4g", const char* about = nullptr);
/// A slider over its track to the right end of the row, even in the logarithm where `low` is above
/// 0.
template <class Number>
bool trackSlider(const std::string& landmark, Number& value, std::type_identity_t<Number> low,
                 std::type_identity_t<Number> high, const char* format) {
  constexpr auto type = std::is_same_v<Number, int> ? ImGuiDataType_S32 : ImGuiDataType_Float;
  bool changed = false;
  {
    const SliderTrack track(float(value), float(low), float(high), low > 0);
    changed = ImGui::SliderScalar(
        ("##" + landmark).c_str(), type, &value, &low, &high, format,
        ImGuiSliderFlags_AlwaysClamp | (low > 0 ? ImGuiSliderFlags_Logarithmic : 0));
  }
  Landmarks::note(landmark);
  return changed;
}

/// A choice as a list; `id` also names its landmark. Of a width in units of the design; -1: to the
/// right end.
template <class Choice, class Titles = std::initializer_list<const char*>>
void choiceList(const std::string& id, Choice& value, const Titles& titles, float width,
                const char* about = nullptr) {
  const std::vector<std::string> names(std::begin(titles), std::end(titles));
  ImGui::SetNextItemWidth(px(width));
  if (const auto picked = pickFrom(id, names, names[std::size_t(value)], about))
    value = Choice(*picked);
}

}  // namespace fathom::ui
