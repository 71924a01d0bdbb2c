// SPDX-License-Identifier: BSD-3-Clause
// asteria: Four arcs, turned inside out.
// Number 190
// Parameters: alpha 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_asteria(Point p, float w, float alpha) {
  float x = p.xy.x, y = p.xy.y;
  float ax = w * x, ay = w * y, ix = abs(ax) - 1.0, iy = abs(ay) - 1.0;
  bool inner = ax * ax + ay * ay < 1.0, outer = ix * ix + iy * iy < 1.0;
  bool stays = inner && outer ? unit() > 0.35 : !inner;
  if (stays) return vec2(ax, ay);
  vec2 d = direction(kPi * alpha);
  float tx = ax * d.x - ay * d.y, ty = ax * d.y + ay * d.x, inverse = 1.0 - abs(ty);
  float nx = tx / sqrt(1.0 - ty * ty) * (1.0 - sqrt(1.0 - inverse * inverse));
  return vec2(nx * d.x + ty * d.y, ty * d.x - nx * d.y);
}
