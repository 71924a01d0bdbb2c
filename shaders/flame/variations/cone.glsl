// SPDX-License-Identifier: BSD-3-Clause
// cone: A cone of rings.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_cone(Point p, float w, float radius1, float radius2, float size1, float size2,
                    float ywave, float xwave, float height, float warp, float weight) {
  float px = p.xy.x, py = p.xy.y;
  float r = w / sqrt(px * px * warp + py * py + size1) * size2;
  float angle = angleOf(px, py) * radius1 + kPi * trunc(weight * unit()) * radius2;
  return vec3(r * cosine(angle * xwave), r * sine(angle * ywave), r * height);
}
