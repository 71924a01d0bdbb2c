// SPDX-License-Identifier: BSD-3-Clause
// oscilloscope2: Inside a wave the point is mirrored.
// Number 248
// Parameters: separation 1 (-3 to 3), frequencyx 3.14159265 (-10 to 10),
//   frequencyy 3.14159265 (-10 to 10), amplitude 1 (-3 to 3), perturbation 1 (-3 to 3),
//   damping 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_oscilloscope2(Point p, float w, float separation, float frequencyx, float
    frequencyy, float amplitude, float perturbation, float damping) {
  float x = p.xy.x, y = p.xy.y;
  float bend = perturbation * sine(kTwoPi * frequencyy * y);
  float wave = amplitude * exp(-abs(x) * damping) * cosine(kTwoPi * frequencyx * x + bend) +
      separation;
  return (abs(y) <= wave ? -w : w) * vec2(x, y);
}
