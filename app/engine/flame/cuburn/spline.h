// SPDX-License-Identifier: BSD-3-Clause
// Splines of cuburn from what its documents say to curves. A spline runs over the time 0..1 of an
// animation from a position and a velocity to a position and a velocity; periodic ones (angles)
// turn as their velocities ask. Velocities are per turn of the sheep, the unit of durations.
#pragma once

#include "app/engine/flame/genome/text.h"
#include "app/engine/flame/motion/motion.h"
#include "app/engine/io/json.h"

namespace fathom::flame::cuburn {

/// What is known of a quantity before any document is read.
struct SplineKind {
  double fallback = 0;  // where a document says nothing
  double period = 0;    // 0: not periodic
  CurveDomain domain = CurveDomain::Plain;
  CurveLimit limit = CurveLimit::None;
};

/// A quantity of a node: where it is and how it moves.
struct Value {
  double position = 0, velocity = 0;
  bool operator==(const Value&) const = default;
};

struct Spline {
  Value from, to;           // at the times 0 and 1
  std::vector<Knot> inner;  // ascending, none at 0 or 1; those before 0 and after 1 shape the ends
};

// Reading; all throw Error at `place`.
/// `v` or `[v]` or `[v, velocity]`, of nodes.
Value readValue(const Json& json, const Place& place);
/// `[t, v, t, v, ...]`, of edges, ascending; a null instead of v leaves the knot out.
std::vector<Knot> readKnots(const Json& json, const Place& place);
/// `v`, `[v0, v1]` (a straight line) or `[v0, velocity0, v1, velocity1, t, v, t, v, ...]`, of
/// animations of this duration.
Spline readSpline(const Json& json, double duration, const Place& place);

/// The value after `turns`: periodic ones have advanced.
Value shifted(const Value& value, const SplineKind& kind, double turns);

/// From one node's value to another's. Where the quantity is periodic the destination is moved by
/// whole periods, so that the way is the nearest one to what both velocities ask for.
Spline between(const Value& from, const Value& to, const SplineKind& kind, double duration);

/// Knots of an edge. Those at exactly 0 and 1 shift the ends of periodic splines by whole periods
/// and say nothing to others. Throws Error at `place` for equal times and more knots than fit.
void addKnots(Spline& spline, const std::vector<Knot>& knots, const SplineKind& kind,
              const Place& place);

/// The curve over the time 0..1. Where no inner knot lies beyond an end, a knot two units of time
/// outside it gives the tangent there the velocity. Constant splines become one knot.
Curve curveOf(const Spline& spline, const SplineKind& kind, double duration);

/// The curve in another time: t becomes t * scale + offset; scale > 0.
Curve retimed(Curve curve, double scale, double offset);

}  // namespace fathom::flame::cuburn
