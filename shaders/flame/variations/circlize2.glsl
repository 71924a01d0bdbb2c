// SPDX-License-Identifier: BSD-3-Clause
// circlize2: Squares become circles.
// Number 153
// Parameters: hole 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_circlize2(Point p, float w, float hole) {
  float x = p.xy.x, y = p.xy.y;
  float ax = abs(x), ay = abs(y), side = max(ax, ay);
  float perimeter = ax >= ay ? (x >= ay ? ax + y : 5.0 * ax - y) : (y >= ax ? 3.0 * ay - x : 7.0 *
      ay + x);
  return w * (side + hole) * direction(0.25 * kPi * perimeter / side - 0.25 * kPi);
}
