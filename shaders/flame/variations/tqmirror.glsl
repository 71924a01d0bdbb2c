// SPDX-License-Identifier: BSD-3-Clause
// tqmirror: Mirrors across the diagonal and the axes within borders.
// Number 360
// Parameters: preset 0 (0 to 6), a 1 (-3 to 3), b 1 (-3 to 3), c 1 (-3 to 3), d 1 (-3 to 3),
//   e 1 (-3 to 3), f 1 (-3 to 3), g 1 (-3 to 3), h 1 (-3 to 3), i 1 (-3 to 3), j 1 (-3 to 3),
//   k 1 (-3 to 3), l 0 (-3 to 3), m 0 (-3 to 3), n 0 (-3 to 3), o 0 (-3 to 3), p 0 (-3 to 3),
//   q 0 (-3 to 3), r 1 (-3 to 3), s 1 (-3 to 3), type 0 (0 to 1), mode 0 (0 to 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_tqmirror(Point p, float w, float preset, float a, float b, float c, float d, float e,
                        float f, float g, float h, float i, float j, float k, float l, float m,
                        float n, float o, float edge, float q, float r, float s, float type,
                        float mode) {
  float px = p.xy.x, py = p.xy.y;
  if (w * d + px < l || w * e + py < m)
    return nearestOf(type) != 0.0 ? vec2(px * r, py * s) : vec2(py * r, px * s);
  if (px < n && py < o) return vec2(px + w * f, py + w * g);
  float kind = nearestOf(mode);
  bool swaps = px + q < w && py < w * a && px + w * b > l && py + w * c > edge;
  if (swaps) return vec2(kind == 2.0 ? py * h : -py * h, -px * i);
  return vec2(kind == 1.0 ? -px * j : px * j, kind == 0.0 ? py * k : -py * k);
}
