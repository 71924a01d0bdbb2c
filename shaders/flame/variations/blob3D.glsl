// SPDX-License-Identifier: BSD-3-Clause
// blob3D: blob with waves in z.
// Number 107: makes z
// Parameters: low 0.3 (-2 to 2), high 1.2 (-2 to 2), waves 6 (1 to 20)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_blob3D(Point p, float w, float low, float high, float waves) {
  float x = p.xy.x, y = p.xy.y;
  float a = angleOf(x, y), wave = sine(waves * a);
  float radius = sqrt(x * x + y * y) * (low + (high - low) * (0.5 + 0.5 * wave));
  return w * vec3(sine(a) * radius, cosine(a) * radius, wave * radius);
}
