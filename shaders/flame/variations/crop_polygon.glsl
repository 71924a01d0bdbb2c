// SPDX-License-Identifier: BSD-3-Clause
// crop_polygon: Hides what lies outside of a circle, a polygon or a star of six points, or inside of it.
// Number 363: hides, assigns, adds z after
// Parameters: type 4 (0 to 4), radius 0.35 (0 to 2), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

vec2 variation_crop_polygon(Point p, float w, float type, float radius, float invert) {
  float px = p.xy.x, py = p.xy.y;
  float kind = nearestOf(type), edges = kind == 1.0   ? 5.0
                                        : kind == 2.0 ? 6.0
                                        : kind == 3.0 ? 8.0
                                                      : 3.0;
  vec2 v = vec2(px, py);
  float first = kind == 1.0 ? -0.5 * kPi : 0.5 * kPi;
  float far = alongNormals(v, edges, first), other = alongNormals(v, 3.0, -0.5 * kPi);
  far = kind == 4.0 ? min(far, other) : kind == 0.0 ? sqrt(px * px + py * py) : far;
  bool inside = (far <= radius) == (nearestOf(invert) == 0.0);
  setHidden(!inside, w);
  return w * keptWithin(inside, v);
}
