// SPDX-License-Identifier: BSD-3-Clause
// linearT3D: A power of each coordinate, z too.
// Number 306: makes z, reads z
// Parameters: powX 1.35 (-3 to 3), powY 0.85 (-3 to 3), powZ 1.15 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_linearT3D(Point p, float w, float powX, float powY, float powZ) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  return w * vec3((px > 0.0 ? 1.0 : -1.0) * powOf(abs(px), powX),
                  (py > 0.0 ? 1.0 : -1.0) * powOf(abs(py), powY),
                  (pz > 0.0 ? 1.0 : -1.0) * powOf(abs(pz), powZ));
}
