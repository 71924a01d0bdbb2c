// SPDX-License-Identifier: BSD-3-Clause
// How far what the middle view shows moves from view to view: block matching against neighbors in
// the grid. It seeds M, which a fit cannot find from 0 where structures are
// finer than what they move by.
#pragma once

#include "app/engine/core/rect.h"
#include "app/engine/smoe/fit/training.h"

#include <vector>

namespace fathom::smoe {

/// Tries every disparity of kLowest, kLowest + kStep .. -kLowest px per view step, against the
/// views two steps to each side (or one, in small grids); held-out views are not looked at. Of each
/// pair of opposite views the better match counts: at an edge one of them sees behind it.
class DisparitySweep {
 public:
  static constexpr double kLowest = -2, kStep = 0.1;
  static constexpr int kCount = 41;

  /// `training` is a light field; the sweep looks from its middle view.
  explicit DisparitySweep(const TrainingSet& training);

  /// Of what a box of pixels of the middle view shows; boxes below 7 px a side are judged with
  /// their surroundings. 0 when there are no neighbors, or nothing to tell disparities apart by.
  double over(const Rect& box) const;

 private:
  glm::ivec2 size_;
  /// float[kCount][height][width]: sums of absolute differences over the three channels.
  std::vector<float> costs_;
};

}  // namespace fathom::smoe
