// SPDX-License-Identifier: BSD-3-Clause
// Alpha and light in front of each depth: what a list of fragments shows of itself up to there, per
// value of its plan. Between places where a fragment begins or ends, each value follows
// begin + (end - begin) * (1 - exp(-U x)) / (1 - exp(-U)), x from 0 to 1, U the optical depth
// there.
#pragma once

#include "app/engine/deep/operations/sample_list.h"

namespace fathom::deep {

/// The transmittance that belongs to each value of a plan: of its alpha, or, without one, of
/// fragments that hide everything.
class Transmittance {
 public:
  explicit Transmittance(const ColorPlan& plan) : plan_(plan), left_(plan.count() + 1, 1) {}
  void restart() { left_.assign(left_.size(), 1); }
  /// In front of what comes next, for value i.
  double of(std::size_t i) const { return left_[place(i)]; }
  /// Behind a fragment with these values.
  void pass(const double* v) {
    for (std::size_t i = 0; i < plan_.count(); ++i)
      if (plan_.values[i].isAlpha) left_[i] -= left_[i] * v[i];
    left_.back() = 0;
  }

 private:
  std::size_t place(std::size_t i) const {
    const int alpha = plan_.values[i].alpha;
    return alpha < 0 ? left_.size() - 1 : std::size_t(alpha);
  }
  const ColorPlan& plan_;
  std::vector<double> left_;  // per alpha value, at its place; last: of values without alpha
};

class LightCurve {
 public:
  /// Of a list that is sorted and does not overlap.
  LightCurve(const ColorPlan& plan, const SampleList& list);

  /// Goes to the depths between two neighboring places, front to back.
  void moveTo(double from, double to);
  double begin(std::size_t value) const { return begin_[value]; }
  double end(std::size_t value) const { return end_[value]; }
  double opticalDepth(std::size_t value) const { return depth_[value]; }
  /// Behind everything.
  double total(std::size_t value) const;

 private:
  const double* before(std::size_t sample) const { return shown_.data() + sample * plan_.count(); }
  const ColorPlan& plan_;
  const SampleList& list_;
  std::vector<double> shown_;  // double[samples + 1][values]: in front of each sample
  std::size_t next_ = 0;       // the first sample that does not end before the place
  std::vector<double> begin_, end_, depth_;
};

/// The places where one of two lists changes, ascending, each once, with an infinite one behind.
std::vector<double> placesOf(const SampleList& a, const SampleList& b);

/// The largest difference between two curves at any depth, each value in units of scale[value]:
/// at every place from both sides, and where the difference has its extremum between two.
double largestDifference(const ColorPlan& plan, const SampleList& a, const SampleList& b,
                         const std::vector<double>& scale);

}  // namespace fathom::deep
