// SPDX-License-Identifier: BSD-3-Clause
// Complex numbers for variations of other programs, without overflow or cancellation where the
// definitions in double precision have none that matters.
#ifndef SHADERS_FLAME_COMPLEX
#define SHADERS_FLAME_COMPLEX
#include "shaders/flame/chaos/point.glsl"

/// sinh(a) / den and cosh(a) / den, where den grows as cosh(b).
float coshOver(float a, float b, float den) {
  return min(abs(a), abs(b)) > 30.0 ? exp(abs(a) - abs(b)) : sinhCosh(a).y / den;
}
float sinhOver(float a, float b, float den) {
  float quotient = exp(abs(a) - abs(b));
  return min(abs(a), abs(b)) <= 30.0 ? sinhCosh(a).x / den : a < 0.0 ? -quotient : quotient;
}
/// cosh(a) - cos(b): 0 where both are.
float coshLessCos(float a, float b) {
  float sh = sinhCosh(0.5 * a).x, s = sine(0.5 * b);
  return 2.0 * (sh * sh + s * s);
}

vec2 complexSquare(float x, float y) { return vec2((x - y) * (x + y), 2.0 * x * y); }
vec2 complexRoot(vec2 v) {
  float larger = sqrt(0.5 * (length(v) + abs(v.x)));
  float smaller = larger > 0.0 ? 0.5 * abs(v.y) / larger : 0.0;
  return vec2(v.x >= 0.0 ? larger : smaller,
              (v.y < 0.0 ? -1.0 : 1.0) * (v.x >= 0.0 ? smaller : larger));
}
vec2 complexLog(vec2 v) { return vec2(logOf(length(v)), angleOf(v.y, v.x)); }
/// log(v + sqrt(v^2 - 1)); the product of sum and difference is 1, so one of them does not cancel.
vec2 complexAcosh(vec2 v) {
  vec2 root = complexRoot(vec2((v.x - 1.0) * (v.x + 1.0) - v.y * v.y, 2.0 * v.x * v.y));
  return dot(v, root) >= 0.0 ? complexLog(v + root) : -complexLog(v - root);
}

/// mu and nu >= 0: x = cosh(mu) cos(nu), |y| = sinh(mu) sin(nu).
vec2 elliptic(float x, float y) {
  vec2 excess = ellipseExcess(vec2(x, y));  // m - 1 and m - |x| for m = cosh(mu)
  float e = excess.x, m = 1.0 + e;
  float grown = e + sqrt(e * (2.0 + e));  // exp(mu) - 1
  float mu = grown < 0.01 ? grown * (1.0 - grown * (0.5 - grown * (1.0 / 3.0))) : log(1.0 + grown);
  return vec2(mu, angleOf(sqrt(excess.y * (m + abs(x))), x));
}

#endif
