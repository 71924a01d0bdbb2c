// SPDX-License-Identifier: BSD-3-Clause
// cannabiscurve_wf: A leaf with nine fingers.
// Number 210
// Parameters: filled 0.85 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_cannabiscurve_wf(Point p, float w, float filled) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(x, y);
  float radius = (1.0 + 0.9 * cosineWide(8.0 * a)) * (1.0 + 0.1 * cosineWide(24.0 * a)) * (0.9 +
      0.1 * cosineWide(200.0 * a)) * (1.0 + sine(a));
  if (filled > 0.0 && filled > unit()) radius *= unit();
  return w * radius * vec2(cosine(a), -sine(a));
}
