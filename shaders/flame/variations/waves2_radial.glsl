// SPDX-License-Identifier: BSD-3-Clause
// waves2_radial: Waves outside of a circle.
// Number 198
// Parameters: w2r_scalex 0.1 (-2 to 2), w2r_scaley 0.1 (-2 to 2), w2r_freqx 7 (-30 to 30),
//   w2r_freqy 13 (-30 to 30), w2r_null 2 (0 to 10), w2r_distance 10 (0 to 20)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_waves2_radial(Point p, float w, float w2r_scalex, float w2r_scaley, float w2r_freqx,
        float w2r_freqy, float w2r_null, float w2r_distance) {
  float x = p.xy.x, y = p.xy.y;
  float away = sqrt(x * x + y * y);
  float grown = away < w2r_null ? 0.0 : away < w2r_distance ? (away - w2r_null) / (w2r_distance -
      w2r_null) : 1.0;
  return w * vec2(x + grown * sineWide(y * w2r_freqx) * w2r_scalex, y + grown * sineWide(x *
      w2r_freqy) * w2r_scaley);
}
