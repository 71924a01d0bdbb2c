// SPDX-License-Identifier: BSD-3-Clause
// unpolar: polar turned around.
// Number 146
#include "shaders/flame/chaos/point.glsl"

vec2 variation_unpolar(Point p, float w) {
  float x = p.xy.x, y = p.xy.y;
  float k = 0.5 * w / kPi * exp(y);
  return k * vec2(sineWide(x), cosineWide(x));
}
