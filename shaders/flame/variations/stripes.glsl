// SPDX-License-Identifier: BSD-3-Clause
// stripes: Strips with gaps, bent.
// Number 76
// Parameters: space 0 (-2 to 2), warp 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_stripes(Point p, float w, float space, float warp) {
  float strip = floor(p.xy.x + 0.5), offset = p.xy.x - strip;
  return w * vec2(offset * (1 - space) + strip, p.xy.y + offset * offset * warp);
}
