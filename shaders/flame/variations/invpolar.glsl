// SPDX-License-Identifier: BSD-3-Clause
// invpolar: polar turned around, with unit rings.
// Number 166
#include "shaders/flame/chaos/point.glsl"

vec2 variation_invpolar(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float a = x * kPi, radius = y + 1.0;
  return w * radius * vec2(sineWide(a), cosineWide(a));
}
