// SPDX-License-Identifier: BSD-3-Clause
// octagon: Eight corners around the middle.
// Number 272: makes z, reads z, passes z
// Parameters: x 0 (-3 to 3), y 0 (-3 to 3), z 0 (-3 to 3), mode 1 (0 to 6)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_octagon(Point p, float w, float x_p, float y_p, float z_p, float mode) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float kind = nearestOf(mode);
  float r = x * x * x * x + y * y * y * y + 2.0 * z * z;
  float t = abs(x) + abs(y) + 2.0 * sqrt(kind > 1.5 ? abs(z) : z);
  r = r == 0.0 ? 1e-30 : r;
  t = t == 0.0 ? 1e-30 : t;
  bool near = (kind > 4.5 ? t : r) <= 0.5 * w;
  bool splits = near || kind == 1.0;
  float m = near ? (kind == 4.0 ? 1.0 / r : kind == 3.0 || kind == 5.0 ? 1.0 / t : 1.0 + 1.0 / t)
    : kind == 1.0 ? (w >= 0.0 ? 1.0 / r + 1.0 / t : 1.0 + 1.0 / r)
    : kind == 2.0 || kind == 6.0 ? 1.0 + 1.0 / r : 1.0 / r;
  vec3 q = m * vec3(x, y, z);
  if (splits) q += vec3(x >= 0.0 ? x + x_p : x - x_p, y >= 0.0 ? y + y_p : y - y_p, z >= 0.0 ? z
      + z_p : z - z_p);
  return w * q;
}
