// SPDX-License-Identifier: BSD-3-Clause
// harmonograph_js: Two pendulums on each axis.
// Number 357
// Parameters: seed 0 (0 to 1000), time 100 (1 to 200), a1 100 (-300 to 300), f1 2 (-6 to 6),
//   p1 0 (-180 to 180), d1 0.001 (-0.01 to 0.01), a2 100 (-300 to 300), f2 3 (-6 to 6),
//   p2 0 (-180 to 180), d2 0.001 (-0.01 to 0.01), a3 100 (-300 to 300), f3 2 (-6 to 6),
//   p3 0 (-180 to 180), d3 0.001 (-0.01 to 0.01), a4 100 (-300 to 300), f4 3 (-6 to 6),
//   p4 0 (-180 to 180), d4 0.001 (-0.01 to 0.01)
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
