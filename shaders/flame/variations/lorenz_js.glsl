// SPDX-License-Identifier: BSD-3-Clause
// lorenz_js: A small step along the flow of Lorenz.
// Number 312: makes z, reads z, sets color, reads the sum
// Parameters: a 10 (0 to 30), b 28 (0 to 60), c 1.66 (0 to 5), h 0.00001 (0 to 0.01),
//   centerx 0 (-5 to 5), centery 0 (-5 to 5), scale 1000 (0.1 to 2000)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_lorenz_js(Point p, float w, float a, float b, float c, float h, float centerx,
                         float centery, float scale) {
  float px = p.xy.x, py = p.xy.y, pz = p.z;
  vec3 q =
      w * vec3(px + h * a * (py - px), py + h * (px * (b - pz) - py), pz + h * (px * py - c * pz));
  vec2 away = sumBefore() + vec2(q.x + centerx, q.y + centery);
  float shade = (away.x * away.x + away.y * away.y) / (scale == 0.0 ? 0.00001 : scale);
  setColor(shade - floor(shade), w);
  return q;
}
