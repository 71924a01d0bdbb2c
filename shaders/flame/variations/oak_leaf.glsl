// SPDX-License-Identifier: BSD-3-Clause
// oak_leaf: A leaf with round lobes.
// Number 330
// Parameters: filled 0.25 (0 to 1)
#include "shaders/flame/chaos/leaves.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_oak_leaf(Point p, float w, float filled) {
  float px = p.xy.x, py = p.xy.y;
  float t = -0.5 * angleOf(px, py) - 0.5 * kPi, pick = unit(), share = unit();
  float r = 2.0 * w * (filled > pick ? share : 1.0);
  float c = cosine(t), s2 = sine(2.0 * t), s10 = sine(10.0 * t);
  return r * vec2(leafPower(c, 9) * leafPower(cosine(5.0 * t), 10) / 100.0 +
                      0.25 * s2 * (1.0 - 0.5 * s10 * s10) *
                          (1.0 - leafPower(c * cosine(3.0 * t), 8)),
                  sine(t) * (1.0 - 0.2 * s10 * s10 * (0.5 + s2 * s2)));
}
