// SPDX-License-Identifier: BSD-3-Clause
// shredrad: Sectors, narrowed.
// Number 254
// Parameters: n 4 (1 to 12), width 0.5 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_shredrad(Point p, float w, float n, float width) {
  float x = p.xy.x, y = p.xy.y;
  float sector = kTwoPi / n;
  float at = (angleOf(y, x) + 3.0 * kPi + 0.5 * sector) / sector;
  float whole = trunc(at);
  return w * sqrt(x * x + y * y) * direction(((at - whole) * width + whole) * sector - kPi - 0.5
      * sector * width);
}
