// SPDX-License-Identifier: BSD-3-Clause
// szubieta: Discs of a table of whole numbers, colored by one of two formulas.
// Number 340: sets color
// Parameters: width 128 (8 to 256), height 128 (8 to 256), type 0 (0 to 1), scale 0.5 (0.1 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/figures.glsl"

vec2 variation_szubieta(Point p, float w, float width, float height, float type, float scale) {
  float columns = max(nearestOf(width), 1.0), rows = max(nearestOf(height), 1.0);
  int i = int(pieceOf(columns)), j = int(pieceOf(rows));
  int circles = i * i - 2 * (i | j) + j * j, tiles = i & (2 * j - 2 * (i ^ j)) & i;
  int value = nearestOf(type) == 0.0 ? (circles < 0 ? -circles : circles) % 255 : tiles % 256;
  setColor(float(value) / 255.0, w);
  float r = scale * sqrt(unit());
  vec2 t = direction(kTwoPi * unit());
  return 0.1 * w * vec2(float(i) - 0.5 * columns + r * t.x, float(j) - 0.5 * rows + r * t.y);
}
