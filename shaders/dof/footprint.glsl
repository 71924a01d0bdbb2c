// SPDX-License-Identifier: BSD-3-Clause
// Which tiles a splat touches: the one test that counting and scattering share, bit for bit. Exact:
// the pixel of a tile that is nearest to the splat is a pixel center itself, so a tile is touched if
// and only if that pixel lies in the disc.
#include "shaders/dof/shared.h"
#include "shaders/common/invocation.glsl"

layout(std140, binding = DOF_BIND_PARAMS) uniform Params { DofParams params; };

struct Place {
  ivec2 pixel;  // of the picture; negative in the margin
  float r2;     // squared reach, px: the disc's radius, or where its light ends; negative: the near
                // side of an aperture that is mirrored there
  bool listed;  // has opacity
};

/// Places are uvec2: pixel x | y << 16 (16 bits each, signed); float bits of r2 with the lowest bit
/// set when the splat has opacity.
Place unpackPlace(uvec2 words) {
  int both = int(words.x);
  return Place(ivec2(bitfieldExtract(both, 0, 16), bitfieldExtract(both, 16, 16)),
               uintBitsToFloat(words.y & ~1u), (words.y & 1u) != 0u);
}
uvec2 packPlace(ivec2 pixel, float r2, bool listed) {
  return uvec2(uint(pixel.x) & 0xFFFFu | uint(pixel.y) << 16,
               floatBitsToUint(r2) & ~1u | uint(listed));
}

/// The first tile of the band, and how many there are.
ivec2 bandFirst() { return ivec2(params.firstTileColumn, params.firstTileRow); }
ivec2 bandSize() { return ivec2(params.tilesX, params.tileRowCount); }

/// Tiles low..high that the disc's bounding box touches, cut to those of the band; none for a splat
/// without opacity, which is in no list.
void candidateTiles(Place p, out ivec2 low, out ivec2 high) {
  int reach = int(floor(sqrt(abs(p.r2)) + 1e-3));
  low = max((p.pixel - reach) >> 4, bandFirst());
  high = min((p.pixel + reach) >> 4, bandFirst() + bandSize() - 1);
  if (!p.listed) high = low - 1;
}

bool touches(Place p, ivec2 tile) {
  ivec2 low = tile * DOF_TILE;
  ivec2 high = min(low + DOF_TILE, ivec2(params.width, params.height)) - 1;
  ivec2 d = clamp(p.pixel, low, high) - p.pixel;
  return float(d.x * d.x + d.y * d.y) <= abs(p.r2);
}

/// Index of a tile of the band.
uint bandTile(ivec2 tile) {
  ivec2 at = tile - bandFirst();
  return uint(at.y) * params.tilesX + uint(at.x);
}
/// The first pixel of a tile of the band.
ivec2 tileOrigin(uint tile) {
  return DOF_TILE * (bandFirst() + ivec2(tile % params.tilesX, tile / params.tilesX));
}
bool inBand(ivec2 tile) {
  ivec2 at = tile - bandFirst();
  return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, bandSize()));
}

uint sourceTileCount() { return params.sourceColumnCount * params.sourceRowCount; }
/// The row of a source's work group, from the first of the source on.
uint sourceRow(uint group) { return group / params.sourceColumnCount; }
/// Its tile, in tiles of the picture: negative in the margin.
ivec2 sourceTile(uint group) {
  return ivec2(params.sourceFirstTileColumn + group % params.sourceColumnCount,
               params.sourceFirstTileRow + sourceRow(group)) -
         int(params.margin) / DOF_TILE;
}
/// Its index among the tiles of all sources.
uint sourceIndex(ivec2 tile) {
  ivec2 at = tile + int(params.margin) / DOF_TILE;
  return uint(at.y) * params.sourceTilesX + uint(at.x);
}
uint pairOf(ivec2 from, ivec2 to) {
  ivec2 d = to - from + DOF_REACH;
  return uint(d.y * (2 * DOF_REACH + 1) + d.x);
}

/// Where a pixel of a tile comes in the order of equal depths: by the bits of an ordered dither, so
/// that the first half, quarter, ... of a surface's splats lies evenly. With row-major ties a plane
/// would move by 0.14 r (the first splat of a surface weighs e times the last).
uint tieRank(ivec2 pixel) {
  uvec2 p = uvec2(pixel) & 15u;
  uint q = p.x ^ p.y, rank = 0u;
  for (uint bit = 0u; bit < 4u; ++bit)
    rank |= (((q >> bit) & 1u) << (7u - 2u * bit)) | (((p.y >> bit) & 1u) << (6u - 2u * bit));
  return rank;
}

/// Sort key of a splat in a list: depth bits (Z > 0, so they ascend), then tie rank and index.
uvec2 keyOf(uint depthBits, ivec2 pixel, uint splat) {
  return uvec2(depthBits, (tieRank(pixel) << DOF_INDEX_BITS) | splat);
}
bool isBehind(uvec2 a, uvec2 b) { return a.x > b.x || (a.x == b.x && a.y > b.y); }
