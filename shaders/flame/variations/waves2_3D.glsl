// SPDX-License-Identifier: BSD-3-Clause
// waves2_3D: Waves in all three directions.
// Number 109: makes z, reads z
// Parameters: freq 2 (-10 to 10), scale 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_waves2_3D(Point p, float w, float freq, float scale) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  return w * vec3(x + scale * sineWide(y * freq), y + scale * sineWide(x * freq), z + scale *
      sineWide(0.5 * (x + y) * freq));
}
