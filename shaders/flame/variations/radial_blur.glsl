// SPDX-License-Identifier: BSD-3-Clause
// radial_blur: Smears along circles (spin) and along rays (zoom).
// Number 36: adds
// Parameters: angle 0 (-2 to 2)
// Packs: sin(angle * kPi / 2), cos(angle * kPi / 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_radial_blur(Point p, float w, float spin, float zoom) {
  float g = w * gauss4();
  return rotate(p.xy, spin * g) + (zoom * g - 1) * p.xy;
}
