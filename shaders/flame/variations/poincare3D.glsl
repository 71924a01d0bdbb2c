// SPDX-License-Identifier: BSD-3-Clause
// poincare3D: A turn of the hyperbolic ball.
// Number 110: makes z, reads z
// Parameters: r 0 (-1 to 1), a 0 (-2 to 2), b 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_poincare3D(Point p, float w, float r, float a, float b) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float half_pi = 0.5 * kPi;
  float cx = -r * cosine(a * half_pi) * cosine(b * half_pi), cy = r * sine(a * half_pi) * cosine(b
      * half_pi), cz = -r * sine(b * half_pi);
  float xx = cx * cx, yy = cy * cy, zz = cz * cz, s = x * x + y * y + z * z;
  float tx = 2.0 * cx * x, ty = 2.0 * cy * y, tz = 2.0 * cz * z;
  float d = w / ((xx + yy + zz) * s - tx - ty - tz + 1.0);
  return d * vec3(x * (xx - yy - zz + 1.0) + cx * (ty + tz - s - 1.0), y * (yy - xx - zz + 1.0) +
      cy * (tx + tz - s - 1.0), z * (zz - yy - xx + 1.0) + cz * (ty + tx - s - 1.0));
}
