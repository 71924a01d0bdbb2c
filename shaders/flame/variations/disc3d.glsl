// SPDX-License-Identifier: BSD-3-Clause
// disc3d: disc with a height.
// Number 137: makes z
// Parameters: pi 3.14159265 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_disc3d(Point p, float w, float pi) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float radius = sqrt(x * x + y * y + 1e-10), k = w * angleOf(x, y) / (pi == 0.0 ? 1e-30 : pi);
  return k * vec3(sineWide(pi * radius), cosineWide(pi * radius), radius * cosineWide(z));
}
