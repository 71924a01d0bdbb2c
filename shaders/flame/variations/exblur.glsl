// SPDX-License-Identifier: BSD-3-Clause
// exblur: Blurs towards and away from a point.
// Number 309: makes z, reads z
// Parameters: dist 0.5 (-2 to 2), r 0.25 (-2 to 2), x_origin 0 (-3 to 3), y_origin 0 (-3 to 3),
//   z_origin 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_exblur(Point p, float w, float dist, float r, float x_origin, float y_origin,
                      float z_origin) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  vec3 o = vec3(px - x_origin, py + y_origin, pz - z_origin);
  float n = o.x * o.x + o.y * o.y + o.z * o.z, far = sqrt(n),
        flat_far = sqrt(o.x * o.x + o.y * o.y);
  float size = w * powOf(n, dist) * gauss4();
  vec2 a = direction(kTwoPi * unit());
  vec2 b = direction(kTwoPi * unit());
  float share = flat_far / far, level = flat_far > 0.0 ? share / flat_far : 0.0;
  vec2 towards = flat_far > 0.0 ? vec2(o.x * level, o.y * level) : vec2(share, 0.0);
  return size * vec3(towards.x + r * b.y * a.x, towards.y + r * b.y * a.y, o.z / far + r * b.x);
}
