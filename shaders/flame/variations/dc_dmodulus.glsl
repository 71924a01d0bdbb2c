// SPDX-License-Identifier: BSD-3-Clause
// dc_dmodulus: dmodulus with a color of its own, which each of its halves draws to another.
// Number 388: sets color, orbits
// Parameters: x 2 (0.1 to 5), y 2 (0.1 to 5), angle 45 (0 to 90), shiftx 0 (-3 to 3),
//   shifty 0 (-3 to 3), color1 0 (0 to 1), speed1 0 (-1 to 1), color2 1 (0 to 1),
//   speed2 0 (-1 to 1), square 1 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

/// Into the strip of half width `size`.
float foldedInto(float v, float size) {
  if (v > size) return fmodOf(v + size, 2.0 * size) - size;
  if (v < -size) return size - fmodOf(size - v, 2.0 * size);
  return v;
}

vec2 variation_dc_dmodulus(Point p, float w, float wide, float high, float angle, float shiftx,
                           float shifty, float color1, float speed1, float color2, float speed2,
                           float square) {
  float px = p.xy.x, py = p.xy.y;
  float x = foldedInto(px, wide), y = foldedInto(py, high);
  vec2 t = direction(angle * kPi / 180.0);
  float cc = t.x * t.x, cs = t.x * t.y, ss = t.y * t.y, chance = unit();
  bool first = angle <= 45.0 ? chance < cc : chance >= ss;
  vec2 v = first ? vec2(x * cc + y * cs + wide, y * cc - x * cs - high)
                 : vec2(x * cs + y * ss, y * cs - x * ss);
  v = vec2(v.x + shiftx, v.y + shifty);
  bool folds = nearestOf(square) != 0.0;
  float color = orbitOr(vec2(0.5, 0.0)).x, speed = first ? speed1 : speed2;
  color = 0.5 * ((1.0 + speed) * color + (1.0 - speed) * (first ? color1 : color2));
  setOrbit(vec2(color, 0.0), w);
  setColor(color - trunc(color), w);
  return w * (folds ? vec2(foldedInto(v.x, wide), foldedInto(v.y, high)) : v);
}
