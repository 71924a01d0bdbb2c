// SPDX-License-Identifier: BSD-3-Clause
// harmonograph_js: Two pendulums on each axis.
#include "shaders/flame/chaos/point.glsl"

float pendulum(float t, float a, float f, float p, float d) {
  return a / 180.0 * sineWide(f * t + kPi / 180.0 * p) * exp(-d * t);
}

vec2 variation_harmonograph_js(Point p, float w, float seed, float time, float a1, float f1,
                               float p1, float d1, float a2, float f2, float p2, float d2, float a3,
                               float f3, float p3, float d3, float a4, float f4, float p4,
                               float d4) {
  float t = unit() * time;
  return w * vec2(pendulum(t, a1, f1, p1, d1) + pendulum(t, a2, f2, p2, d2),
                  pendulum(t, a3, f3, p3 + 90.0, d3) + pendulum(t, a4, f4, p4 + 90.0, d4));
}
