// SPDX-License-Identifier: BSD-3-Clause
// pixel_flow: Blocks become lines of dust in one direction.
// Number 359: sets color
// Parameters: angle 90 (-180 to 180), len 0.1 (-2 to 2), width 200 (1 to 500), seed 42 (0 to 1000),
//   enable_dc 0 (0 to 1)
#include "shaders/flame/chaos/glitches.glsl"

vec2 variation_pixel_flow(Point p, float w, float angle, float len, float width, float seed,
                          float enable_dc) {
  float px = p.xy.x, py = p.xy.y;
  int key = int(nearestOf(seed));
  int a = glitchBlock(px * width, key), b = glitchBlock(py * width, key);
  int c = int(uint(b) * uint(key));
  float far = 0.5 * (glitchHash(int(uint(b) - uint(a) * uint(key))) +
                     glitchHash(int(uint(a) + uint(c / 2))));
  float pick = unit();
  if (nearestOf(enable_dc) == 1.0) setColor(pick, w);
  return w * len * far * pick * pick * pick * pick * direction(kPi / 180.0 * angle);
}
