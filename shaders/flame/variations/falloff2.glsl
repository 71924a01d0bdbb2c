// SPDX-License-Identifier: BSD-3-Clause
// falloff2: Scatter that grows with the distance: boxes, rays or bells.
// Number 125: makes z, reads z, sets color
// Parameters: scatter 1 (0 to 4), mindist 0.5 (0 to 3), mul_x 1 (0 to 1), mul_y 1 (0 to 1),
//   mul_z 0 (0 to 1), mul_c 0 (0 to 1), x0 0 (-3 to 3), y0 0 (-3 to 3), z0 0 (-3 to 3),
//   invert 0 (0 to 1), type 0 (0 to 2)
#include "shaders/flame/chaos/point.glsl"

vec3 variation_falloff2(Point p, float w, float scatter, float mindist, float mul_x, float mul_y,
        float mul_z, float mul_c, float x0, float y0, float z0, float invert, float type) {
  float x = p.xy.x, y = p.xy.y, z = p.z;
  float dx = x - x0, dy = y - y0, dz = z - z0;
  float away = sqrt(dx * dx + dy * dy + dz * dz);
  float d = max(0.0, invert != 0.0 ? 1.0 - away : away);
  d = max(0.0, (d - max(0.0, mindist)) * 0.04 * max(scatter, 1e-6));
  float u = unit();
  float v = unit();
  float t = unit();
  turnColor(mul_c * unit() * d, w);
  if (type == 1.0) {
    float length = sqrt(x * x + y * y + z * z) + 1e-6, lift = z / length;
    float tilt = angleOf(lift, sqrt(max((1.0 - lift) * (1.0 + lift), 0.0))) + mul_z * u * d;
    float radius = length + mul_x * t * d;
    vec2 a = direction(angleOf(y, x) + mul_y * v * d), b = direction(tilt);
    return w * vec3(radius * b.x * a.x, radius * b.x * a.y, b.y);
  }
  if (type == 2.0) {
    vec2 a = direction(d * v * kPi), b = direction(d * u * kTwoPi);
    float radius = d * t;
    return w * vec3(x + mul_x * radius * b.x * a.x, y + mul_y * radius * b.x * a.y, z + mul_z *
        radius * b.y);
  }
  return w * vec3(x + mul_x * u * d, y + mul_y * v * d, z + mul_z * t * d);
}
