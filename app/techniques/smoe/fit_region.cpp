// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/fit_region.h"

#include <algorithm>

namespace fathom::smoe {
namespace {

/// Keeps the buffer while the values fit; else makes one with room to grow.
template <class T>
void store(gpu::Context& gpu, gpu::Buffer<T>& buffer, const char* name,
           const std::vector<T>& values) {
  if (buffer.count() < values.size() || buffer.name().empty())
    buffer = gpu::Buffer<T>(gpu, name, values.size() + values.size() / 4);
  buffer.upload(values);
}

}  // namespace

FitRegion::FitRegion(gpu::Context& gpu, const Image& picture, const PixelBox& box,
                     ViewCoordinates view)
    : gpu_(gpu), box_(box), view_(view), tiles_((box.size() + FIT_TILE - 1) / FIT_TILE) {
  std::vector<glm::vec4> target(tileCount() * FIT_PIXELS, glm::vec4(0));
  for (int y = 0; y < box.size().y; ++y)
    for (int x = 0; x < box.size().x; ++x) {
      const auto tile = std::size_t(y / FIT_TILE * tiles_.x + x / FIT_TILE);
      const auto pixel = std::size_t(y % FIT_TILE * FIT_TILE + x % FIT_TILE);
      target[tile * FIT_PIXELS + pixel] =
          glm::vec4(glm::vec3(picture.at(box.low.x + x, box.low.y + y)), 1);
    }
  target_ = gpu::Buffer<glm::vec4>(gpu, "fit target", target);
  targetTexels_ = gpu::TexelView(gpu, target_);
}

void FitRegion::setLists(const FitLists& lists) {
  slotCount_ = lists.slotCount();
  store(gpu_, starts_, "fit tile starts", lists.tileStarts);
  store(gpu_, offsets_, "fit offsets", lists.offsets);
  store(gpu_, components_, "fit lists", lists.components);
  store(gpu_, slotTiles_, "fit slot tiles", lists.slotTiles);
  store(gpu_, ends_, "fit component ends", lists.componentEnds);
  store(gpu_, slots_, "fit component slots", lists.slots);
  store(gpu_, order_, "fit component order", lists.order);
  store(gpu_, bounds_, "fit slot bounds", lists.bounds);
}

std::vector<PixelBox> regionsOf(glm::ivec2 size, std::size_t most) {
  const int across = (size.x + FIT_TILE - 1) / FIT_TILE;
  const int rows = std::max(1, int(most) / across) * FIT_TILE;
  std::vector<PixelBox> boxes;
  for (int y = 0; y < size.y; y += rows)
    boxes.push_back({{0, y}, {size.x, std::min(y + rows, size.y)}});
  return boxes;
}

}  // namespace fathom::smoe
