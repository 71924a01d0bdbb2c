// SPDX-License-Identifier: BSD-3-Clause
// rose_wf: A rose.
// Number 211
// Parameters: amp 0.5 (-3 to 3), waves 4 (1 to 20), filled 0.85 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_rose_wf(Point p, float w, float amp, float waves, float filled) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(x, y);
  float radius = amp * cosine(waves * a);
  if (filled > 0.0 && filled > unit()) radius *= unit();
  return w * radius * vec2(sine(a), cosine(a));
}
