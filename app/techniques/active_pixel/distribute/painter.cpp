// SPDX-License-Identifier: BSD-3-Clause
// Drawing is timed up to the end of the device's work; so is what brings the image to the host.
#include "app/techniques/active_pixel/distribute/painter.h"

#include "app/core/stopwatch.h"

#include <algorithm>
#include <cstring>

namespace fathom::active_pixel {
namespace {

double pixelsIn(const Region& region) {
  return region.empty() ? 0 : double(region.width) * double(region.height);
}

/// Copies one area of a frame into a frame of that area's size.
void cut(const Frame& whole, const Region& area, Frame& part) {
  if (part.width != area.width || part.height != area.height || part.format != whole.format)
    part = Frame(whole.format, area.width, area.height);
  const auto colorBytes = std::size_t(whole.format.colorBytes());
  const auto width = std::size_t(area.width);
  for (int y = 0; y < area.height; ++y) {
    const std::size_t from =
        std::size_t(area.y + y) * std::size_t(whole.width) + std::size_t(area.x);
    const std::size_t to = std::size_t(y) * width;
    if (colorBytes) std::memcpy(part.colorAt(to), whole.colorAt(from), width * colorBytes);
    if (!whole.depth.empty())
      std::copy_n(whole.depth.begin() + std::ptrdiff_t(from), width,
                  part.depth.begin() + std::ptrdiff_t(to));
  }
}

}  // namespace

Region intersection(const Region& a, const Region& b) {
  const int x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  const int width = std::min(a.x + a.width, b.x + b.width) - x;
  const int height = std::min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? Region{x, y, width, height} : Region{};
}

Painter::Painter(PaintBox& box, std::shared_ptr<const Share> share, const PaintSetup& setup)
    : box_(box), renderer_(box.gpu, std::move(share), box.targets), setup_(setup) {}

void Painter::draw(const Camera& camera) {
  figures_ = {};
  read_ = false;
  const Stopwatch watch;
  drawn_ = renderer_.draw(camera, setup_.size, setup_.format, setup_.rankColor, true);
  box_.gpu.finish();
  figures_.render = watch.ms();
  const double payload = setup_.format.payloadBytes();
  figures_.rawBytes = payload * double(setup_.size.x) * double(setup_.size.y);
  figures_.regionBytes = payload * pixelsIn(drawn_.region);
}

TileInput Painter::tile(std::size_t index) {
  const Tile& tile = setup_.tiles[index];
  if (drawn_.region.empty()) return {};
  const Region shown = intersection(drawn_.region, tile.area);
  if (box_.config.mode == Mode::Gpu) return shown.empty() ? TileInput{} : compressed(tile, shown);
  // The paper's plain mode knows of no region: the whole frame goes through.
  if (box_.config.mode == Mode::Generic) return readTile(tile, tile.area);
  return shown.empty() ? TileInput{} : readTile(tile, shown);
}

TileInput Painter::compressed(const Tile& tile, const Region& shown) {
  CompressRequest request{drawn_.color,    drawn_.depth,     setup_.format,
                          tile.area.width, tile.area.height, Placement{shown, shown}};
  request.placement->target.x -= tile.area.x;
  request.placement->target.y -= tile.area.y;
  const Stopwatch compressing;
  const int slot = box_.compressor.compress(request, box_.config.method);
  box_.gpu.finish();
  figures_.compress += compressing.ms();
  const Stopwatch reading;
  const Compressor::Result result = box_.compressor.result(slot);
  figures_.read += reading.ms();
  figures_.sparseBytes += double(result.words.size_bytes());
  return {result.words, result.capacityBytes, nullptr, {}};
}

TileInput Painter::readTile(const Tile& tile, const Region& shown) {
  const Stopwatch watch;
  if (!read_) {
    const Region all{0, 0, setup_.size.x, setup_.size.y};
    readBack(drawn_, setup_.format, setup_.size,
             box_.config.mode == Mode::Generic ? all : drawn_.region, picture_);
    read_ = true;
  }
  const bool whole = tile.area == Region{0, 0, setup_.size.x, setup_.size.y};
  if (!whole) cut(picture_, tile.area, tileFrame_);
  figures_.read += watch.ms();
  const Region valid{shown.x - tile.area.x, shown.y - tile.area.y, shown.width, shown.height};
  return {{}, 0, whole ? &picture_ : &tileFrame_, valid};
}

}  // namespace fathom::active_pixel
