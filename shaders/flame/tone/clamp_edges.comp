// SPDX-License-Identifier: BSD-3-Clause
// Chooses kernels like measure_density.comp, but narrow ones beside strong edges, so that faint
// buckets there do not bloom (cuburn's edge clamp). One invocation per two bucket columns of a row.
// Reads the hits per pixel, writes kernels. The gradient is a Roberts cross three wide, one pixel
// apart: gx = D(+1,+1) - D(-1,-1), gy = D(-1,+1) - D(+1,-1), of length |g| / 4.
#include "shaders/flame/tone/buckets.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(std430, binding = FLAME_TONE_BIND_TABLE) restrict readonly buffer Table { uint table[]; };
layout(std430, binding = FLAME_TONE_BIND_COUNTS) restrict readonly buffer Counts {
  float counts[];
};
layout(std430, binding = FLAME_TONE_BIND_KERNELS) restrict writeonly buffer Kernels {
  uint kernels[];
};

float countAt(int x, int y) {
  int margin = params.supersample - 1;
  bool isCounted = x >= margin && x < params.buckets.x - margin && y >= margin &&
                   y < params.buckets.y && y >= params.kernelsFirst &&
                   y < params.kernelsFirst + params.kernelsCount;
  if (!isCounted) return 0.0;
  return counts[uint(y - params.kernelsFirst) * uint(params.buckets.x) + uint(x)];
}

uint entryAt(int x, int y) {
  float count = countAt(x, y);
  if (count == 0.0) return NO_KERNEL;
  int step = params.supersample;
  vec2 gradient = vec2(countAt(x + step, y + step) - countAt(x - step, y - step),
                       countAt(x - step, y + step) - countAt(x + step, y - step));
  float sd = params.edgeRadius * exp2(-params.curve * log2(length(gradient) / 4.0 + 1.0));
  return table[sd < params.edgeLimit ? uint(params.edgeKernel) : kernelFor(count)];
}

void main() {
  int x = 2 * int(gl_GlobalInvocationID.x), row = int(gl_WorkGroupID.y);
  if (x >= 2 * params.pitch) return;
  int y = params.kernelsFirst + row;
  kernels[uint(row * params.pitch + x / 2)] = entryAt(x, y) | entryAt(x + 1, y) << 16;
}
