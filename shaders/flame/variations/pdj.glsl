// SPDX-License-Identifier: BSD-3-Clause
// pdj: The attractor of Peter de Jong.
// Number 24
// Parameters: a 0 (-3 to 3), b 0 (-3 to 3), c 0 (-3 to 3), d 0 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_pdj(Point p, float w, float a, float b, float c, float d) {
  return w * vec2(sineWide(a * p.xy.y) - cosineWide(b * p.xy.x),
                  sineWide(c * p.xy.x) - cosineWide(d * p.xy.y));
}
