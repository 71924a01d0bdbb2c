// SPDX-License-Identifier: BSD-3-Clause
// xtrb: Triangles of a tiling, folded by their medians.
// Number 358
// Parameters: power 2 (-6 to 6), radius 1 (0.4 to 3), width 0.5 (-1 to 1), dist 1 (-3 to 3),
//   a 1 (0.1 to 1.5), b 1 (0.1 to 1.5)
#include "shaders/flame/chaos/point.glsl"

/// Three distances from the sides of a triangle, moved towards a corner or apart; `sides` are the
/// lengths of those, `area` twice the triangle's.
vec3 xtrbFolded(vec3 v, vec3 sides, float area, float width, float pick) {
  int small = v.y < v.x ? (v.z < v.y ? 2 : 1) : (v.z < v.x ? 2 : 0);
  int large = v.y < v.x ? (v.z < v.x ? 0 : 2) : (v.z < v.y ? 1 : 2);
  int middle = 3 - small - large;
  float s = v[small], m = v[middle];
  bool shrinks = pick >= 1.0 - width * width;
  float low = (1.0 - width) * s + 2.0 * width * area / sides[small] / 6.0 * s / m;
  float mid =
      (1.0 - width) * m + 2.0 * width * area / (sides[middle] + sides[large]) / 6.0 * (3.0 - s / m);
  vec3 to = vec3(0.0, 0.0, 0.0);
  to[small] = shrinks ? width * s : low;
  to[middle] = shrinks ? width * m : mid;
  to[large] = (area - sides[small] * to[small] - sides[middle] * to[middle]) / sides[large];
  return to;
}

vec2 variation_xtrb(Point p, float w, float power, float radius, float width, float dist, float a,
                    float b) {
  float px = p.xy.x, py = p.xy.y;
  float b_angle = 0.047 + a, c_angle = 0.047 + b;
  float ta = 1.0 / tangent(0.5 * (b_angle + c_angle));
  float tb = tangent(0.5 * b_angle), tc = tangent(0.5 * c_angle);
  vec3 sides = radius * vec3(tc + tb, tc + ta, tb + ta);
  float area = radius * (sides.x + sides.y + sides.z);
  vec2 turn = direction(c_angle);
  float high_a = area / sides.x, high_b = area / sides.y;
  float alpha = py + radius, beta = px * turn.y - py * turn.x + radius;
  float m = floor(alpha / high_a), n = floor(beta / high_b);
  alpha -= m * high_a;
  beta -= n * high_b;
  float gamma = (area - sides.x * alpha - sides.y * beta) / sides.z;
  bool flipped = gamma <= 0.0;
  vec3 v = flipped ? vec3(high_a - alpha, high_b - beta, -gamma) : vec3(alpha, beta, gamma);
  v = xtrbFolded(v, sides, area, width, unit());
  alpha = (flipped ? high_a - v.x : v.x) + m * high_a - radius;
  beta = (flipped ? high_b - v.y : v.y) + n * high_b - radius;
  vec2 q = vec2((beta + alpha * turn.x) / turn.y, alpha);
  float power_n = nearestOf(power), count = max(abs(power_n), 1.0);
  float angle = (angleOf(q.y, q.x) + kTwoPi * min(floor(unit() * count), count - 1.0)) / power_n;
  return w * w * powOf(q.x * q.x + q.y * q.y, 0.5 * dist / power_n) * direction(angle);
}
