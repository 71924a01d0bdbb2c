// SPDX-License-Identifier: BSD-3-Clause
// The claimed size is checked before libwebp allocates; it is at most 16383 on a side.
#include "app/engine/io/pictures/webp.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/pictures/stored.h"

#include <webp/decode.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

namespace fathom {
namespace {

struct FreeWebp {
  void operator()(std::uint8_t* pixels) const { WebPFree(pixels); }
};

bool isWebp(const std::filesystem::path& file) {
  std::array<char, 12> start{};
  std::ifstream in(file, std::ios::binary);
  return in.read(start.data(), start.size()) && looksLikeWebp(start.data());
}

}  // namespace

bool looksLikeWebp(const char* start) {
  return std::memcmp(start, "RIFF", 4) == 0 && std::memcmp(start + 8, "WEBP", 4) == 0;
}

std::optional<Picture> loadWebpAsStored(const std::filesystem::path& file) {
  if (!isWebp(file)) return std::nullopt;
  const std::string bytes = readFile(file);
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK)
    fail("{}: expected an intact WebP, found a damaged header", file.string());
  if (features.has_animation)
    fail("{}: expected a WebP of one picture, found an animation", file.string());
  int width = 0, height = 0;
  const std::unique_ptr<std::uint8_t, FreeWebp> pixels(
      WebPDecodeRGBA(data, bytes.size(), &width, &height));
  if (!pixels) fail("{}: expected an intact WebP, found a damaged one", file.string());
  Picture picture = storedPicture(width, height, features.has_alpha != 0);
  for (std::size_t i = 0; i < picture.image.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c)
      picture.image.pixels[i][c] = float(pixels.get()[4 * i + std::size_t(c)]) / 255.0f;
  return picture;
}

std::optional<Picture> loadWebp(const std::filesystem::path& file) {
  return linearized(loadWebpAsStored(file));
}

}  // namespace fathom
