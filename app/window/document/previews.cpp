// SPDX-License-Identifier: BSD-3-Clause
// Chooses resolutions by measured times, and measures previews without stalling the GPU.
#include "app/window/document/previews.h"

#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/context.h"

namespace fathom::viewer {

constexpr std::chrono::milliseconds kPause{150};
constexpr double kFixedShare =
    0.5;  // share of the time that is independent of the pixels, until measured
constexpr double kGain = 0.88;  // a coarser picture must take less than this share of the time
constexpr int kRetry = 12;      // pictures until the next step up is tried again

void Resolution::moved(Time now) { restAt_ = now + kPause; }

double Resolution::next() {
  previewStep_ = step_;
  scale_ = kScales[step_];
  return scale_;
}

void Resolution::measured(std::size_t step, double ms) {
  double& here = ms_[step];
  here = here == 0 ? ms : here * 0.5 + ms * 0.5;
  if (step != step_) return;                   // begun before the step changed
  if (++stayed_ >= kRetry && step_ < kFull) {  // rendering may have become cheaper
    ms_[step_ + 1] = 0;
    stayed_ = 0;
  }
  // Some of the work grows with the pixels and some does not (drawing triangles), so what a step
  // saves is measured, not assumed.
  const std::size_t before = step_;
  double above = std::numeric_limits<double>::infinity();
  bool wasted = false;  // the coarser picture saved nothing
  if (step_ < kFull) {
    const double growth = std::pow(kScales[step_ + 1] / kScales[step_], 2);
    const double known = ms_[step_ + 1];
    above = known != 0 ? known : here * (kFixedShare + (1 - kFixedShare) * growth);
    wasted = known != 0 && here >= known * kGain;
  }
  if (wasted || above <= maxMs_) {
    ++step_;
  } else if (here > maxMs_ && step_ > 0) {
    const double below = ms_[step_ - 1];
    if (below == 0 || below < here * kGain) --step_;
  }
  if (step_ != before) stayed_ = 0;
}

Previews::Previews(gpu::Context& gpu)
    : gpu_(gpu), resolution_(gpu.device().software), timer_(gpu) {}

void Previews::begin(Engine& engine) {
  made_ = Preview{stateOf(engine), gpu::workCounts().compiles};
  timer_.begin();
}

void Previews::spent(double ms) {
  if (made_) made_->ms += ms;
}

void Previews::finish(bool whole, glm::ivec2 size) {
  const Preview made = *std::exchange(made_, std::nullopt);
  const bool known = whole && gpu::workCounts().compiles == made.compiles;
  const std::size_t step = resolution_.step();
  constexpr double kNotMeasured = -1;
  if (!gpu_.device().software) return timer_.end(known ? double(step) : kNotMeasured);
  const Stopwatch wait;
  gpu_.finish();
  const double ms = made.ms + wait.ms();
  log::info("preview: {} x {}, {:.0f} ms", size.x, size.y, ms);
  if (known) resolution_.measured(step, ms);
}

void Previews::collect() {
  if (gpu_.device().software) return;
  while (const auto finished = timer_.take()) {
    if (finished->work < 0) continue;
    log::info("preview: step {:.0f}, {:.0f} ms", finished->work, finished->ms);
    resolution_.measured(std::size_t(finished->work), finished->ms);
  }
}

}  // namespace fathom::viewer
