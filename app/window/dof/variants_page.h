// SPDX-License-Identifier: BSD-3-Clause
// The page of variants: a sweep over all of them in slices, so that the window stays responsive,
// its results as the dots of figure 9 of the paper; a variant chosen dimension by dimension.
#pragma once

#include "app/engine/core/variants.h"
#include "app/engine/dof/variants/workload.h"

namespace fathom::dof {

class VariantBrowser {
 public:
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
    double ms = 0;  // median; 0: not timed yet
    int early = 0;  // EarlyChoice, for the color
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

  const VariantSweep& sweep() const { return sweep_; }
  /// 0..1 of the steps.
  double progress() const;
  /// All of them in the order of the space, or `byTime`: the timed ones first, fastest first.
  std::vector<Dot> dots(bool byTime) const;
  /// The fastest so far; none before the first trial.
  std::optional<Variant> best() const;

 private:
  Plan plan_;
  VariantSweep sweep_;
  std::unique_ptr<VariantWorkload> workload_;
  bool running_ = false;
};

/// A variant chosen dimension by dimension, and the browser of all of them.
class VariantPage {
 public:
  VariantBrowser browser;

  /// Widgets for the variant whose id is `setting` ("auto" stands for `inUse`); a choice is written
  /// to `setting`. `radius` is what a sweep measures with.
  void draw(std::string& setting, const Variant& inUse, int radius, bool coverage);

 private:
  void drawDimensions(std::string& setting, const Variant& variant);
  void drawDimensionRows(std::string& setting, const Variant& variant);
  void drawSweep(int radius, bool coverage);
  void drawPlot(std::string& setting, const Variant& variant);

  int size_ = 0;  // of the sweep: index into the sizes offered
  bool byTime_ = false;
};

}  // namespace fathom::dof
