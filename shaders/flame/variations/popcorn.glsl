// SPDX-License-Identifier: BSD-3-Clause
// popcorn: Waves that crowd, as high as the xform's shift.
// Number 17
// Packs: coefs.c, coefs.f
#include "shaders/flame/chaos/point.glsl"

vec2 variation_popcorn(Point p, float w, float c, float f) {
  return w * (p.xy + vec2(c * sineWide(tangent(3 * p.xy.y)), f * sineWide(tangent(3 * p.xy.x))));
}
