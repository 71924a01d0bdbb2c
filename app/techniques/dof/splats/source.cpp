// SPDX-License-Identifier: BSD-3-Clause
// Tiles and slots are laid out once for the whole picture; fragments are brought for the rows asked
// for.
#include "app/techniques/dof/splats/source.h"

#include <glm/packing.hpp>

#include <algorithm>
#include <utility>

namespace fathom::dof {
namespace {

/// Pixels of tile (x, y) that lie in the picture.
std::uint32_t pixelsOf(glm::ivec2 size, int x, int y) {
  return std::uint32_t(std::min(DOF_TILE, size.x - x * DOF_TILE) *
                       std::min(DOF_TILE, size.y - y * DOF_TILE));
}

}  // namespace

Source::Source(gpu::Context& gpu, glm::ivec2 size) : gpu_(gpu), size_(size) {
  FATHOM_CHECK(size.x > 0 && size.y > 0);
}

// A flat picture
// -------------------------------------------------------------------------------------------------

PictureSource::PictureSource(gpu::Context& gpu, const gpu::Texture& colorAndDepth)
    : Source(gpu, {colorAndDepth.width(), colorAndDepth.height()}), picture_(colorAndDepth) {
  std::vector<std::uint32_t> starts{0};
  for (int y = 0; y < tilesY(); ++y) {
    rowStarts_.push_back(starts.back());
    for (int x = 0; x < tilesX(); ++x) starts.push_back(starts.back() + pixelsOf(size_, x, y));
  }
  rowStarts_.push_back(starts.back());
  tileSplats_ =
      gpu::Buffer<std::uint32_t>(gpu_, "dof tile splats", std::span<const std::uint32_t>(starts));
}

void PictureSource::bind(gpu::Program& splat, TileRows) {
  splat.texture(DOF_TEXTURE_PICTURE, picture_).storage(DOF_BIND_TILE_SPLATS, tileSplats_);
}

// Lists
// -------------------------------------------------------------------------------------------------

ListSource::ListSource(gpu::Context& gpu, const gpu::Texture& front)
    : Source(gpu, {front.width(), front.height()}), front_(front) {}

void ListSource::bind(gpu::Program& splat, TileRows rows) {
  if (!(filled_ == rows)) {
    const std::size_t words = 4 * std::size_t(rowStart(rows.end()) - rowStart(rows.first));
    if (fragments_.count() < words)
      fragments_ = gpu::Buffer<std::uint32_t>(gpu_, "dof fragments", words);
    fill(rows);
    filled_ = rows;
  }
  splat.texture(DOF_TEXTURE_PICTURE, front_)
      .storage(DOF_BIND_FRAGMENTS, fragments_)
      .storage(DOF_BIND_SLOTS, slots_)
      .storage(DOF_BIND_CURSORS, cursors_);
}

DeepSource::DeepSource(gpu::Context& gpu, std::shared_ptr<const DeepImage> deep,
                       const gpu::Texture& front)
    : ListSource(gpu, front), image_(std::move(deep)) {
  const DeepImage& image = *image_;
  FATHOM_CHECK(size_ == glm::ivec2(image.dataWindow.width, image.dataWindow.height));
  offsets_.reserve(slotCount() + 1);
  std::vector<std::uint32_t> counts, tiles;
  counts.reserve(slotCount());
  std::uint64_t total = 0;
  for (int ty = 0; ty < tilesY(); ++ty) {
    rowStarts_.push_back(std::uint32_t(total));
    for (int tx = 0; tx < tilesX(); ++tx) {
      tiles.push_back(std::uint32_t(total));
      for (int i = 0; i < DOF_TILE_PIXELS; ++i) {
        const int x = tx * DOF_TILE + i % DOF_TILE, y = ty * DOF_TILE + i / DOF_TILE;
        offsets_.push_back(std::uint32_t(total));
        counts.push_back(0);
        if (x >= size_.x || y >= size_.y) continue;
        const std::size_t p = image.pixelIndex(x + image.dataWindow.x, y + image.dataWindow.y);
        counts.back() = std::uint32_t(image.fragmentOffsets[p + 1] - image.fragmentOffsets[p]);
        total += counts.back() + 1;  // and the background
      }
    }
  }
  if (total > UINT32_MAX) fail("depth of field: expected at most 2^32 fragments, found {}", total);
  rowStarts_.push_back(std::uint32_t(total));
  tiles.push_back(std::uint32_t(total));
  offsets_.push_back(std::uint32_t(total));
  const auto upload = [&](const char* name, const std::vector<std::uint32_t>& values) {
    return gpu::Buffer<std::uint32_t>(gpu_, name, std::span<const std::uint32_t>(values));
  };
  tileSplats_ = upload("dof tile splats", tiles);
  slots_ = upload("dof slots", offsets_);
  cursors_ = upload("dof fragment counts", counts);
}

void DeepSource::fill(TileRows rows) {
  const std::uint32_t base = rowStart(rows.first);
  std::vector<std::uint32_t> words(4 * std::size_t(rowStart(rows.end()) - base));
  for (int y = rows.first * DOF_TILE; y < std::min(rows.end() * DOF_TILE, size_.y); ++y)
    for (int x = 0; x < size_.x; ++x) {
      const std::size_t p = image_->pixelIndex(x + image_->dataWindow.x, y + image_->dataWindow.y);
      const std::size_t slot = std::size_t(y / DOF_TILE * tilesX() + x / DOF_TILE) * 256 +
                               std::size_t(y % DOF_TILE * DOF_TILE + x % DOF_TILE);
      std::uint32_t* to = &words[4 * std::size_t(offsets_[slot] - base)];
      for (std::size_t i = image_->fragmentOffsets[p]; i < image_->fragmentOffsets[p + 1]; ++i) {
        const Fragment f = decodeFragment(*image_, i);
        *to++ = glm::packHalf2x16({std::min(f.r, 65504.0f), std::min(f.g, 65504.0f)});
        *to++ = glm::packHalf2x16({std::min(f.b, 65504.0f), f.a});
        *to++ = glm::floatBitsToUint(f.z);
        *to++ = 0;
      }
    }
  fragments_.upload(words);
}

// A scene
// -------------------------------------------------------------------------------------------------

CaptureSource::CaptureSource(gpu::Context& gpu, SceneRenderer& renderer, const Camera& camera,
                             const gpu::Texture& front)
    : ListSource(gpu, front),
      renderer_(renderer),
      camera_(camera),
      target_(gpu, "dof capture", size_.x, size_.y) {
  count();
}

shared::Params CaptureSource::params(TileRows rows) const {
  shared::Params p{};
  p.width = std::uint32_t(size_.x), p.height = std::uint32_t(size_.y);
  p.tilesX = std::uint32_t(tilesX()), p.tilesY = std::uint32_t(tilesY());
  if (!rowStarts_.empty()) p.firstSplat = rowStart(rows.first);
  return p;
}

void CaptureSource::draw(const char* name, const char* shader, TileRows rows) {
  gpu::RasterPass& pass = gpu_.rasterPass({name, "shaders/scene/scene.vert", shader, {}});
  const Rect region{0, rows.first * DOF_TILE, size_.x, rows.count * DOF_TILE};
  for (std::size_t part = 0; part < renderer_.scene().parts.size(); ++part) {
    pass.params(DOF_BIND_PARAMS, params(rows)).storage(DOF_DRAW_SLOTS, slots_);
    if (cursors_) pass.storage(DOF_DRAW_FRAGMENTS, fragments_).storage(DOF_DRAW_CURSORS, cursors_);
    renderer_.drawPart(pass, target_, part, camera_, {0, 0, size_.x, size_.y}, region);
  }
}

void CaptureSource::count() {
  const auto tileCount = std::size_t(tilesX()) * std::size_t(tilesY());
  const TileRows all{0, tilesY()};
  slots_ = gpu::Buffer<std::uint32_t>(gpu_, "dof slots", slotCount() + 1);
  slots_.clear();
  draw("count fragments", "shaders/dof/count_fragments.frag", all);
  gpu::barrier(gpu::Reader::Storage);  // close lists

  gpu::Pass& close = gpu_.pass({"close lists", "shaders/dof/close_lists.comp", {}});
  close.storage(DOF_BIND_SLOTS, slots_).params(DOF_BIND_PARAMS, params(all));
  close.dispatch(slotCount());
  gpu::barrier(gpu::Reader::Storage);  // scan
  gpu::Scanner(gpu_).exclusive(slots_, slots_, slotCount());

  tileSplats_ = gpu::Buffer<std::uint32_t>(gpu_, "dof tile splats", tileCount + 1);
  gpu::Pass& index = gpu_.pass({"index tiles", "shaders/dof/index_tiles.comp", {}});
  index.storage(DOF_BIND_SLOTS, slots_)
      .storage(DOF_BIND_TILE_SPLATS, tileSplats_)
      .params(DOF_BIND_PARAMS, params(all));
  index.dispatch(tileCount + 1);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // count entries; the host
  const std::vector<std::uint32_t> starts = tileSplats_.download();
  for (int row = 0; row <= tilesY(); ++row)
    rowStarts_.push_back(starts[std::size_t(row) * std::size_t(tilesX())]);
  cursors_ = gpu::Buffer<std::uint32_t>(gpu_, "dof fragment counts", slotCount());
}

void CaptureSource::fill(TileRows rows) {
  cursors_.clear();
  draw("capture fragments", "shaders/dof/capture_fragments.frag", rows);
  gpu::barrier(gpu::Reader::Storage);  // splat
}

}  // namespace fathom::dof
