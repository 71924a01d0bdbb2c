// SPDX-License-Identifier: BSD-3-Clause
// gosperisland_js: The border of Gosper's island.
// Number 334
// Parameters: level 3 (1 to 10), line_thickness 0.5 (0 to 20)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

vec2 variation_gosperisland_js(Point p, float w, float level, float line_thickness) {
  float levels = clamp(nearestOf(level), 1.0, 10.0), size = powOf(7.0, 0.5 * levels);
  float side = pieceOf(6.0), angle = kPi / 3.0 * side;
  vec2 at = vec2(9.0 / 32.0, 0.125);
  for (int i = 0; i < 6; ++i)
    at += float(i) < side ? size * direction(kPi / 3.0 * float(i)) : vec2(0.0, 0.0);
  for (int i = 0; i < 10; ++i) {
    if (float(i) >= levels) break;
    float piece = pieceOf(3.0);
    size = size * 0.377964473;
    angle -= 0.333473172;
    if (piece > 0.5) at += size * direction(angle);
    if (piece > 1.5) at += size * direction(angle + kPi / 3.0);
    angle += piece == 1.0 ? kPi / 3.0 : 0.0;
  }
  return w * lineDrawn(at, at + direction(angle), line_thickness);
}
