// SPDX-License-Identifier: BSD-3-Clause
#include "app/io/png.h"

#include "app/core/color.h"
#include "app/core/error.h"
#include "app/io/atomic_file.h"

#include <stb_image.h>

#include <array>
#include <fstream>
#include <memory>

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::array<unsigned char, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::uint64_t kMaxDeflateRatio = 1032;  // of deflate
constexpr std::uint64_t kMaxPngBytes = 1u << 30;

struct FreePixels {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

bool isPng(const fs::path& file) {
  std::array<char, 8> start{};
  std::ifstream in(file, std::ios::binary);
  return in.read(start.data(), start.size()) &&
         std::equal(kSignature.begin(), kSignature.end(), start.begin(),
                    [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); });
}

/// Decodes to RGBA bytes; the size is checked before anything is unpacked.
Picture decode(const fs::path& file) {
  const std::string bytes = readFile(file, kMaxPngBytes);
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data, int(bytes.size()), &width, &height, &channels))
    fail("{}: expected an intact PNG, found a damaged header ({})", file.string(),
         stbi_failure_reason());
  const std::int64_t area = std::int64_t(width) * height;
  if (area > kMaxPictureArea)
    fail("{}: expected at most {} pixels, found {}x{}", file.string(), kMaxPictureArea, width,
         height);
  if (std::uint64_t(area) / 8 > bytes.size() * kMaxDeflateRatio)  // at least one bit per pixel
    fail("{}: expected a size that fits {} bytes, found {}x{}", file.string(), bytes.size(), width,
         height);
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_memory(data, int(bytes.size()), &width, &height, &channels, 4));
  if (!pixels)
    fail("{}: expected an intact PNG, found a damaged one ({})", file.string(),
         stbi_failure_reason());
  Picture picture;
  picture.image = Image(width, height);
  picture.dataWindow = picture.displayWindow = {0, 0, width, height};
  picture.hasAlpha = channels == 2 || channels == 4;
  picture.encoding = Encoding::Srgb;
  for (std::size_t i = 0; i < picture.image.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c)
      picture.image.pixels[i][c] = float(pixels.get()[4 * i + std::size_t(c)]) / 255.0f;
  return picture;
}

}  // namespace

std::optional<Picture> loadPngAsStored(const fs::path& file) {
  if (!isPng(file)) return std::nullopt;
  return decode(file);
}

std::optional<Picture> loadPng(const fs::path& file) {
  std::optional<Picture> picture = loadPngAsStored(file);
  if (!picture) return picture;
  std::array<float, 256> linear{};
  for (std::size_t i = 0; i < linear.size(); ++i) linear[i] = linearFromSrgb(float(i) / 255.0f);
  for (glm::vec4& pixel : picture->image.pixels)
    for (int c = 0; c < 3; ++c) pixel[c] = linear[byteOf(pixel[c])] * pixel.w;
  return picture;
}

std::vector<std::uint8_t> pngBytes(const Image& image, PngAlpha alpha) {
  const bool straight = alpha == PngAlpha::Straight;
  const int channels = straight ? 4 : 3;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(image.pixels.size() * std::size_t(channels));
  for (const glm::vec4& pixel : image.pixels) {
    const float divisor = straight && pixel.w > 0 ? pixel.w : 1.0f;
    for (int c = 0; c < 3; ++c) bytes.push_back(byteOf(srgbFromLinear(pixel[c] / divisor)));
    if (straight) bytes.push_back(byteOf(pixel.w > 0 ? pixel.w : 0.0f));
  }
  return bytes;
}

void writePng(const fs::path& file, const Image& image, PngAlpha alpha) {
  writePngBytes(file, image.width, image.height, alpha == PngAlpha::Straight ? 4 : 3,
                pngBytes(image, alpha));
}

}  // namespace fathom
