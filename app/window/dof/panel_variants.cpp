// SPDX-License-Identifier: BSD-3-Clause
// Dimensions as radio buttons (impossible choices are grayed out and say why), a sweep over all
// variants with its plot, and sources side by side.
#include "app/window/dof/panel_variants.h"

#include "app/engine/io/atomic_file.h"
#include "app/engine/io/config_paths.h"
#include "app/window/dof/panel_plots.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace fathom::dof {
using namespace ui;
namespace {

constexpr glm::ivec2 kSizes[] = {{96, 64}, {160, 90}, {320, 180}, {640, 360}, {1920, 1080}};

constexpr float kChoiceWidth = 480;

void wrappedTooltip(const std::string& text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || text.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(px(340));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

void VariantPage::draw(std::string& setting, const Variant& inUse, int radius, bool coverage) {
  const bool named = setting != "auto" && setting != "tuned";
  const Variant variant = named ? kSpace.parse(setting) : inUse;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::BeginChild("choice", {std::min(px(kChoiceWidth), room.x * 0.55f), room.y});
  drawSweep(radius, coverage);
  drawDimensions(setting, variant);
  ImGui::EndChild();
  ImGui::SameLine(0, px(16));
  ImGui::BeginChild("results", {0, room.y});
  int view = int(view_);
  segments("variants-view", view, {"Times", "Dimensions", "Source"},
           std::min(px(300), ImGui::GetContentRegionAvail().x));
  view_ = View(view);
  ImGui::SameLine(0, px(12));
  if (view_ == View::Source)
    drawSource(variant);
  else if (browser.sweep().rows().empty())
    ImGui::NewLine(), textToFit(fonts().text, color::kDim,
                                "Measure all: how long each variant takes on this device.",
                                ImGui::GetContentRegionAvail().x);
  else if (view_ == View::Dimensions)
    ImGui::NewLine(), drawHeatMap(browser.dots(VariantBrowser::Order::Enumeration));
  else
    drawPlot(setting, variant,
             byTime_ ? VariantBrowser::Order::ByTime : VariantBrowser::Order::Enumeration);
  ImGui::EndChild();
}

void VariantPage::drawDimensions(std::string& setting, const Variant& variant) {
  bool automatic = setting == "auto";
  if (ImGui::Checkbox("Smooth discs, none of the 320", &automatic))
    setting = automatic ? "auto" : kSpace.id(variant);
  Landmarks::note("variants:auto");
  wrappedTooltip("Rims without steps, alpha and all lenses; off: one of the variants below.");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(3), px(1)});
  ImGui::PushFont(fonts().small);
  drawDimensionRows(setting, variant);
  ImGui::PopFont();
  ImGui::PopStyleVar();
}

void VariantPage::drawDimensionRows(std::string& setting, const Variant& variant) {
  if (!ImGui::BeginTable("dimensions", 4, ImGuiTableFlags_SizingFixedFit)) return;
  for (int d = 0; d < kSpace.dimensionCount(); ++d) {
    const VariantDimension& dimension = kSpace.dimensions[d];
    if (d % 2 == 0) ImGui::TableNextRow();  // two in a row
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(dimension.name.data(), dimension.name.data() + dimension.name.size());
    wrappedTooltip(std::string(dimension.about));
    ImGui::TableNextColumn();
    for (int v = 0; v < dimension.count(); ++v) {
      if (v > 0) ImGui::SameLine();
      const std::string name(dimension.values[v].name), why = kSpace.whyNot(variant, d, v);
      ImGui::BeginDisabled(!why.empty());
      if (ImGui::RadioButton(fmt::format("{}##{}", name, d).c_str(), variant[std::size_t(d)] == v))
        setting = kSpace.id(kSpace.with(variant, d, v));
      ImGui::EndDisabled();
      Landmarks::note(fmt::format("variants:{}={}", dimension.name, name));
      wrappedTooltip(why.empty() ? std::string(dimension.values[v].about) : "Not now. " + why);
    }
  }
  ImGui::EndTable();
}

void VariantPage::drawSweep(int radius, bool coverage) {
  const auto sizeName = [](int i) { return fmt::format("{} x {}", kSizes[i].x, kSizes[i].y); };
  ImGui::SetNextItemWidth(px(110));
  if (ImGui::BeginCombo("##size", sizeName(size_).c_str())) {
    for (int i = 0; i < int(std::size(kSizes)); ++i)
      if (ImGui::Selectable(sizeName(i).c_str(), i == size_)) size_ = i;
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  if (browser.running()) {
    if (ImGui::Button("Stop")) browser.stop();
    Landmarks::note("variants:stop");
    ImGui::SameLine();
    ImGui::ProgressBar(float(browser.progress()), {-1, 0});
    return;
  }
  if (ImGui::Button("Measure all")) {
    saved_.clear();
    browser.start({kSizes[size_], radius, coverage, 3, 1});
  }
  Landmarks::note("variants:measure");
  wrappedTooltip(
      "Each variant is checked against double precision, then timed in shuffled rounds.");
  if (browser.sweep().rows().empty()) return;
  ImGui::SameLine();
  if (ImGui::Button("Save")) {
    const std::filesystem::path file = configFolder() / "dof-variants.csv";
    std::error_code failure;
    std::filesystem::create_directories(file.parent_path(), failure);
    try {
      writeFile(file, browser.csv());
      saved_ = file.string();
    } catch (const Error& error) {
      saved_ = error.what();
    }
  }
  Landmarks::note("variants:save");
  wrappedTooltip("Every variant with its time, as a table in the configuration folder.");
  if (!saved_.empty()) ImGui::TextWrapped("%s", saved_.c_str());
}

void VariantPage::drawPlot(std::string& setting, const Variant& variant,
                           VariantBrowser::Order order) {
  ImGui::Checkbox("Sorted", &byTime_);
  Landmarks::note("variants:sorted");
  if (const auto best = browser.best()) {
    ImGui::SameLine();
    if (ImGui::Button("Use the fastest")) setting = kSpace.id(*best);
    Landmarks::note("variants:best");
  }
  const std::vector<VariantBrowser::Dot> dots = browser.dots(order);
  if (const VariantBrowser::Dot* dot = drawTimes(dots, kSpace.index(variant), byTime_)) {
    const std::string id = kSpace.id(kSpace.at(dot->variant));
    if (ImGui::IsItemClicked()) setting = id;
    ImGui::SetTooltip("%s\n%.3f ms%s", id.c_str(), dot->ms, dot->best ? ", the fastest" : "");
  }
}

/// The source of the variant, or what has changed from another one, which is the default until one
/// is marked.
void VariantPage::drawSource(const Variant& variant) {
  const std::string id = kSpace.id(variant);
  if (markedId_.empty()) markedId_ = std::string(kDefaultVariant);
  if (sourceOf_ != id + " " + markedId_) {
    sourceOf_ = id + " " + markedId_;
    source_ = variantSource(variant, WarpBackEnd::Arb);
    difference_ =
        sourceDifference(variantSource(kSpace.parse(markedId_), WarpBackEnd::Arb), source_);
  }
  ImGui::Checkbox("Difference", &compared_);
  Landmarks::note("variants:compared");
  wrappedTooltip("Lines that this variant has (+) and " + markedId_ + " has (-)");
  ImGui::SameLine();
  if (ImGui::Button("Compare with this")) markedId_ = id;
  Landmarks::note("variants:mark");
  wrappedTooltip("Other variants that are chosen next are compared with this one");
  ImGui::SameLine();
  const std::string& text = compared_ ? difference_ : source_;
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(text.c_str());
  Landmarks::note("variants:copy");
  drawSourceText(text, compared_);
}

}  // namespace fathom::dof
