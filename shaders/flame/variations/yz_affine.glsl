// SPDX-License-Identifier: BSD-3-Clause
// yz_affine: The affine map that JWildfire has for y and z.
// Beside JWildfire: not compared
// Number 277: makes z, reads z, passes z
// Parameters: a 1 (-3 to 3), d 0 (-3 to 3), b 0 (-3 to 3), e 1 (-3 to 3), c 0 (-3 to 3),
//   f 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_yz_affine(Point p, float w, float a, float d, float b, float e, float c, float f) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  return w * vec3(x, a * y + b * z + c, d * y + e * z + f);
}
