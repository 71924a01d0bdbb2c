// SPDX-License-Identifier: BSD-3-Clause
// hypertile3D: A tile of the hyperbolic plane, in space.
// Number 347: makes z, reads z
// Parameters: p 3 (3 to 12), q 7 (3 to 12), n 0 (0 to 12)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_hypertile3D(Point p, float w, float sides, float q, float n) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  float a = kTwoPi / nearestOf(sides), b = kTwoPi / nearestOf(q);
  float sum = cosine(a) + cosine(b), ratio = (1.0 - cosine(a)) / sum;
  float r = ratio > 0.0 ? 1.0 / sqrt(1.0 + ratio) : 1.0;
  r = abs(sum) < 0.00001 ? 0.0 : r;
  vec2 c = r * direction(nearestOf(n) * a);
  float r2 = px * px + py * py + pz * pz, x2 = 2.0 * c.x * px, y2 = 2.0 * c.y * py;
  float d = w / (r * r * r2 + x2 - y2 + 1.0);
  float turn = (c.x - c.y) * (c.x + c.y);
  return d * vec3(px * (1.0 + turn) - c.x * (y2 - r2 - 1.0),
                  py * (1.0 - turn) + c.y * (-x2 - r2 - 1.0), pz * (1.0 - r * r));
}
