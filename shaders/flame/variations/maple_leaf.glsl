// SPDX-License-Identifier: BSD-3-Clause
// maple_leaf: A leaf with five lobes.
// Number 329
// Parameters: filled 0.5 (0 to 1)
#include "shaders/flame/chaos/leaves.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 variation_maple_leaf(Point p, float w, float filled) {
  float px = p.xy.x, py = p.xy.y;
  float t = angleOf(px, py) - 0.5 * kPi, pick = unit(), share = unit();
  float r = w * (filled > pick ? share : 1.0);
  float c = cosine(t), c3 = cosine(3.0 * t), c6 = cosine(6.0 * t), c30 = cosine(30.0 * t);
  float gaps = 1.0 - leafPower(sine(6.0 * t), 10), end = 1.0 - c * c * c * c;
  float stem = 1.0 - leafPower(c, 10) * c3 * c3, fine = leafPower(c30, 12);
  float lobes = 1.0 + c6 * c6;
  return r * vec2((lobes + 0.2 * leafPower(c6 * cosine(24.0 * t), 10) + fine / 9.0 * gaps) *
                      sine(2.0 * t) * end * stem,
                  1.05 * cosine(2.0 * t) * (end + 0.5 * leafPower(c * c3, 10)) *
                      (lobes + 0.2 * leafPower(c6 * cosine(18.0 * t), 10) +
                       (0.25 * c30 * c30 * c30 * c30 + 0.1 * fine) * stem * gaps));
}
