// SPDX-License-Identifier: BSD-3-Clause
// crob: Keeps a rectangle, the rest goes to its edges.
// Number 322
// Parameters: top -1 (-3 to 0), bottom 1 (0 to 3), left -1 (-3 to 0), right 1 (0 to 3),
//   blur 1 (0 to 1), ratioBlur 0.05 (0 to 0.5), directBlur 2 (0.1 to 5)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_crob(Point p, float w, float top, float bottom, float left, float right, float blur,
                    float ratioBlur, float directBlur) {
  float px = p.xy.x, py = p.xy.y;
  float wide = abs(right - left), high = abs(bottom - top);
  float border = ratioBlur * 0.5 * min(wide, high);
  bool inside = px >= min(left, right) + border && px <= max(left, right) - border &&
                py >= min(top, bottom) + border && py <= max(top, bottom) - border;
  float which = unit(), along = unit(), deep = border * powOf(unit(), directBlur);
  if (inside) return vec2(px, py);
  if (nearestOf(blur) == 0.0) return vec2(0.0, 0.0);
  bool upright = which < high / (wide + high);
  float share = upright ? which * (wide + high) / high : 1.0 - (1.0 - which) * (wide + high) / wide;
  vec2 v = upright ? vec2(0.5 * wide - deep, (along - 0.5) * (high - 2.0 * deep))
                   : vec2((along - 0.5) * (wide - 2.0 * deep), 0.5 * high - deep);
  float side = share < 0.5 ? 1.0 : -1.0;
  return vec2(0.5 * (left + right) + (upright ? side : 1.0) * v.x,
              0.5 * (top + bottom) + (upright ? 1.0 : side) * v.y);
}
