// SPDX-License-Identifier: BSD-3-Clause
// tqmirror: Mirrors across the diagonal and the axes within borders.
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
