// SPDX-License-Identifier: BSD-3-Clause
// maurer_rose: Lines between points of a rose, far apart.
// Number 353
// Parameters: kn 2 (-10 to 10), kd 1 (1 to 10), c 0 (-2 to 2), line_count 360 (1 to 720),
//   line_offset_degrees 71 (-180 to 180), show_lines 1 (0 to 1), show_points 0 (0 to 1),
//   show_curve 0.05 (0 to 1), line_thickness 0.5 (0 to 20), point_thickness 3 (0 to 20),
//   curve_thickness 1 (0 to 20)
#include "shaders/flame/chaos/point.glsl"

vec2 maurerRosePoint(float theta, float k, float c) {
  return (cosine(k * theta) + c) * direction(theta);
}

vec2 variation_maurer_rose(Point p, float w, float kn, float kd, float c, float line_count,
                           float line_offset_degrees, float show_lines, float show_points,
                           float show_curve, float line_thickness, float point_thickness,
                           float curve_thickness) {
  float px = p.xy.x, py = p.xy.y;
  float k = kn / kd, step = kPi / 180.0 * line_offset_degrees;
  float t = line_count * step / kTwoPi * angleOf(py, px), first = floor(t / step) * step;
  vec2 a = maurerRosePoint(first, k, c), b = maurerRosePoint(first + step, k, c);
  float total = show_lines + show_points + show_curve, pick = unit() * total;
  float along = unit(), u = unit(), v = unit();
  bool curve = total == 0.0;
  if (!curve && pick < show_lines)
    return w * (a + along * (b - a) + 0.01 * line_thickness * vec2(u - 0.5, v - 0.5));
  if (!curve && pick <= show_lines + show_points) {
    vec2 spot = pick <= show_lines + 0.5 * show_points ? a : b;
    return w * (spot + 0.01 * point_thickness * u * direction(kTwoPi * v));
  }
  return w * (maurerRosePoint(t, k, c) + 0.01 * curve_thickness * vec2(u - 0.5, v - 0.5));
}
