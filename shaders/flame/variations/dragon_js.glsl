// SPDX-License-Identifier: BSD-3-Clause
// dragon_js: The dragon curve.
// Number 333
// Parameters: level 8 (1 to 15), line_thickness 0.5 (0 to 20)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

vec2 variation_dragon_js(Point p, float w, float level, float line_thickness) {
  float levels = clamp(nearestOf(level), 1.0, 21.0), quarters = 0.0;
  vec2 dragon = vec2(1.0, 1.0), back = vec2(1.0, -1.0), at = vec2(0.0, 0.0);
  for (int i = 1; i < 21; ++i) {
    if (float(i) >= levels) break;
    vec2 longer = dragon - back;
    back = dragon + back;
    dragon = longer;
  }
  bool forth = true;
  for (int i = 0; i < 21; ++i) {
    float below = levels - 1.0 - float(i);
    if (below < 0.0) break;
    vec2 half_dragon = below < 0.5 ? vec2(1.0, 0.0) : 0.5 * (dragon + back);
    vec2 half_back = below < 0.5 ? vec2(1.0, 0.0) : 0.5 * (back - dragon);
    if (pieceOf(2.0) > 0.5) {
      vec2 t = direction(0.5 * kPi * quarters);
      at += vec2(half_dragon.x * t.x - half_dragon.y * t.y,
                 half_dragon.x * t.y + half_dragon.y * t.x);
      quarters += (below < 0.5 ? 0.0 : 1.0) + (forth ? 1.0 : -1.0);
      forth = false;
    } else {
      forth = true;
    }
    dragon = half_dragon;
    back = half_back;
  }
  return w * lineDrawn(at, at + direction(0.5 * kPi * quarters), line_thickness);
}
