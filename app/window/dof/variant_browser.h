// SPDX-License-Identifier: BSD-3-Clause
// The browser of all variants, without its widgets: a sweep in slices so that the window stays
// responsive, its results as the dots of the paper's figure 9, and as a table.
#pragma once

#include "app/engine/core/variant_sweep.h"
#include "app/engine/dof/variants/workload.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::dof {

class VariantBrowser {
 public:
  enum class Order { Enumeration, ByTime };
  struct Plan {
    glm::ivec2 size{320, 180};
    int radius = 8;
    bool coverage = false;  // the coverage operator's 240 instead of the 320
    int rounds = 3;
    std::uint64_t seed = 1;
  };
  /// One variant in the plot.
  struct Dot {
    int variant = 0;  // index into the space
    VariantSweep::State state = VariantSweep::State::Waiting;
    double ms = 0;     // median; 0: not timed yet
    float height = 0;  // (ms - fastest) / (slowest - fastest)
    int early = 0;     // EarlyChoice, for the color
    bool best = false;
  };

  /// Starts over; the work happens in work().
  void start(const Plan& plan);
  /// Results so far are kept.
  void stop();
  bool running() const { return running_; }
  /// Steps for about `budgetMs`, at least one; true while more is to be done. Throws Error when the
  /// workload does not fit the device.
  bool work(gpu::Context& gpu, double budgetMs);

  const Plan& plan() const { return plan_; }
  const VariantSweep& sweep() const { return sweep_; }
  /// 0..1 of the steps.
  double progress() const;
  /// All of them in the order of the space, or the timed ones first, fastest first.
  std::vector<Dot> dots(Order order) const;
  /// The fastest so far; none before the first trial.
  std::optional<Variant> best() const;
  /// Id, state, median, trials: a line for each variant, fastest first.
  std::string csv() const { return sweepCsv(kSpace, sweep_); }
  /// How often work() was called since start().
  int slices() const { return slices_; }

 private:
  Plan plan_;
  VariantSweep sweep_;
  std::unique_ptr<VariantWorkload> workload_;
  bool running_ = false;
  int slices_ = 0;
};

}  // namespace fathom::dof
