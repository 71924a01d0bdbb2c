// SPDX-License-Identifier: BSD-3-Clause
// waves2: Waves with height and frequency.
// Number 81
// Parameters: scalex 0 (-2 to 2), scaley 0 (-2 to 2), freqx 0 (-8 to 8), freqy 0 (-8 to 8)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves2(Point p, float w, float scalex, float scaley, float freqx, float freqy) {
  return w * (p.xy + vec2(scalex * sineWide(p.xy.y * freqx), scaley * sineWide(p.xy.x * freqy)));
}
