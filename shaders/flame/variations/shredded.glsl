// SPDX-License-Identifier: BSD-3-Clause
// shredded: Steps of waves, blurred or not.
// Number 350: makes z, reads z
// Parameters: type 0 (0 to 2), blur 1 (0 to 1), x1 2 (-6 to 6), x2 2 (-6 to 6), x3 1 (-3 to 3),
//   y1 2 (-6 to 6), y2 2 (-6 to 6), y3 1 (-3 to 3), z1 4 (-6 to 6), z2 0.25 (-6 to 6),
//   z3 1 (-3 to 3), x_blur_amount 0.1 (-1 to 1), y_blur_amount 0.1 (-1 to 1),
//   z_blur_amount 0.1 (-1 to 1)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_shredded(Point p, float w, float type, float blur, float x1, float x2, float x3,
                        float y1, float y2, float y3, float z1, float z2, float z3,
                        float x_blur_amount, float y_blur_amount, float z_blur_amount) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  float kind = nearestOf(type), sx = sine(x1 * floor(x2 * px)), sy = cosine(y1 * floor(y2 * py));
  float sz = sine(z1 * floor(z2 * pz));
  if (kind == 0.0) {
    sx += cosine(x1 * floor(x2 * py));
    sy += sine(y1 * floor(y2 * px));
    sz += cosine(z1 * floor(z2 * pz));
  }
  vec3 steps = w * vec3(x3 * sx, y3 * sy, z3 * sz);
  float ax = kind == 2.0 ? px : py, ay = kind == 2.0 ? py : px;
  float u = sine(kTwoPi * unit()), v = sine(kTwoPi * unit()), t = sine(kTwoPi * unit());
  if (nearestOf(blur) == 0.0) return vec3(steps.x * ax, steps.y * ay, steps.z * pz);
  return steps + vec3(x_blur_amount * u * ax, y_blur_amount * v * ay,
                      z_blur_amount * t * (kind == 0.0 ? pz : 1.0));
}
