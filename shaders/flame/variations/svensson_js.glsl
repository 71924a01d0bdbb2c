// SPDX-License-Identifier: BSD-3-Clause
// svensson_js: Svensson's attractor.
// Number 187: assigns
// Parameters: a 1.4 (-7 to 7), b 1.56 (-7 to 7), c 1.4 (-7 to 7), d -6.56 (-7 to 7)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_svensson_js(Point p, float w, float a, float b, float c, float d) {
  float x = p.xy.x, y = p.xy.y;
  return w * vec2(d * sineWide(a * x) - sineWide(b * y), c * cosineWide(a * x) + cosineWide(b * y));
}
