// SPDX-License-Identifier: BSD-3-Clause
// estiq: exp of a quaternion.
// Number 404: reads z, passes z
#include "shaders/flame/chaos/point.glsl"

vec3 variation_estiq(Point p, float w) {
  float y = p.xy.y, z = p.z;
  float v = sqrt(y * y + z * z), grown = w * exp(p.xy.x), lift = grown * sineWide(v) / v;
  return vec3(grown * cosineWide(v), lift * y, lift * z);
}
