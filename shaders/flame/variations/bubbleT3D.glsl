// SPDX-License-Identifier: BSD-3-Clause
// bubbleT3D: bubble in stripes, with holes at the poles.
// Number 422: makes z
// Parameters: number_of_stripes 0 (-20 to 20), ratio_of_stripes 1 (0 to 2),
//   angle_of_hole 0 (-360 to 360), exponentZ 1 (0 to 5), symmetryZ 0 (0 to 1), modusBlur 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_bubbleT3D(Point p, float w, float number_of_stripes, float ratio_of_stripes,
                         float angle_of_hole, float exponentZ, float symmetryZ, float modusBlur) {
  bool fills = modusBlur != 0.0, both = symmetryZ == 1.0;
  float k = 1.0 / (0.25 * p.r2 + 1.0), stripes = abs(number_of_stripes);
  if (inOrder() && number_of_stripes < 0.0) stripes = 0.0;  // JWildfire knows none below 0
  vec2 at = p.xy;
  if (stripes >= 1.0) {
    float half_pair = kPi / stripes, pair = 2.0 * half_pair;
    float first = clamp(ratio_of_stripes, 0.01, 1.99) * half_pair;
    float turned = p.theta < 0.0 ? p.theta + kTwoPi : p.theta;
    float in_pair = turned - pair * floor(turned / pair);
    float gap = number_of_stripes > 0.0 ? pair - first : first;
    float along = in_pair - first;
    if (number_of_stripes > 0.0 ? along > 0.0 : along < 0.0) {
      float turn = ratio_of_stripes == 1.0 ? half_pair : in_pair - along / gap * (pair - gap);
      at = fills ? rotate(at, turn) : vec2(0.0, 0.0);
    }
  }
  at *= k;
  if (at.x == 0.0 && at.y == 0.0) return vec3(0.0, 0.0, 0.0);
  float z = 2.0 * powOf(k, exponentZ) - 1.0, r2 = dot(at, at);
  float up = clamp(z / (r2 + z * z), -1.0, 1.0);
  float polar = kPi - (exponentZ <= 2.0 ? angleOf(sqrt((1.0 - up) * (1.0 + up)), up)
                                        : angleOf(r2 * r2, z));
  float hole = both ? min(abs(angle_of_hole), 179.9) : angle_of_hole;
  float half_hole = abs(hole) * kPi / 360.0;
  float rim = hole < 0.0 ? half_hole : kPi - half_hole, rest = kPi - rim, moved = polar;
  bool above = polar > rim;
  if (both && above)
    moved = (kPi - polar) / rest * (kPi - 2.0 * rest) + rest - 0.5 * kPi;
  else if (both && polar < kPi - rim)
    moved = 0.5 * kPi - (polar / rest * (kPi - 2.0 * rest) + rest);
  else if (!both && hole >= 0.0 && above)
    moved = (kPi - polar) / rest * rim - 0.5 * kPi;
  else if (!both && hole < 0.0 && polar < rim)
    moved = 0.5 * kPi - polar / rest * rim;
  else
    return w * vec3(at.x, at.y, z);
  if (!fills || exponentZ != 1.0) return vec3(0.0, 0.0, 0.0);
  vec2 to = direction(moved), from = direction(polar - 0.5 * kPi);
  return w * vec3(to.x / from.x * at.x, to.x / from.x * at.y, to.y / from.y * z);
}
