// SPDX-License-Identifier: BSD-3-Clause
// The horizontal half of fast density estimation and spatial filter. One invocation per pixel row
// and strip of pixel columns; it walks to the right over what spread_rows.comp left. Writes the sum
// of the narrow classes, a pixel each. Defines: SUPERSAMPLE, NARROW, BLOCKS. Deterministic.
#ifndef SUPERSAMPLE
#define SUPERSAMPLE 2
#endif
#ifndef NARROW
#define NARROW 2
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
#include "shaders/flame/tone/buckets.glsl"
#include "shaders/flame/tone/taps.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(std430, binding = FLAME_TONE_BIND_NARROW) restrict readonly buffer Narrow {
  vec4 narrow[];
};
layout(binding = FLAME_TONE_IMAGE, rgba32f) restrict writeonly uniform image2D filtered;

vec4 sums[BLOCKS];  // of pixels to the right (0) to the left (BLOCKS - 1)

void addColumn(int block, int phase, uint row) {
  int x = SUPERSAMPLE * block + params.gutter + phase;
  bool isInside = x >= 0 && x < params.buckets.x;
  uint column = uint(clamp(x, 0, params.buckets.x - 1));
  for (int j = 0; j < NARROW; ++j) {
    vec4 found = narrow[(uint(j) * uint(params.buckets.x) + column) * uint(params.narrowCount) + row];
    found = isInside ? found : vec4(0.0);
    for (int a = 0; a < BLOCKS; ++a) sums[a] += tap(j, a * SUPERSAMPLE + phase) * found;
  }
}

void main() {
  uint row = gl_GlobalInvocationID.x;
  if (row >= uint(params.narrowCount)) return;
  int first = params.stripRows * int(gl_WorkGroupID.y);
  int last = min(first + params.stripRows, params.pixels.x);

  for (int i = 0; i < BLOCKS; ++i) sums[i] = vec4(0.0);
  for (int block = first - BLOCKS / 2; block < last + BLOCKS / 2; ++block) {
    addColumn(block, 0, row);
#if SUPERSAMPLE > 1
    addColumn(block, 1, row);
#endif
#if SUPERSAMPLE > 2
    addColumn(block, 2, row);
#endif
#if SUPERSAMPLE > 3
    addColumn(block, 3, row);
#endif
#if SUPERSAMPLE > 4
    addColumn(block, 4, row);
#endif
#if SUPERSAMPLE > 5
    addColumn(block, 5, row);
#endif
#if SUPERSAMPLE > 6
    addColumn(block, 6, row);
#endif
#if SUPERSAMPLE > 7
    addColumn(block, 7, row);
#endif
    int done = block - BLOCKS / 2;
    if (done >= first) imageStore(filtered, ivec2(done, params.narrowFirst + int(row)), sums[BLOCKS - 1]);
    for (int a = BLOCKS - 1; a > 0; --a) sums[a] = sums[a - 1];
    sums[0] = vec4(0.0);
  }
}
