// SPDX-License-Identifier: BSD-3-Clause
// Software rendering ends on the CPU; waiting for a GPU would stall it, so its times come later,
// each under the step of its own preview. Compiling is no part of what a picture takes.
#include "app/window/document/previews.h"

#include "app/engine/core/log.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/gpu/context.h"

#include <chrono>
#include <utility>

namespace fathom::viewer {

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
