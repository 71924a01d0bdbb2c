// SPDX-License-Identifier: BSD-3-Clause
// From coarse to fine: a lower bound of the strongest weight per cell, scattered from components to
// the cells around them; the components of each block of 64 x 64 pixels; exact bars for the cells
// of a block; the tiles of a block.
#include "app/engine/smoe/model/component_lists.h"

#include "app/engine/core/jobs.h"
#include "app/engine/smoe/model/reference.h"
#include "shaders/smoe/fit/shared.h"

namespace fathom::smoe {
namespace {

constexpr int kCell = 4, kBlock = 64;  // px
constexpr double kNone = -std::numeric_limits<double>::infinity();

using reference::SampleBox;

class Builder {
 public:
  Builder(std::span<const Record> records, const PixelBox& region, double tau)
      : records_(records), region_(region), tau_(tau) {}

  ComponentLists build() {
    scatterBars();
    listBlocks();
    lists_.tiles = counts(FIT_TILE);
    perTile_.resize(std::size_t(lists_.tiles.x) * std::size_t(lists_.tiles.y));
    lists_.offsets.assign(perTile_.size(), 0);
    parallelForEach(perBlock_.size(), 1, [&](std::size_t block) {
      sharpenBars(block);
      listTiles(block);
    });
    joinTiles();
    transpose();
    return std::move(lists_);
  }

  double lowestBar() {
    scatterBars();
    return *std::min_element(bars_.begin(), bars_.end());
  }

 private:
  glm::ivec2 counts(int square) const { return (region_.size() + square - 1) / square; }

  /// Sample positions of the pixels of a square of the region, cut off at its edges.
  SampleBox samples(glm::ivec2 square, int pixels) const {
    const glm::ivec2 low = region_.low + square * pixels;
    const glm::ivec2 high = glm::min(low + pixels, region_.high);
    return {glm::dvec2(low) + 0.5, glm::dvec2(high) - 0.5};
  }

  /// Calls use(square) for the squares of `pixels` within [low, high] that the ellipse of squared
  /// Mahalanobis radius r2 may touch.
  template <class Use>
  void forSquaresNear(const Record& r, double r2, int pixels, glm::ivec2 low, glm::ivec2 high,
                      const Use& use) const {
    if (!(r2 >= 0)) return;
    // R = L L^T with L = W^-1; half extents are the roots of its diagonal.
    const double l11 = 1 / r.w11, l22 = 1 / r.w22, l21 = -r.w21 * l11 * l22;
    const glm::dvec2 half = std::sqrt(r2) * glm::dvec2(l11, std::sqrt(l21 * l21 + l22 * l22));
    const auto square = [&](glm::dvec2 at) {
      const glm::dvec2 bounded = glm::clamp((at - glm::dvec2(region_.low)) / double(pixels),
                                            glm::dvec2(-1), glm::dvec2(1e6));
      return glm::ivec2(glm::floor(bounded));
    };
    // Half a pixel more, because the samples of a square lie inside it.
    const glm::ivec2 first = glm::max(square(r.center - half - 0.5), low);
    const glm::ivec2 last = glm::min(square(r.center + half + 0.5), high);
    for (int y = first.y; y <= last.y; ++y)
      for (int x = first.x; x <= last.x; ++x) use(glm::ivec2(x, y));
  }

  double& bar(glm::ivec2 cell) {
    return bars_[std::size_t(cell.y) * std::size_t(cells_.x) + std::size_t(cell.x)];
  }

  /// Within 3.5 sigma of each center; cells that no component reaches ask all of them.
  void scatterBars() {
    cells_ = counts(kCell);
    bars_.assign(std::size_t(cells_.x) * std::size_t(cells_.y), kNone);
    for (const Record& r : records_)
      forSquaresNear(r, 3.5 * 3.5, kCell, {0, 0}, cells_ - 1,
                     [&](glm::ivec2 cell) { raiseBar(r, cell); });
    parallelForEach(std::size_t(cells_.y), 4, [&](std::size_t row) {
      for (glm::ivec2 cell(0, row); cell.x < cells_.x; ++cell.x)
        if (bar(cell) == kNone)
          for (const Record& r : records_) raiseBar(r, cell);
    });
  }

  void raiseBar(const Record& r, glm::ivec2 cell) {
    double& b = bar(cell);
    if (r.c > b) b = std::max(b, reference::lowerBound(r, samples(cell, kCell)));
  }

  /// The lowest bar of the cells of a square.
  double lowestBar(glm::ivec2 square, int pixels) {
    const glm::ivec2 low = square * pixels / kCell;
    const glm::ivec2 high = glm::min(low + pixels / kCell, cells_);
    double lowest = -kNone;
    for (int y = low.y; y < high.y; ++y)
      for (int x = low.x; x < high.x; ++x) lowest = std::min(lowest, bar({x, y}));
    return lowest;
  }

  void listBlocks() {
    blocks_ = counts(kBlock);
    perBlock_.resize(std::size_t(blocks_.x) * std::size_t(blocks_.y));
    blockBars_.resize(perBlock_.size());
    for (int y = 0; y < blocks_.y; ++y)
      for (int x = 0; x < blocks_.x; ++x)
        blockBars_[blockIndex({x, y})] = lowestBar({x, y}, kBlock);
    const double lowest = *std::min_element(blockBars_.begin(), blockBars_.end());
    for (std::uint32_t j = 0; j < records_.size(); ++j) {
      const Record& r = records_[j];
      const double r2 = 2 * (r.c - lowest + tau_);
      forSquaresNear(r, r2, kBlock, {0, 0}, blocks_ - 1, [&](glm::ivec2 at) {
        const std::size_t block = blockIndex(at);
        if (reference::upperBound(r, samples(at, kBlock)) >= blockBars_[block] - tau_)
          perBlock_[block].push_back(j);
      });
    }
  }
  std::size_t blockIndex(glm::ivec2 block) const {
    return std::size_t(block.y) * std::size_t(blocks_.x) + std::size_t(block.x);
  }
  glm::ivec2 blockAt(std::size_t index) const {
    return {int(index) % blocks_.x, int(index) / blocks_.x};
  }

  /// Exact bars: no component that could raise one of the block's is missing.
  void sharpenBars(std::size_t block) {
    const glm::ivec2 low = blockAt(block) * (kBlock / kCell);
    const glm::ivec2 high = glm::min(low + kBlock / kCell, cells_) - 1;
    for (const std::uint32_t j : perBlock_[block]) {
      const Record& r = records_[j];
      forSquaresNear(r, 2 * (r.c - blockBars_[block]), kCell, low, high,
                     [&](glm::ivec2 cell) { raiseBar(r, cell); });
    }
    blockBars_[block] = lowestBar(blockAt(block), kBlock);
  }

  void listTiles(std::size_t block) {
    const glm::ivec2 low = blockAt(block) * (kBlock / FIT_TILE);
    const glm::ivec2 high = glm::min(low + kBlock / FIT_TILE, lists_.tiles) - 1;
    std::vector<double> tileBars, offsets;
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x) tileBars.push_back(lowestBar({x, y}, FIT_TILE));
    offsets.assign(tileBars.size(), kNone);
    const int width = high.x - low.x + 1;
    for (const std::uint32_t j : perBlock_[block]) {
      const Record& r = records_[j];
      const double r2 = 2 * (r.c - blockBars_[block] + tau_);
      forSquaresNear(r, r2, FIT_TILE, low, high, [&](glm::ivec2 tile) {
        const std::size_t at = std::size_t((tile.y - low.y) * width + tile.x - low.x);
        const double largest = reference::upperBound(r, samples(tile, FIT_TILE));
        if (largest < tileBars[at] - tau_ || !reachesCell(r, tile)) return;
        perTile_[tileIndex(tile)].push_back(j);
        offsets[at] = std::max(offsets[at], largest);
      });
    }
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x)
        lists_.offsets[tileIndex({x, y})] =
            float(offsets[std::size_t((y - low.y) * width + x - low.x)]);
  }
  std::size_t tileIndex(glm::ivec2 tile) const {
    return std::size_t(tile.y) * std::size_t(lists_.tiles.x) + std::size_t(tile.x);
  }

  bool reachesCell(const Record& r, glm::ivec2 tile) {
    const glm::ivec2 low = tile * (FIT_TILE / kCell);
    const glm::ivec2 high = glm::min(low + FIT_TILE / kCell, cells_);
    for (int y = low.y; y < high.y; ++y)
      for (int x = low.x; x < high.x; ++x)
        if (reference::upperBound(r, samples({x, y}, kCell)) >= bar({x, y}) - tau_) return true;
    return false;
  }

  void joinTiles() {
    lists_.tileStarts.push_back(0);
    for (std::uint32_t tile = 0; tile < perTile_.size(); ++tile) {
      lists_.components.insert(lists_.components.end(), perTile_[tile].begin(),
                               perTile_[tile].end());
      lists_.slotTiles.resize(lists_.components.size(), tile);
      lists_.tileStarts.push_back(std::uint32_t(lists_.components.size()));
    }
  }

  /// Component to slots, by counting.
  void transpose() {
    std::vector<std::uint32_t>& ends = lists_.componentEnds;
    ends.assign(records_.size() + 1, 0);
    for (const std::uint32_t component : lists_.components) ++ends[component + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint32_t> next(ends.begin(), ends.end() - 1);
    lists_.slots.resize(lists_.slotCount());
    for (std::uint32_t slot = 0; slot < lists_.slotCount(); ++slot)
      lists_.slots[next[lists_.components[slot]]++] = slot;

    lists_.order.resize(records_.size());
    std::iota(lists_.order.begin(), lists_.order.end(), 0u);
    const auto count = [&](std::uint32_t j) { return ends[j + 1] - ends[j]; };
    std::ranges::stable_sort(lists_.order, std::ranges::greater{}, count);
    for (std::size_t i = 0; i < lists_.order.size(); i += FIT_GROUP)
      lists_.bounds.push_back(count(lists_.order[i]));
  }

  std::span<const Record> records_;
  PixelBox region_;
  double tau_;
  glm::ivec2 cells_{0}, blocks_{0};
  std::vector<double> bars_;       // per cell
  std::vector<double> blockBars_;  // per block: the lowest of its cells'
  std::vector<std::vector<std::uint32_t>> perBlock_, perTile_;
  ComponentLists lists_;
};

}  // namespace

ComponentLists buildComponentLists(std::span<const Record> records, const PixelBox& region,
                                   double tau) {
  return Builder(records, region, tau).build();
}

double lowestBar(std::span<const Record> records, const PixelBox& region) {
  return Builder(records, region, 0).lowestBar();
}

}  // namespace fathom::smoe
