// SPDX-License-Identifier: BSD-3-Clause
// blur_pixelize: Spreads points over their pixel.
// Number 378
// Parameters: size 0.1 (0.001 to 1), scale 1 (0 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_blur_pixelize(Point p, float w, float size, float scale) {
  float px = p.xy.x, py = p.xy.y;
  float u = unit() - 0.5, v = unit() - 0.5;
  return w * size * vec2(floor(px / size) + scale * u + 0.5, floor(py / size) + scale * v + 0.5);
}
