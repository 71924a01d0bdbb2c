// SPDX-License-Identifier: BSD-3-Clause
// Both curves are sums of exponentials between two places, so that their difference has at most one
// extremum there, in closed form: nothing is sampled.
#include "app/engine/deep/operations/light_curve.h"

#include "app/engine/deep/operations/volume.h"

#include <algorithm>
#include <cmath>

namespace fathom::deep {
namespace {

/// (1 - exp(-u x)) / (1 - exp(-u))
double shareAt(double u, double x) { return u > 0 ? alphaOfDepth(u * x) / alphaOfDepth(u) : x; }

/// The slope of shareAt() at 0.
double slopeAt0(double u) { return u > 0 ? u / alphaOfDepth(u) : 1; }

double largestBetween(const LightCurve& a, const LightCurve& b, std::size_t i) {
  const double fromA = a.begin(i), fromB = b.begin(i);
  const double riseA = a.end(i) - fromA, riseB = b.end(i) - fromB;
  double largest = std::max(std::abs(fromA - fromB), std::abs(a.end(i) - b.end(i)));
  const double u = a.opticalDepth(i), v = b.opticalDepth(i);
  const double p = riseA * slopeAt0(u), q = riseB * slopeAt0(v);
  if (u == v || !(p / q > 0)) return largest;
  const double x = std::log(p / q) / (u - v);
  if (x > 0 && x < 1)
    largest = std::max(largest,
                       std::abs(fromA + riseA * shareAt(u, x) - fromB - riseB * shareAt(v, x)));
  return largest;
}

}  // namespace

LightCurve::LightCurve(const ColorPlan& plan, const SampleList& list)
    : plan_(plan), list_(list), begin_(plan.count()), end_(plan.count()), depth_(plan.count()) {
  Transmittance left(plan);
  shown_.assign((list.items.size() + 1) * plan.count(), 0);
  for (std::size_t s = 0; s < list.items.size(); ++s) {
    const double* v = list.of(list.items[s]);
    for (std::size_t i = 0; i < plan.count(); ++i)
      shown_[(s + 1) * plan.count() + i] = before(s)[i] + left.of(i) * v[i];
    left.pass(v);
  }
}

double LightCurve::total(std::size_t value) const { return before(list_.items.size())[value]; }

void LightCurve::moveTo(double from, double to) {
  while (next_ < list_.items.size() && list_.items[next_].zBack <= from &&
         list_.items[next_].z <= from)
    ++next_;
  const bool inside = next_ < list_.items.size() && list_.items[next_].z <= from;
  for (std::size_t i = 0; i < plan_.count(); ++i) {
    begin_[i] = end_[i] = before(next_)[i];
    depth_[i] = 0;
    if (!inside) continue;
    const Sample& s = list_.items[next_];
    const double rise = before(next_ + 1)[i] - before(next_)[i];
    const double u = deep::opticalDepth(plan_.alphaOf(list_.of(s), i));
    if (std::isinf(u)) {  // seen at its front
      begin_[i] = end_[i] = before(next_ + 1)[i];
      continue;
    }
    const double x = partOf(s.z, s.zBack, s.z, from), y = partOf(s.z, s.zBack, s.z, to);
    begin_[i] += rise * shareAt(u, x), end_[i] += rise * shareAt(u, y);
    depth_[i] = u * (y - x);
  }
}

std::vector<double> placesOf(const SampleList& a, const SampleList& b) {
  std::vector<double> places;
  for (const SampleList* list : {&a, &b})
    for (const Sample& s : list->items) {
      places.push_back(s.z);
      if (s.isVolume()) places.push_back(s.zBack);
    }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  places.push_back(INFINITY);
  return places;
}

double largestDifference(const ColorPlan& plan, const SampleList& a, const SampleList& b,
                         const std::vector<double>& scale) {
  LightCurve first(plan, a), second(plan, b);
  const std::vector<double> places = placesOf(a, b);
  double largest = 0;
  for (std::size_t p = 0; p + 1 < places.size(); ++p) {
    first.moveTo(places[p], places[p + 1]);
    second.moveTo(places[p], places[p + 1]);
    for (std::size_t i = 0; i < plan.count(); ++i)
      largest = std::max(largest, largestBetween(first, second, i) / scale[i]);
  }
  return largest;
}

}  // namespace fathom::deep
