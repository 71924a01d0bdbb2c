// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and the parameter block of the passes from histogram to picture. All work on a
// band: some rows of pixels, and the bucket rows above and below that reach into them.
//
// Two forms of density estimation. Exact: every bucket looks at all others (spread_exactly.comp).
// Fast: a bucket's kernel is mixed from two neighbors of a short list of classes; see
// app/engine/flame/render/filters.h.
#ifndef SHADERS_FLAME_TONE_SHARED_H
#define SHADERS_FLAME_TONE_SHARED_H

#define FLAME_TONE_SIZE 64       // invocations per work group of the passes over lines
#define FLAME_TONE_TILE 8        // side of a work group of the passes over tiles
#define FLAME_TONE_STACK 4       // tiles above each other that a group of spread_exactly.comp fills
#define FLAME_TONE_MAX_TAPS 288  // weights of all narrow classes along one axis

// Storage, per pass: see its top comment.
#define FLAME_TONE_BIND_WORDS 0  // uint[rows][buckets.x][WORDS]       the chaos game
#define FLAME_TONE_BIND_KERNELS \
  1                               // uint[rows][pitch], two per word    measure_density, clamp_edges
#define FLAME_TONE_BIND_TABLE 2   // uint[] or vec2[], per kernel       host
#define FLAME_TONE_BIND_COUNTS 3  // float[rows][buckets.x]             measure_density
#define FLAME_TONE_BIND_NARROW 4  // vec4[NARROW][buckets.x][rows]      spread_rows
#define FLAME_TONE_BIND_WIDE 5    // vec4[WIDE][buckets.x][rows]        spread_rows
#define FLAME_TONE_BIND_SCALED 6  // vec4[rows][buckets.x]              scale_buckets
#define FLAME_TONE_BIND_EXPONENTS 7  // float[rows][buckets.x]           scale_buckets
#define FLAME_TONE_BIND_REACHES 8    // float[tile rows][tile columns]     scale_buckets
#define FLAME_TONE_BIND_SPREAD 9     // vec4[rows][buckets.x]              spread_exactly
#define FLAME_TONE_BIND_WEIGHTS \
  10  // float[tapCount], spatial filter; or
      // vec2[kernel][tapCount][tapCount]    host
// Uniform.
#define FLAME_TONE_BIND_PARAMS 0  // ToneParams     host
#define FLAME_TONE_BIND_TAPS 1    // ToneTaps       host
// Textures and images, rgba32f.
#define FLAME_TONE_TEXTURE_A 0
#define FLAME_TONE_TEXTURE_B 1
#define FLAME_TONE_IMAGE 0

#ifdef __cplusplus
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
namespace fathom::flame::shared {
using glm::ivec2, glm::vec4;
#endif

struct ToneParams {
  vec4 background;  // 0..1; coverFactor()
  ivec2 buckets;    // of the whole histogram
  ivec2 pixels;     // of the picture
  int supersample, gutter;
  int wordsFirst, wordsCount;      // bucket rows that are bound
  int kernelsFirst, kernelsCount;  // bucket rows that kernels are known of
  int pitch;                       // words per row of kernels
  int stripRows;                   // rows (of whatever the pass walks over) per work group
  int rowFirst, rowCount;          // pixel rows of the band; above 0 and below the picture: gutter
  int narrowFirst, narrowCount;    // those of them in the picture
  int lastKernel;
  float windowScale, curve, maxCount;  // EstimatorTable, CountWindow
  float narrowestSum;                  // of the weights of kernels of coordinate 0
  float k1, k2, glow, colorShare;      // LogScale; k2 for sums in 255ths
  float edgeRadius, edgeLimit;  // clamp_edges: radius / 3 and the standard deviation below it
  int edgeKernel;
  int tapCount, filterGutter;  // spatial filter
  int reachTiles, tileSide;    // spread_exactly: tiles around; FLAME_TONE_TILE as a bound of loops
  int cellFirst;               // cells: row of the first cell, in pixel rows
  int cellMargin;              // cells beyond the picture on each side
  int cellScale;               // pixels per cell along each axis: 1, 2, 4, ...
  int classIndex;              // wide class
  int coarserMargin;           // margin of those cells
  float inverseWidth, blurScale;  // blur_cells: of the spline, 1 / width and 1 / sum
  int blurReach;
  float inverseGamma, threshold, vibrancy, highlightPower;
  int filterFirst;            // filter_radially: its first bucket, from the pixel's first
  float thinBelow, edgeFrom;  // RadialFilter
};

// What comes after the tone map (tone_finish.h).
#define FLAME_TONE_BIND_FINISH 2
#define FLAME_TONE_CURVE_ENTRIES 256
struct ToneFinish {
  vec4 balance;  // factors to red, green and blue; saturation
  vec4 curves[FLAME_TONE_CURVE_ENTRIES];
};

struct ToneTaps {
  vec4 values[FLAME_TONE_MAX_TAPS / 4];
};

#ifdef __cplusplus
}  // namespace fathom::flame::shared
#endif
#endif
