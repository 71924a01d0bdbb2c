// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and GLSL share for active pixels (Lipinski et al. 2021).
//
// A sparse image on the GPU is IceT's words (app/engine/active_pixel/image/model.h) and, for
// finding a pixel in them, two values for each 32 pixels of a row of its region:
//
//   masks   uint[rows][wordsPerRow]    bit b: pixel 32 w + b of the row is active
//   prefix  uint[2 wordCount + 1]      active pixels before each mask word, then, on top of all
//                                      active pixels, runs that start before each mask word
//
// It is written in three passes: which pixels are active, with totals of each unit of mask words; a
// scan of these totals, and the header; payloads and pairs (units.glsl, write_runs.glsl).
//
// With index and run of an active pixel (from 0) its payload is at word 7 + 2 (run + 1) + index P,
// P words each: every pair (inactive, active) stands right before the run that it names.
#ifndef SHADERS_ACTIVE_PIXEL_SHARED_H
#define SHADERS_ACTIVE_PIXEL_SHARED_H

#define AP_COLOR_NONE 0  // in the order of Color
#define AP_COLOR_RGBA8 1
#define AP_COLOR_RGB32F 2
#define AP_COLOR_RGBA32F 3

#define AP_SIZE 64        // invocations per work group
#define AP_STEP 2         // mask words that a group sees side by side: AP_SIZE / 32
#define AP_UNIT_ALONE 1   // mask words of a unit that one invocation marks (AP_SPREAD 0)
#define AP_UNIT_BESIDE 64  // of one whose words lie side by side in a group: AP_SIZE (AP_SPREAD 1)
#define AP_SCAN_SIZE 256  // invocations of scan_units, which is one group

#define AP_BIND_MASKS 0    // storage  uint[wordCount]       classify, unite_masks
#define AP_BIND_PREFIX 1   // storage  uint[2 wordCount + 1] write_runs
#define AP_BIND_WORDS 2    // storage  uint[]: the image or a window of it
#define AP_BIND_UNITS 3    // storage  uvec4[2 unitCount + 1]: of each unit, before each unit, of all
#define AP_BIND_FACTS 5    // storage  ApFacts               scan_units, place_pixels
#define AP_BIND_FRONT_MASKS 6
#define AP_BIND_FRONT_PREFIX 7
#define AP_BIND_BACK_MASKS 8
#define AP_BIND_BACK_PREFIX 9
// of the five steps: one word per pixel of the image
#define AP_BIND_ACTIVE 0    // storage  uint[N]: act          mark_pixels
#define AP_BIND_NEW 1       // storage  uint[N]: new, then run   mark_pixels, number_runs
#define AP_BIND_RUN_SUMS 3  // storage  uint[N + 1]           scan
#define AP_BIND_LENGTHS 4   // storage  uint[runs]: len       reduce by key
#define AP_BIND_INDEX 6     // storage  uint[N + 1]: idx      scan
#define AP_BIND_PARAMS 0    // uniform  ApParams              host

#define AP_TEXTURE_COLOR 0  // as texels.glsl says; when compositing, the words of the front image
#define AP_TEXTURE_DEPTH 1  // and of the back image
#define AP_IMAGE_COLOR 0    // decode
#define AP_IMAGE_DEPTH 1

#ifdef __cplusplus
#include <cstdint>
namespace fathom::active_pixel::shared {
using uint = std::uint32_t;
struct Params {
#else
struct ApParams {
#endif
  uint tileWidth, tileHeight;  // of the image
  uint left, bottom;           // the region in it: outside nothing is active
  uint width, height;          // of the region
  int sourceX, sourceY;        // the texel that its lower left pixel shows
  uint wordsPerRow, wordCount;
  uint colorFormat, depthFormat;  // IceT's numbers
  uint windowFirst, windowWords;  // the part of the words that is bound
  uint rounds;                    // 32: pixels per mask word. Mesa unrolls loops of constant length
  uint pixelCount;                // tileWidth * tileHeight
  uint unitCount;                 // units that the mask words make
  uint spare0, spare1, spare2;
};

// Where a sparse image that is read lies.
#ifdef __cplusplus
struct Source {
#else
struct ApSource {
#endif
  uint left, bottom, width, height;  // its region
  uint wordsPerRow, wordCount;
  uint spare0, spare1;
};

#ifdef __cplusplus
struct CompositeParams {
  Params target;
  Source front, back;
};
struct DecodeParams {
  Source source;
  uint background[4];  // words of a color
  uint width, height;
  uint spare0, spare1;
};
struct Facts {
#else
struct ApFacts {
#endif
  uint activeCount, runCount;
  uint bytes;      // of the image, header included
  uint trailing;   // 1: the last pixel is not active, a pair without payload ends the image
};

#ifdef __cplusplus
static_assert(sizeof(Params) == 80 && sizeof(Source) == 32 && sizeof(Facts) == 16);
static_assert(sizeof(CompositeParams) == 144 && sizeof(DecodeParams) == 64);
}  // namespace fathom::active_pixel::shared
#endif
#endif
