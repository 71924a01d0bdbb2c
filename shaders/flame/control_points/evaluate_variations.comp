// SPDX-License-Identifier: BSD-3-Clause
// Weight and packed values of a variation. A job per variation of an xform. Values of a variation
// that has no weight just then mean nothing.
#include "shaders/flame/control_points/curves.glsl"

#include "shaders/flame/control_points/packed_values.glsl"

void main() {
  Work work;
  if (!findWork(work)) return;
  double v[FLAME_VARIATION_CURVES];
  for (uint i = 0u; i < params.curvesPerJob; ++i) v[i] = 0.0LF;
  for (uint i = 0u; i < work.job.w; ++i)
    v[i] = curveAt(work.firstCurve + work.job.x + i, work.time);
  uint variation = work.job.z & 0xffu, count = work.job.z >> 8;
  packValues(variation, v);
  for (uint i = 0u; i <= count; ++i)
    if (!givenByMatrix(variation, i)) store(work, work.job.y + i, v[i]);
}
