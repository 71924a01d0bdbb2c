// SPDX-License-Identifier: BSD-3-Clause
// escher: The complex power c + i d, as in "Print Gallery".
// Number 63
// Parameters: beta 0 (-pi to pi)
// Packs: (1 + cos(beta)) / 2, sin(beta) / 2
#include "shaders/flame/chaos/point.glsl"

vec2 variation_escher(Point p, float w, float c, float d) {
  float logR = 0.5 * logOf(p.r2);
  return w * exp(c * logR - d * p.phi) * direction(c * p.phi + d * logR);
}
