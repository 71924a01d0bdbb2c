// SPDX-License-Identifier: BSD-3-Clause
// lazyTravis: Squares turn, within and without.
// Number 259
// Parameters: spin_in 1 (-3 to 3), spin_out 0.5 (-3 to 3), space 1.5707963 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_lazyTravis(Point p, float w, float spin_in, float spin_out, float space) {
  float x = p.xy.x, y = p.xy.y;
  float ax = abs(x), ay = abs(y), s = max(ax, ay);
  bool outside = ax > w || ay > w;
  float at = ax > ay ? (x > 0.0 ? s + y : 5.0 * s - y) : (y > 0.0 ? 3.0 * s - x : 7.0 * s + x);
  at = fmodOf(at + 4.0 * s * (outside ? spin_out : spin_in), 8.0 * s);
  float k = outside ? 1.0 + space / s : 1.0, far = outside ? s + space : s;
  if (at <= 2.0 * s) return w * vec2(far, (at - s) * k);
  if (at <= 4.0 * s) return w * vec2((3.0 * s - at) * k, far);
  if (at <= 6.0 * s) return w * vec2(-far, (5.0 * s - at) * k);
  return w * vec2((at - 7.0 * s) * k, -far);
}
