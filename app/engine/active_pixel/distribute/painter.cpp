// SPDX-License-Identifier: BSD-3-Clause
// Begin queues, take waits once: by then the device has gone on with what was queued before.
#include "app/engine/active_pixel/distribute/painter.h"

#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/core/stopwatch.h"

namespace fathom::active_pixel {
namespace {

double pixelsIn(const Region& region) {
  return region.empty() ? 0 : double(region.width) * double(region.height);
}

}  // namespace

Region intersection(const Region& a, const Region& b) {
  const int x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  const int width = std::min(a.x + a.width, b.x + b.width) - x;
  const int height = std::min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? Region{x, y, width, height} : Region{};
}

namespace {

/// Milliseconds of the newest slice that has finished; `before` where there is none.
double newest(gpu::SliceTimer& timer, double before) {
  timer.rate();  // takes in those that have finished
  while (const auto slice = timer.take()) before = slice->ms;
  return before;
}

}  // namespace

Painter::Painter(PaintBox& box, std::shared_ptr<const Share> share, const PaintSetup& setup)
    : box_(box),
      renderer_(box.gpu, std::move(share), box.targets),
      setup_(setup),
      renderTimer_(box.gpu),
      compressTimer_(box.gpu),
      slots_(setup.tiles.size(), -1),
      lastBytes_(setup.tiles.size()),
      taken_(setup.tiles.size()),
      tileFrames_(setup.tiles.size()) {}

void Painter::begin(const Camera& camera) {
  FATHOM_CHECK(!begun_);
  begun_ = true;
  renderTimer_.begin();
  drawn_ = renderer_.draw(camera, setup_.size, setup_.format, setup_.rankColor, true);
  renderTimer_.end(1);
  if (box_.config.mode != Mode::Gpu) return;
  if (box_.compressesLate)
    box_.gpu.pace();  // sent off
  else
    compressTiles();
}

void Painter::compressTiles() {
  compressTimer_.begin();
  for (std::size_t t = 0; t < setup_.tiles.size(); ++t) {
    const Region shown = intersection(drawn_.region, setup_.tiles[t].area);
    slots_[t] = -1;
    if (!shown.empty()) compress(t, shown);
  }
  compressTimer_.end(1);
}

void Painter::compress(std::size_t tile, const Region& shown) {
  const Region& area = setup_.tiles[tile].area;
  CompressRequest request{drawn_.color,     drawn_.depth, setup_.format,
                          area.width,       area.height,  Placement{shown, shown},
                          lastBytes_[tile], &box_.source};
  request.placement->target.x -= area.x;
  request.placement->target.y -= area.y;
  if (box_.sourceOf != drawn_.made) {
    box_.source = TextureSource(box_.gpu, request);
    box_.sourceOf = drawn_.made;
  }
  slots_[tile] = box_.compressor.compress(request, box_.config.method);
}

const std::vector<TileInput>& Painter::take() {
  FATHOM_CHECK(begun_);
  begun_ = false;
  const double payload = setup_.format.payloadBytes();
  if (box_.config.mode == Mode::Gpu && box_.compressesLate) compressTiles();
  figures_ = {newest(renderTimer_, figures_.render), 0, newest(compressTimer_, figures_.compress)};
  figures_.rawBytes = payload * double(setup_.size.x) * double(setup_.size.y);
  figures_.regionBytes = payload * pixelsIn(drawn_.region);
  const Stopwatch watch;
  if (box_.config.mode != Mode::Gpu && !drawn_.region.empty()) {
    const Region all{0, 0, setup_.size.x, setup_.size.y};
    readBack(drawn_, setup_.format, setup_.size,
             box_.config.mode == Mode::Generic ? all : drawn_.region, picture_);
  }
  for (std::size_t t = 0; t < taken_.size(); ++t) {
    taken_[t] = {};
    if (box_.config.mode != Mode::Gpu) {
      taken_[t] = readTile(t);
    } else if (slots_[t] >= 0) {
      const Compressor::Result result = box_.compressor.result(slots_[t]);
      lastBytes_[t] = result.words.size_bytes();
      figures_.sparseBytes += double(lastBytes_[t]);
      taken_[t] = {result.words, result.capacityBytes, nullptr, {}};
    }
  }
  figures_.read = watch.ms();
  return taken_;
}

TileInput Painter::readTile(std::size_t index) {
  const Region& area = setup_.tiles[index].area;
  // The paper's plain mode knows of no region: the whole frame goes through.
  const Region shown = box_.config.mode == Mode::Generic ? area : intersection(drawn_.region, area);
  if (drawn_.region.empty() || shown.empty()) return {};
  const bool whole = area == Region{0, 0, setup_.size.x, setup_.size.y};
  if (Frame& tile = tileFrames_[index]; !whole) {
    if (tile.width != area.width || tile.height != area.height || tile.format != picture_.format)
      tile = Frame(picture_.format, area.width, area.height);
    copyRegion(picture_, area, tile, 0, 0);
  }
  const Region valid{shown.x - area.x, shown.y - area.y, shown.width, shown.height};
  return {{}, 0, whole ? &picture_ : &tileFrames_[index], valid};
}

}  // namespace fathom::active_pixel
