// SPDX-License-Identifier: BSD-3-Clause
// ztranslate: Adds to z alone: a shift.
// Number 112: makes z, adds
#include "shaders/flame/chaos/point.glsl"

vec3 variation_ztranslate(Point p, float w) {
  return vec3(0.0, 0.0, w);
}
