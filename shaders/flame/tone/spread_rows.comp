// SPDX-License-Identifier: BSD-3-Clause
// Log scaling, and the vertical half of fast density estimation and spatial filter in one walk. One
// invocation per bucket column and strip of pixel rows. A bucket is read once; its log-scaled color
// goes, with the weights of its kernel's classes,
//
//   narrow  into the sums of the pixel rows that its taps (estimator and filter in one) reach
//   wide    into the sum of its own pixel row: these classes are blurred later, pixel by pixel
//
// Reads the words and kernels; writes NARROW and WIDE, for each class for each column for each row.
// Defines: SUPERSAMPLE, NARROW, WIDE, BLOCKS (pixel rows that taps reach, odd), WORDS.
// Deterministic: sums in a fixed order.
#ifndef SUPERSAMPLE
#define SUPERSAMPLE 2
#endif
#ifndef NARROW
#define NARROW 2
#endif
#ifndef WIDE
#define WIDE 1
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
#include "shaders/flame/tone/buckets.glsl"
#include "shaders/flame/tone/taps.glsl"

layout(local_size_x = FLAME_TONE_SIZE) in;
layout(std430, binding = FLAME_TONE_BIND_WORDS) restrict readonly buffer Words { uvec4 words[]; };
layout(std430, binding = FLAME_TONE_BIND_KERNELS) restrict readonly buffer Kernels {
  uint kernels[];
};
layout(std430, binding = FLAME_TONE_BIND_NARROW) restrict writeonly buffer Narrow {
  vec4 narrow[];
};
#if WIDE > 0
layout(std430, binding = FLAME_TONE_BIND_WIDE) restrict writeonly buffer Wide { vec4 wide[]; };
// Each invocation's own, in shared memory: registers would not hold them beside the others.
shared vec4 wideSums[WIDE * FLAME_TONE_SIZE];
#define WIDE_SUM(j) wideSums[(j) * FLAME_TONE_SIZE + int(gl_LocalInvocationID.x)]
#endif
vec4 sums[NARROW * BLOCKS];  // of pixel rows below (0) to above (BLOCKS - 1) the current one

vec4 scaledBucket(uint bucket) {
#if WORDS == 8
  vec4 found = vec4(words[2u * bucket]);
  float alpha = float(words[2u * bucket + 1u].x);
#else
  vec4 found = vec4(words[bucket]);
  float alpha = 255.0 * found.a;
#endif
  return found.a > 0.0 ? logScaled(vec4(found.rgb, alpha)) : vec4(0.0);
}

/// The class coordinate: 2 is class 2, 2.5 half of class 2 and half of class 3.
float coordinateOf(uint row, uint x) {
  uint pair = kernels[row * uint(params.pitch) + x / 2u];
  return float((x & 1u) == 0u ? pair & 0xffffu : pair >> 16) / 1024.0;
}

/// `phase` is a constant: taps are then read at constant places.
void addRow(int block, int phase, uint x) {
  int y = SUPERSAMPLE * block + params.gutter + phase;
  bool isInside = y >= 0 && y < params.buckets.y;
  int row = clamp(y, params.kernelsFirst, params.kernelsFirst + params.kernelsCount - 1);
  vec4 color = scaledBucket(uint(row - params.wordsFirst) * uint(params.buckets.x) + x);
#if NARROW + WIDE > 1
  float coordinate = coordinateOf(uint(row - params.kernelsFirst), x);
  color *= coordinate == 0.0 ? params.narrowestSum : 1.0;
#else
  float coordinate = 0.0;
#endif
  color = isInside ? color : vec4(0.0);
  for (int j = 0; j < NARROW; ++j) {
    vec4 part = color * max(0.0, 1.0 - abs(coordinate - float(j)));
    for (int a = 0; a < BLOCKS; ++a) sums[j * BLOCKS + a] += tap(j, a * SUPERSAMPLE + phase) * part;
  }
#if WIDE > 0
  for (int j = 0; j < WIDE; ++j)
    WIDE_SUM(j) += color * max(0.0, 1.0 - abs(coordinate - float(NARROW + j)));
#endif
}

void storeNarrow(int row, uint x) {
  if (row < params.narrowFirst || row >= params.narrowFirst + params.narrowCount) return;
  for (int j = 0; j < NARROW; ++j)
    narrow[(uint(j) * uint(params.buckets.x) + x) * uint(params.narrowCount) +
           uint(row - params.narrowFirst)] = sums[j * BLOCKS + BLOCKS - 1];
}

#if WIDE > 0
void storeWide(int row, uint x) {
  for (int j = 0; j < WIDE; ++j)
    wide[(uint(j) * uint(params.buckets.x) + x) * uint(params.rowCount) +
         uint(row - params.rowFirst)] = WIDE_SUM(j);
}
#endif

void main() {
  uint x = gl_GlobalInvocationID.x;
  if (x >= uint(params.buckets.x)) return;
  int first = params.rowFirst + params.stripRows * int(gl_WorkGroupID.y);
  int last = min(first + params.stripRows, params.rowFirst + params.rowCount);

  for (int i = 0; i < NARROW * BLOCKS; ++i) sums[i] = vec4(0.0);
  for (int block = first - BLOCKS / 2; block < last + BLOCKS / 2; ++block) {
#if WIDE > 0
    for (int j = 0; j < WIDE; ++j) WIDE_SUM(j) = vec4(0.0);
#endif
    addRow(block, 0, x);
#if SUPERSAMPLE > 1
    addRow(block, 1, x);
#endif
#if SUPERSAMPLE > 2
    addRow(block, 2, x);
#endif
#if SUPERSAMPLE > 3
    addRow(block, 3, x);
#endif
#if SUPERSAMPLE > 4
    addRow(block, 4, x);
#endif
#if SUPERSAMPLE > 5
    addRow(block, 5, x);
#endif
#if SUPERSAMPLE > 6
    addRow(block, 6, x);
#endif
#if SUPERSAMPLE > 7
    addRow(block, 7, x);
#endif
    if (block - BLOCKS / 2 >= first) storeNarrow(block - BLOCKS / 2, x);
#if WIDE > 0
    if (block >= first && block < last) storeWide(block, x);
#endif
    for (int j = 0; j < NARROW; ++j) {
      for (int a = BLOCKS - 1; a > 0; --a) sums[j * BLOCKS + a] = sums[j * BLOCKS + a - 1];
      sums[j * BLOCKS] = vec4(0.0);
    }
  }
}
