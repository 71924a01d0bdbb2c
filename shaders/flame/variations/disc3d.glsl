// SPDX-License-Identifier: BSD-3-Clause
// disc3d: disc with a height.
// Beside JWildfire: differs where pi is 0
// Number 137: makes z
// Parameters: pi 3.14159265 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_disc3d(Point p, float w, float pi) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float radius = sqrt(x * x + y * y + 1e-10), k = w * angleOf(x, y) / (pi + 1e-10);
  return k * vec3(sineWide(pi * radius), cosineWide(pi * radius), radius * cosineWide(z));
}
