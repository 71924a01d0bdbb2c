// SPDX-License-Identifier: BSD-3-Clause
// mirror_wf: Points mirrored at planes, half of them.
// Number 126: makes z
// Parameters: xaxis 1 (0 to 1), yaxis 0 (0 to 1), zaxis 0 (0 to 1), xshift 0 (-3 to 3),
//   yshift 0 (-3 to 3), zshift 0 (-3 to 3), xscale 1 (-3 to 3), yscale 1 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_mirror_wf(Point p, float w, float xaxis, float yaxis, float zaxis, float xshift,
        float yshift, float zshift, float xscale, float yscale) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float tx = x, ty = y, tz = z;
  if (xaxis > 0.0 && unit() < 0.5) { tx = xscale * (-tx - xshift); ty = yscale * ty; }
  if (yaxis > 0.0 && unit() < 0.5) { tx = xscale * tx; ty = yscale * (-ty - yshift); }
  if (zaxis > 0.0 && unit() < 0.5) tz = -tz - zshift;
  return vec3(tx, ty, tz);
}
