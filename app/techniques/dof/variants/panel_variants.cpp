// SPDX-License-Identifier: BSD-3-Clause
// Dimensions as radio buttons (impossible choices are grayed out and say why), a sweep over all
// variants with its plot, and sources side by side.
#include "app/techniques/dof/variants/panel_variants.h"

#include "app/io/atomic_file.h"
#include "app/io/config_paths.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace fathom::dof {
using namespace ui;
namespace {

constexpr glm::ivec2 kSizes[] = {{96, 64}, {160, 90}, {320, 180}, {640, 360}, {1920, 1080}};

/// Red: the whole list is read, yellow: a vote per chunk, violet: after each node (as in figure 9).
const ImVec4 kEarlyColors[] = {color::rgb(0xe2605b), color::rgb(0xe8c14a), color::rgb(0xa98bea)};

void wrappedTooltip(const std::string& text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || text.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(px(340));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/// The plot as the last item, the variant `used` marked; returns the dot under the mouse, or null.
const VariantBrowser::Dot* drawDots(const std::vector<VariantBrowser::Dot>& dots, int used) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size{std::max(px(160), ImGui::GetContentRegionAvail().x), px(150)};
  ImGui::InvisibleButton("plot", size);
  Landmarks::note("variants:plot");
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, {low.x + size.x, low.y + size.y}, packed(color::kRaised), px(3));
  const float margin = px(6),
              step = (size.x - 2 * margin) / float(std::max<std::size_t>(dots.size(), 1));
  const VariantBrowser::Dot* nearest = nullptr;
  float reach = px(12) * px(12);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  float x = low.x + margin - 0.5f * step;
  for (const VariantBrowser::Dot& dot : dots) {
    x += step;
    if (dot.state == VariantSweep::State::Failed)
      draw.AddText({x - px(3), low.y + size.y - px(18)}, packed(color::kError), "x");
    if (dot.ms <= 0) continue;
    const ImVec2 at{x, low.y + size.y - margin - dot.height * (size.y - 2 * margin)};
    draw.AddCircleFilled(at, px(2.5f), packed(kEarlyColors[dot.early]));
    if (dot.best) draw.AddCircle(at, px(6), packed(color::kAccent), 0, px(2));
    if (dot.variant == used) draw.AddCircle(at, px(4.5f), packed(color::kText));
    const float way = (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y);
    if (hovered && way < reach) reach = way, nearest = &dot;
  }
  return nearest;
}

}  // namespace

void VariantPage::draw(std::string& setting, const Variant& inUse, int radius, bool coverage) {
  const bool named = setting != "auto" && setting != "tuned";
  const Variant variant = named ? kSpace.parse(setting) : inUse;
  drawDimensions(setting, variant);
  drawSweep(radius, coverage);
  if (!browser.sweep().rows().empty())
    drawPlot(setting, variant,
             byTime_ ? VariantBrowser::Order::ByTime : VariantBrowser::Order::Enumeration);
  ImGui::Checkbox("Source", &showSource_);
  Landmarks::note("variants:source");
  if (!showSource_) return;
  ImGui::SameLine();
  ImGui::Checkbox("Differences from the default", &compared_);
  drawSource(variant);
}

void VariantPage::drawDimensions(std::string& setting, const Variant& variant) {
  bool automatic = setting == "auto";
  if (ImGui::Checkbox("Smooth discs, none of the 320", &automatic))
    setting = automatic ? "auto" : kSpace.id(variant);
  Landmarks::note("variants:auto");
  wrappedTooltip("Rims without steps, alpha and all lenses; off: one of the variants below.");
  if (!ImGui::BeginTable("dimensions", 2, ImGuiTableFlags_SizingFixedFit)) return;
  for (int d = 0; d < kSpace.dimensionCount(); ++d) {
    const VariantDimension& dimension = kSpace.dimensions[d];
    ImGui::TableNextRow();
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
  ImGui::Checkbox("Sorted by time", &byTime_);
  Landmarks::note("variants:sorted");
  const std::vector<VariantBrowser::Dot> dots = browser.dots(order);
  if (const VariantBrowser::Dot* dot = drawDots(dots, kSpace.index(variant))) {
    const std::string id = kSpace.id(kSpace.at(dot->variant));
    if (ImGui::IsItemClicked()) setting = id;
    ImGui::SetTooltip("%s\n%.3f ms%s", id.c_str(), dot->ms, dot->best ? ", the fastest" : "");
  }
  static const char* const names[] = {"none", "block", "each"};
  for (int early = 0; early < 3; ++early) {
    if (early > 0) ImGui::SameLine();
    ImGui::TextColored(kEarlyColors[early], "%s", names[early]);
  }
  if (const auto best = browser.best()) {
    ImGui::SameLine();
    if (ImGui::SmallButton("Use the fastest")) setting = kSpace.id(*best);
    Landmarks::note("variants:best");
  }
}

void VariantPage::drawSource(const Variant& variant) {
  const std::string id = kSpace.id(variant);
  if (sourceOf_ != id) {
    sourceOf_ = id;
    source_ = variantSource(variant, WarpBackEnd::Arb);
    difference_ =
        sourceDifference(variantSource(kSpace.parse(kDefaultVariant), WarpBackEnd::Arb), source_);
  }
  ImGui::BeginChild("source", {0, px(260)}, true, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(fonts().mono);
  ImGui::TextUnformatted((compared_ ? difference_ : source_).c_str());
  ImGui::PopFont();
  ImGui::EndChild();
}

}  // namespace fathom::dof
