// SPDX-License-Identifier: BSD-3-Clause
// rectangles: Mirrors every tile in its own middle.
// Number 40
// Parameters: x 1 (-2 to 2), y 1 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

float inTile(float v, float size) { return size == 0 ? v : (2 * floor(v / size) + 1) * size - v; }

vec2 variation_rectangles(Point p, float w, float x, float y) {
  return w * vec2(inTile(p.xy.x, x), inTile(p.xy.y, y));
}
