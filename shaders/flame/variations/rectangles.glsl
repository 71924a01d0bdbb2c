// SPDX-License-Identifier: BSD-3-Clause
// rectangles: Mirrors every tile in its own middle.
#include "shaders/flame/chaos/point.glsl"

float inTile(float v, float size) { return size == 0 ? v : (2 * floor(v / size) + 1) * size - v; }

vec2 variation_rectangles(Point p, float w, float x, float y) {
  return w * vec2(inTile(p.xy.x, x), inTile(p.xy.y, y));
}
