// SPDX-License-Identifier: BSD-3-Clause
// hexnix3D: Shrinks point and sum and turns them onto the corners of a hexagon or, rarer, a triangle.
// Number 428: makes z, assigns, reads the sum
// Parameters: majp 1 (0 to 4), scale 0.25 (-1 to 1), zlift 0 (-3 to 3), 3side 0.67 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

/// JWildfire mirrors the sum's z, too, where majp is below -1.
vec3 variation_hexnix3D(Point p, float w, float majp, float scale, float zlift, float side) {
  float smoothed = abs(w) <= 0.5 ? 2.0 * w : 1.0, planes = abs(majp);
  bool above = unit() >= 0.5, hexagon = unit() < 0.8;
  float corner = unit();
  corner = hexagon ? floor(6.0 * corner) : 2.0 * floor(3.0 * corner);
  vec2 to = direction(kPi / 3.0 * corner), sum = sumBefore();
  vec2 moved = scale * rotate(sum + p.xy, kPi / 3.0 * corner) + (hexagon ? w : w * side) * to;
  float lift = p.z * scale * zlift * (planes <= 1.0 ? 2.0 : 1.0);
  float apart = planes >= 2.0 ? 0.5 * planes - 1.0 : 0.0;
  vec2 q = (1.0 - smoothed) * sum + smoothed * moved;
  return vec3(q.x, q.y, smoothed * (lift + (above ? apart : -apart)));
}
