// SPDX-License-Identifier: BSD-3-Clause
// How long a fit descends, how far each step goes, and when components move.
#pragma once

namespace fathom::smoe {

class FitSchedule {
 public:
  /// Images: rounds with relocation take the first half of the steps, steps are whole for 60 % of
  /// the run and then fall to a tenth. Views and frames: four rounds with smaller and smaller
  /// steps, as each step sees only some of the pictures. `rate` scales all of it.
  FitSchedule(int steps, bool manyPictures, bool relocates, double rate = 1);

  int steps() const { return steps_; }
  /// Of the recipe's step sizes, for step 0 .. steps() - 1.
  double rate(int step) const;
  /// True when a round ends after this many steps.
  bool relocatesAfter(int done) const;

 private:
  int steps_;
  bool manyPictures_, relocates_;
  double rate_;
  int roundSteps_, rounds_;
};

}  // namespace fathom::smoe
