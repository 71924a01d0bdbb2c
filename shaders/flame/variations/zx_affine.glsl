// SPDX-License-Identifier: BSD-3-Clause
// zx_affine: The one for z and x.
// Beside JWildfire: not compared
// Number 278: makes z, reads z, passes z
// Parameters: a 1 (-3 to 3), d 0 (-3 to 3), b 0 (-3 to 3), e 1 (-3 to 3), c 0 (-3 to 3),
//   f 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_zx_affine(Point p, float w, float a, float d, float b, float e, float c, float f) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  return w * vec3(a * x + b * z + c, y, d * x + e * z + f);
}
