// SPDX-License-Identifier: BSD-3-Clause
// epispiral_wf: Arms out of the middle.
// Number 141
// Parameters: waves 4 (1 to 20)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_epispiral_wf(Point p, float w, float waves) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(x, y), radius = 0.5 / cosine(waves * a);
  return w * radius * vec2(sine(a), cosine(a));
}
