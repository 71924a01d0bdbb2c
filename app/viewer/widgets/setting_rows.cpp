// SPDX-License-Identifier: BSD-3-Clause
// One visitor: each kind of field becomes a row with its control, tooltip and mark of change.
#include "app/viewer/widgets/setting_rows.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace fathom::viewer {
using namespace ui;
namespace {

/// The unit follows the value, as in "85.0 mm"; part of a printf format.
std::string unitOf(const FieldInfo& info) { return info.unit.empty() ? "" : " " + info.unit; }

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

/// Where a value lies between the ends of its slider. ImGui's logarithmic scale through 0 or
/// negative values is linear about 0; those show a linear fraction.
float fractionOf(float value, float low, float high, bool logarithmic) {
  if (logarithmic && low > 0) return std::log(value / low) / std::log(high / low);
  return (value - low) / std::max(high - low, 1e-20f);
}

class PanelRows : public FieldVisitor {
 public:
  PanelRows(const char* group, const std::vector<FieldValue>& defaults);
  ~PanelRows() override;
  /// The row to be reset, with its default; an empty name: none.
  FieldValue reset;

 protected:
  void visit(float& value, const FloatField& field) override;
  void visit(int& value, const IntField& field) override;
  void visit(bool& value, const ToggleField& field) override;
  void visit(int& index, const ChoiceField& field) override;
  void visit(std::string& value, const TextField& field) override;

 private:
  bool begin(const FieldInfo& info, const std::string& current);
  void end(const FieldInfo& info);
  const std::string* defaultOf(const std::string& name) const;
  const std::vector<FieldValue>& defaults_;
  bool open_ = false;
};

PanelRows::PanelRows(const char* group, const std::vector<FieldValue>& defaults)
    : defaults_(defaults) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(4), px(3)});
  open_ = ImGui::BeginTable(group, 2, ImGuiTableFlags_SizingFixedFit);
  if (!open_) return;
  ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthStretch, 0.40f);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.60f);
}

PanelRows::~PanelRows() {
  if (open_) ImGui::EndTable();
  ImGui::PopStyleVar();
}

const std::string* PanelRows::defaultOf(const std::string& name) const {
  for (const FieldValue& value : defaults_)
    if (value.name == name) return &value.text;
  return nullptr;
}

bool PanelRows::begin(const FieldInfo& info, const std::string& current) {
  if (!open_) return false;
  ImGui::PushID(info.name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const std::string* original = defaultOf(info.name);
  const bool changed = original && *original != current;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool disabled = !info.disabledReason.empty();
  const std::string label = labelOf(info);
  textIn(fonts().text,
         disabled  ? color::kFaint
         : changed ? color::kText
                   : color::kDim,
         label.c_str());
  if (changed) {  // a mark at the edge: not the default
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.PushClipRectFullScreen();
    draw.AddRectFilled({at.x - px(10), at.y + px(6)},
                       {at.x - px(7), at.y + ImGui::GetFrameHeight() - px(6)},
                       packed(color::kAccent), px(1));
    draw.PopClipRect();
  }
  tooltip(info.help, disabled  ? "Disabled: " + info.disabledReason
                     : changed ? "Right-click: reset to " + *original
                               : std::string());
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right) && changed)
    reset = {info.name, *original, {}, {}};
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  if (disabled) ImGui::BeginDisabled();
  return true;
}

void PanelRows::end(const FieldInfo& info) {
  Landmarks::note("setting:" + info.name);
  if (!info.disabledReason.empty()) {
    ImGui::EndDisabled();
    tooltip("Disabled: " + info.disabledReason);
  }
  ImGui::PopID();
}

void PanelRows::visit(float& value, const FloatField& field) {
  if (!begin(field.info, shortest(value))) return;
  ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp;
  if (field.logarithmic) flags |= ImGuiSliderFlags_Logarithmic;
  const SliderTrack track(fractionOf(value, field.low, field.high, field.logarithmic),
                          ImGui::GetContentRegionAvail().x);
  ImGui::SliderFloat("##value", &value, field.low, field.high, formatOf(field).c_str(), flags);
  end(field.info);
}

void PanelRows::visit(int& value, const IntField& field) {
  if (!begin(field.info, std::to_string(value))) return;
  const bool logarithmic = field.high - field.low > 2000 && field.low > 0;
  const SliderTrack track(
      fractionOf(float(value), float(field.low), float(field.high), logarithmic),
      ImGui::GetContentRegionAvail().x);
  ImGui::SliderInt("##value", &value, field.low, field.high, ("%d" + unitOf(field.info)).c_str(),
                   ImGuiSliderFlags_AlwaysClamp |
                       (logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None));
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
  if (segmentsWidth(field.values) <= width) {
    int over = -1;
    segments(field.info.name.c_str(), index, field.values, width, &over);
    if (!about(over).empty()) ImGui::SetTooltip("%s", about(over).c_str());
  } else if (ImGui::BeginCombo("##value", field.values[std::size_t(index)].c_str())) {
    for (int i = 0; i < int(field.values.size()); ++i) {
      const std::string& name = field.values[std::size_t(i)];
      if (ImGui::Selectable(name.c_str(), i == index)) index = i;
      Landmarks::note("choice:" + field.info.name + "=" + name);
      if (!about(i).empty()) tooltip(about(i));
    }
    ImGui::EndCombo();
  }
  end(field.info);
}

void PanelRows::visit(std::string& value, const TextField& field) {
  if (!begin(field.info, value)) return;
  std::string edited = value;  // invalid text is not applied
  if (ImGui::InputText("##value", &edited, ImGuiInputTextFlags_EnterReturnsTrue) &&
      (!field.complaint || field.complaint(edited).empty()))
    value = edited;
  end(field.info);
}

}  // namespace

void drawRows(const char* group, const Describe& describe,
              const std::vector<FieldValue>& defaults) {
  FieldValue reset;
  {
    PanelRows rows(group, defaults);
    describe(rows);
    reset = rows.reset;
  }
  if (!reset.name.empty()) assign(describe, reset.name, reset.text);
}

}  // namespace fathom::viewer
