// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/compare_view.h"

#include "app/gpu/present.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <fmt/format.h>

namespace fathom::viewer {
using namespace ui;

void CompareView::keep(gpu::Context& gpu, Document& document) {
  if (!document.complete() || !document.picture()) return;
  values_ = valuesOf(document.technique()->settings());
  picture_ = gpu::copyOf(gpu, "picture B", *document.picture());
  gpuMs_ = gpu.timings().gpuSumMs();
  viewGeneration_ = document.viewGeneration();
  inputGeneration_ = document.inputGeneration();
  ++generation_;
}

void CompareView::restore(std::vector<FieldValue> values, bool splitOn) {
  drop();
  values_ = std::move(values);
  split = splitOn;
  viewGeneration_ = ~0ull;  // no picture has this number: it is made at the next update
}

void CompareView::drop() {
  values_.clear();
  picture_ = {};
  ++generation_;
}

void CompareView::swap(gpu::Context& gpu, Document& document) {
  if (!has() || !document.complete()) return;
  const std::vector<FieldValue> other = values_;
  keep(gpu, document);
  for (const FieldValue& value : other)
    assign(document.technique()->settings(), value.name, value.text);
}

bool CompareView::stale(const Document& document) const {
  return has() && document.technique() &&
         (viewGeneration_ != document.viewGeneration() ||
          inputGeneration_ != document.inputGeneration());
}

void CompareView::update(Document& document) {
  if (!stale(document) || !document.complete()) return;
  viewGeneration_ = document.viewGeneration();
  inputGeneration_ = document.inputGeneration();
  ++generation_;
  try {
    Document::Other other = document.renderWith(values_);
    picture_ = std::move(other.picture);
    gpuMs_ = other.gpuMs;
  } catch (...) {
    drop();
    throw;
  }
}

const gpu::Texture* CompareView::picture(const Document& document) const {
  return has() && picture_ && !stale(document) ? &picture_ : nullptr;
}

CompareView::Action CompareView::draw(Document& document, double gpuMsNow) {
  Action action = Action::None;
  const float left = px(250);
  ImGui::BeginChild("actions", {left, 0});
  ImGui::PushTextWrapPos(0);
  textIn(fonts().text, color::kDim,
         has() ? "A is edited, B was kept. Hold C to see only B."
               : "Keep the settings of now as B, then change some and compare.");
  ImGui::PopTextWrapPos();
  if (ImGui::Button(has() ? "Keep A as B" : "Keep as B")) action = Action::Keep;
  Landmarks::note("compare:keep");
  tooltip("What is shown now becomes B (K).");
  if (has()) {
    ImGui::SameLine();
    if (ImGui::Button("Swap")) action = Action::Swap;
    tooltip("A takes the settings of B, and B those of A (X).");
    ImGui::SameLine();
    if (ImGui::Button("Drop")) action = Action::Drop;
    switchControl("##split", split);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    dimText("Side by side");
  }
  ImGui::EndChild();
  if (!has() || !document.technique()) return action;
  ImGui::SameLine(0, px(16));
  // What differs; all else is the same on both sides.
  const std::vector<FieldValue> now = valuesOf(document.technique()->settings());
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("differences", 3, flags)) return action;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  textIn(fonts().small, color::kFaint, "What differs");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kAccent, "A");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kSecond, "B");
  const auto row = [](const std::string& name, const std::string& a, const std::string& b) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    dimText(name.c_str());
    ImGui::TableNextColumn();
    monoText(a.c_str());
    ImGui::TableNextColumn();
    monoText(b.c_str());
  };
  for (const FieldValue& value : now)
    for (const FieldValue& other : values_)
      if (value.name == other.name && value.text != other.text)
        row(value.name, value.text, other.text);
  row("GPU, sum of passes", fmt::format("{:.3f} ms", gpuMsNow), fmt::format("{:.3f} ms", gpuMs_));
  ImGui::EndTable();
  return action;
}

}  // namespace fathom::viewer
