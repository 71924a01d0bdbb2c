// SPDX-License-Identifier: BSD-3-Clause
// shredded: Steps of waves, blurred or not.
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
