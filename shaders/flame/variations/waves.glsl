// SPDX-License-Identifier: BSD-3-Clause
// waves: Waves whose height and length are the xform's own coefs.
// Number 15
// Packs: coefs.b, 1 / (coefs.c * coefs.c + kEps), coefs.e, 1 / (coefs.f * coefs.f + kEps)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves(Point p, float w, float b, float inverseC2, float e, float inverseF2) {
  return w * (p.xy + vec2(b * sineWide(p.xy.y * inverseC2), e * sineWide(p.xy.x * inverseF2)));
}
