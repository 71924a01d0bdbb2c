// SPDX-License-Identifier: BSD-3-Clause
// crop_triangle: Hides what lies outside of a triangle.
// Number 367: hides, may drop z, adds z after
// Parameters: x1 0 (-2 to 2), y1 0.5 (-2 to 2), x2 0.5 (-2 to 2), y2 0.5 (-2 to 2), x3 0 (-2 to 2),
//   y3 -0.5 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

float areaOf(vec2 a, vec2 b, vec2 c) {
  precise float area = (a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y)) * 0.5;
  return abs(area);
}

vec2 variation_crop_triangle(Point p, float w, float x1, float y1, float x2, float y2, float x3,
                             float y3) {
  float px = p.xy.x, py = p.xy.y;
  vec2 a = vec2(x1, y1), b = vec2(x2, y2), c = vec2(x3, y3), at = vec2(px, py);
  // JWildfire asks whether the parts make up the whole, exactly: rounding hides many that do.
  precise float parts = areaOf(at, b, c) + areaOf(a, at, c) + areaOf(a, b, at);
  setHidden(parts != areaOf(a, b, c), w);
  dropZ();
  return w * at;
}
