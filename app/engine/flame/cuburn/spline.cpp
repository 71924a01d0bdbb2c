// SPDX-License-Identifier: BSD-3-Clause
// From JSON to knots, from one value to another, and the curve that runs through them.
#include "app/engine/flame/cuburn/document.h"

namespace fathom::flame::cuburn {
namespace {

constexpr double kReach = 2;  // from an end to the knot that shapes it
constexpr double kMinGap = 1e-6;
constexpr std::size_t kMaxInner = kMaxKnots - 4;

void sortByTime(std::vector<Knot>& knots) {
  std::stable_sort(knots.begin(), knots.end(),
                   [](const Knot& a, const Knot& b) { return a.time < b.time; });
}

bool isNumbers(const Json& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
}

double item(const Json& list, std::size_t index, const Place& place) {
  return numberAt(list[index], place, "numbers");
}

/// Pairs of time and value from an index on.
std::vector<Knot> knotsFrom(const Json& list, std::size_t first, const Place& place) {
  std::vector<Knot> knots;
  for (std::size_t i = first; i < list.size(); i += 2) {
    const double time = item(list, i, place);
    if (list[i + 1].is_null()) continue;
    knots.push_back({time, item(list, i + 1, place)});
  }
  sortByTime(knots);
  return knots;
}

/// Adds `by` periods to an end.
void shiftTo(Value& end, double value, double period) {
  if (period > 0) end.position += std::nearbyint((value - end.position) / period) * period;
}

bool isConstant(const Spline& spline) {
  const double value = spline.from.position;
  return spline.to.position == value && spline.from.velocity == 0 && spline.to.velocity == 0 &&
         std::all_of(spline.inner.begin(), spline.inner.end(),
                     [&](const Knot& knot) { return knot.value == value; });
}

}  // namespace

Value readValue(const Json& json, const Place& place) {
  if (json.is_number()) return {numberAt(json, place, "a number"), 0};
  if (!isNumbers(json) || json.empty() || json.size() > 2)
    place.fail("a number or [value, velocity]", shown(json));
  return {item(json, 0, place), json.size() > 1 ? item(json, 1, place) : 0};
}

std::vector<Knot> readKnots(const Json& json, const Place& place) {
  if (!json.is_array() || json.size() % 2 != 0)
    place.fail("knots [time, value, time, value, ...]", shown(json));
  return knotsFrom(json, 0, place);
}

Spline readSpline(const Json& json, double duration, const Place& place) {
  if (json.is_number()) {
    const Value value{numberAt(json, place, "a number"), 0};
    return {value, value, {}};
  }
  const std::size_t count = json.size();
  if (!json.is_array() || count == 0 || count == 3 || (count > 1 && count % 2 != 0))
    place.fail("a number, [first, last] or [first, velocity, last, velocity, time, value, ...]",
               shown(json));
  Value from{item(json, 0, place), 0}, to = from;
  if (count == 2) {
    to.position = item(json, 1, place);
    from.velocity = to.velocity = (to.position - from.position) / duration;
  }
  if (count < 4) return {from, to, {}};
  from.velocity = item(json, 1, place);
  to = {item(json, 2, place), item(json, 3, place)};
  Spline spline{from, to, {}};
  addKnots(spline, knotsFrom(json, 4, place), {}, place);
  return spline;
}

Value shifted(const Value& value, const SplineKind& kind, double turns) {
  if (kind.period == 0) return value;
  return {value.position + turns * value.velocity, value.velocity};
}

Spline between(const Value& from, const Value& to, const SplineKind& kind, double duration) {
  Spline spline{from, to, {}};
  if (kind.period == 0) return spline;
  const double periods = (to.position - from.position) / kind.period;
  const double move = duration * (from.velocity + to.velocity) / (2 * kind.period);
  // What remains of a period, in the direction of the movement.
  const double rest = move < 0 ? periods - std::ceil(periods) : periods - std::floor(periods);
  spline.to.position = from.position + (std::nearbyint(move - rest) + rest) * kind.period;
  return spline;
}

void addKnots(Spline& spline, const std::vector<Knot>& knots, const SplineKind& kind,
              const Place& place) {
  for (const Knot& knot : knots) {
    if (knot.time == 0)
      shiftTo(spline.from, knot.value, kind.period);
    else if (knot.time == 1)
      shiftTo(spline.to, knot.value, kind.period);
    else
      spline.inner.push_back(knot);
  }
  sortByTime(spline.inner);
  std::vector<Knot> all = spline.inner;
  all.insert(all.end(), {{0, 0}, {1, 0}});
  sortByTime(all);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].time - all[i - 1].time < kMinGap)
      place.fail(fmt::format("knots at least {} apart", kMinGap),
                 fmt::format("{} and {}", all[i - 1].time, all[i].time));
  if (spline.inner.size() > kMaxInner)
    place.fail(fmt::format("at most {} knots", kMaxInner), std::to_string(spline.inner.size()));
}

Curve curveOf(const Spline& spline, const SplineKind& kind, double duration) {
  Curve curve(spline.from.position);
  curve.domain = kind.domain, curve.limit = kind.limit;
  if (isConstant(spline)) return curve;
  std::vector<Knot> knots = spline.inner;
  knots.push_back({0, spline.from.position});
  knots.push_back({1, spline.to.position});
  sortByTime(knots);
  const bool open = knots.front().time == 0, openEnd = knots.back().time == 1;
  const Knot next = knots[1], before = knots[knots.size() - 2];
  if (open)
    knots.insert(knots.begin(),
                 {-kReach, next.value - (next.time + kReach) * spline.from.velocity * duration});
  if (openEnd)
    knots.push_back(
        {1 + kReach, before.value + (1 + kReach - before.time) * spline.to.velocity * duration});
  curve.knots = std::move(knots);
  return curve;
}

Curve retimed(Curve curve, double scale, double offset) {
  for (Knot& knot : curve.knots) knot.time = knot.time * scale + offset;
  return curve;
}

}  // namespace fathom::flame::cuburn
