// SPDX-License-Identifier: BSD-3-Clause
// cut_tileillusion: Hides every other tile of rows whose heights differ.
// Number 371: hides, assigns
// Parameters: mode 1 (0 to 1), zoom 15 (0.1 to 40), invert 0 (0 to 1), time 0 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

/// Where t + 0.1 sin(1.6 t) is `to`.
float tileRow(float to) {
  float t = to;
  for (int i = 0; i < 8; ++i) t -= (t + 0.1 * sine(1.6 * t) - to) / (1.0 + 0.16 * cosine(1.6 * t));
  return t;
}

vec2 variation_cut_tileillusion(Point p, float w, float mode, float zoom, float invert,
                                float time) {
  float px = p.xy.x, py = p.xy.y;
  bool drawn = nearestOf(mode) != 0.0;
  float u = unit(), v = unit();
  float x = drawn ? u - 0.5 : px, y = drawn ? v - 0.5 : py;
  float down = y * zoom, row = down + 0.1 * sine(1.6 * down), number = floor(row);
  float across = x * zoom / (tileRow(number + 1.0) - tileRow(number));
  bool odd = number - 2.0 * floor(0.5 * number) > 0.5;
  float count = floor(across + (odd ? time : -time)) + number;
  bool light = row - number > 0.05 && count - 2.0 * floor(0.5 * count) > 0.5;
  bool inside = light == (nearestOf(invert) == 0.0);
  setHidden(!inside, w);
  return w * keptWithin(inside, vec2(x, y));
}
