// SPDX-License-Identifier: BSD-3-Clause
// truchet: Arcs across the corners of squares, which way by chance.
// Number 324: sets color, may drop z
// Parameters: extended 0 (0 to 1), exponent 2 (0.1 to 5), arc_width 0.5 (0.01 to 1),
//   rotation 0 (-3.15 to 3.15), size 1 (0 to 3), seed 50 (0 to 100), direct_color 0 (0 to 1)
#include "shaders/flame/chaos/pairs.glsl"
#include "shaders/flame/chaos/point.glsl"

/// a, less a multiple of b towards 0.
Wide truchetRest(Wide a, float b) {
  Wide size = narrow(a) < 0.0 ? -a : a;
  Wide rest = minus(size, times(wide(b), floorOf(over(size, wide(b)))));
  return narrow(a) < 0.0 ? -rest : rest;
}

/// Which of two ways the arcs of a tile take: all hangs on the last digits.
bool truchetWay(float row, float column, float seed, bool extended) {
  float s = abs(seed);
  if (s == 0.0 || s == 1.0) return (s == 1.0) == extended;
  if (extended) {
    float number = min(abs((row + 1.0) * (column + 1.0) - 1.0), 1000.0);
    uint value = uint(floor(s)) + uint(number);
    for (int i = 0; i < 1000; ++i) {
      if (float(i) >= number) break;
      value = (value * 32747u + 12345u) % 65535u;
    }
    return (value & 1u) == 1u;
  }
  Wide a = wide(row), b = wide(column), k2 = over(wide(0.375), wide(s)), k = rootOf(k2);
  Wide sum = plus(plus(times(plus(a, b), k), times(times(a, b), k2)), wide(s));
  Wide value = plus(times(times(sum, k), wide(16373.5)), wide(12345.0));
  return narrow(truchetRest(truchetRest(value, 65535.0), 2.0)) < 1.0;
}

vec2 variation_truchet(Point p, float w, float extended, float exponent, float arc_width,
                       float rotation, float size, float seed, float direct_color) {
  exponent = clamp(exponent, 0.001, 2.0);
  arc_width = clamp(arc_width, 0.001, 1.0);
  size = clamp(size, 0.001, 10.0);
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
  if (!on1) dropZ();
  if (nearestOf(direct_color) == 1.0 && (on0 || on1)) setColor(on1 ? 1.0 - r1 : r0, w);
  return (on0 ? 1.0 : 0.0) * size * vec2(x + floor(px), y + floor(py)) +
         (on1 ? 1.0 : 0.0) * size * vec2(x + floor(px), y + floor(py));
}
