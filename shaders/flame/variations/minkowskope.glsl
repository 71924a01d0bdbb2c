// SPDX-License-Identifier: BSD-3-Clause
// minkowskope: oscilloscope with waves of Minkowski's function.
// Number 345
// Parameters: separation 0.5 (-2 to 2), frequencyx -2 (-6 to 6), frequencyy 2 (-6 to 6),
//   amplitude 0.5 (-2 to 2), perturbation 1 (-3 to 3), damping 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

/// Minkowski's question mark of x in 0..1, to a millionth.
float minkowski(float x) {
  float p = 0.0, q = 1.0, r = 1.0, s = 1.0, d = 1.0, y = 0.0;
  for (int i = 0; i < 20; ++i) {
    d *= 0.5;
    float m = p + r, n = q + s;
    bool left = x * n < m;
    r = left ? m : r;
    s = left ? n : s;
    y += left ? 0.0 : d;
    p = left ? p : m;
    q = left ? q : n;
  }
  return y + d;
}

/// A wave of period 4.
float minkowskiSine(float x, bool other) {
  float far = abs(x), p = far - 2.0 * floor(0.5 * far);
  bool later = far - 4.0 * floor(0.25 * far) >= 2.0;
  p = p > 1.0 ? 2.0 - p : p;
  float wave = minkowski(p) - (other ? p : 0.0);
  return later == (x > 0.0) ? wave : -wave;
}

vec2 variation_minkowskope(Point p, float w, float separation, float frequencyx, float frequencyy,
                           float amplitude, float perturbation, float damping) {
  float px = p.xy.x, py = p.xy.y;
  bool other = frequencyx <= 0.0;
  float bend = perturbation * minkowskiSine(0.5 * frequencyy * py, other);
  float wave = amplitude * minkowskiSine(0.5 * frequencyx * px + bend - 1.0, other);
  float edge = (abs(damping) <= 1e-10 ? 1.0 : exp(-abs(px) * damping)) * wave + separation;
  return (abs(py) <= edge ? -w : w) * vec2(px, py);
}
