// SPDX-License-Identifier: BSD-3-Clause
// oscilloscope: Mirrors what lies under a damped wave.
// Number 69
// Parameters: separation 1 (-3 to 3), frequency pi (0 to 10), amplitude 1 (-3 to 3),
//   damping 0 (0 to 3)
// Packs: separation, kTwoPi * frequency, amplitude, damping
#include "shaders/flame/chaos/point.glsl"

vec2 variation_oscilloscope(Point p, float w, float separation, float angularFrequency,
                            float amplitude, float damping) {
  float t =
      amplitude * exp(-abs(p.xy.x) * damping) * cosineWide(angularFrequency * p.xy.x) + separation;
  return w * vec2(p.xy.x, abs(p.xy.y) <= t ? -p.xy.y : p.xy.y);
}
