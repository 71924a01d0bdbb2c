// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and GLSL share for SMoE (Avramelos et al., "Highly Parallel
// Steered Mixture-of-Experts Rendering at Pixel-Level").
//
// A picture is a grid of samples, `step` model px apart. Boxes of samples nest: cells of 4 x 4,
// tiles of 8, 16 or 32, supertiles of 64, districts of 512 samples a side. Positions are fixed
// point: the axes say where every 8th column and row of samples begins, so that the difference to a
// component's center is an exact integer.
//
// Records are scaled to base 2: c * log2(e), W * sqrt(log2(e) / 2), H / that, so that a component's
// log weight is c - |z|^2 bits and its weight exp2 of it.
//
//   cull[2j]  = center x, y (int, 2^-f px), c, h: the largest |H| of its colors
//   cull[2j+1]= W11, W21, W22, H_r1
//   shade[2j] = mu_Y r, g, b, H_r2
//   shade[2j+1] = H_g1, H_g2, H_b1, H_b2
//   lead (p = 4) = (a1, a2, Wa11, Wa21) (Wa22, M11, M12, M21) (M22, Ha_r1, Ha_r2, Ha_g1)
//                  (Ha_g2, Ha_b1, Ha_b2, spare)
//   lead (p = 3) = (t, Wt, M1, M2) (Ht_r, Ht_g, Ht_b, spare)
#ifndef SHADERS_SMOE_SHARED_H
#define SHADERS_SMOE_SHARED_H

#define SMOE_CELL 4                 // samples along a cell's side
#define SMOE_BLOCK 8                // cells along the side of a block of candidates
#define SMOE_AXIS 8                 // samples between two entries of the axes
#define SMOE_SUPER 64               // samples along a supertile's side
#define SMOE_DISTRICT 512           // samples along a district's side
#define SMOE_ROOT 4096              // samples along the side of what districts lie in
#define SMOE_LIST_SIZE 64           // invocations per work group of passes over components or cells
#define SMOE_FILTER_SIZE 256        // entries that a work group of filter_boxes.comp tests
#define SMOE_FILTER_WORDS 8         // words of a bit per such entry
#define SMOE_CHILDREN 64            // boxes that it tests them against
#define SMOE_SUPER_CELLS 256        // cells of a supertile; invocations of tighten_bars.comp
#define SMOE_LEVELS 16              // of the pyramid of bars
#define SMOE_SIGMA_SCALE 0.8493218  // sqrt(log2(e) / 2): W in the buffers is W times this
#define SMOE_ASINH 100.0            // slope of asinh models in the dark: kAsinhSlope
#define SMOE_SLACK 0.0145           // bits (0.01 nats) that bounds are wrong by, at most

// Storage                        contents                                   who writes it
#define SMOE_BIND_CULL 0           // uvec4[2 K]                              host, or slice
#define SMOE_BIND_SHADE 1          // uvec4[2 K]                              host, or slice
#define SMOE_BIND_REACH 2          // float[K]: max |mu_Y - 1/2| + 0.6        host, or slice
#define SMOE_BIND_AXES 3           // uvec2[columns + rows]: fixed, rest (float)  host
#define SMOE_BIND_BARS 4           // uint[levels of cells], ordered floats   splat_bars, ...
#define SMOE_BIND_TILE_BARS 5      // float[tiles]                            tighten_bars
#define SMOE_BIND_PARENT_RANGES 6  // uvec2[parents]: begin and end in LIST   close_lists
#define SMOE_BIND_PARENT_LIST 7    // uint[]: components
#define SMOE_BIND_COUNTS 8         // uint[groups * block + 1]                filter_boxes, scanned
#define SMOE_BIND_BITS 9           // uint[groups][block][8]                  filter_boxes
#define SMOE_BIND_LIST 10          // uint[]: components                      place_entries
#define SMOE_BIND_PARENT_LOST 11   // uvec2[parents]: fixed point             filter_boxes
#define SMOE_BIND_LOST 12          // uvec2[children]                         filter_boxes
#define SMOE_BIND_BOX_BARS 13      // float[children]                         shrink_bars
#define SMOE_BIND_SEEDS 14         // uint[cells]: see candidates.glsl        splat_bars
#define SMOE_BIND_STATS 15         // SmoeStats, then uint[]: see SmoeFilter  all that count
// Only where lists are made, or bars of holes
#define SMOE_BIND_WORKS 4          // uint[parents + 1]: groups, scanned      split_lists
#define SMOE_BIND_RANGES 5         // uvec2[children]                         close_lists
#define SMOE_BIND_BLOCKS 6         // uint[blocks]: see candidates.glsl       splat_bars, flood
#define SMOE_BIND_NEXT_BLOCKS 7    // the same                                flood_blocks
// The passes over tiles
#define SMOE_BIND_CELL_BARS 4    // float[cells]                            tighten_bars
#define SMOE_BIND_MASKS 8        // uint[candidates]                        mask_cells
#define SMOE_BIND_TILE_COUNTS 9  // uint[tiles + 1]                         mask_cells, scanned
#define SMOE_BIND_ENTRIES 10     // uvec2[entries]: component, mask         compact_lists
#define SMOE_BIND_TILES 11       // SmoeTile[tiles of the band]             mask_cells
// Slicing
#define SMOE_BIND_BASE_CULL 4
#define SMOE_BIND_BASE_SHADE 5
#define SMOE_BIND_LEAD 6
// Shading
#define SMOE_BIND_RAW 13    // vec4[height][width]                     shade
#define SMOE_BIND_PAPER 14  // float[K][]: see paper.glsl              host

#define SMOE_BIND_PARAMS 0   // uniform  SmoeParams
#define SMOE_BIND_LEVEL 1    // uniform  SmoeFilter
#define SMOE_TEXELS_CULL 0        // uvec4[2 K]  as SMOE_BIND_CULL (shade_columns)
#define SMOE_TEXELS_SHADE 1       // uvec4[2 K]  as SMOE_BIND_SHADE
#define SMOE_TEXTURE_ALPHA 2      // texture    alpha as a gray picture (with_alpha)
#define SMOE_IMAGE_RESULT 0  // rgba32f

// What shade.comp writes.
#define SMOE_SHADE_PICTURE 0
#define SMOE_SHADE_RAW 1
#define SMOE_SHADE_SAMPLES 2  // linear colors of single samples, for average_samples.comp
#define SMOE_SHADE_WINNER 3   // views of the data from here on
#define SMOE_SHADE_DISPARITY 4
#define SMOE_SHADE_WEIGHT 5

#ifdef __cplusplus
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
namespace fathom::smoe::shared {
using uint = std::uint32_t;
using glm::ivec2;
using glm::uvec4;
using glm::vec2;
struct Params {
#else
struct SmoeParams {
#endif
  ivec2 size;        // samples of the grid
  ivec2 cells;       // of it
  ivec2 tiles;       // of it
  ivec2 supers;      // of it
  uint count;        // K
  uint tilePixels;   // 8, 16 or 32
  uint levels;       // of the pyramid of bars
  uint shift;        // centers >> shift have the axes' fraction bits
  float unit;        // px: 2^-fraction bits of the axes
  float step;        // model px between samples
  float tau;         // bits: how far below the bar a component may be dropped
  float limit;       // 2^-(b+1): the error that the lists are made for
  uint firstTile;    // of the band, row by row
  uint tileCount;    // of the band
  uint firstRow;     // of this dispatch: row of tiles, of the grid
  uint rowCount;    // of this dispatch
  vec2 at;           // view coordinates
  float fixedScale;  // 2^f of the model's centers
  float border;      // px, of the window rule
  uint hasMasks;     // entries keep the cells on which they passed
  uint columns;      // entries of the axes that are columns; rows follow
  uint samples;      // per pixel and axis
  uint colorSpace;   // as ColorSpace
  float gain;        // of views of the data
  float peak;        // the largest light there is, where there is alpha
  float asinhPeak;   // asinh(SMOE_ASINH * peak) of asinh models, else 0
  uint spare;
#ifdef __cplusplus
};
struct Filter {
#else
};
struct SmoeFilter {
#endif
  ivec2 parents;   // of the grid
  ivec2 children;  // of the grid
  uint parentPixels, childPixels;
  uint firstParent;  // of the band, row by row; parents' tables are of the whole grid
  uint firstChild;   // of the band; children's tables begin with it
  uint parentCount;  // of the band
  uint childBlock;   // children along a parent's side
  uint hasParents;   // 0: the parents' list is all components
  uint needs;        // where the three words lie, after the statistics, that say what is needed:
                     // work groups, entries of the lists, entries of the longest
  uint groups;       // room for so many work groups, of 256 entries of a parent's list each
  uint entries;      // room for so many entries of lists
  float tau;         // bits
  uint spare;
#ifdef __cplusplus
};
struct Tile {
#else
};
struct SmoeTile {
#endif
  float offset;       // bits: subtracted from log weights
  float certificate;  // what was left out, largest of its cells; infinite: nothing is known
  uint twoPasses;     // 1: the offset alone does not keep weights in range
  uint extreme;       // bits of the largest |y - 1/2| that was shaded
  float rounding;     // what arithmetic can add to the certificate; certify
#ifdef __cplusplus
};
struct Stats {
#else
};
struct SmoeStats {
#endif
  uint longest, emptyTiles;     // of the final lists
  uint worst;                   // bits of the largest certificate
  uint upper;                   // bits of the largest part of it that comes from above the tiles
  uint halvesLow, halvesHigh;   // sum over entries of the 8 x 4 halves on which they passed
  uint spare0, spare1;
#ifdef __cplusplus
};
static_assert(sizeof(Params) == 128 && sizeof(Filter) == 64);
static_assert(sizeof(Tile) == 20 && sizeof(Stats) == 32);
}  // namespace fathom::smoe::shared
#else
};
#endif
#endif
