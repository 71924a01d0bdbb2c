// SPDX-License-Identifier: BSD-3-Clause
// rhodonea: A rose, and points spread around it.
// Number 354
// Parameters: knumer 3 (-12 to 12), kdenom 4 (1 to 12), radial_offset 0 (-2 to 2),
//   inner_mode 1 (0 to 6), outer_mode 1 (0 to 6), inner_spread 0 (-2 to 2),
//   outer_spread 0 (-2 to 2), inner_spread_ratio 1 (-2 to 2), outer_spread_ratio 1 (-2 to 2),
//   spread_split 1 (-2 to 2), fill 0 (0 to 1), cycles 0 (0 to 20), cycle_offset 0 (-1 to 1),
//   metacycles 1 (0 to 10), metacycle_expansion 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

bool rhodoneaWhole(float v, float of) { return abs(v / of - nearestOf(v / of)) < 1e-6; }

/// Turns after which the curve meets itself.
float rhodoneaTurns(float n, float d, bool spreads) {
  float k = n / d;
  if (rhodoneaWhole(k, 1.0)) return rhodoneaWhole(k, 2.0) || spreads ? 1.0 : 0.5;
  if (!rhodoneaWhole(n, 1.0) || !rhodoneaWhole(d, 1.0)) return 16.0;
  float a = abs(nearestOf(n)), b = abs(nearestOf(d));
  float x = a, y = b;
  for (int i = 0; i < 32; ++i) {
    if (y < 0.5) break;
    float rest = x - y * floor(x / y);
    x = y;
    y = rest;
  }
  a = nearestOf(a / x), b = nearestOf(b / x);
  return rhodoneaWhole(a, 2.0) || rhodoneaWhole(b, 2.0) ? b : 0.5 * b;
}

vec2 variation_rhodonea(Point p, float w, float knumer, float kdenom, float radial_offset,
                        float inner_mode, float outer_mode, float inner_spread, float outer_spread,
                        float inner_spread_ratio, float outer_spread_ratio, float spread_split,
                        float fill, float cycles, float cycle_offset, float metacycles,
                        float metacycle_expansion) {
  float px = p.xy.x, py = p.xy.y;
  bool spreads = radial_offset != 0.0 || inner_spread != 0.0 || outer_spread != 0.0 || fill != 0.0;
  float turns = rhodoneaTurns(knumer, kdenom, spreads), from = angleOf(py, px);
  float count = cycles == 0.0 ? turns * metacycles : cycles;
  float t = count * (from + kTwoPi * cycle_offset), pick = unit();
  float r = cosine(knumer / kdenom * t) + radial_offset + (fill != 0.0 ? fill * (pick - 0.5) : 0.0);
  float far = spread_split * sqrt(px * px + py * py);
  vec2 at = r * direction(t);
  float size = w + floor(count * (from + kPi) / (kTwoPi * turns)) * metacycle_expansion;
  bool outside = abs(far) > abs(r);
  float mode = nearestOf(outside ? outer_mode : inner_mode), sign = outside ? 1.0 : -1.0;
  float sy = outside ? outer_spread : inner_spread;
  float sx = sy * (outside ? outer_spread_ratio : inner_spread_ratio);
  vec2 side = vec2(at.x < 0.0 ? -abs(px) : abs(px), at.y < 0.0 ? -abs(py) : abs(py));
  if (mode == 1.0) return size * vec2((far * sx - sx + 1.0) * at.x, (far * sy - sy + 1.0) * at.y);
  if (mode == 2.0) return size * vec2(at.x + sx * (side.x - at.x), at.y + sy * (side.y - at.y));
  if (mode == 3.0) return size * vec2(at.x + sign * sx * side.x, at.y + sign * sy * side.y);
  if (mode == 4.0) return size * vec2((0.5 * far + sx) * at.x, (0.5 * far + sy) * at.y);
  if (mode == (outside ? 5.0 : 6.0)) return vec2(px, py);
  return mode == (outside ? 6.0 : 5.0) ? vec2(0.0, 0.0) : size * at;
}
