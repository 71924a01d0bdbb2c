// SPDX-License-Identifier: BSD-3-Clause
// supershape3D: The superformula twice, on a sphere or a torus.
// Beside JWildfire: not compared
// Number 276: makes z, adds
// Parameters: rho 9.9 (-20 to 20), phi 2.5 (-5 to 5), m1 6 (0 to 20), m2 3 (0 to 20),
//   a1 1 (0.1 to 3), a2 1 (0.1 to 3), b1 1 (0.1 to 3), b2 1 (0.1 to 3), n1_1 1 (0.1 to 10),
//   n1_2 1 (0.1 to 10), n2_1 1 (0 to 10), n2_2 1 (0 to 10), n3_1 1 (0 to 10), n3_2 1 (0 to 10),
//   spiral 0 (-2 to 2), toroidmap 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

float supershape3DRadius(float at, float a, float b, float n1, float n2, float n3) {
  vec2 d = direction(at);
  return powOf(powOf(abs(1.0 / a), n2) * powOf(abs(d.x), n2) + powOf(abs(1.0 / b), n3) *
      powOf(abs(d.y), n3), -1.0 / n1);
}

vec3 variation_supershape3D(Point p, float w, float rho, float phi, float m1, float m2, float a1,
    float a2, float b1, float b2, float n1_1, float n1_2, float n2_1, float n2_2, float n3_1,
        float n3_2, float spiral, float toroidmap) {
  float t = unit() * rho * 2.0 / kPi;
  float s = unit() * phi * 2.0 / kPi;
  s = unit() < 0.5 ? s : -s;
  float r1 = supershape3DRadius(0.25 * m1 * t, a1, b1, n1_1, n2_1, n3_1) + spiral * t;
  float r2 = supershape3DRadius(0.25 * m2 * s, a2, b2, n1_2, n2_2, n3_2);
  vec2 d = direction(t), e = direction(s);
  if (nearestOf(toroidmap) == 1.0) return w * vec3((r1 + r2 * e.x) * d, r2 * e.y);
  return w * vec3(r1 * r2 * e.x * d, r2 * e.y);
}
