// SPDX-License-Identifier: BSD-3-Clause
// A picture cut into the displays of a wall.
#include "app/engine/active_pixel/distribute/compositor.h"

#include "app/engine/core/error.h"

namespace fathom::active_pixel {

std::vector<Tile> tilesOf(glm::ivec2 picture, glm::ivec2 columnsRows, int ranks) {
  if (columnsRows.x < 1 || columnsRows.y < 1 || columnsRows.x > picture.x ||
      columnsRows.y > picture.y)
    throw UsageError(fmt::format("tiles: expected 1x1 to {}x{} for this picture, found {}x{}",
                                 picture.x, picture.y, columnsRows.x, columnsRows.y));
  // Cuts are spread evenly: a tile is at most a pixel wider than another.
  const auto cut = [](int extent, int parts, int i) {
    return int(std::int64_t(extent) * i / parts);
  };
  std::vector<Tile> tiles;
  for (int row = 0; row < columnsRows.y; ++row)
    for (int column = 0; column < columnsRows.x; ++column) {
      const int x = cut(picture.x, columnsRows.x, column);
      const int y = cut(picture.y, columnsRows.y, row);
      tiles.push_back({{x, y, cut(picture.x, columnsRows.x, column + 1) - x,
                        cut(picture.y, columnsRows.y, row + 1) - y},
                       int(tiles.size()) % ranks});
    }
  return tiles;
}

}  // namespace fathom::active_pixel
