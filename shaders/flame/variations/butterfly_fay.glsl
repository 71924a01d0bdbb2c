// SPDX-License-Identifier: BSD-3-Clause
// butterfly_fay: Fay's butterfly; points inside and outside of it move by modes of their own.
// Number 386
// Parameters: offset 0 (-3 to 3), unified_inner_outer 1 (0 to 1), outer_mode 1 (0 to 5),
//   inner_mode 1 (0 to 5), outer_spread 0 (-2 to 2), inner_spread 0 (-2 to 2),
//   outer_spread_ratio 1 (-2 to 2), inner_spread_ratio 1 (-2 to 2), spread_split 1 (-2 to 2),
//   cycles 0 (0 to 20), fill 0 (0 to 2)
#include "shaders/flame/chaos/point.glsl"

/// From the curve's point `on` by one of the modes; `from` is the point, `far` its share of the
/// split.
vec2 curveSpread(vec2 on, vec2 from, float far, float mode, float spread, float ratio) {
  vec2 by = vec2(spread * ratio, spread);
  vec2 facing =
      vec2(on.x < 0.0 ? -abs(from.x) : abs(from.x), on.y < 0.0 ? -abs(from.y) : abs(from.y));
  if (mode == 1.0) return vec2((far - 1.0) * by.x + 1.0, (far - 1.0) * by.y + 1.0) * on;
  if (mode == 2.0) return on + by * (facing - on);
  if (mode == 3.0) return on + by * facing;
  if (mode == 4.0) return vec2(0.5 * far + by.x, 0.5 * far + by.y) * on;
  if (mode == 5.0) return on + by * from;
  return on;
}

vec2 variation_butterfly_fay(Point p, float w, float offset, float unified_inner_outer,
                             float outer_mode, float inner_mode, float outer_spread,
                             float inner_spread, float outer_spread_ratio, float inner_spread_ratio,
                             float spread_split, float cycles, float fill) {
  float px = p.xy.x, py = p.xy.y;
  float turns = cycles == 0.0 ? kPi * kPi : cycles, t = turns * angleOf(py, px);
  float far = spread_split * sqrt(px * px + py * py), s = abs(sine(t / 12.0));
  float r = 0.5 * (exp(cosine(t)) - 2.0 * cosine(4.0 * t) - s * s * s * s * s + offset);
  float blur = unit() - 0.5;
  r += fill * blur;
  vec2 on = r * vec2(sine(t), -cosine(t)), from = vec2(px, py);
  bool outside = abs(far) > abs(r) || nearestOf(unified_inner_outer) == 1.0;
  return w * (outside ? curveSpread(on, from, far, nearestOf(outer_mode), outer_spread,
                                    outer_spread_ratio)
                      : curveSpread(on, from, far, nearestOf(inner_mode), inner_spread,
                                    inner_spread_ratio));
}
