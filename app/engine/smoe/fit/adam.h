// SPDX-License-Identifier: BSD-3-Clause
// Gradient descent: Adam on every number of every record, and the schedule that says how long a fit
// descends, how far each step goes and when components move. Moments and records stay on the GPU;
// the CPU sets the steps; now and then the mean gradient is measured that epsilons are relative to
// (Kingma, Ba, "Adam: A Method for Stochastic Optimization", 2015).
#pragma once

#include "app/engine/smoe/fit/checkpoint.h"
#include "app/engine/smoe/fit/passes.h"

namespace fathom::smoe {

/// How far a step goes, as parts of the recipe's step sizes, and how much of the step before is
/// in it.
struct FitPace {
  double gates = 1, experts = 1;
  double leads = 0;       // M, of views and frames
  double momentum = 0.9;  // decay of the mean gradient
  double widening = 0;    // how much W and mu of views fall where nothing holds them
};

class FitAdam {
 public:
  /// `structure`: the share of SSIM in the loss.
  FitAdam(FitPasses& passes, glm::ivec2 pictureSize, double structure = 0);

  /// Adds the gradient over one region to that of this step.
  void add(const FitRegion& region);
  /// Sets epsilons by the gradient of the regions added so far.
  void measure();
  /// Moves the records against the gradient and begins the next step.
  void step(const FitPace& pace);

  /// These components were changed by something else: resets their moments, which begin anew.
  void forget(std::span<const std::uint32_t> components);

  /// The gradient of the regions added so far; 4 or 8 rows per component.
  const gpu::Buffer<glm::vec4>& gradient() const {
    return passes_.leading() ? gradient_ : passes_.sums();
  }

  /// Between two steps; waits.
  AdamState state() const;
  /// Moments of as many components as there are.
  void restore(const AdamState& state);

 private:
  FitPasses& passes_;
  glm::ivec2 size_;
  std::size_t rows_ = passes_.leading() ? 8 : 4;  // per component
  gpu::Buffer<glm::vec4> moments_{passes_.gpu(), "fit moments",
                                  passes_.componentCount() * rows_ * 2};
  gpu::Buffer<glm::vec4> gradient_;  // vec4[componentCount][8], for p > 2
  gpu::Buffer<glm::vec4> epsilons_{passes_.gpu(), "fit epsilons", 8};
  gpu::Buffer<glm::vec4> magnitudes_;  // vec4[lanes][rows]
  double structure_;
  bool added_ = false;
  int steps_ = 0;
};

class FitSchedule {
 public:
  /// Images: relocations every kRoundSteps steps until four fifths of the run; steps are twice the
  /// recipe's (fewer than 1000: less) for 60 % of it and then fall to a tenth of that. Views and
  /// frames: four rounds with smaller and smaller steps, as each step sees only some of the
  /// pictures. `rate` scales all of it.
  FitSchedule(int steps, bool manyPictures, bool relocates, double rate = 1);

  int steps() const { return steps_; }
  double scale() const { return rate_; }
  /// Rounds that end in a relocation.
  int rounds() const { return relocates_ ? rounds_ - manyPictures_ : 0; }
  /// Of the recipe's step sizes, for a part of the run, 0 .. 1.
  double rate(double part) const;
  /// With room (fit/relocate.h) that of the experts follows the error, by its decibels, and far
  /// from the source long fits keep more of the steps before.
  FitPace pace(double part, double psnr, bool room) const;
  /// True when a round ends after this many steps. `part` of the run is over, which a limit on time
  /// may have brought forward.
  bool relocatesAfter(int done, double part) const;

 private:
  /// 0 .. 1: how far this is from a short fit.
  double length() const;

  int steps_;
  bool manyPictures_, relocates_;
  double rate_;
  int roundSteps_, rounds_;
};

}  // namespace fathom::smoe
