// SPDX-License-Identifier: BSD-3-Clause
// dc_vortex: An image of clouds that flow between two rows of vortices.
// Number 433: makes z, sets color, sets full color, reads the sum
// Parameters: randomize 0 (0 to 10000), time 0 (0 to 100), flowStrength 10 (1 to 40),
//   Blending 5 (0 to 20), zoom 1 (0.1 to 10), ColorOnly 0 (0 to 1), Gradient 0 (0 to 2),
//   scale_z 0 (-2 to 2), offset_z 0 (-2 to 2), reset_z 1 (0 to 1)
#include "shaders/flame/chaos/full_color.glsl"
#include "shaders/flame/chaos/pairs.glsl"
#include "shaders/flame/chaos/point.glsl"

vec2 vortexFlow(vec2 q, float time) {
  float side = 1.0, x = fmodOf(time, 10.0) - 20.0;
  vec2 flow = vec2(0.0, 0.0);
  for (int k = 0; k < 30; ++k) {
    vec2 d = 4.0 * q - vec2(x, 0.6 * side);
    flow -= side * 0.25 / (dot(d, d) + 0.05) * vec2(d.y, -d.x);
    x += 1.0;
    side = -side;
  }
  return flow;
}

/// Of a corner of the grid: from the last digits of a sine.
float cornerNoise(float corner) {
  Wide grown = times(sineOf(wide(corner)), wide(43758.5390625, 0.0009375));
  return narrow(minus(grown, floorOf(grown)));
}

float cloudNoise(vec2 p) {
  vec2 cell = floor(p), f = p - cell;
  f = f * f * (3.0 - 2.0 * f);
  float corner = cell.x + 57.0 * cell.y;
  float low = mix(cornerNoise(corner), cornerNoise(corner + 1.0), f.x);
  return mix(low, mix(cornerNoise(corner + 57.0), cornerNoise(corner + 58.0), f.x), f.y);
}

vec3 variation_dc_vortex(Point p, float w, float randomize, float time, float flowStrength,
                         float Blending, float zoom, float color_only, float gradient,
                         float scale_z, float offset_z, float reset_z) {
  vec2 at = imagePlace(p, color_only, 1.0), q = zoom * at;
  for (int i = 0; i < 40; ++i) {
    if (float(i) >= nearestOf(flowStrength)) break;
    q -= 0.03 * vortexFlow(q, time);
  }
  q = q * Blending + vec2(-0.1 * time, 0.0);
  float shade = 0.0, share = 0.5;
  for (int i = 0; i < 6; ++i) {
    shade += share * cloudNoise(q);
    share *= 0.5;
    q *= 2.0;
  }
  vec3 color = vec3(shade, shade, shade);
  return imagePoint(at, color, w, gradient, scale_z, offset_z, reset_z);
}
