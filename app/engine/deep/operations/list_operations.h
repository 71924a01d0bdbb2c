// SPDX-License-Identifier: BSD-3-Clause
// The operations on the fragments of one pixel, sorted by (Z, ZBack) unless said otherwise.
#pragma once

#include "app/engine/deep/operations/operations.h"
#include "app/engine/deep/operations/samples.h"

namespace fathom::deep {

/// From `first` on by (Z, ZBack); equal ones stay in their order.
void sortSamples(SampleList& list, std::size_t first = 0);
/// Moves and cuts those from `first` on, which need not be sorted and are afterwards.
void moveAndCut(const ColorPlan& plan, const InputEdit& edit, std::size_t first, SampleList& list);
void tidy(const ColorPlan& plan, SampleList& list);
/// `matte`: the lists of all inputs of one role, merged. Makes `list` tidy when it has volumes.
void hold(const ColorPlan& plan, Role role, HoldRule rule, const SampleList& matte,
          SampleList& list);
void dropHidden(const ColorPlan& plan, float alpha, SampleList& list);
/// Returns how far light that shows was moved.
float thin(const ColorPlan& plan, int maxCount, SampleList& list);

/// How far alpha and light in front of any depth may move: absolute, or in parts of the pixel's
/// whole.
struct ThinBound {
  double error = 0;
  bool relative = false;
  double depth = 0;  // how far points may move, in parts of their depth
};
/// How far they have moved at most (in front of where points went), how far those of the whole
/// list, absolute where `flat`, and how far points went.
struct ThinError {
  double largest = 0, flat = 0, depth = 0;
};
/// As few fragments as the bound allows; tidy when there are volumes.
ThinError thinToError(const ColorPlan& plan, const ThinBound& bound, SampleList& list);

}  // namespace fathom::deep
