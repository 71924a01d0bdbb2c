// SPDX-License-Identifier: BSD-3-Clause
// collideoscope: Sectors slide against each other.
// Number 343
// Parameters: a 0.2 (-1 to 1), num 1 (1 to 12)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_collideoscope(Point p, float w, float a, float num) {
  float px = p.xy.x, py = p.xy.y;
  float sector = kPi / max(nearestOf(num), 1.0), shift = a * sector;
  float phi = angleOf(py, px), way = phi < 0.0 ? -phi : phi;
  float which = trunc(way / sector);
  bool odd = which - 2.0 * floor(0.5 * which) > 0.5;
  float to = which * sector + fmodOf((odd ? -shift : shift) + way, sector);
  return w * sqrt(px * px + py * py) * direction(phi < 0.0 ? -to : to);
}
