// SPDX-License-Identifier: BSD-3-Clause
// One visitor: each kind of field becomes a row with its control, an arrow that resets it, and an
// explanation that hovers beside the panel, where it covers no other row.
#include "app/window/widgets/setting_rows.h"

#include "app/engine/core/text.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>
#include <imgui_stdlib.h>

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr float kResetWidth = 22;

bool matches(const FieldInfo& info, const std::string& filter) {
  const std::string wanted = lowered(filter);
  for (const std::string& text : {labelOf(info), info.name, info.help})
    if (lowered(text).find(wanted) != std::string::npos) return true;
  return false;
}

bool isShown(const FieldInfo& info, const RowOptions& o) {
  if (!o.sections.empty() && std::ranges::find(o.sections, info.section) == o.sections.end())
    return false;
  if (!info.editedOn.empty() && !o.otherPages) return false;
  if (std::ranges::find(o.elsewhere, info.name) != o.elsewhere.end()) return false;
  return o.filter.empty() || matches(info, o.filter);
}

const std::string* defaultOf(const RowOptions& options, const std::string& name) {
  for (const FieldValue& value : options.defaults)
    if (value.name == name) return &value.text;
  return nullptr;
}

/// The unit follows the value, as in "85.0 mm"; part of a printf format.
std::string unitOf(const FieldInfo& info) {
  constexpr std::size_t kLongest = 12;  // longer ones are in the explanation
  return info.unit.empty() || info.unit.size() > kLongest ? "" : " " + info.unit;
}

/// Digits after the point that make steps of about a thousandth of the range visible.
std::string formatOf(const FloatField& field) {
  const float span = field.high - field.low;
  const char* number = field.logarithmic ? "%.4g"
                       : span >= 1000    ? "%.0f"
                       : span >= 50      ? "%.1f"
                       : span >= 5       ? "%.2f"
                                         : "%.3f";
  return number + unitOf(field.info);
}

/// Draws a slider that a double click turns into a text field (Ctrl+click does, too). ImGui's
/// logarithmic scale through 0 or negative values is linear about 0; those show a linear fraction.
template <class Number, class Field>
void slide(Number& value, const Field& field, bool logarithmic, const std::string& format) {
  constexpr auto type = std::is_same_v<Number, int> ? ImGuiDataType_S32 : ImGuiDataType_Float;
  const SliderTrack drawn(float(value), float(field.low), float(field.high),
                          logarithmic && field.low > 0);
  ImGuiIO& io = ImGui::GetIO();
  const bool ctrl = io.KeyCtrl;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) io.KeyCtrl = true;
  ImGui::SliderScalar(
      "##value", type, &value, &field.low, &field.high, format.c_str(),
      ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0));
  io.KeyCtrl = ctrl;
}

class PanelRows : public FieldVisitor {
 public:
  explicit PanelRows(const RowOptions& options);
  ~PanelRows() override;
  /// The row to be reset, with its default; an empty name: none.
  FieldValue reset;

 protected:
  void visit(float& value, const FloatField& field) override { number(value, field); }
  void visit(int& value, const IntField& field) override { number(value, field); }
  void visit(bool& value, const ToggleField& field) override;
  void visit(int& index, const ChoiceField& field) override;
  void visit(std::string& value, const TextField& field) override;

 private:
  template <class Number, class Field>
  void number(Number& value, const Field& field);
  bool begin(const FieldInfo& info, const std::string& current);
  void end(const FieldInfo& info);
  /// The value behind "Automatic", when it is known.
  std::string standsFor(const std::string& name) const;
  const RowOptions& options_;
  bool open_ = false, changed_ = false;
  float top_ = 0;
  std::string about_;  // of the value under the cursor
};

PanelRows::PanelRows(const RowOptions& options) : options_(options) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(4), px(3)});
  open_ = ImGui::BeginTable(options.group, 3, ImGuiTableFlags_SizingFixedFit);
  if (!open_) return;
  ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthStretch, 0.42f);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.58f);
  ImGui::TableSetupColumn("reset", ImGuiTableColumnFlags_WidthFixed, px(kResetWidth));
}

PanelRows::~PanelRows() {
  if (open_) ImGui::EndTable();
  ImGui::PopStyleVar();
}

std::string PanelRows::standsFor(const std::string& name) const {
  for (const auto& [setting, value] : options_.chosen)
    if (setting == name) return value;
  return {};
}

bool PanelRows::begin(const FieldInfo& info, const std::string& current) {
  if (!open_ || !isShown(info, options_)) return false;
  ImGui::PushID(info.name.c_str());
  nextRow();
  ImGui::AlignTextToFramePadding();
  const std::string* original = defaultOf(options_, info.name);
  changed_ = original && *original != current;
  about_.clear();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  top_ = at.y;
  const bool disabled = !info.disabledReason.empty();
  wrappedText(fonts().text,
              disabled   ? color::kFaint
              : changed_ ? color::kText
                         : color::kDim,
              labelOf(info));
  if (changed_) {  // a mark at the edge: not the default
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.PushClipRectFullScreen();
    draw.AddRectFilled({at.x - px(10), at.y + px(6)},
                       {at.x - px(7), at.y + ImGui::GetFrameHeight() - px(6)},
                       packed(color::kAccent), px(1));
    draw.PopClipRect();
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) reset = {info.name, *original, {}};
  }
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  if (!info.editedOn.empty()) {
    if (ImGui::Button(("Page \u201c" + info.editedOn + "\u201d").c_str(), {-1, 0}) &&
        options_.openPage)
      options_.openPage(info.editedOn);
    end(info);
    return false;
  }
  if (disabled) ImGui::BeginDisabled();
  return true;
}

void PanelRows::end(const FieldInfo& info) {
  Landmarks::note("setting:" + info.name);
  const bool disabled = !info.disabledReason.empty();
  if (disabled && info.editedOn.empty()) ImGui::EndDisabled();
  ImGui::TableNextColumn();
  const std::string* original = defaultOf(options_, info.name);
  if (changed_ && info.editedOn.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(2), ImGui::GetStyle().FramePadding.y});
    if (button("\u21ba", "reset:" + info.name, {px(kResetWidth) - px(2), 0}))
      reset = {info.name, *original, {}};
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  // The explanation belongs to the whole row and hovers left of the panel.
  const ImVec2 low(ImGui::GetWindowPos().x, top_);
  const ImVec2 high(low.x + ImGui::GetWindowSize().x, top_ + ImGui::GetFrameHeight());
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
      ImGui::IsMouseHoveringRect(low, high) && !ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
      tooltipRipe()) {
    ImGui::SetNextWindowPos({low.x - px(22), top_}, ImGuiCond_Always, {1, 0});
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(px(320));
    ImGui::TextUnformatted(info.help.c_str());
    if (!info.unit.empty() && unitOf(info).empty())
      textIn(fonts().text, color::kDim, ("Unit: " + info.unit));
    if (!about_.empty()) textIn(fonts().text, color::kAccent, about_);
    if (disabled) textIn(fonts().text, color::kDim, ("Disabled: " + info.disabledReason));
    if (changed_) textIn(fonts().text, color::kDim, ("Default: " + *original));
    textIn(fonts().small, color::kFaint, ("--" + info.name));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::PopID();
}

/// Where 0 has a meaning of its own, a switch beside the slider stands for it.
template <class Number, class Field>
void PanelRows::number(Number& value, const Field& field) {
  std::string current;
  if constexpr (std::is_same_v<Number, float>)
    current = shortest(value);
  else
    current = std::to_string(value);
  if (!begin(field.info, current)) return;
  if (!field.zeroText.empty()) {
    bool special = value == 0;
    if (switchControl("zero:" + field.info.name, special))
      value = special ? Number(0) : field.start;
    ImGui::SameLine(0, px(6));
    if (value == 0) {
      const std::string known = standsFor(field.info.name);
      ImGui::AlignTextToFramePadding();
      textToFit(fonts().text, color::kText,
                known.empty() ? field.zeroText : field.zeroText + ": " + known);
      end(field.info);
      return;
    }
  }
  if constexpr (std::is_same_v<Number, float>)
    slide(value, field, field.logarithmic, formatOf(field));
  else
    slide(value, field, field.high - field.low > 2000 && field.low > 0, "%d" + unitOf(field.info));
  end(field.info);
}

void PanelRows::visit(bool& value, const ToggleField& field) {
  if (!begin(field.info, value ? "on" : "off")) return;
  switchControl("##value", value);
  end(field.info);
}

void PanelRows::visit(int& index, const ChoiceField& field) {
  if (!begin(field.info, field.values[std::size_t(index)])) return;
  const float width = ImGui::GetContentRegionAvail().x;
  const auto about = [&](int i) {
    return i >= 0 && std::size_t(i) < field.about.size() ? field.about[std::size_t(i)]
                                                         : std::string();
  };
  // "Automatic (auto): bia" says what was chosen.
  const auto title = [&](int i) {
    const std::string known = i == index ? standsFor(field.info.name) : std::string();
    const std::string& value = field.values[std::size_t(i)];
    const bool automatic = value == "auto" || value == "automatic";
    std::string text = titleOf(field, std::size_t(i));
    if (automatic && !field.titles.empty()) text = field.titles[std::size_t(i)];
    if (!automatic || known.empty()) return text;
    for (std::size_t v = 0; v < field.values.size(); ++v)
      if (field.values[v] == known) return text + ": " + titleOf(field, v);
    return text + ": " + known;
  };
  const std::string shown =
      fitting(fonts().text, title(index), width - ImGui::GetFrameHeight() - px(12));
  if (field.titles.empty() && segmentsWidth(field.values) <= width) {
    int over = -1;
    segments(field.info.name.c_str(), index, field.values, width, &over);
    if (!about(over).empty()) about_ = field.values[std::size_t(over)] + ": " + about(over);
  } else if (ImGui::BeginCombo("##value", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (int i = 0; i < int(field.values.size()); ++i) {
      if (ImGui::Selectable(title(i).c_str(), i == index)) index = i;
      Landmarks::note("choice:" + field.info.name + "=" + field.values[std::size_t(i)]);
      if (!about(i).empty()) tooltip(about(i));
    }
    ImGui::EndCombo();
  } else if (shown != title(index))
    about_ = title(index) + ". " + about(index);
  if (about_.empty()) about_ = about(index);
  end(field.info);
}

void PanelRows::visit(std::string& value, const TextField& field) {
  if (!begin(field.info, value)) return;
  const FilePath* const file = filePathOf(field);
  if (file && options_.chooseFile) {
    if (button("...", "choose:" + field.info.name))
      options_.chooseFile(field.info.name, file->endings, value);
    ImGui::SameLine(0, px(6));
    ImGui::SetNextItemWidth(-1);
  }
  std::string edited = value;  // invalid text is not applied
  noteLetters(edited);
  if (ImGui::InputText("##value", &edited, ImGuiInputTextFlags_EnterReturnsTrue) &&
      (!field.complaint || field.complaint(edited).empty()))
    value = edited;
  end(field.info);
}

}  // namespace

void drawRows(const Describe& describe, const RowOptions& options) {
  FieldValue reset;
  {
    PanelRows rows(options);
    describe(rows);
    reset = rows.reset;
  }
  if (!reset.name.empty()) assign(describe, reset.name, reset.text);
}

RowCount countRows(const Describe& describe, const RowOptions& options) {
  RowCount count;
  for (const FieldRow& row : rowsOf(describe)) {
    if (!isShown(row.info, options)) continue;
    ++count.shown;
    const std::string* original = defaultOf(options, row.info.name);
    if (original && *original != row.current) ++count.changed;
  }
  return count;
}

}  // namespace fathom::viewer
