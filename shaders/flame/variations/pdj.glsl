// SPDX-License-Identifier: BSD-3-Clause
// pdj: The attractor of Peter de Jong.
#include "shaders/flame/point.glsl"

vec2 variation_pdj(Point p, float w, float a, float b, float c, float d) {
  return w *
         vec2(sinWide(a * p.xy.y) - cosWide(b * p.xy.x), sinWide(c * p.xy.x) - cosWide(d * p.xy.y));
}
