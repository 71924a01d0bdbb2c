// SPDX-License-Identifier: BSD-3-Clause
// What light does in a homogeneous volume [Z, ZBack) of alpha a and premultiplied color c: the
// formulas of OpenEXR's "Interpreting Deep Pixels", in double. All follow from the optical depth
// u = -log(1 - a), which is spread evenly over the volume, adds where volumes overlap, and gives
// back a = 1 - exp(-u). log1p and expm1 keep their digits where alpha is next to 0 or the part next
// to nothing. The shaders' version in float: shaders/deep/operations/volume.glsl.
// And what a list of fragments shows of itself up to each depth, per value of its plan.
#pragma once

#include "app/engine/deep/operations/sample_list.h"

namespace fathom::deep {

/// u of an alpha in 0..1; infinite for 1.
inline double opticalDepth(double alpha) { return -std::log1p(-alpha); }
inline double alphaOfDepth(double depth) { return -std::expm1(-depth); }

/// The alpha of the part x (0..1) of a volume: 1 - (1 - a)^x. An opaque one is opaque in each part.
inline double partAlpha(double alpha, double x) {
  return alpha >= 1 ? 1 : alphaOfDepth(x * opticalDepth(alpha));
}

/// What the color of the part x is multiplied by: as the alpha, or x where there is none.
inline double partColor(double alpha, double x) {
  return alpha > 0 ? partAlpha(alpha, x) / alpha : x;
}

/// How much of [z, zBack) lies in [from, to), which is inside it: 0..1. Of an infinite volume, its
/// infinite ends share everything.
inline double partOf(double z, double zBack, double from, double to) {
  if (std::isfinite(zBack - z)) return (to - from) / (zBack - z);
  const double ends = double(std::isinf(z)) + double(std::isinf(zBack));
  return (double(std::isinf(from)) + double(std::isinf(to))) / ends;
}

/// The share of a volume's light (optical depth u > 0) that leaves it where another one of optical
/// depth v takes up the same place: its own u of the u + v, over what it would be alone.
inline double shareAmong(double u, double v) {
  if (std::isinf(v)) return 0;
  if (v == 0) return 1;
  const double alone = u > 0 ? alphaOfDepth(u) / u : 1;
  return alphaOfDepth(u + v) / (u + v) / alone;
}

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

/// Alpha and light in front of each depth. Between places where a fragment begins or ends, each
/// value follows begin + (end - begin) * (1 - exp(-U x)) / (1 - exp(-U)), x from 0 to 1, U the
/// optical depth there.
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

/// The largest difference between two curves at any depth, each value in units of scale[value]:
/// at every place from both sides, and where the difference has its extremum between two.
double largestDifference(const ColorPlan& plan, const SampleList& a, const SampleList& b,
                         const std::vector<double>& scale);

}  // namespace fathom::deep
