// SPDX-License-Identifier: BSD-3-Clause
// A picture cut into the displays of a wall; and depth test and "over" pixel by pixel, with IceT's
// own rounding of bytes.
#include "app/engine/active_pixel/distribute/compositor.h"

#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"

namespace fathom::active_pixel {

std::vector<Tile> tilesOf(glm::ivec2 picture, glm::ivec2 columnsRows, int ranks) {
  if (columnsRows.x < 1 || columnsRows.y < 1 || columnsRows.x > picture.x ||
      columnsRows.y > picture.y)
    failUsage("tiles: expected 1x1 to {}x{} for this image, found {}x{}", picture.x, picture.y,
              columnsRows.x, columnsRows.y);
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

// ---- Folding images inside this process

namespace {

/// Takes in active pixels, front images first when blending.
class Fold {
 public:
  explicit Fold(Frame& frame) : frame_(frame) {}

  /// `color` may be anywhere; an active pixel behind those before it, or of a depth.
  void add(std::size_t pixel, const std::byte* color, float depth) {
    if (blends_) {
      if (frame_.format.color == Color::Rgba8)
        putBytesBehind(frame_.colorAt(pixel), color);
      else
        putFloatsBehind(frame_.colorAt(pixel), color);
    } else if (depth <= frame_.depth[pixel]) {
      if (colorBytes_) std::memcpy(frame_.colorAt(pixel), color, colorBytes_);
      frame_.depth[pixel] = depth;
    }
  }
  void addSparse(std::span<const std::uint32_t> words);
  void addFrame(const Frame& part, const Region& valid);

 private:
  /// Divides by 255 rounding down, as IceT does.
  static void putBytesBehind(std::byte* front, const std::byte* back) {
    const unsigned through = 255 - std::to_integer<unsigned>(front[3]);
    for (int c = 0; c < 4; ++c) {
      const unsigned sum =
          std::to_integer<unsigned>(front[c]) + std::to_integer<unsigned>(back[c]) * through / 255;
      front[c] = std::byte(std::min(255u, sum));
    }
  }
  static void putFloatsBehind(std::byte* front, const std::byte* back) {
    float over[4], under[4];
    std::memcpy(over, front, sizeof over);
    std::memcpy(under, back, sizeof under);
    const float through = 1.0f - over[3];
    for (int c = 0; c < 4; ++c) over[c] += under[c] * through;
    std::memcpy(front, over, sizeof over);
  }

  Frame& frame_;
  std::size_t colorBytes_ = std::size_t(frame_.format.colorBytes());
  bool blends_ = frame_.format.compositing == Compositing::Blend;
};

void Fold::addSparse(std::span<const std::uint32_t> words) {
  const auto expected = header(frame_.format, frame_.width, frame_.height, words.size() * 4);
  if (words.size() < kHeaderWords || !std::equal(expected.begin(), expected.end(), words.begin()))
    fail("sparse image: expected a header for {} x {} pixels and {} bytes, found another",
         frame_.width, frame_.height, words.size() * 4);
  const std::size_t payloadWords = std::size_t(frame_.format.payloadBytes()) / 4;
  std::size_t pixel = 0;
  for (std::size_t at = kHeaderWords; at + 2 <= words.size();) {
    pixel += words[at];
    const std::size_t end = pixel + words[at + 1];
    at += 2;
    for (; pixel < end; ++pixel, at += payloadWords) {
      const auto* color = reinterpret_cast<const std::byte*>(words.data() + at);
      add(pixel, color, blends_ ? 0.0f : load<float>(color + colorBytes_));
    }
  }
}

void Fold::addFrame(const Frame& part, const Region& valid) {
  if (part.format != frame_.format || part.width != frame_.width || part.height != frame_.height)
    fail("part: expected a frame of {} x {} pixels in the common format, found {} x {}",
         frame_.width, frame_.height, part.width, part.height);
  for (int y = valid.y; y < valid.y + valid.height; ++y)
    for (int x = valid.x; x < valid.x + valid.width; ++x) {
      const std::size_t pixel = std::size_t(y) * std::size_t(part.width) + std::size_t(x);
      if (reference::isActive(part, pixel))
        add(pixel, part.colorAt(pixel), blends_ ? 0.0f : part.depth[pixel]);
    }
}

}  // namespace

InProcess::InProcess(const CompositorSetup& setup) : setup_(setup) {
  const bool blends = setup.format.compositing == Compositing::Blend;
  for (const Tile& tile : setup.tiles)
    frames_.emplace_back(setup.format, tile.area.width, tile.area.height,
                         blends ? glm::vec4(0) : setup.background);
}

void InProcess::add(std::size_t tile, const TileImage& image) {
  Fold fold(frames_.at(tile));
  if (!image.sparse.empty())
    fold.addSparse(image.sparse);
  else if (image.frame)
    fold.addFrame(*image.frame, image.valid);
}

Frame InProcess::take(std::size_t tile) {
  Frame frame = std::move(frames_.at(tile));
  if (setup_.format.compositing == Compositing::Blend) putBehind(frame, setup_.background);
  return frame;
}

Frame compositeInProcess(const CompositorSetup& setup, const Tile& tile,
                         std::span<const TileImage> images, std::span<const int> order) {
  CompositorSetup one = setup;
  one.tiles = {tile};
  InProcess fold(one);
  for (std::size_t i = 0; i < images.size(); ++i)
    fold.add(0, images[order.empty() ? i : std::size_t(order[i])]);
  return fold.take(0);
}

void putBehind(Frame& frame, glm::vec4 background) {
  if (background == glm::vec4(0)) return;
  const Frame behind(frame.format, 1, 1, background);
  Fold fold(frame);
  for (std::size_t pixel = 0; pixel < frame.pixelCount(); ++pixel)
    fold.add(pixel, behind.color.data(), 0);
}

}  // namespace fathom::active_pixel
