// SPDX-License-Identifier: BSD-3-Clause
// popcorn2_3D: popcorn2 with a height.
// Number 384: makes z, reads z, reads the sum
// Parameters: x 0.1 (-1 to 1), y 0.1 (-1 to 1), z 0.1 (-1 to 1), c 3 (0 to 5)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_popcorn2_3D(Point p, float w, float wide, float high, float deep, float c) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  float s = sine(tangent(c)), grown = abs(w) <= 1.0 ? abs(w) * w : w;
  float turned = grown * s * angleOf(py, px), from = pz == 0.0 ? turned : pz;
  float before = heightBefore(), high_before = before == 0.0 ? turned : 0.0;
  return vec3(0.5 * w * (px + wide * sineWide(tangent(c * py))),
              0.5 * w * (py + high * sineWide(tangent(c * px))), high_before + grown * deep * s * from);
}
