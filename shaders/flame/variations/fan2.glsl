// SPDX-License-Identifier: BSD-3-Clause
// fan2: As fan, its width and turn given.
// Number 25
// Parameters: x 0 (-2 to 2), y 0 (-2 to 2)
// Packs: kPi * ringWidth(x), y, cos(kPi * ringWidth(x) / 2), sin(kPi * ringWidth(x) / 2)
#include "shaders/flame/chaos/point.glsl"

vec2 variation_fan2(Point p, float w, float k, float y, float cosHalf, float sinHalf) {
  float turned = p.theta + y;
  float t = turned - k * truncatedToInt(turned / k);
  float side = t > 0.5 * k ? -sinHalf : sinHalf;
  return w * vec2(p.xy.x * cosHalf + p.xy.y * side, p.xy.y * cosHalf - p.xy.x * side);
}
