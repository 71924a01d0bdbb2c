// SPDX-License-Identifier: BSD-3-Clause
// Fewer fragments per pixel and the same flat picture: neighbors become one by over, which is
// associative. What shows of a fragment in the picture, its weight, stays the same whatever is
// merged before or behind it, so that groups are known by weight and mean Z alone; those two are
// merged next whose light moves least: 2 w1 w2 / (w1 + w2) * distance (Ward's criterion with the
// distance in place of its square).
#include "app/engine/deep/operations/list_operations.h"

#include <algorithm>
#include <cmath>

namespace fathom::deep {
namespace {

struct Group {
  std::size_t first, end;  // of the samples
  double weight, z;        // light that shows; its mean Z
};

double distance(double a, double b) { return a == b ? 0 : std::abs(b - a); }

double costOf(const Group& a, const Group& b) {
  const double weight = a.weight + b.weight;
  if (!(a.weight > 0) || !(b.weight > 0)) return 0;
  return 2 * a.weight / weight * b.weight * distance(a.z, b.z);
}

Group joined(const Group& a, const Group& b) {
  Group both{a.first, b.end, a.weight + b.weight, a.z};
  if (!(a.weight > 0))
    both.z = b.weight > 0 ? b.z : a.z;
  else if (std::isinf(distance(a.z, b.z)))
    both.z = a.weight < b.weight ? b.z : a.z;
  else if (b.weight > 0)
    both.z = a.z + (b.z - a.z) * (b.weight / both.weight);
  return both;
}

std::vector<Group> groupsOf(const ColorPlan& plan, const SampleList& list) {
  std::vector<Group> groups;
  double passing = 1;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Sample& s = list.items[i];
    const double a = plan.alphaOf(list.of(s));
    const double middle = s.isVolume() ? double(s.z) + (double(s.zBack) - double(s.z)) / 2 : s.z;
    groups.push_back({i, i + 1, passing * a, middle});
    passing *= 1 - a;
  }
  return groups;
}

/// The samples of a group by over; a volume from the first to the last when one of them is, else a
/// point at the mean Z.
Sample composite(const ColorPlan& plan, const Group& group, SampleList& list) {
  Sample out = list.items[group.first];
  out.made = true;
  out.at = list.add(plan.count());
  std::vector<double> passing(plan.count(), 1);
  bool volume = false;
  double largest = -1;
  for (std::size_t i = group.first; i < group.end; ++i) {
    const Sample& s = list.items[i];
    const double* v = list.of(s);
    volume = volume || s.isVolume();
    out.zBack = std::max(out.zBack, s.zBack);
    for (std::size_t k = 0; k < plan.count(); ++k) list.of(out)[k] += passing[k] * v[k];
    const double shown = (passing.empty() ? 1 : passing[0]) * plan.alphaOf(v);
    if (shown > largest) largest = shown, out.input = s.input, out.index = s.index;
    for (std::size_t k = 0; k < plan.count(); ++k) passing[k] *= 1 - plan.alphaOf(v, k);
  }
  if (!volume) out.z = out.zBack = std::clamp(float(group.z), out.z, out.zBack);
  return out;
}

/// How far light that shows has moved from any of the group's samples to `out`.
double moveOf(const ColorPlan& plan, const Group& group, const SampleList& list,
              const Sample& out) {
  double largest = 0, passing = 1;
  for (std::size_t i = group.first; i < group.end; ++i) {
    const Sample& s = list.items[i];
    const double a = plan.alphaOf(list.of(s));
    if (passing * a > 0)
      largest = std::max({largest, distance(s.z, out.zBack), distance(s.zBack, out.z)});
    passing *= 1 - a;
  }
  return largest;
}

}  // namespace

float thin(const ColorPlan& plan, int maxCount, SampleList& list) {
  if (maxCount <= 0 || list.items.size() <= std::size_t(maxCount)) return 0;
  std::vector<Group> groups = groupsOf(plan, list);
  std::vector<double> costs;
  for (std::size_t i = 0; i + 1 < groups.size(); ++i)
    costs.push_back(costOf(groups[i], groups[i + 1]));
  while (groups.size() > std::size_t(maxCount)) {
    const auto i = std::size_t(std::min_element(costs.begin(), costs.end()) - costs.begin());
    groups[i] = joined(groups[i], groups[i + 1]);
    groups.erase(groups.begin() + std::ptrdiff_t(i) + 1);
    costs.erase(costs.begin() + std::ptrdiff_t(i));
    if (i > 0) costs[i - 1] = costOf(groups[i - 1], groups[i]);
    if (i < costs.size()) costs[i] = costOf(groups[i], groups[i + 1]);
  }
  double largest = 0;
  std::vector<Sample> left;
  for (const Group& group : groups) {
    if (group.end == group.first + 1) {
      left.push_back(list.items[group.first]);
      continue;
    }
    left.push_back(composite(plan, group, list));
    largest = std::max(largest, moveOf(plan, group, list, left.back()));
  }
  list.items = std::move(left);
  return float(largest);
}

}  // namespace fathom::deep
