// SPDX-License-Identifier: BSD-3-Clause
// dinis_surface_wf: Dini's surface over the plane.
// Number 349: makes z
// Parameters: a 0.8 (-3 to 3), b 0.2 (-3 to 3)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_dinis_surface_wf(Point p, float w, float a, float b) {
  float px = p.xy.x, py = p.xy.y;
  float far = abs(py), s = sine(py);
  vec2 half_way = direction(0.5 * far);
  float high = far > 1e-8 ? -w * (a * (cosine(py) + logOf(half_way.y / half_way.x)) + b * px) : 0.0;
  return vec3(w * a * s * cosine(px), w * a * s * sine(px), high);
}
