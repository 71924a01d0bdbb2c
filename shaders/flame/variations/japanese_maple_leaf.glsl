// SPDX-License-Identifier: BSD-3-Clause
// japanese_maple_leaf: A leaf with long points.
// Number 328
// Parameters: filled 0.15 (0 to 1)
#include "shaders/flame/chaos/leaves.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_japanese_maple_leaf(Point p, float w, float filled) {
  float px = p.xy.x, py = p.xy.y;
  float t = 0.5 * angleOf(px, py) + 0.5 * kPi, pick = unit(), share = unit();
  float r = w * 0.667 * (filled > pick ? share : 1.0);
  float c = cosine(t), c3 = cosine(3.0 * t), c8 = cosine(8.0 * t), c80 = cosine(80.0 * t);
  float veins = c80 * c80 / 6.0 + leafPower(c80, 10) / 15.0;
  float lobes = c8 * c8 + 0.2 * leafPower(c8 * cosine(24.0 * t), 10);
  float gaps = 1.0 - leafPower(sine(8.0 * t), 10), stem = 1.0 - leafPower(c, 10) * c3 * c3;
  float end = leafPower(c, 9) * leafPower(cosine(5.0 * t), 10) / 30.0;
  return r *
         vec2((4.0 / 15.0 + lobes + veins) * gaps * sine(2.0 * t) * (1.0 + sine(t)) * (stem + end),
              (8.0 / 30.0 + lobes + veins * stem * gaps) * cosine(2.0 * t) *
                  (1.0 + sine(t) + leafPower(c * c3, 10)));
}
