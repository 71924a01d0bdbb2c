// SPDX-License-Identifier: BSD-3-Clause
// An affine map and what stands beside it in its two rows: color (nothing for post-affines); and the
// xform's visibility. A job per matrix.
#include "shaders/flame/control_points/curves.glsl"

/// a d b e c f from six curves, in the form that the first one tells.
void takeForm(uint flags, inout double v[FLAME_MATRIX_CURVES]) {
  bool columns = (flags & FLAME_CURVE_COLUMNS) != 0u, spread = (flags & FLAME_CURVE_SPREAD) != 0u;
  const double degree = kPi / 180.0LF;
  dvec2 first = cosSin(spread ? (v[1] - v[0]) * degree : v[0]);
  dvec2 second = cosSin(spread ? (v[0] + v[1]) * degree : v[2]);
  first *= spread ? v[2] : v[1];
  second *= v[3];
  bool polar = columns || spread;
  v[0] = polar ? first.x : v[0];
  v[1] = polar ? first.y : v[1];
  v[2] = polar ? (spread ? -second.x : second.x) : v[2];
  v[3] = polar ? second.y : v[3];
  v[5] = spread ? -v[5] : v[5];
}

void main() {
  Work work;
  if (!findWork(work)) return;
  uint first = work.firstCurve + work.job.x;
  double v[FLAME_MATRIX_CURVES];
  for (uint i = 0u; i < params.curvesPerJob; ++i) v[i] = curveAt(first + i, work.time);
  takeForm(curves[first].z, v);
  uint at = work.job.y;
  store(work, at, v[0]);
  store(work, at + 1u, v[2]);
  store(work, at + 2u, v[4]);
  store(work, at + 3u, 1.0LF - v[6]);
  store(work, at + 4u, v[1]);
  store(work, at + 5u, v[3]);
  store(work, at + 6u, v[5]);
  store(work, at + 7u, v[6] * v[7]);
  const double log2Of10 = 3.32192809488736235LF;
  double visibility =
      v[8] > 0.0LF ? exponential(log2Of10 * logarithm(max(v[8], 1e-300LF))) : 0.0LF;
  if (work.job.z != FLAME_NOWHERE) store(work, work.job.z, visibility);
  if (work.job.w != FLAME_NOWHERE) {
    store(work, work.job.w, v[2]);
    store(work, work.job.w + 2u, v[3]);
  }
}
