// SPDX-License-Identifier: BSD-3-Clause
// smartcrop: A polygon or a sector cut out; the rest goes to its border.
// Number 223
// Parameters: power 4 (-12 to 12), radius 1 (-3 to 3), roundstr 0 (-3 to 3), roundwidth 1 (0 to 3),
//   distortion 1 (-3 to 3), edge 0 (-1 to 1), scatter 0 (-1 to 1), offset 0 (-1 to 1),
//   cropmode 1 (0 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_smartcrop(Point p, float w, float power, float radius, float roundstr, float
        roundwidth, float distortion, float edge, float scatter, float offset, float cropmode) {
  float x = p.xy.x, y = p.xy.y;
  bool moves_outside = (power > 0.0) == (radius > 0.0);
  float reach = abs(radius), corners = abs(power), a = angleOf(y, x), away = sqrt(x * x + y * y);
  float u = unit() - 0.5;
  float v = unit();
  if (corners < 2.0) {
    float sector = corners * kPi, at = a / kTwoPi + 1.0 + edge * u;
    bool outside = (at - trunc(at)) * kTwoPi > sector;
    if (outside != moves_outside) return w * vec2(x, y);
    float turn = (v * scatter + offset + edge * u) * kPi;
    return w * away * direction(unit() < 0.5 ? sector + turn : -turn);
  }
  float alpha = kTwoPi / corners, stretch = 1.0;
  if (distortion != 0.0) {
    float t = (a + kPi) / alpha;
    float part = t - trunc(t), fold = part < 0.5 ? part : 1.0 - part;
    stretch = 1.0 / cosine(fold * alpha);
    if (roundstr != 0.0) {
      float width = powOf(2.0 * fold, roundwidth) * roundstr / sine(0.5 * alpha) / corners * 2.0;
      stretch = abs((1.0 - width) * stretch + width);
    }
    stretch = powOf(stretch, distortion);
  }
  float rim = stretch * (reach + edge * u);
  if ((away > rim) != moves_outside) return w * vec2(x, y);
  return w * ((cropmode > 0.0 ? rim : 0.0) + stretch * (v * scatter + offset)) * direction(a);
}
