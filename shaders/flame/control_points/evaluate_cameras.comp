// SPDX-License-Identifier: BSD-3-Clause
// The camera of each control point: its first two rows. One job.
#include "shaders/flame/control_points/curves.glsl"

void main() {
  Work work;
  if (!findWork(work)) return;
  double v[FLAME_CAMERA_CURVES];
  for (uint i = 0u; i < params.curvesPerJob; ++i)
    v[i] = curveAt(work.firstCurve + work.job.x + i, work.time);
  double scale = v[2] * exponential(v[3] * kLn2) * v[7];
  dvec2 turn = scale * cosSin(v[4] * (kPi / 180.0LF));
  uint at = work.job.y;
  store(work, at, turn.x);
  store(work, at + 1u, -turn.y);
  store(work, at + 2u, turn.y);
  store(work, at + 3u, turn.x);
  store(work, at + 4u, v[0]);
  store(work, at + 5u, v[1]);
  store(work, at + 6u, v[5] * v[8]);
  store(work, at + 7u, v[6]);
}
