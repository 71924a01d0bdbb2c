// SPDX-License-Identifier: BSD-3-Clause
// prepost_circlize: A polygon becomes a circle before the others, and the circle a polygon again after them.
// Number 383
// Parameters: n 4 (3 to 12), rotation 45 (-180 to 180), reverse 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_prepost_circlize(Point p, float w, float n, float rotation, float reverse) {
  float px = p.xy.x, py = p.xy.y;
  float edges = max(nearestOf(n), 3.0), half_sector = kPi / edges;
  float angle = angleOf(py, px), at = angle - rotation * kPi / 180.0;
  float within = at - half_sector * (2.0 * floor(edges * at / kTwoPi) + 1.0);
  float edge = cosine(half_sector) / cosine(within);
  edge = nearestOf(reverse) == 0.0 ? edge : 1.0 / edge;
  float r = sqrt(px * px + py * py);
  return ((1.0 - w) * r + w * r * edge) * direction(angle);
}
