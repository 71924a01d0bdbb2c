// SPDX-License-Identifier: BSD-3-Clause
// roundspher: spherical without the far end.
// Number 413
#include "shaders/flame/chaos/point.glsl"

vec2 variation_roundspher(Point p, float w) {
  return w * w / (1.0 + p.r2 * 4.0 / (kPi * kPi)) * p.xy;
}
