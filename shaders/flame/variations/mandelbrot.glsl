// SPDX-License-Identifier: BSD-3-Clause
// mandelbrot: The border of Mandelbrot's set, along which a walk goes by small steps.
// Number 352: makes z, orbits
// Parameters: iter 100 (10 to 200), xmin -1.6 (-2 to 0), xmax 1.6 (0 to 2), ymin -1.2 (-2 to 0),
//   ymax 1.2 (0 to 2), invert 0 (0 to 1), skin 0.012 (0 to 1), cx 0 (-2 to 2), cy 0 (-2 to 2),
//   max_points -1 (-1 to 1000), seed 1234 (0 to 10000), rnd_z_range 0 (-2 to 2)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_mandelbrot(Point p, float w, float iter, float xmin, float xmax, float ymin,
                          float ymax, float invert, float skin, float cx, float cy,
                          float max_points, float seed, float rnd_z_range) {
  float most = clamp(nearestOf(iter), 1.0, 1000.0), least = 0.1 * most * (1.0 - skin);
  bool inside = unit() < invert, found = false;
  vec2 next = orbitOr(vec2(0.0, 0.0)), c = next, z = next;
  int tries = 0;
  for (int k = 0; k < 10; ++k) {
    float u = unit(), v = unit();
    if (found) continue;
    ++tries;
    c = next.x == 0.0 && next.y == 0.0
            ? vec2(xmin + (xmax - xmin) * u, ymin + (ymax - ymin) * v)
            : next + (skin + 0.001) * vec2(u - 0.5, v - 0.5);
    z = c;
    float count = 0.0;
    for (int i = 0; i < 1000; ++i) {
      if (count >= most || z.x * z.x + z.y * z.y >= 4.0) break;
      z = vec2(z.x * z.x - z.y * z.y + c.x, 2.0 * z.x * z.y + c.y);
      count += 1.0;
    }
    found = inside ? count >= most : count < most && (skin >= 1.0 || count >= least);
    next = count >= most || skin == 1.0 || count < least ? vec2(0.0, 0.0) : c;
  }
  setOrbit(next, w);
  float height = unit() * rnd_z_range, far = 50000.0 * (1.0 - 2.0 * unit());
  if (!found || tries > 8) c = vec2(far, far);
  return vec3(w * (c.x + cx * z.x), w * (c.y + cy * z.y), height);
}
