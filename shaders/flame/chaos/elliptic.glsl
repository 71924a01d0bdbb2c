// SPDX-License-Identifier: BSD-3-Clause
// Functions like sines: Jacobi's and Bessel's (Abramowitz and Stegun, "Handbook of Mathematical Functions").
#ifndef SHADERS_FLAME_ELLIPTIC
#define SHADERS_FLAME_ELLIPTIC
#include "shaders/flame/chaos/point.glsl"

/// sn(u | 1 - rest) by arithmetic and geometric means (16.4); a parameter above 1 by its inverse (16.11).
float jacobiSine(float u, float rest) {
  if (rest == 0.0) {
    vec2 s = sinhCoshSettled(u);
    return s.x / s.y;
  }
  float scale = rest < 0.0 ? sqrt(1.0 - rest) : 1.0;
  float a = 1.0, b = sqrt(rest < 0.0 ? -rest / (1.0 - rest) : rest);
  float shares[7];
  for (int i = 0; i < 7; ++i) {
    shares[i] = (a - b) / (a + b);
    float middle = sqrt(a * b);
    a = 0.5 * (a + b);
    b = middle;
  }
  float angle = 128.0 * a * scale * u;
  for (int i = 6; i >= 0; --i) {
    float t = clamp(shares[i] * sineWide(angle), -1.0, 1.0);
    angle = 0.5 * (angle + angleOf(t, sqrt((1.0 - t) * (1.0 + t))));
  }
  return sineWide(angle) / scale;
}

/// J1(v), within 1e-7 (9.4.4 and 9.4.6).
float besselOfOne(float v) {
  float x = abs(v);
  if (x <= 3.0) {
    float t = x * x / 9.0;
    return v * (0.5 + t * (-0.56249985 + t * (0.21093573 + t * (-0.03954289 + t * (0.00443319 +
               t * (-0.00031761 + t * 0.00001109))))));
  }
  float t = 3.0 / x;
  float size = 0.79788456 + t * (0.00000156 + t * (0.01659667 + t * (0.00017105 + t * (-0.00249511 +
               t * (0.00113653 - t * 0.00020033)))));
  float angle = x - 2.35619449 + t * (0.12499612 + t * (0.0000565 + t * (-0.00637879 +
                t * (0.00074348 + t * (0.00079824 - t * 0.00029166)))));
  float value = size * cosineWide(angle) / sqrt(x);
  return v < 0.0 ? -value : value;
}

#endif
