// SPDX-License-Identifier: BSD-3-Clause
// shredlin: Strips, narrowed.
// Number 202: assigns
// Parameters: xdistance 1 (0.1 to 3), xwidth 0.5 (0 to 1), ydistance 1 (0.1 to 3),
//   ywidth 0.5 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_shredlin(Point p, float w, float xdistance, float xwidth, float ydistance, float
        ywidth) {
  float x = p.xy.x, y = p.xy.y;
  float tx = x / xdistance, ty = y / ydistance, ix = trunc(tx), iy = trunc(ty);
  float sx = x < 0.0 ? -0.5 : 0.5, sy = y < 0.0 ? -0.5 : 0.5;
  return w * vec2(xdistance * ((tx - ix) * xwidth + ix + sx * (1.0 - xwidth)), ydistance * ((ty -
      iy) * ywidth + iy + sy * (1.0 - ywidth)));
}
