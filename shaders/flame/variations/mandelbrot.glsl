// SPDX-License-Identifier: BSD-3-Clause
// mandelbrot: The border of Mandelbrot's set.
#include "shaders/flame/chaos/point.glsl"

vec3 variation_mandelbrot(Point p, float w, float iter, float xmin, float xmax, float ymin,
                          float ymax, float invert, float skin, float cx, float cy,
                          float max_points, float seed, float rnd_z_range) {
  float most = clamp(nearestOf(iter), 1.0, 1000.0), least = 0.1 * most * (1.0 - skin);
  bool inside = nearestOf(invert) == 1.0, found = false;
  vec2 c = vec2(0.0, 0.0), z = c;
  for (int k = 0; k < 10; ++k) {
    float u = unit(), v = unit();
    if (found) continue;
    c = vec2(xmin + (xmax - xmin) * u, ymin + (ymax - ymin) * v);
    z = c;
    float count = 0.0;
    for (int i = 0; i < 1000; ++i) {
      if (count >= most || z.x * z.x + z.y * z.y >= 4.0) break;
      z = vec2(z.x * z.x - z.y * z.y + c.x, 2.0 * z.x * z.y + c.y);
      count += 1.0;
    }
    found = inside ? count >= most : count < most && (skin >= 1.0 || count >= least);
  }
  float height = unit() * rnd_z_range;
  if (!found) return vec3(w * 50000.0, w * 50000.0, height);
  return vec3(w * (c.x + cx * z.x), w * (c.y + cy * z.y), height);
}
