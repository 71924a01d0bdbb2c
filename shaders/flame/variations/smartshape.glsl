// SPDX-License-Identifier: BSD-3-Clause
// smartshape: Stretches circles to polygons.
// Beside JWildfire: not compared
// Number 414
// Parameters: power 4 (2 to 12), roundstr 0 (-3 to 3), roundwidth 1 (0 to 3),
//   distortion 1 (-3 to 3), compensation 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_smartshape(Point p, float w, float power, float roundstr, float roundwidth,
                          float distortion, float compensation) {
  float corners = max(power, 2.0), alpha = kTwoPi / corners, at = (p.phi + kPi) / alpha;
  float nearest = nearestOf(at), apart = at - nearest, part = abs(apart);
  if (compensation > 0.0 && distortion >= 1.0)
    part = angleOf(part * 2.0 * tangent(0.5 * alpha), 1.0) / alpha;
  float stretch = 1.0 / cosine(part * alpha);
  float width = powOf(2.0 * part, roundwidth) * 2.0 * roundstr / (sine(0.5 * alpha) * corners);
  stretch = powOf(abs((1.0 - width) * stretch + width), distortion);
  float turn = (nearest + (apart < 0.0 ? -part : part)) * alpha - kPi;
  return w * stretch * p.r * direction(turn);
}
