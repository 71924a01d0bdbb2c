// SPDX-License-Identifier: BSD-3-Clause
// Which components matter to which tile of a region: bounded lists on small tiles, and the way back
// from each component to its slots. Built on the CPU, for fits every few steps.
#pragma once

#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

/// A box of pixels, [low, high).
struct PixelBox {
  glm::ivec2 low{0}, high{0};
  glm::ivec2 size() const { return high - low; }
  double count() const { return double(size().x) * size().y; }
};

/// A slot is one component in the list of one tile; slots are numbered tile by tile.
struct ComponentLists {
  glm::ivec2 tiles{0};                       // along x and y, tiles of FIT_TILE px
  std::vector<std::uint32_t> tileStarts;     // [tileCount + 1]: first slots
  std::vector<float> offsets;                // [tileCount]: largest log weight on the tile
  std::vector<std::uint32_t> components;     // [slotCount], ascending in a tile
  std::vector<std::uint32_t> slotTiles;      // [slotCount]
  std::vector<std::uint32_t> componentEnds;  // [componentCount + 1], into slots
  std::vector<std::uint32_t> slots;          // [slotCount]: of each component, ascending
  std::vector<std::uint32_t> order;          // [componentCount]: by falling number of slots
  std::vector<std::uint32_t> bounds;  // [groups of FIT_GROUP in order]: largest number of slots

  std::size_t slotCount() const { return components.size(); }
};

/// A component is listed where its weight can reach exp(-tau) of the strongest one's somewhere in a
/// cell of 4 x 4 pixels. Uses all cores; the result does not depend on how many.
ComponentLists buildComponentLists(std::span<const Record> records, const PixelBox& region,
                                   double tau);

/// What the strongest log weight at any pixel of the region is not below.
double lowestBar(std::span<const Record> records, const PixelBox& region);

}  // namespace fathom::smoe
