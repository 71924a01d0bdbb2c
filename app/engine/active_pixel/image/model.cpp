// SPDX-License-Identifier: BSD-3-Clause
// Colors in a table with IceT's numbers, how large a compressed image can get, and clipping.
#include "app/engine/active_pixel/image/model.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"

namespace fathom::active_pixel {
namespace {

struct ColorRow {
  const char* name;
  int bytes;
  std::uint32_t icet;
};

// In the order of Color.
constexpr ColorRow kColors[] = {{"no color", 0, 0xC000},
                                {"RGBA bytes", 4, 0xC001},
                                {"RGB floats", 12, 0xC003},
                                {"RGBA floats", 16, 0xC002}};
constexpr std::uint32_t kDepthNone = 0xD000, kDepthFloat = 0xD001;

const ColorRow& row(Color color) { return kColors[std::size_t(color)]; }

/// Cuts from both what lies outside of `size` along one axis of `region`, which `other` follows.
void clipAxis(int& from, int& extent, int& otherFrom, int size) {
  const std::int64_t first = std::max(from, 0);
  const std::int64_t last = std::min<std::int64_t>(std::int64_t(from) + extent, size);
  otherFrom += int(first - from);
  from = int(first);
  extent = int(std::max<std::int64_t>(0, last - first));
}

void clip(Region& region, Region& other, int width, int height) {
  clipAxis(region.x, region.width, other.x, width);
  clipAxis(region.y, region.height, other.y, height);
  other.width = region.width;
  other.height = region.height;
}

}  // namespace

int Format::colorBytes() const { return row(color).bytes; }
int Format::payloadBytes() const { return colorBytes() + (depth == Depth::Float32 ? 4 : 0); }

bool Format::valid() const {
  if (compositing == Compositing::ZBuffer) return depth == Depth::Float32;
  return depth == Depth::None && (color == Color::Rgba8 || color == Color::Rgba32f);
}

std::uint32_t icetColorFormat(Color color) { return row(color).icet; }
std::uint32_t icetDepthFormat(Depth depth) {
  return depth == Depth::None ? kDepthNone : kDepthFloat;
}
const char* name(Color color) { return row(color).name; }

Frame::Frame(const Format& f, int w, int h, glm::vec4 fill) : format(f), width(w), height(h) {
  color.resize(pixelCount() * bytesPerColor());
  for (std::size_t i = 0; format.color != Color::None && i < pixelCount(); ++i) setColor(i, fill);
  if (format.depth == Depth::Float32) depth.assign(pixelCount(), 1.0f);
}

glm::vec4 Frame::colorOf(std::size_t pixel) const {
  glm::vec4 value(0);
  if (format.color == Color::Rgba8) {
    for (int c = 0; c < 4; ++c) value[c] = float(std::to_integer<int>(colorAt(pixel)[c])) / 255.0f;
  } else if (format.color != Color::None) {
    if (format.color == Color::Rgb32f) value.a = 1;
    std::memcpy(&value.x, colorAt(pixel), bytesPerColor());
  }
  return value;
}

void Frame::setColor(std::size_t pixel, glm::vec4 value) {
  std::byte* const at = colorAt(pixel);
  if (format.color == Color::Rgba8)
    for (int c = 0; c < 4; ++c) at[c] = std::byte(byteOf(value[c]));
  else
    std::memcpy(at, &value.x, bytesPerColor());
}

std::uint64_t bufferBytes(const Format& format, int width, int height) {
  FATHOM_CHECK(width >= 0 && height >= 0);
  constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::int32_t>::max();
  const auto pixels = std::uint64_t(width) * std::uint64_t(height);  // below 2^62
  const auto payload = std::uint64_t(format.payloadBytes());
  const std::uint64_t pairs = payload < 8 ? (8 - payload) * ((pixels + 1) / 2) : 0;
  const std::uint64_t bytes = kHeaderBytes + 8 + pixels * payload + pairs;
  if (pixels > kMaxBytes || bytes > kMaxBytes)
    fail(
        "expected at most {} bytes of sparse image, which is as far as IceT counts, found {} x {} "
        "pixels of {} bytes",
        kMaxBytes, width, height, payload);
  return bytes;
}

std::array<std::uint32_t, kHeaderWords> header(const Format& format, int width, int height,
                                               std::uint64_t bytes) {
  return {kSparseMagic,
          icetColorFormat(format.color),
          icetDepthFormat(format.depth),
          std::uint32_t(width),
          std::uint32_t(height),
          std::uint32_t(width) * std::uint32_t(height),
          std::uint32_t(bytes)};
}

Placement clipped(const Placement& placement, int tileWidth, int tileHeight, int frameWidth,
                  int frameHeight) {
  FATHOM_CHECK_OP(placement.source.width, ==, placement.target.width);
  FATHOM_CHECK_OP(placement.source.height, ==, placement.target.height);
  Placement result = placement;
  clip(result.target, result.source, tileWidth, tileHeight);
  clip(result.source, result.target, frameWidth, frameHeight);
  return result;
}

}  // namespace fathom::active_pixel
