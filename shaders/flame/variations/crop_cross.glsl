// SPDX-License-Identifier: BSD-3-Clause
// crop_cross: Hides what lies outside of a cross, or inside of it.
// Number 362: hides, assigns, adds z after
// Parameters: width 0.5 (0 to 3), Size 0.5 (0 to 3), round 0.001 (-1 to 1), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

vec2 variation_crop_cross(Point p, float w, float width, float size, float rounded, float invert) {
  float px = p.xy.x, py = p.xy.y;
  vec2 v = vec2(max(abs(px), abs(py)), min(abs(px), abs(py)));
  vec2 q = vec2(v.x - max(width, size), v.y - min(width, size));
  float k = max(q.x, q.y);
  vec2 away = k > 0.0 ? q : vec2(min(width, size) - v.x, -k);
  vec2 beyond = vec2(max(away.x, 0.0), max(away.y, 0.0));
  float side = k > 0.0 ? 1.0 : k < 0.0 ? -1.0 : 0.0;
  float far = side * sqrt(beyond.x * beyond.x + beyond.y * beyond.y) + 0.1 * sine(1.2 * rounded);
  bool inside = (far <= 0.0) == (nearestOf(invert) == 0.0);
  setHidden(!inside, w);
  return w * keptWithin(inside, vec2(px, py));
}
