// SPDX-License-Identifier: BSD-3-Clause
// Curves on the CPU, in double precision: what the passes of control_points.h are held against.
#include "app/engine/flame/motion/motion.h"

#include "app/engine/core/error.h"

namespace fathom::flame {
namespace {

/// cuburn's domain of magnitudes: the logarithm of base 2 outside of -1/16..1/16, a line within.
constexpr double kLinearEnd = 1.0 / 16;

double toMagnitudeDomain(double v) {
  if (std::abs(v) <= kLinearEnd) return v / kLinearEnd;
  return std::copysign(std::log2(std::abs(v)) + 5, v);
}

double fromMagnitudeDomain(double v) {
  if (std::abs(v) <= 1) return v * kLinearEnd;
  return std::copysign(std::exp2(std::abs(v) - 5), v);
}

/// A slope of the quantity as cuburn takes it over into that domain.
double slopeInMagnitudeDomain(double v, double slope) {
  return slope / std::max(std::abs(v), kLinearEnd);
}

/// Cubic Hermite spline over the segment that holds the time; the slope at a knot is that from its
/// neighbor before to its neighbor after.
double splineAt(const std::vector<Knot>& knots, bool magnitude, double time) {
  if (knots.size() == 1) return knots[0].value;
  FATHOM_CHECK_OP(knots.size(), >=, 4u);
  FATHOM_CHECK_OP(knots.size(), <=, kMaxKnots);
  std::size_t start = 1;  // the last knot before the time, of those that begin a segment
  while (start + 3 < knots.size() && knots[start + 1].time < time) ++start;
  const Knot &before = knots[start - 1], &from = knots[start], &to = knots[start + 1],
             &after = knots[start + 2];
  const double length = to.time - from.time;
  double v0 = from.value, v1 = to.value;
  double slope0 = (v1 - before.value) / (to.time - before.time) * length;
  double slope1 = (after.value - v0) / (after.time - from.time) * length;
  if (magnitude) {
    slope0 = slopeInMagnitudeDomain(v0, slope0), slope1 = slopeInMagnitudeDomain(v1, slope1);
    v0 = toMagnitudeDomain(v0), v1 = toMagnitudeDomain(v1);
  }
  const double t = (time - from.time) / length, t2 = t * t, t3 = t2 * t;
  return v0 + (v1 - v0) * (3 * t2 - 2 * t3) + slope0 * (t3 - 2 * t2 + t) + slope1 * (t3 - t2);
}

Xform xformOf(const MovingXform& moving, double time) {
  Xform x;
  x.weight = moving.weight.at(time);
  x.color = moving.color.at(time), x.colorSpeed = moving.colorSpeed.at(time);
  x.opacity = moving.opacity.at(time);
  x.coefs = moving.coefs.at(time), x.post = moving.post.at(time);
  for (const Curve& factor : moving.chaos) x.chaos.push_back(factor.at(time));
  for (const MovingVariation& variation : moving.variations) {
    VariationUse use{variation.index, variation.weight.at(time), {}};
    for (std::size_t i = 0; i < use.parameters.size(); ++i)
      use.parameters[i] = variation.parameters[i].at(time);
    x.variations.push_back(use);
  }
  return x;
}

}  // namespace

double limited(double v, CurveLimit limit) {
  if (limit == CurveLimit::NotNegative) return std::max(0.0, v);
  return limit == CurveLimit::ZeroToOne ? std::clamp(v, 0.0, 1.0) : v;
}

double Curve::at(double time) const {
  if (knots.empty()) return 0;
  double v = splineAt(knots, domain == CurveDomain::Magnitude, time);
  if (domain == CurveDomain::Logarithm) v = std::exp(v);
  // A curve of one knot has no segment that would lie in another domain.
  if (domain == CurveDomain::Magnitude && knots.size() > 1) v = fromMagnitudeDomain(v);
  return limited(v, limit);
}

bool Curve::moves() const {
  return std::ranges::any_of(knots, [&](const Knot& knot) { return knot.value != knots[0].value; });
}

Affine MovingAffine::at(double time) const {
  std::array<double, 6> v{};
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = curves[i].at(time);
  if (form == Form::Entries) return {v[0], v[1], v[2], v[3], v[4], v[5]};
  if (form == Form::Spread) {
    constexpr double kDegree = std::numbers::pi / 180;
    const double first = (v[0] - v[1]) * kDegree, second = (v[0] + v[1]) * kDegree;
    return {v[2] * std::cos(first),
            -v[2] * std::sin(first),
            -v[3] * std::cos(second),
            v[3] * std::sin(second),
            v[4],
            -v[5]};
  }
  return {v[1] * std::cos(v[0]),
          v[1] * std::sin(v[0]),
          v[3] * std::cos(v[2]),
          v[3] * std::sin(v[2]),
          v[4],
          v[5]};
}

Genome shapeOf(const MovingGenome& moving, double time) {
  Genome g = moving.fixed;
  g.time = time;
  g.center = {moving.centerX.at(time), moving.centerY.at(time)};
  g.scale = moving.scale.at(time), g.zoom = moving.zoom.at(time);
  g.rotate = moving.rotate.at(time), g.filter = moving.filter.at(time);
  g.xforms.clear();
  for (const MovingXform& xform : moving.xforms) g.xforms.push_back(xformOf(xform, time));
  g.finalXform.reset();
  if (moving.finalXform) g.finalXform = xformOf(*moving.finalXform, time);
  return g;
}

Genome Motion::at(double time) const {
  Genome genome = shapeAt(time);
  genome.palette = paletteAt(time);
  genome.paletteNumber = -1;
  return genome;
}

}  // namespace fathom::flame
