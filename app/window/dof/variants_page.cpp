// SPDX-License-Identifier: BSD-3-Clause
// The sweep under a time budget, then the widgets: a scatter over all of the room that is left.
#include "app/window/dof/variants_page.h"

#include "app/engine/core/stages.h"
#include "app/engine/gpu/timings.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::dof {
using namespace ui;

namespace {

/// Listed once: the plots ask for a variant per dot, dimension and frame.
const Variant& variantAt(int index) {
  static const std::vector<Variant> all = allVariants(kSpace);
  return all[std::size_t(index)];
}

}  // namespace

void VariantBrowser::start(const Plan& plan) {
  plan_ = plan;
  std::vector<int> variants;
  for (int i = 0; i < kSpace.countAll(); ++i)
    if ((i >= kSpace.count()) == plan.coverage) variants.push_back(i);
  sweep_ = VariantSweep(variants, VariantSweep::rounds(plan.rounds), plan.seed);
  workload_.reset();
  running_ = true;
}

void VariantBrowser::stop() {
  sweep_.cancel();
  workload_.reset();
  running_ = false;
}

bool VariantBrowser::work(gpu::Context& gpu, double budgetMs) try {
  if (!running_) return false;
  const TimeBudget budget(budgetMs);
  // Where that does not spoil the measurement, the window's timings stay those of the picture.
  std::optional<gpu::Timings::Pause> pause;
  if (gpu.device().software) pause.emplace(gpu.timings());
  if (!workload_) {
    workload_ = std::make_unique<VariantWorkload>(gpu, plan_.size, plan_.radius, plan_.seed);
  } else {
    do {
      const VariantSweep::Step step = sweep_.next();
      const Variant& variant = variantAt(sweep_.rows()[step.row].variant);
      if (step.check) {
        const CheckResult checked = workload_->check(variant);
        sweep_.checked(checked.passed, checked.detail);
      } else {
        sweep_.timed(workload_->timeMs(variant));
      }
    } while (!sweep_.finished() && !budget.spent());
  }
  if (sweep_.finished()) {
    running_ = false;
    workload_.reset();
  }
  return running_;
} catch (...) {
  stop();
  throw;
}

double VariantBrowser::progress() const {
  return sweep_.total() ? double(sweep_.done()) / double(sweep_.total()) : 0;
}

std::vector<VariantBrowser::Dot> VariantBrowser::dots(bool byTime) const {
  std::vector<Dot> dots;
  for (const VariantSweep::Row& row : sweep_.rows())
    dots.push_back({row.variant, row.state, row.medianMs(), variantAt(row.variant)[kEarly]});
  if (const int best = sweep_.best(); best >= 0) dots[std::size_t(best)].best = true;
  if (byTime)
    std::stable_sort(dots.begin(), dots.end(), [](const Dot& a, const Dot& b) {
      if ((a.ms > 0) != (b.ms > 0)) return a.ms > 0;
      return a.ms < b.ms;
    });
  return dots;
}

std::optional<Variant> VariantBrowser::best() const {
  const int best = sweep_.best();
  if (best < 0) return std::nullopt;
  return variantAt(sweep_.rows()[std::size_t(best)].variant);
}

// ---- The plot

namespace {

/// Red: the whole list is read, yellow: a vote per chunk, violet: after each node (as in figure 9).
const ImVec4 kEarlyTints[] = {color::rgb(0xe2605b), color::rgb(0xe8c14a), color::rgb(0xa98bea)};

void plotText(ImVec2 at, float align, const std::string& text, ImVec4 tint = color::kDim) {
  drawText(*ImGui::GetWindowDrawList(), fonts().small, at, tint, text, align);
}

/// Times over variants within the rest of the window, the variant `used` marked; the dot under the
/// mouse, or null.
const VariantBrowser::Dot* drawTimes(const std::vector<VariantBrowser::Dot>& dots, int used,
                                     bool sorted) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{std::max(px(160), room.x), std::max(px(90), room.y)};
  ImGui::InvisibleButton("plot", size);
  Landmarks::note("variants:plot");
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 low(corner.x + px(58), corner.y + px(8));
  const ImVec2 high(corner.x + size.x - px(8), corner.y + size.y - px(22));
  draw.AddRectFilled(low, high, packed(color::kRaised), px(3));
  double slowest = 1e-6;
  for (const VariantBrowser::Dot& dot : dots) slowest = std::max(slowest, dot.ms);
  for (const float share : {0.0f, 0.5f, 1.0f}) {
    const float y = high.y - share * (high.y - low.y);
    draw.AddLine({low.x, y}, {high.x, y}, packed(color::kLine));
    plotText({low.x - px(6), y - px(7)}, 1, fmt::format("{:.3g} ms", slowest * double(share)));
  }
  plotText({low.x, high.y + px(4)}, 0, sorted ? "fastest" : "variant 1");
  plotText({high.x, high.y + px(4)}, 1,
           sorted ? "slowest" : fmt::format("variant {}", dots.size()));
  const float step = (high.x - low.x) / float(std::max<std::size_t>(dots.size(), 1));
  const VariantBrowser::Dot* nearest = nullptr;
  float reach = px(12) * px(12), x = low.x - 0.5f * step;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (const VariantBrowser::Dot& dot : dots) {
    x += step;
    if (dot.state == VariantSweep::State::Failed)
      plotText({x, high.y - px(16)}, 0.5f, "x", color::kError);
    if (dot.ms <= 0) continue;
    const ImVec2 at{x, high.y - float(dot.ms / slowest) * (high.y - low.y)};
    draw.AddCircleFilled(at, px(2.5f), packed(kEarlyTints[dot.early]));
    if (dot.best) draw.AddCircle(at, px(6), packed(color::kAccent), 0, px(2));
    if (dot.variant == used) draw.AddCircle(at, px(4.5f), packed(color::kText));
    const float way = (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y);
    if (hovered && way < reach) reach = way, nearest = &dot;
  }
  return nearest;
}

constexpr glm::ivec2 kSizes[] = {{96, 64}, {160, 90}, {320, 180}, {640, 360}, {1920, 1080}};

constexpr float kChoiceWidth = 480;

}  // namespace

// ---- The page

void VariantPage::draw(std::string& setting, const Variant& inUse, int radius, bool coverage) {
  const bool named = setting != "auto" && setting != "tuned";
  const Variant variant = named ? kSpace.parse(setting) : inUse;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::BeginChild("choice", {std::min(px(kChoiceWidth), room.x * 0.55f), room.y}, false,
                    ImGuiWindowFlags_NavFlattened);
  drawSweep(radius, coverage);
  drawDimensions(setting, variant);
  ImGui::EndChild();
  ImGui::SameLine(0, px(16));
  ImGui::BeginChild("results", {0, room.y});
  if (browser.sweep().rows().empty())
    textToFit(fonts().text, color::kDim,
              "Measure all: how long each variant takes on this device.");
  else
    drawPlot(setting, variant);
  ImGui::EndChild();
}

void VariantPage::drawDimensions(std::string& setting, const Variant& variant) {
  bool automatic = setting == "auto";
  if (checkbox("Smooth discs, none of the 320", "variants:auto", automatic,
               "Rims without steps, alpha and all lenses; off: one of the variants below."))
    setting = automatic ? "auto" : kSpace.id(variant);
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
    tooltip(std::string(dimension.about));
    ImGui::TableNextColumn();
    for (int v = 0; v < dimension.count(); ++v) {
      if (v > 0) ImGui::SameLine();
      const std::string name(dimension.values[v].name), why = kSpace.whyNot(variant, d, v);
      ImGui::BeginDisabled(!why.empty());
      if (ImGui::RadioButton(fmt::format("{}##{}", name, d).c_str(), variant[std::size_t(d)] == v))
        setting = kSpace.id(kSpace.with(variant, d, v));
      ImGui::EndDisabled();
      Landmarks::note(fmt::format("variants:{}={}", dimension.name, name));
      tooltip(why.empty() ? std::string(dimension.values[v].about) : "Not now. " + why);
    }
  }
  ImGui::EndTable();
}

void VariantPage::drawSweep(int radius, bool coverage) {
  std::vector<std::string> sizes;
  for (const glm::ivec2 size : kSizes) sizes.push_back(fmt::format("{} x {}", size.x, size.y));
  choiceList("variants:size", size_, sizes, 110);
  ImGui::SameLine();
  if (browser.running()) {
    if (button("Stop", "variants:stop")) browser.stop();
    ImGui::SameLine();
    ImGui::ProgressBar(float(browser.progress()), {-1, 0});
    return;
  }
  if (button("Measure all", "variants:measure", {0, 0},
             "Each variant is checked against double precision, then timed in shuffled rounds."))
    browser.start({kSizes[size_], radius, coverage, 3, 1});
}

void VariantPage::drawPlot(std::string& setting, const Variant& variant) {
  checkbox("Sorted", "variants:sorted", byTime_);
  if (const auto best = browser.best()) {
    ImGui::SameLine();
    if (button("Use the fastest", "variants:best")) setting = kSpace.id(*best);
  }
  const std::vector<VariantBrowser::Dot> dots = browser.dots(byTime_);
  if (const VariantBrowser::Dot* dot = drawTimes(dots, kSpace.index(variant), byTime_)) {
    const std::string id = kSpace.id(variantAt(dot->variant));
    if (ImGui::IsItemClicked()) setting = id;
    ImGui::SetTooltip("%s\n%.3f ms%s", id.c_str(), dot->ms, dot->best ? ", the fastest" : "");
  }
}

}  // namespace fathom::dof
