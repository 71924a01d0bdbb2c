// SPDX-License-Identifier: BSD-3-Clause
// falloff3: Scatter that grows with the distance: balls, rays or boxes.
// Number 417: makes z, reads z, sets color
// Parameters: blur_type 0 (0 to 2), blur_shape 0 (0 to 1), blur_strength 1 (0 to 10),
//   min_distance 0.5 (0 to 3), invert_distance 0 (0 to 1), mul_x 1 (0 to 1), mul_y 1 (0 to 1),
//   mul_z 0 (0 to 1), mul_c 0 (0 to 1), center_x 0 (-3 to 3), center_y 0 (-3 to 3),
//   center_z 0 (-3 to 3), alpha 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"

/// How Apophysis maps strengths, and draws of -0.5 to 0.5, for the boxes.
float falloffMap(float v) { return v > 0.0 ? 0.25 * (2.71828183 + 1.0 + log(v)) : 0.0; }
float falloffScale(float v) {
  float scaled = (1.0 + log(abs(v) + 1.0)) / 2.71828183;
  return v < 0.0 ? -scaled : scaled;
}

vec3 variation_falloff3(Point p, float w, float blur_type, float blur_shape, float blur_strength,
                        float min_distance, float invert_distance, float mul_x, float mul_y,
                        float mul_z, float mul_c, float center_x, float center_y, float center_z,
                        float alpha) {
  vec3 at = vec3(p.xy.x, p.xy.y, p.z), from = abs(at - vec3(center_x, center_y, center_z));
  float radius = blur_shape == 0.0 ? length(from) : max(from.x, max(from.y, from.z));
  float most = 0.04 * blur_strength;
  float away = invert_distance != 0.0 ? max(1.0 - radius, 0.0) : radius;
  float far = max((away - min_distance) * most, 0.0);
  float u = unit() - 0.5;
  float v = unit() - 0.5;
  float t = unit() - 0.5;
  float c = unit() - 0.5;
  turnColor((blur_type == 2.0 ? falloffMap(mul_c) * falloffScale(c) : mul_c * c) * far, w);
  if (blur_type == 0.0) {
    vec2 a = direction(far * t * kPi), b = direction(far * v * kTwoPi);
    return w * (at + far * u * vec3(mul_x * b.x * a.x, mul_y * b.x * a.y, mul_z * b.y));
  }
  if (blur_type == 1.0) {
    float reach = length(at);
    if (reach == 0.0) return at;
    float side = sqrt(max((reach - p.z) * (reach + p.z), 0.0));
    vec2 tilt = direction(angleOf(p.z, side) + mul_z * t * far);
    vec2 turn = direction(p.phi + (mul_y * far + alpha * far / sqrt(most)) * v);
    return w * (reach + mul_x * u * far) * vec3(tilt.x * turn.x, tilt.x * turn.y, tilt.y);
  }
  float k = far + alpha * (falloffMap(far) - far);
  vec3 drawn = vec3(falloffScale(u), falloffScale(v), falloffScale(t));
  return w * (at + k * vec3(falloffMap(mul_x), falloffMap(mul_y), falloffMap(mul_z)) * drawn);
}
