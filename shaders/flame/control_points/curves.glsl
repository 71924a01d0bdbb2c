// SPDX-License-Identifier: BSD-3-Clause
// What the passes that evaluate control points share: the tables of curves, and which job and which
// moment are this invocation's. A work group has one job and as many moments as invocations, so all
// of them do the same. Catmull-Rom splines of variable period (cuburn): motion.h says what they
// mean, motion.cpp is their definition.
#include "shaders/common/invocation.glsl"
#include "shaders/flame/control_points/doubles.glsl"
#include "shaders/flame/control_points/evaluate_shared.h"

#ifndef FLAME_MAGNITUDES
#define FLAME_MAGNITUDES 1  // 0: no curve has cuburn's domain of magnitudes
#endif

layout(local_size_x = FLAME_EVALUATE_GROUP) in;

layout(std140, binding = FLAME_BIND_EVALUATE) uniform Params { EvaluateParams given; };
// A copy, because software renderers fetch uniforms lane by lane within loops.
EvaluateParams params = given;
layout(std430, binding = FLAME_BIND_CURVES) restrict readonly buffer Curves { uvec4 curves[]; };
layout(std430, binding = FLAME_BIND_KNOTS) restrict readonly buffer Knots { dvec2 knots[]; };
layout(std430, binding = FLAME_BIND_JOBS) restrict readonly buffer Jobs { uvec4 jobs[]; };
layout(std430, binding = FLAME_BIND_MOMENTS) restrict readonly buffer Moments { dvec2 moments[]; };
layout(std430, binding = FLAME_BIND_CONTROL_POINTS) restrict writeonly buffer ControlPoints {
  float controlPoints[];
};

const double kLinearEnd = 1.0LF / 16.0LF;  // cuburn's domain of magnitudes is a line below

double toMagnitudes(double v) {
  double size = abs(v);
  double above = logarithm(max(size, kLinearEnd)) / kLn2 + 5.0LF;
  return size <= kLinearEnd ? v / kLinearEnd : v < 0.0LF ? -above : above;
}

double fromMagnitudes(double v) {
  double size = abs(v);
  double above = exponential((size - 5.0LF) * kLn2);
  return size <= 1.0LF ? v * kLinearEnd : v < 0.0LF ? -above : above;
}

/// The knot that begins the segment of a time: the last one before it of those that may, found
/// without branches by steps of halving length; what lies behind the last one is never reached.
uint segmentAt(uvec4 curve, double time) {
  uint start = 1u;
  for (uint step = params.searchStep; step > 0u; step >>= 1) {
    uint next = start + step;
    double at = knots[curve.x + min(next, curve.y)].x;
    start = next <= curve.y && at < time ? next : start;
  }
  return curve.x + start;
}

double curveAt(uint index, double time) {
  uvec4 curve = curves[index];
  uint at = segmentAt(curve, time);
  dvec2 before = knots[at - 1u], from = knots[at], to = knots[at + 1u], after = knots[at + 2u];
  double span = to.x - from.x, v0 = from.y, v1 = to.y;
  double slope0 = (v1 - before.y) / (to.x - before.x) * span;
  double slope1 = (after.y - v0) / (after.x - from.x) * span;
#if FLAME_MAGNITUDES
  bool magnitude = (curve.z & FLAME_CURVE_MAGNITUDE) != 0u;
  slope0 = magnitude ? slope0 / max(abs(v0), kLinearEnd) : slope0;
  slope1 = magnitude ? slope1 / max(abs(v1), kLinearEnd) : slope1;
  v0 = magnitude ? toMagnitudes(v0) : v0;
  v1 = magnitude ? toMagnitudes(v1) : v1;
#endif
  double t = (time - from.x) / span, t2 = t * t, t3 = t2 * t;
  double v = v0 + (v1 - v0) * (3.0LF * t2 - 2.0LF * t3) + slope0 * (t3 - 2.0LF * t2 + t) +
             slope1 * (t3 - t2);
#if FLAME_MAGNITUDES
  v = magnitude ? fromMagnitudes(v) : v;
#endif
  v = (curve.z & FLAME_CURVE_LOGARITHM) != 0u ? exponential(v) : v;
  const uint limits = FLAME_CURVE_NOT_NEGATIVE | FLAME_CURVE_ZERO_TO_ONE;
  v = (curve.z & limits) != 0u ? max(v, 0.0LF) : v;
  return (curve.z & FLAME_CURVE_ZERO_TO_ONE) != 0u ? min(v, 1.0LF) : v;
}

struct Work {
  bool stores;      // false: beyond the last moment, this invocation only keeps in step
  uvec4 job;
  uint firstCurve;  // of the moment's piece
  double time;
  uint point;       // where the control point begins, in floats
};

/// False: the whole work group has nothing to do.
bool findWork(out Work work) {
  uint group = groupIndex(), job = group / params.groupsPerJob;
  uint moment = group % params.groupsPerJob * FLAME_EVALUATE_GROUP + gl_LocalInvocationID.x;
  work.stores = job < params.jobCount && moment < params.momentCount;
  moment = min(moment, params.momentCount - 1u);
  work.job = jobs[params.firstJob + min(job, params.jobCount - 1u)];
  dvec2 at = moments[params.firstMoment + moment];
  work.time = at.x;
  work.firstCurve = uint(at.y) * params.curvesPerPiece;
  work.point = moment * params.floatsPerPoint;
  return job < params.jobCount;
}

/// Doubles beyond a float's range keep their meaning: the point they make is bad either way.
float toFloat(double v) { return float(clamp(v, -3e38LF, 3e38LF)); }

void store(Work work, uint offset, double v) {
  if (work.stores) controlPoints[work.point + offset] = toFloat(v);
}
