// SPDX-License-Identifier: BSD-3-Clause
// cone: A cone of rings.
// Number 320: makes z
// Parameters: radius1 0.5 (-3 to 3), radius2 1 (-3 to 3), size1 0.5 (0 to 3), size2 2 (-3 to 3),
//   ywave 1 (-3 to 3), xwave 1 (-3 to 3), height 1 (-3 to 3), warp 1 (0 to 3), weight 2 (1 to 10)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_cone(Point p, float w, float radius1, float radius2, float size1, float size2,
                    float ywave, float xwave, float height, float warp, float weight) {
  float px = p.xy.x, py = p.xy.y;
  float r = w / sqrt(px * px * warp + py * py + size1) * size2;
  float angle = angleOf(px, py) * radius1 + kPi * trunc(weight * unit()) * radius2;
  return vec3(r * cosine(angle * xwave), r * sine(angle * ywave), r * height);
}
