// SPDX-License-Identifier: BSD-3-Clause
// bipolar: Bipolar coordinates of the foci (-1, 0) and (1, 0).
// Number 55
// Parameters: shift 0 (-2 to 2)
// Packs: shift * kPi / 2
#include "shaders/flame/chaos/point.glsl"

vec2 variation_bipolar(Point p, float w, float shiftAngle) {
  float x = p.xy.x, y2 = p.xy.y * p.xy.y;
  float v = 0.5 * angleOf(2 * p.xy.y, (x - 1) * (x + 1) + y2) - shiftAngle;
  const float quarterTurn = 0.5 * kPi;
  if (v > quarterTurn)
    v = -quarterTurn + fmodOf(v + quarterTurn, kPi);
  else if (v < -quarterTurn)
    v = quarterTurn - fmodOf(quarterTurn - v, kPi);
  float u = logOf(((x + 1) * (x + 1) + y2) / ((x - 1) * (x - 1) + y2)) / kTwoPi;
  return w * vec2(u, v / quarterTurn);
}
