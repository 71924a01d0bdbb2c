// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and GLSL share for depth of field (Lier, Franke, Stamminger,
// Selgrad 2016; Selgrad et al. 2016, "Tiled Depth of Field Splatting").
//
// A picture is cut into tiles of 16 x 16 pixels, row by row. Every fragment of every pixel is a
// splat; a tile's list holds the splats whose disc touches one of its pixels. Work goes by bands:
// rows of tiles, or parts of rows. A band's lists are fed by its source, the tiles that can reach
// into it.
//
// A band's splats lie by tile, then by pixel (row by row), then by depth; a list's entries by tile of the
// band, then by depth. A slot is a pixel's place in tile order, 256 per tile; those beyond the
// source's border stay empty. The source may be larger than the picture, by a margin of whole tiles
// on each side: what lies there is blurred into the picture.
#ifndef SHADERS_DOF_SHARED_H
#define SHADERS_DOF_SHARED_H

#define DOF_TILE 16          // pixels along a tile's side
#define DOF_TILE_PIXELS 256  // invocations per work group of the passes over tiles
#define DOF_LIST_SIZE 64     // invocations per work group of the passes over slots or splats
#define DOF_SORT_SIZE 128    // invocations per work group of sort_lists.comp
#define DOF_SORT_LONGEST 65536  // keys that one of them sorts; bands with longer lists are sorted at once
// Entries of a list that software renderers take at once. llvmpipe ends the loops of an invocation after 65,535
// rounds in all; where others wait for it at a barrier, nobody goes on.
#define DOF_LIST_PART 49152
#define DOF_CARRIED_WORDS 76  // of a pixel between two parts of its list: see accumulate_area.comp
#define DOF_IDS 16  // of which mattes are made at a time: see accumulate_area.comp
#define DOF_OPAQUE 0.998     // alpha from which on nothing shows through a fragment
#define DOF_SAME_DEPTH 1e-4  // of 1/z: between passes that work out the same depth
#define DOF_HIDES 0.9999  // alpha from which on what no lens sees behind a fragment is not captured
#define DOF_MARK 0x80000000u  // of count_fragments.frag
#define DOF_APART 1.5         // px; what lies behind by less than this much blur stays hidden
#define DOF_CLOSED 0.02  // light left in the end: up to here a front has errors of its sum, not a gap,
#define DOF_OPEN 0.08    // and from here on a gap, through which shows what is hidden
#define DOF_BLOCK 4           // pixels along the side of a texel of DOF_TEXTURE_FARTHEST
#define DOF_SEEN_REACH 0.8  // how far out on the lens it is asked what can be seen behind a surface
#define DOF_REACH 5         // tiles that a splat may reach beyond its own where pairs are counted
#define DOF_PAIRS 121       // (2 DOF_REACH + 1)^2: tiles that the splats of one tile may touch
#define DOF_CELLS 4           // along the side of the aperture (cells.glsl)
#define DOF_CELL_STEPS 64     // radii per pixel in the table of what is asked of cells,
#define DOF_CELL_RADII 769    // and in all: up to 12 px
#define DOF_CELL_HIDDEN 0.5   // of its share as an independent surface, what is hidden takes; by trial
#define DOF_SUBTILES 8      // parts of 8 x 4 pixels of a tile, for which lists are culled
#define DOF_DISC_STEPS 128  // radii per pixel in the table of disc sums
#define DOF_DISC_ROOM 8193  // radii in it: up to 64 px
#define DOF_MAP_SIZE 256    // texels along the side of an aperture's map
#define DOF_TWO_BOXES 6     // px; from here on swirl takes two boxes for a pixel (aperture.glsl)
#define DOF_EXACT_RADIUS 10      // px; up to here shares with swirl are summed pixel by pixel,
#define DOF_EXACT_CUT_RADIUS 40  // and up to here with a cat's eye
#define DOF_VIEWS 4        // from lens points that are added at once
#define DOF_CLASSES 5      // length classes of sort_lists.comp: ..512, ..1024, ..2048, ..4096, more
#define DOF_INDEX_BITS 24  // of a sort key's second word: the splat; above it, the order of ties

// Storage                      contents                              who writes it
#define DOF_BIND_PLACES 0       // uvec2[splatCount]  see splat.comp  splat
#define DOF_BIND_DEPTHS 1       // uint[splatCount]   bits of Z       splat
#define DOF_BIND_COLORS 2       // uvec4[splatCount], or [2 splatCount]: see splat.comp  splat
#define DOF_BIND_TILE_SPLATS 3  // uint[tileCount+1]  first splat     host, or index_tiles
#define DOF_BIND_PAIRS 4        // uint[sourceTiles][DOF_PAIRS]       count_entries
#define DOF_BIND_LONG 3         // uint[count]        tiles of long lists, or groups of DOF_BIND_WANTED  host
#define DOF_BIND_CARRIED 4      // uint[count][DOF_CARRIED_WORDS][256]  accumulate_area
#define DOF_BIND_COUNTS 5  // uint[bandTiles]    list lengths    count_entries; cursors of scatter
#define DOF_BIND_TILE_BEGIN 6  // uint[bandTiles+1]  first entry     scan
#define DOF_BIND_DISCS 7       // float[]            see aperture.glsl  host
#define DOF_BIND_KEYS 7        // uvec2[capacity]    see footprint.glsl  scatter_entries, sort_lists
#define DOF_BIND_NODES 8       // uvec4[capacity]    see node.glsl   emit_nodes
#define DOF_BIND_STATS 9       // DofStats                           several
#define DOF_BIND_CLASSES 10    // uint[DOF_CLASSES][bandTiles]       sort_by_length
#define DOF_BIND_COMMANDS 11   // uvec4[DOF_CLASSES] group counts    sort_by_length
#define DOF_BIND_FRAGMENTS 12  // uvec4[fragmentCount]               capture_fragments, or host
#define DOF_BIND_SLOTS 13      // uint[slotCount+1]  first fragment  scan, or host
#define DOF_BIND_CURSORS 14    // uint[slotCount]    fragments       capture_fragments, or host
#define DOF_BIND_SEEN 15       // float[slotCount][3]  see find_seen.comp  find_seen, close_lists
#define DOF_BIND_ORDER 12      // uint[splatCount]   splats by depth     order_splats, sorted
#define DOF_BIND_HELD_BEGIN 12 // uint[pixelCount]   first knot          host, see accumulate_area.comp
#define DOF_BIND_HELD 13       // vec4[knotCount]    knots of hold-outs  host
#define DOF_BIND_SLICE_ENDS 14 // uint[bandTiles][SLICES]              host, see accumulate_area.comp
#define DOF_BIND_WANTED 14     // uint[count][DOF_IDS+1]  a tile and IDs  host, see accumulate_area.comp
#define DOF_BIND_SLICES 15     // vec4[bandTiles][SLICES+1][256][2]    accumulate_area
#define DOF_BIND_ENTRIES 13    // uint[entryCount]   splats by list      expand_splats, sorted
// Fragment shaders draw with the bindings of shaders/scene from 10 on, so theirs lie below.
#define DOF_DRAW_FRAGMENTS 0  // as DOF_BIND_FRAGMENTS
#define DOF_DRAW_SLOTS 1      // as DOF_BIND_SLOTS
#define DOF_DRAW_CURSORS 2    // as DOF_BIND_CURSORS
#define DOF_DRAW_SEEN 3       // as DOF_BIND_SEEN

#define DOF_BIND_PARAMS 0       // uniform  DofParams
#define DOF_BIND_OPTICS 1       // uniform  DofOptics
#define DOF_BIND_POINTS 2       // uniform  DofLensPoints
#define DOF_BIND_CULL 3         // uniform  DofCull
#define DOF_BIND_CELLS 4        // uniform  DofCells
#define DOF_TEXELS_NODES 1      // uvec4[]  nodes, as texels of the same buffer (accumulate)
#define DOF_TEXELS_RECORDS 1    // uvec4[]  splats of accumulate_area, as texels of the same buffer
#define DOF_TEXELS_VALUES 2     // uvec4[splatCount]  in place of color: four floats, or twice an ID and its share
#define DOF_TEXTURE_PICTURE 0   // rgba32f  linear color, Z; with the margin
#define DOF_TEXTURE_ALPHA 1     // r32f     alpha of the picture, where its file has one
#define DOF_TEXTURE_TRUTH 2     // rgba32f  what many lens points give (show)
#define DOF_TEXTURE_BLURRED 3   // rgba32f  the picture that an operator made (show)
#define DOF_TEXTURE_APERTURE 4  // rgba32f  the aperture's map, see aperture.glsl
#define DOF_TEXTURE_FARTHEST 5  // r32f  see farthest.comp
#define DOF_TEXTURE_MASK 6      // r32f  factor of radii, with the margin: see focus_mask.glsl
#define DOF_TEXTURE_CELLS 3     // rgba32f  what a splat asks of cells by its radius, see cells.glsl
#define DOF_TEXTURE_VIEWS 8     // rgba32f[DOF_VIEWS]  color and Z from lens points
#define DOF_TEXELS_SHIFTS 7     // uvec4[sourceRowCount]  see shifts.glsl
#define DOF_IMAGE_RESULT 0      // rgba32f  the whole picture
#define DOF_IMAGE_SUM 1         // rgba32f  sum over lens points
#define DOF_IMAGE_COUNT 2       // r32f, rgba32f  how many let light through, see add_lens_point.comp
#define DOF_IMAGE_SUM_NEAR 3    // rgba32f  sum over lens points of what is near

// How a node holds what it knows (node.glsl); a variant asks for one of them.
#define DOF_NODE_A_FLOAT 0  // rgb16 a16 c32 xy16, positions as halves
#define DOF_NODE_A_INT 1    // rgb16 a16 c32 xy16, positions as 16-bit integers
#define DOF_NODE_B 2        // rgb16 c16 z32 xy16, positions as halves

#ifdef __cplusplus
#include <cstdint>
namespace fathom::dof::shared {
using uint = std::uint32_t;
struct Params {
#else
struct DofParams {
#endif
  uint width, height;                       // pixels of the picture
  uint tilesX, tilesY;                      // tiles in a row and a column: of the band; of all slots
  uint firstTileRow, tileRowCount;          // of the band
  uint sourceFirstTileRow, sourceRowCount;  // of its source, whose first row lies in the margin
  uint sourceColumnCount, splatCount;       // of its source
  uint capacity;                            // entries that keys and nodes have room for
  uint choice;                              // sort_lists: length class; accumulate_area: groups
  uint margin;                              // px of the source beyond the picture, on each side
  uint sourceTilesX;                        // tiles in a row of all sources, which slots go by
  uint firstTileColumn;                     // of the band
  uint sourceFirstTileColumn;               // of its source
  uint part, partEntries;                   // of lists that are gone through in parts: see DOF_LIST_PART
  uint spare0, spare1;
#ifdef __cplusplus
};
struct Optics {
#else
};
struct DofOptics {
#endif
  float farRadius;       // K: radius at infinity, px (spec: r = K (1 - S/z))
  float farRadiusFocus;  // K S, px times scene units
  float maxRadius;       // R, px, of the disc of equal area
  float epsilon;         // transmittance at which early out stops
  float extent;        // how far the aperture reaches, in radii of the disc of equal area; round: 1
  float mapExtent;     // half the side of its map, likewise
  uint lensPoints;     // taps of gather
  uint coverageAlpha;  // accumulate: 1: alpha is the sum of weights; 0: it is 1 where a splat lies
  float differenceGain;           // show: amplification of the difference
  float squeeze;                  // anamorphic: height over width of a round aperture's image
  float catsEye, swirl;           // per field: see aperture.glsl
  float fieldX, fieldY;           // px; the middle of the frame
  float fieldScale;               // 1 / px; field 1 is its corner
  float cutRadius;                // of the second disc of cat's eyes
  float axialRed, axialBlue;      // px added to the radius of a channel
  float lateralRed, lateralBlue;  // magnification of a channel, minus 1
#ifdef __cplusplus
};
struct LensPoint {
#else
};
struct DofLensPoint {
#endif
#ifdef __cplusplus
  float channels[4];
  float place[2];
#else
  vec4 channels;  // 1 for those that the view is of
  vec2 place;     // on the lens, seen in the image: in radii of the disc of equal area
#endif
  float axial;  // px added to the radius of the channel
  float spare;
#ifdef __cplusplus
};
struct LensPoints {
  LensPoint point[DOF_VIEWS];
};
struct Cull {
#else
};
struct DofLensPoints {
  DofLensPoint point[DOF_VIEWS];
};
struct DofCull {
#endif
  float offset, scale;  // depth in the target: offset - scale / z
  float rounding;       // of what the rasterizer works out
  float spare;
#ifdef __cplusplus
};
struct Cells {
  float farLight[16], nearLight[16];
};
struct Stats {
#else
};
struct DofCells {
  vec4 farLight[4], nearLight[4];  // of each cell, row by row; the sum is 1
};
struct DofStats {
#endif
  uint entryCount;    // entries that the band's lists need
  uint longest;       // list
  uint clampedCount;  // splats whose radius was cut to R
  uint brightest;     // color value of all splats, float bits
  uint widest;        // radius that was cut, likewise
  uint spare0, spare1, spare2;
#ifdef __cplusplus
};
static_assert(sizeof(Params) == 80 && sizeof(Optics) == 80 && sizeof(LensPoint) == 32 &&
              sizeof(Cull) == 16 && sizeof(Stats) == 32);
}  // namespace fathom::dof::shared
#else
};
#endif
#endif
