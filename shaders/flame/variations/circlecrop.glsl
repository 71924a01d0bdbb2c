// SPDX-License-Identifier: BSD-3-Clause
// circlecrop: What lies outside of a circle goes to its border, or to the origin, which JWildfire hides.
// Number 219: hides, reads the sum
// Parameters: radius 1 (0 to 3), x 0 (-3 to 3), y 0 (-3 to 3), scatter_area 0 (-1 to 1),
//   zero 1 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_circlecrop(Point p, float w, float radius, float x, float y, float scatter_area,
        float zero) {
  float px = p.xy.x, py = p.xy.y;
  float dx = px - x, dy = py - y;
  bool outside = sqrt(dx * dx + dy * dy) > radius;
  float u = unit();
  float to = radius + u * 0.5 * max(-1.0, min(scatter_area, 1.0));
  setHidden(inOrder() && outside && zero == 1.0, w);
  if (outside && zero == 1.0) return -sumBefore();
  if (outside) return w * to * direction(angleOf(dy, dx)) + vec2(x, y);
  return w * vec2(dx, dy) + vec2(x, y);
}
