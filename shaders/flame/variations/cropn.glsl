// SPDX-License-Identifier: BSD-3-Clause
// cropn: Crops at a polygon with N corners: what lies outside goes to its border.
// Beside JWildfire: not compared
// Number 406
// Parameters: power 5 (-12 to 12), radius 1 (0 to 3), scatterdist 0 (0 to 2), zero 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cropn(Point p, float w, float power, float radius, float scatterdist, float zero) {
  float sector = kTwoPi / max(abs(power), 2.0), a = fmodOf(p.phi + kPi, sector);
  float along = cosine(min(a, sector - a)), rim = along > 0.0 ? radius / along : 1.0;
  float scattered = rim + 0.5 * scatterdist * unit();
  if ((p.r > rim) != (power > 0.0)) return w * p.xy;
  return zero == 1.0 ? vec2(0.0, 0.0) : w * scattered * direction(p.phi);
}
