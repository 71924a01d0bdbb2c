// SPDX-License-Identifier: BSD-3-Clause
// truchet: Arcs across the corners of squares, which way by chance.
// Number 324: sets color
// Parameters: extended 0 (0 to 1), exponent 2 (0.1 to 5), arc_width 0.5 (0.01 to 1),
//   rotation 0 (-3.15 to 3.15), size 1 (0 to 3), seed 50 (0 to 100), direct_color 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

/// Which of two ways the arcs of a tile take; in double precision, since all hangs on the last
/// digits.
bool truchetWay(float row, float column, float seed, bool extended) {
  double s = double(nearestOf(abs(seed)));
  if (s < 2.0) return s < 0.5;
  double a = double(row), b = double(column), number = a + b + a * b;
  if (extended) {
    number = min(abs(number), 1000.0);
    double value = s + number;
    for (int i = 0; i < 1000; ++i) {
      if (double(i) >= number) break;
      value = value * 32747.0 + 12345.0;
      value = value - 65535.0 * floor(value / 65535.0);
    }
    return value - 2.0 * floor(0.5 * value) != 1.0;
  }
  double k = sqrt(1.5 * s + 1e-30) / (0.5 * s + 1e-30) * 0.25;
  double value = ((a + b) * k + a * b * k * k + s) * k * 0.5 * 32747.0 + 12345.0;
  value = value - 65535.0 * trunc(value / 65535.0);
  return value - 2.0 * trunc(0.5 * value) < 1.0;
}

vec2 variation_truchet(Point p, float w, float extended, float exponent, float arc_width,
                       float rotation, float size, float seed, float direct_color) {
  float px = p.xy.x, py = p.xy.y;
  float most = 0.5 * (powOf(2.0, 1.0 / exponent) - 1.0) * arc_width;
  float scale = (cosine(rotation) + sine(rotation)) / w;
  float x = px * scale, y = py * scale;
  x = x - floor(x + 0.5), y = y - floor(y + 0.5);
  x = x < 0.0 ? x + 1.0 : x, y = y < 0.0 ? y + 1.0 : y;
  bool first = truchetWay(nearestOf(px), nearestOf(py), seed, nearestOf(extended) == 1.0);
  float across = first ? x : 1.0 - x;
  float r0 = powOf(powOf(across, exponent) + powOf(y, exponent), 1.0 / exponent);
  float r1 = powOf(powOf(1.0 - across, exponent) + powOf(1.0 - y, exponent), 1.0 / exponent);
  bool on0 = abs(r0 - 0.5) < most, on1 = abs(r1 - 0.5) < most;
  if (nearestOf(direct_color) == 1.0 && (on0 || on1)) setColor(on1 ? 1.0 - r1 : r0, w);
  return (on0 ? 1.0 : 0.0) * size * vec2(x + floor(px), y + floor(py)) +
         (on1 ? 1.0 : 0.0) * size * vec2(x + floor(px), y + floor(py));
}
