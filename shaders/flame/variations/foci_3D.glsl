// SPDX-License-Identifier: BSD-3-Clause
// foci_3D: foci in space.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_foci_3D(Point p, float w) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float grown = 0.5 * exp(x), shrunk = 0.25 / grown, lift = z == 0.0 ? angleOf(y, x) : z;
  float k = w / (grown + shrunk - cosineWide(y) * cosineWide(lift));
  return k * vec3(grown - shrunk, sineWide(y), sineWide(lift));
}
