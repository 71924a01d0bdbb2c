// SPDX-License-Identifier: BSD-3-Clause
// pixel_flow: Blocks become lines of dust in one direction.
#include "shaders/flame/chaos/point.glsl"

float pixelFlowHash(int v) {
  int a = (v ^ 61) ^ (v >> 16);
  a = int(uint(a) + (uint(a) << 3));
  a = a ^ (a >> 4);
  a = int(uint(a) * 0x27d4eb2du);
  a = a ^ (a >> 15);
  return float(a) / 2147483647.0;
}
int pixelFlowBlock(float v, int seed) {
  int block = int(floor(clamp(v, -1e6, 1e6)));
  return int(float(block) + (2.0 - 4.0 * pixelFlowHash(int(uint(block) * uint(seed) + 1u))));
}

vec2 variation_pixel_flow(Point p, float w, float angle, float len, float width, float seed,
                          float enable_dc) {
  float px = p.xy.x, py = p.xy.y;
  int key = int(nearestOf(seed));
  int a = pixelFlowBlock(px * width, key), b = pixelFlowBlock(py * width, key);
  int c = int(uint(b) * uint(key));
  float far = 0.5 * (pixelFlowHash(int(uint(b) - uint(a) * uint(key))) +
                     pixelFlowHash(int(uint(a) + uint(c / 2))));
  float pick = unit();
  if (nearestOf(enable_dc) == 1.0) setColor(pick, w);
  return w * len * far * pick * pick * pick * pick * direction(kPi / 180.0 * angle);
}
