// SPDX-License-Identifier: BSD-3-Clause
// y: The square of a figure's radius over the point's: a polygon of arcs, a star, a spiral, a superformula.
// Beside JWildfire: not compared
// Number 427
// Parameters: hypergon 0 (-3 to 3), hypergon_n 4 (3 to 12), hypergon_r 1 (0.1 to 3),
//   star 0 (-3 to 3), star_n 5 (3 to 12), star_slope 1.5708 (0.1 to 1.5708), lituus 0 (-3 to 3),
//   lituus_a 1 (-2 to 2), super 0 (-3 to 3), super_m 1 (0 to 12), super_n1 1 (0.1 to 8),
//   super_n2 1 (0.1 to 8), super_n3 1 (0.1 to 8)
#include "shaders/flame/chaos/point.glsl"

/// From the middle of the sector that an angle lies in.
float fromSector(float angle, float count) {
  return fmodOf(abs(angle), kTwoPi / count) - kPi / count;
}

vec2 variation_y(Point p, float w, float hypergon, float hypergon_n, float hypergon_r, float star,
                 float star_n, float star_slope, float lituus, float lituus_a, float super_p,
                 float super_m, float super_n1, float super_n2, float super_n3) {
  float along = tangent(fromSector(p.phi, hypergon_n)), beside = along * along + 1.0;
  float middle2 = 1.0 + hypergon_r * hypergon_r;
  float arc = beside >= middle2 ? 1.0 : (sqrt(middle2) - sqrt(middle2 - beside)) / sqrt(beside);
  float edge = abs(tangent(fromSector(p.phi, star_n)));
  float slope = tangent(abs(star_slope - 0.5 * kPi) < 0.0001 ? star_slope - 0.05 : star_slope);
  float tip = abs(slope / (edge + slope)) * sqrt(1.0 + edge * edge);
  vec2 turned = direction(0.25 * super_m * p.phi);
  float waved = powOf(abs(turned.x), super_n2) + powOf(abs(turned.y), super_n3);
  float r = 0.0;
  if (hypergon != 0.0) r += hypergon * arc;
  if (star != 0.0) r += star * tip;
  if (lituus != 0.0) r += lituus * powOf(abs(p.phi / kPi + 1.0), -lituus_a);
  if (super_p != 0.0) r += super_p * powOf(waved, -1.0 / super_n1);
  return w * r * r / p.r * direction(p.phi);
}
