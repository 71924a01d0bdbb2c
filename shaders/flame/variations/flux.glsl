// SPDX-License-Identifier: BSD-3-Clause
// flux: The field between two poles: half the difference of the angles towards them.
// Number 97
// Parameters: spread 0 (-4 to 4)
// Packs: w * (2 + spread)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_flux(Point p, float w, float scale) {
  float x = p.xy.x, y = p.xy.y;
  float a = length(vec2(x + w, y)), b = length(vec2(x - w, y));
  vec2 z = vec2((x - w) * (x + w) + y * y, 2 * w * y);  // (x - w + iy) times conj(x + w + iy)
  return scale / b * rootOfLength(z, a * b);
}
