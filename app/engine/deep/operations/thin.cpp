// SPDX-License-Identifier: BSD-3-Clause
// Fewer fragments: at most so many per list, moving the light that shows least; or as few as keep
// alpha and light in front of any depth within a bound.
#include "app/engine/deep/operations/light_curve.h"

#include <half.h>

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
    largest =
        std::max(largest, std::abs(fromA + riseA * shareAt(u, x) - fromB - riseB * shareAt(v, x)));
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

double largestDifference(const ColorPlan& plan, const SampleList& a, const SampleList& b,
                         const std::vector<double>& scale) {
  LightCurve first(plan, a), second(plan, b);
  const SampleList* const both[] = {&a, &b};
  std::vector<float> places = placesOf(both);
  places.push_back(INFINITY);
  double largest = 0;
  for (std::size_t p = 0; p + 1 < places.size(); ++p) {
    first.moveTo(places[p], places[p + 1]);
    second.moveTo(places[p], places[p + 1]);
    for (std::size_t i = 0; i < plan.count(); ++i)
      largest = std::max(largest, largestBetween(first, second, i) / scale[i]);
  }
  return largest;
}

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

/// What shows of each sample.
std::vector<double> weightsOf(const ColorPlan& plan, const SampleList& list) {
  std::vector<double> weights;
  double passing = 1;
  for (const Sample& sample : list.items) {
    const double alpha = plan.alphaOf(list.of(sample));
    weights.push_back(passing * alpha);
    passing *= 1 - alpha;
  }
  return weights;
}

std::vector<Group> groupsOf(const ColorPlan& plan, const SampleList& list) {
  const std::vector<double> weights = weightsOf(plan, list);
  std::vector<Group> groups;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Sample& s = list.items[i];
    const double middle = s.isVolume() ? double(s.z) + (double(s.zBack) - double(s.z)) / 2 : s.z;
    groups.push_back({i, i + 1, weights[i], middle});
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
  const std::size_t count = list.items.size();
  std::vector<Group> groups = groupsOf(plan, list);  // each at the sample that it begins with
  std::vector<std::size_t> begins(count);            // of the group that ends with a sample
  std::iota(begins.begin(), begins.end(), std::size_t(0));
  std::vector<double> costs(count);  // of joining a group with the next
  std::set<std::pair<double, std::size_t>> cheapest;
  const auto price = [&](std::size_t i) {
    cheapest.erase({costs[i], i});
    if (groups[i].end == count) return;
    costs[i] = costOf(groups[i], groups[groups[i].end]);
    cheapest.emplace(costs[i], i);
  };
  for (std::size_t i = 0; i < count; ++i) price(i);
  for (std::size_t groupCount = count; groupCount > std::size_t(maxCount); --groupCount) {
    const std::size_t i = cheapest.begin()->second, taken = groups[i].end;
    cheapest.erase({costs[taken], taken});
    groups[i] = joined(groups[i], groups[taken]);
    begins[groups[i].end - 1] = i;
    price(i);
    if (i > 0) price(begins[i - 1]);
  }
  double largest = 0;
  std::vector<Sample> left;
  for (std::size_t i = 0; i < count; i = groups[i].end) {
    const Group& group = groups[i];
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

namespace {

/// As it will be stored.
double rounded(const ColorPlan& plan, std::size_t i, double value) {
  return plan.values[i].isHalf ? double(float(half(float(value)))) : double(float(value));
}

/// A list that is made shorter from the front.
class Shortening {
 public:
  Shortening(const ColorPlan& plan, const std::vector<double>& bound, SampleList& list)
      : plan_(plan), bound_(bound), list_(list), left_(plan), stored_(plan.count(), 0) {}

  /// False when rounding does not allow it.
  bool points();
  bool runs();
  std::vector<Sample> made;

 private:
  const double* shown(std::size_t event) const { return shown_.data() + event * plan_.count(); }
  void readEvents();
  bool fits(const std::vector<double>& value, std::size_t first, std::size_t end) const;
  bool tryRun(std::size_t first, std::size_t end, std::size_t from);
  void tryJoined(std::size_t end);
  void keep(Sample sample);
  Sample mostShown(std::size_t first, std::size_t end) const;

  struct Event {  // fragments at one depth
    float z;
    std::size_t first, end;  // samples
  };
  const ColorPlan& plan_;
  const std::vector<double>& bound_;
  SampleList& list_;
  std::vector<Event> events_;
  std::vector<double> shown_;    // double[events + 1][values]
  std::vector<double> weights_;  // what shows of each sample
  Transmittance left_;           // behind what was made
  std::vector<double> stored_;   // what that shows
  std::vector<double> tried_, value_;
};

void Shortening::readEvents() {
  Transmittance left(plan_);
  std::vector<double> sum(plan_.count(), 0);
  shown_ = sum;
  weights_ = weightsOf(plan_, list_);
  for (std::size_t s = 0; s < list_.items.size(); ++s) {
    const Sample& sample = list_.items[s];
    const double* v = list_.of(sample);
    for (std::size_t i = 0; i < plan_.count(); ++i) sum[i] += left.of(i) * v[i];
    left.pass(v);
    const bool again = !events_.empty() && events_.back().z == sample.z && !plan_.hasIds;
    if (again)
      events_.back().end = s + 1;
    else
      events_.push_back({sample.z, s, s + 1});
    shown_.resize((events_.size() + 1) * plan_.count());
    std::copy(sum.begin(), sum.end(), shown_.end() - std::ptrdiff_t(plan_.count()));
  }
}

Sample Shortening::mostShown(std::size_t first, std::size_t end) const {
  std::size_t best = events_[first].first;
  for (std::size_t s = best; s < events_[end - 1].end; ++s)
    if (weights_[s] > weights_[best]) best = s;
  return list_.items[best];
}

/// The value that is shown from some depth on stands for the events first <= e < end.
bool Shortening::fits(const std::vector<double>& value, std::size_t first, std::size_t end) const {
  for (std::size_t e = first; e < end; ++e)
    for (std::size_t i = 0; i < plan_.count(); ++i)
      if (!(std::abs(shown(e + 1)[i] - value[i]) <= bound_[i])) return false;
  return true;
}

/// Tries a fragment that shows, with those made so far, the middle of what the events show (of the
/// last run: the end, as near as the bound lets it). The samples since `from` are what its light
/// may be made of.
bool Shortening::tryRun(std::size_t first, std::size_t end, std::size_t from) {
  tried_ = stored_;
  value_.assign(plan_.count(), 0);
  for (std::size_t i = 0; i < plan_.count(); ++i) {
    double low = shown(first + 1)[i], high = low, most = 0, least = 0;
    for (std::size_t e = first; e < end; ++e)
      low = std::min(low, shown(e + 1)[i]), high = std::max(high, shown(e + 1)[i]);
    for (std::size_t s = events_[from].first; s < events_[end - 1].end; ++s) {
      const double v = list_.of(list_.items[s])[i];
      (v > 0 ? most : least) += v;
    }
    if (high - low > 2 * bound_[i]) return false;
    const double wanted = end == events_.size()
                              ? std::clamp(shown(end)[i], high - bound_[i], low + bound_[i])
                              : (low + high) / 2;
    const double left = left_.of(i);
    if (plan_.values[i].isAlpha) most = std::min(most, 1.0), least = 0;
    if (left > 0)
      value_[i] = rounded(plan_, i, std::clamp((wanted - stored_[i]) / left, least, most));
    tried_[i] += left * value_[i];
  }
  return fits(tried_, first, end);
}

void Shortening::keep(Sample sample) {
  sample.made = true;
  sample.at = list_.add(plan_.count());
  std::copy(value_.begin(), value_.end(), list_.of(sample));
  for (std::size_t i = 0; i < plan_.count(); ++i) stored_[i] += left_.of(i) * value_[i];
  left_.pass(value_.data());
  made.push_back(sample);
}

bool Shortening::points() {
  readEvents();
  std::size_t at = 0, before = 0;
  while (at < events_.size() && fits(stored_, at, at + 1)) ++at;
  while (at < events_.size()) {
    // As many as fit; a run that does not may fit again with one more, by another rounding.
    std::size_t end = at;
    for (std::size_t to = at + 1; to <= std::min(events_.size(), std::max(end, at) + 2); ++to)
      if (tryRun(at, to, before)) end = to;
    if (end == at || !tryRun(at, end, before)) return false;
    Sample sample = mostShown(at, end);
    sample.z = sample.zBack = events_[at].z;
    keep(sample);
    before = at;
    at = end;
  }
  return true;
}

/// Tries one fragment that shows, with those made so far, everything before event `end`.
void Shortening::tryJoined(std::size_t end) {
  value_.assign(plan_.count(), 0);
  tried_ = stored_;
  for (std::size_t i = 0; i < plan_.count(); ++i) {
    const double left = left_.of(i);
    if (left > 0) value_[i] = rounded(plan_, i, (shown(end)[i] - stored_[i]) / left);
    if (plan_.values[i].isAlpha) value_[i] = std::clamp(value_[i], 0.0, 1.0);
    tried_[i] += left * value_[i];
  }
}

/// Runs of neighbors of one ID.
bool Shortening::runs() {
  readEvents();
  const auto firstOf = [&](std::size_t event) -> const Sample& {
    return list_.items[events_[event].first];
  };
  for (std::size_t at = 0; at < events_.size();) {
    std::size_t best = at, jump = at;
    for (std::size_t to = at + 1; to <= events_.size(); ++to) {
      if (!plan_.sameIds(firstOf(at), firstOf(to - 1))) break;
      tryJoined(to);
      std::size_t m = at;
      while (m < to && fits(stored_, at, m + 1)) ++m;  // not yet shown in front of event m
      m = std::min(m, to - 1);
      if (!fits(tried_, m, to)) break;
      best = to, jump = m;
    }
    if (best == at) return false;
    tryJoined(best);
    Sample sample = mostShown(at, best);
    sample.z = sample.zBack = events_[jump].z;
    keep(sample);
    at = best;
  }
  return true;
}

/// One volume over neighbors, with what they show together; of points alone a point.
Sample joinedVolume(const ColorPlan& plan, std::size_t first, std::size_t end, SampleList& list) {
  Sample out = list.items[first];
  out.made = true;
  out.at = list.add(plan.count());
  Transmittance left(plan);
  for (std::size_t s = first; s < end; ++s) {
    const double* v = list.of(list.items[s]);
    out.zBack = std::max(out.zBack, list.items[s].zBack);
    for (std::size_t i = 0; i < plan.count(); ++i) list.of(out)[i] += left.of(i) * v[i];
    left.pass(list.of(list.items[s]));
  }
  for (std::size_t i = 0; i < plan.count(); ++i)
    list.of(out)[i] = rounded(plan, i, list.of(out)[i]);
  return out;
}

/// Volumes, front to back: each run as long as its curve stays within the bound.
std::vector<Sample> joinVolumes(const ColorPlan& plan, const std::vector<double>& bound,
                                SampleList& list) {
  constexpr double kRoomForRounding = 0.9;
  std::vector<Sample> left;
  std::vector<double> scale(plan.count());
  Transmittance passing(plan);
  const std::size_t count = list.items.size();
  for (std::size_t at = 0; at < count;) {
    std::size_t end = at + 1;
    Sample best = list.items[at];
    for (std::size_t i = 0; i < plan.count(); ++i)
      scale[i] = bound[i] / std::max(passing.of(i), 1e-9);
    while (end < count && plan.sameIds(list.items[at], list.items[end])) {
      const Sample one = joinedVolume(plan, at, end + 1, list);
      SampleList whole, joined;
      whole.values = joined.values = list.values;
      whole.items.assign(list.items.begin() + std::ptrdiff_t(at),
                         list.items.begin() + std::ptrdiff_t(end) + 1);
      joined.items = {one};
      if (!(largestDifference(plan, whole, joined, scale) <= kRoomForRounding)) break;
      best = one, ++end;
    }
    left.push_back(best);
    passing.pass(list.of(best));
    at = end;
  }
  return left;
}

/// Points that may all lie at one depth do. Returns how far one went at most, in parts of its
/// depth.
double shareDepths(const ColorPlan& plan, double part, SampleList& list) {
  double farthest = 0;
  const std::vector<double> shown = weightsOf(plan, list);
  for (std::size_t at = 0; at < list.items.size();) {
    double low = -INFINITY, high = INFINITY;
    float z = list.items[at].z;
    std::size_t end = at, most = at;
    for (; end < list.items.size(); ++end) {
      const double own = list.items[end].z, reach = std::isfinite(own) ? part * std::abs(own) : 0;
      const double nextLow = std::max(low, own - reach), nextHigh = std::min(high, own + reach);
      const std::size_t nextMost = shown[end] > shown[most] ? end : most;
      const auto to = float(std::clamp(double(list.items[nextMost].z), nextLow, nextHigh));
      if (!(nextLow <= to && to <= nextHigh)) break;
      low = nextLow, high = nextHigh, most = nextMost, z = to;
    }
    end = std::max(end, at + 1);
    for (; at < end; ++at) {
      Sample& s = list.items[at];
      if (s.z == z) continue;
      farthest = std::max(farthest, std::abs((double(z) - s.z) / s.z));
      s.z = s.zBack = z;
    }
  }
  return farthest;
}

}  // namespace

ThinReport thinToError(const ColorPlan& plan, const ThinBound& bound, SampleList& list) {
  if (list.items.empty() || plan.count() == 0) return {};
  const bool volumes = std::any_of(list.items.begin(), list.items.end(),
                                   [](const Sample& s) { return s.isVolume(); });
  if (volumes) tidy(plan, list);
  double depth = 0;
  if (bound.depth > 0 && !volumes) {
    SampleList moved = list;
    depth = shareDepths(plan, bound.depth, moved);
    if (depth > 0) {
      ThinBound values = bound;
      values.depth = 0;
      ThinReport error = thinToError(plan, values, moved);
      if (moved.items.size() >= list.items.size()) return {};
      error.depth = depth;
      list = std::move(moved);
      return error;
    }
  }
  const LightCurve whole(plan, list);
  std::vector<double> bounds(plan.count(), bound.error);
  if (bound.relative)
    for (std::size_t i = 0; i < plan.count(); ++i)
      bounds[i] = std::max(bound.error * std::abs(whole.total(i)), 1e-30);
  SampleList shorter;
  if (volumes) {
    shorter.items = joinVolumes(plan, bounds, list);
  } else {
    Shortening shortening(plan, bounds, list);
    if (!(plan.hasIds ? shortening.runs() : shortening.points())) return {};
    shorter.items = std::move(shortening.made);
  }
  if (shorter.items.size() >= list.items.size()) return {};
  shorter.values = list.values;
  // The certificate, of what will be stored; beyond the bound the list stays as it was.
  const double largest = largestDifference(plan, list, shorter, bounds);
  if (!(largest <= 1)) return {};
  const LightCurve after(plan, shorter);
  ThinReport error{.error = largest * bound.error};
  for (std::size_t i = 0; i < plan.count(); ++i)
    error.flatError = std::max(error.flatError, std::abs(whole.total(i) - after.total(i)));
  list.items = std::move(shorter.items);
  return error;
}

}  // namespace fathom::deep
