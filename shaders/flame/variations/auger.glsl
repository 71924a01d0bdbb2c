// SPDX-License-Identifier: BSD-3-Clause
// auger: Waves that grow away from the middle.
// Number 96
// Parameters: freq 1 (-5 to 5), weight 0.5 (-2 to 2), sym 0 (-2 to 2), scale 1 (-2 to 2)
// Packs: freq, weight, sym, scale / 2
#include "shaders/flame/chaos/point.glsl"

vec2 variation_auger(Point p, float w, float freq, float weight, float sym, float halfScale) {
  vec2 s = vec2(sineWide(freq * p.xy.y), sineWide(freq * p.xy.x));
  vec2 q = p.xy + weight * s * (halfScale + abs(p.xy));
  return w * vec2(p.xy.x + sym * (q.x - p.xy.x), q.y);
}
