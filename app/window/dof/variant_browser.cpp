// SPDX-License-Identifier: BSD-3-Clause
// Steps of the sweep under a time budget, and the dots of the plot.
#include "app/window/dof/variant_browser.h"

#include "app/engine/core/stages.h"
#include "app/engine/gpu/timings.h"

#include <algorithm>

namespace fathom::dof {

void VariantBrowser::start(const Plan& plan) {
  plan_ = plan;
  std::vector<int> variants;
  for (int i = 0; i < kSpace.countAll(); ++i)
    if ((i >= kSpace.count()) == plan.coverage) variants.push_back(i);
  sweep_ = VariantSweep(variants, VariantSweep::rounds(plan.rounds), plan.seed);
  workload_.reset();
  running_ = true;
  slices_ = 0;
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
    const std::vector<Variant> variants = allVariants(kSpace);
    do {
      const VariantSweep::Step step = sweep_.next();
      const Variant& variant = variants[std::size_t(sweep_.rows()[step.row].variant)];
      if (step.check) {
        const CheckResult checked = workload_->check(variant);
        sweep_.checked(checked.passed, checked.detail);
      } else {
        sweep_.timed(workload_->timeMs(variant));
      }
    } while (!sweep_.finished() && !budget.spent());
  }
  ++slices_;
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

std::vector<VariantBrowser::Dot> VariantBrowser::dots(Order order) const {
  const std::vector<Variant> variants = allVariants(kSpace);
  std::vector<Dot> dots;
  double fastest = 0, slowest = 0;
  for (const VariantSweep::Row& row : sweep_.rows()) {
    const double ms = row.medianMs();
    dots.push_back({row.variant, row.state, ms, 0, variants[std::size_t(row.variant)][kEarly]});
    if (ms > 0) fastest = fastest > 0 ? std::min(fastest, ms) : ms;
    slowest = std::max(slowest, ms);
  }
  for (Dot& dot : dots)
    if (dot.ms > 0 && slowest > fastest)
      dot.height = float((dot.ms - fastest) / (slowest - fastest));
  if (const int best = sweep_.best(); best >= 0) dots[std::size_t(best)].best = true;
  if (order == Order::ByTime)
    std::stable_sort(dots.begin(), dots.end(), [](const Dot& a, const Dot& b) {
      if ((a.ms > 0) != (b.ms > 0)) return a.ms > 0;
      return a.ms < b.ms;
    });
  return dots;
}

std::optional<Variant> VariantBrowser::best() const {
  const int best = sweep_.best();
  if (best < 0) return std::nullopt;
  return kSpace.at(sweep_.rows()[std::size_t(best)].variant);
}

}  // namespace fathom::dof
