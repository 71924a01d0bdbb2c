// SPDX-License-Identifier: BSD-3-Clause
// lazysensen: Strips, every other one mirrored.
// Number 138: makes z, reads z
// Parameters: scale_x 1 (-5 to 5), scale_y 1 (-5 to 5), scale_z 0 (-5 to 5)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_lazysensen(Point p, float w, float scale_x, float scale_y, float scale_z) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float nx = floor(x * scale_x), ny = floor(y * scale_y), nz = floor(z * scale_z);
  float ox = abs(nx) - 2.0 * floor(0.5 * abs(nx)), oy = abs(ny) - 2.0 * floor(0.5 * abs(ny)), oz =
      abs(nz) - 2.0 * floor(0.5 * abs(nz));
  bool fx = scale_x != 0.0 && (nx >= 0.0 ? ox == 1.0 : ox == 0.0), fy = scale_y != 0.0 && (ny >=
      0.0 ? oy == 1.0 : oy == 0.0), fz = scale_z != 0.0 && (nz >= 0.0 ? oz == 1.0 : oz == 0.0);
  return w * vec3(fx ? -x : x, fy ? -y : y, fz ? -z : z);
}
