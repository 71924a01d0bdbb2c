// SPDX-License-Identifier: BSD-3-Clause
// A row per line of the recipe; of the open one the arguments, as numbers that are dragged, choices
// and texts. The setting holds the text, so that sessions, flags and the history have it.
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/bands/steps.h"
#include "app/window/deep/parts.h"
#include "app/window/ui/widgets.h"

#include <imgui_stdlib.h>

namespace fathom::deep {
using namespace ui;
namespace {

constexpr float kLabelWidth = 110;

/// Of "1,2.5"; none of anything else.
std::vector<double> numbersOf(const StepArgument& argument, const std::string& text) {
  static const std::set<std::string> kinds{"V",   "S",       "Z",       "A",      "N",
                                           "X,Y", "DEGREES", "X,Y,W,H", "X,Y,..."};
  if (!kinds.contains(argument.valueName)) return {};
  std::vector<double> numbers;
  for (const std::string& part : splitAt(text, ',')) {
    const auto number = numberIn<double>(part);
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// True when `text` was changed, like the rest here.
bool dragNumbers(const StepArgument& argument, std::vector<double> numbers, std::string& text) {
  const bool whole = argument.valueName == "N" || argument.valueName == "X,Y,W,H";
  const bool ofColors = argument.valueName == "V";
  if (ofColors) ImGui::SetNextItemWidth(-px(50));
  bool changed =
      ImGui::DragScalarN("##value", ImGuiDataType_Double, numbers.data(), int(numbers.size()),
                         whole ? 1.0f : 0.005f, nullptr, nullptr, whole ? "%.0f" : "%.5g");
  Landmarks::note("step:" + argument.name);
  if (ofColors) {
    ImGui::SameLine(0, px(6));
    const double first = numbers[0];
    const bool one = numbers.size() == 1;
    if (button(one ? "RGB" : "One", "step:split-" + argument.name, {px(44), 0},
               "One number for all colors, or three."))
      numbers.assign(one ? 3 : 1, first), changed = true;
  }
  if (!changed) return false;
  text = joined(numbers, ",", [](double number) { return shortest(float(number)); });
  return true;
}

bool drawValue(const StepArgument& argument, std::string& text) {
  const std::string landmark = "step:" + argument.name;
  if (argument.valueName.empty()) {
    bool on = text == "on";
    if (!switchControl(landmark, on)) return false;
    text = on ? "on" : "off";
    return true;
  }
  if (argument.valueName.find('|') != std::string::npos) {
    const std::vector<std::string> words = splitAt(argument.valueName, '|');
    const auto picked = pickFrom(landmark, words, text);
    if (picked) text = words[*picked];
    return picked.has_value();
  }
  if (std::vector<double> numbers = numbersOf(argument, text); !numbers.empty())
    return dragNumbers(argument, std::move(numbers), text);
  const bool entered = ImGui::InputText("##value", &text, ImGuiInputTextFlags_EnterReturnsTrue);
  Landmarks::note(landmark);
  return entered;
}

}  // namespace

void StepList::draw(std::size_t input) {
  heading("Steps");
  const IdScope ofSteps{"steps"};
  try {
    std::vector<RecipeLine> lines = recipeLines(settings_.steps, kStepsPlace);
    bool changed = false;
    for (std::size_t place = 0; place < lines.size(); ++place) {
      const IdScope ofLine{int(place)};
      if (drawLine(lines, place, changed)) break;
    }
    if (drawMenu(lines, input) || changed) settings_.steps = textOf(lines);
  } catch (const UsageError& error) {  // a flag's text that is no recipe
    wrappedText(fonts().small, color::kError, error.what());
    if (button("Remove", "step:clear")) settings_.steps.clear();
  }
}

bool StepList::drawLine(std::vector<RecipeLine>& lines, std::size_t place, bool& changed) {
  RecipeLine& line = lines[place];
  const std::string key = std::to_string(place + 1);
  const bool isStep = !line.text.empty();
  if (isStep) {
    if (switchControl("step:on-" + key, line.on, "Off: a comment of the recipe."))
      line.comment.clear(), changed = true;
    ImGui::SameLine(0, px(8));
  }
  const RowEdit row = listRow("step", key, isStep ? line.text : line.comment, place, lines.size(),
                              {open_ == place, isStep && line.on, true});
  if (row.picked) open_ = open_ == place ? SIZE_MAX : place;
  if (const std::string complaint = complaintOf(line); !complaint.empty()) {
    textToFit(fonts().small, color::kError, complaint);
    Landmarks::note("step:error-" + key);
  }
  if (open_ == place && isStep) {
    ImGui::Indent(px(14));
    std::optional<Step> step;
    try {
      step = parseStep(line.text);
    } catch (const UsageError&) {  // said above
    }
    if (step && drawArguments(*step)) line.text = textOf(*step), changed = true;
    ImGui::Unindent(px(14));
    ImGui::Dummy({0, px(6)});
  }
  if (!row.removed && !row.moves()) return false;
  open_ = row.moves() && open_ == row.from ? row.to : SIZE_MAX;
  if (row.removed)
    lines.erase(lines.begin() + std::ptrdiff_t(place));
  else
    row.move(lines);
  return changed = true;
}

std::string StepList::complaintOf(const RecipeLine& line) const {
  if (!line.on || line.text.empty()) return {};
  try {
    const Step step = parseStep(line.text);
    if (!step.input.empty()) inputOf(step, inputNames(inputs_));
  } catch (const UsageError& error) {
    return error.what();
  }
  const MadeImages& made = inputs_.made();
  const std::string place = fmt::format("{}:{}: ", kStepsPlace, line.number);
  if (made.steps != settings_.steps || !made.complaint.starts_with(place)) return {};
  return made.complaint.substr(place.size());
}

bool StepList::drawArguments(Step& step) {
  bool changed = step.kind->of != StepKind::Of::Merged && drawInput(step);
  for (const StepArgument& argument : step.kind->arguments) {
    if (argument.name == "on") continue;  // the window resamples on the processor
    std::string text = step.text(argument.name);
    const IdScope scope{argument.name.c_str()};
    rowLabel(argument.name.c_str(), argument.help.c_str(), kLabelWidth);
    if (drawValue(argument, text)) {
      changed = true;
      if (text.empty() && !argument.required)
        step.given.erase(argument.name);
      else
        step.given[argument.name] = text;
    }
  }
  return changed;
}

bool StepList::drawInput(Step& step) {
  const std::vector<std::string> names = inputNames(inputs_);
  std::vector<std::string> words;
  if (step.kind->of == StepKind::Of::Either) words.emplace_back("merged");
  for (std::size_t i = 0; i < names.size(); ++i) words.push_back(wordFor(i, names));
  rowLabel("input", "What the step is done with: an input, or all of them merged.", kLabelWidth);
  const auto picked = pickFrom("step:input", words, step.input.empty() ? "merged" : step.input);
  if (picked)
    step.input = *picked == 0 && step.kind->of == StepKind::Of::Either ? "" : words[*picked];
  return picked.has_value();
}

bool StepList::drawMenu(std::vector<RecipeLine>& lines, std::size_t input) {
  if (button("Add step", "step:add")) ImGui::OpenPopup("kinds");
  if (!ImGui::BeginPopup("kinds")) return false;
  closeOnEscape();
  bool added = false;
  for (const StepKind& kind : stepKinds()) {
    // The lists of a scene are on the device, without IDs.
    if (inputs_.scene() && (kind.of != StepKind::Of::Input || kind.name == "ids")) continue;
    if (ImGui::Selectable(kind.name.c_str()))
      lines.push_back({textOf(newStep(kind, input)), ""}), added = true;
    Landmarks::note("step=" + kind.name);
  }
  ImGui::EndPopup();
  if (added) open_ = lines.size() - 1;
  return added;
}

/// One that changes little, to be edited.
Step StepList::newStep(const StepKind& kind, std::size_t input) const {
  const std::vector<std::string> names = inputNames(inputs_);
  const std::map<std::string, std::string> starts{
      {"expression", "R = R"},
      {"window", textOf(inputs_.header(FragmentFormat::Half).displayWindow)},
      {"error", "1/512"},
      {"z", ":"},
      {"ids", "*"}};
  Step step;
  step.kind = &kind;
  if (kind.of == StepKind::Of::Input)
    step.input = wordFor(std::min(input, names.size() - 1), names);
  if (kind.name == "resize") step.given["scale"] = "1";
  for (const StepArgument& argument : kind.arguments)
    if (const auto start = starts.find(argument.name); start != starts.end())
      step.given[argument.name] = start->second;
    else if (argument.required)
      step.given[argument.name] = "";
  return step;
}

}  // namespace fathom::deep
