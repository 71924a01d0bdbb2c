// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and the passes of the fit share. Passes over pixels work
// tile by tile; a slot is one component in the list of one tile, and what a pass adds up for a slot
// is summed per component afterwards, in a fixed order: no atomics, the same bytes on every run.
#ifndef SHADERS_SMOE_FIT_H
#define SHADERS_SMOE_FIT_H

#define FIT_TILE 8     // px on a side
#define FIT_PIXELS 64  // of a tile
#define FIT_GROUP 64   // invocations per work group of every pass

#define FIT_BIND_PARAMS 0       // uniform  FitParams                             host
#define FIT_BIND_ADAM 1         // uniform  FitAdamParams                         host
#define FIT_BIND_TILE_STARTS 0  // storage  uint[tileCount + 1]: first slots      host
#define FIT_BIND_OFFSETS 1      // storage  float[tileCount], of log weights      host
#define FIT_BIND_COMPONENTS 2   // storage  uint[slotCount]: component            host
#define FIT_BIND_TILES 3        // storage  uint[slotCount]: tile                 host
#define FIT_BIND_PIXELS 4       // storage  vec4[tileCount][64][rows]             fit_decode, ..
#define FIT_BIND_ERRORS 5       // storage  float[tileCount][64 / FIT_ROW]        fit_decode
#define FIT_BIND_PARTIALS 6     // storage  vec4[slotCount][rows]                 fit_gradient, ..
#define FIT_BIND_COMPONENT_ENDS 7  // storage  uint[componentCount + 1], into SLOTS  host
#define FIT_BIND_SLOTS 8           // storage  uint[slotCount], by component         host
#define FIT_BIND_ORDER 9           // storage  uint[componentCount], by slot count   host
#define FIT_BIND_BOUNDS 10         // storage  uint[groupCount]: max slots          host
#define FIT_BIND_SUMS 11           // storage  vec4[componentCount][rows]            fit_sum
#define FIT_BIND_GRADIENT 12       // storage  vec4[componentCount][4 or 8]          fit_chain
#define FIT_BIND_MOMENTS 13        // storage  vec4[componentCount][8 or 16]         fit_adam
#define FIT_BIND_RECORDS 14        // storage  uvec4[componentCount][4]: FitRecord   host, fit_adam
#define FIT_BIND_LEADS 15          // storage  uvec4[componentCount][4]: FitLead     host, fit_adam

// Lists on the device
#define FIT_BIND_GATES 0         // storage  uvec4[2 componentCount]: as SMOE_BIND_CULL  fit_gates
#define FIT_BIND_REACH 1         // storage  float[componentCount]                   fit_gates
#define FIT_BIND_BAND_STARTS 4   // storage  uint[tileCount of a band + 1]           ListBuilder
#define FIT_BIND_BAND_ENTRIES 5  // storage  uvec2[]: component, mask                ListBuilder
#define FIT_BIND_BAND_TILES 6    // storage  SmoeTile[tileCount of a band]           ListBuilder
#define FIT_BIND_KEYS 12          // storage  uint[]: what a radix sort orders by     fit_join, fit_order
#define FIT_BIND_COUNTS 10       // storage  uint[componentCount + 1]: slots         fit_join
// Adam's epsilons
#define FIT_BIND_EPSILONS 0   // storage  vec4[8]                                    fit_epsilons
#define FIT_BIND_MAGNITUDES 1 // storage  vec4[lanes][rows]: sums of |gradient|      fit_magnitudes

#define FIT_TEXELS_RECORDS 0   // FitRecord[componentCount], sliced where p > 2
#define FIT_TEXELS_PIXELS 1    // what FIT_BIND_PIXELS is
#define FIT_TEXELS_TARGET 2    // vec4[tileCount][64]: colors, 1 inside the picture or else 0
#define FIT_TEXELS_PARTIALS 3  // what FIT_BIND_PARTIALS is
#define FIT_TEXELS_FACTORS 4   // FitFactor[componentCount]
#define FIT_TEXELS_LEADS 5     // FitLead[componentCount]
#define FIT_IMAGE_ERROR 0      // rgba32f: |error| per pixel of the picture

// Rows of four floats per slot.
#define FIT_ROWS_GRADIENT 4
#define FIT_ROWS_LIKELIHOOD 6
#define FIT_ROWS_MEASURE 3

#ifdef __cplusplus
#include <cstdint>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
namespace fathom::smoe::shared {
using uint = std::uint32_t;
using ivec2 = glm::ivec2;
using vec2 = glm::vec2;
using vec4 = glm::vec4;
#endif

// A 2-D record, Record in model.h, as rows of four words. Gradients have the same layout.
struct FitRecord {
  int cx, cy;  // px * 2^fractionBits
  float c, spare;
  float w11, w21, w22, hr1;
  float red, green, blue, hr2;
  float hg1, hg2, hb1, hb2;
};

// Its part along the leading coordinates.
struct FitLead {
  float a1, a2, w11, w21;
  float w22, mx1, mx2, my1;
  float my2, hr1, hr2, hg1;
  float hg2, hb1, hb2, spare;
};

// Whitens colors: N(y; m, S) = exp(logScale - |F (y - m)|^2 / 2), F lower triangular.
struct FitFactor {
  float f11, f21, f22, f31;
  float f32, f33, logScale, spare;
};

// A region of a picture, or all of it.
struct FitParams {
  ivec2 origin;  // px of the picture
  ivec2 size;    // px
  uint tilesX, tileCount, slotCount, componentCount;
  vec2 view;          // leading coordinates
  uint fractionBits;  // of centers
  uint add;           // 1: onto what the sums hold already
  uint pixelCount;    // FIT_PIXELS once more, FIT_TILE, FIT_GROUP: bounds of loops that must not
  uint tilePixels;    // be unrolled
  float targetScale;  // 1; 0: to black
  float structure;    // W: the share of SSIM in the loss
  float structureScale;  // of the sum of SSIM in the gradient
  uint spare0, spare1, spare2;
};

// A band of tiles of lists made on the device, on its way into those of its region.
struct FitBand {
  uint firstTile, tileCount;
  uint firstSlot;
  uint maxSlots;   // of a component: keys of their order are this less their number
  uint componentCount;
  uint last;       // 1: no band follows
  uint laneCount;  // of fit_magnitudes: each takes every laneCount-th component
  float relative;  // epsilons: of the mean magnitude
};

struct FitAdamParams {
  vec4 steps[8];                   // per row of the gradient, in its scaled units
  float decay1, decay2;            // betas
  vec2 size;                       // of the picture, px
  uint componentCount;
  uint fractionBits;
  float keptSlope, keptShear;      // from step to step: of H_a, and of M - d I
  float keptLead;                  // of W_a and mu_a
  float largestW;                  // 1 / px
  float spare0, spare1;
};

#ifdef __cplusplus
static_assert(sizeof(FitRecord) == 64 && sizeof(FitLead) == 64 && sizeof(FitFactor) == 32);
static_assert(sizeof(FitParams) == 80 && sizeof(FitAdamParams) == 176 && sizeof(FitBand) == 32);
}  // namespace fathom::smoe::shared
#endif
#endif
