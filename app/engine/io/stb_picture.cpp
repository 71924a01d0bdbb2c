// SPDX-License-Identifier: BSD-3-Clause
// The claimed size is checked before stb_image allocates.
#include "app/engine/io/stb_picture.h"

#include "app/engine/core/color.h"
#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"

#include <stb_image.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

namespace fathom {
namespace {

struct FreePixels {
  void operator()(void* pixels) const { stbi_image_free(pixels); }
};

enum class Kind { Neither, Jpeg, Hdr };

Kind stbKindOf(const std::filesystem::path& file) {
  std::array<char, 8> start{};
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), start.size());
  return looksLikeJpeg(start.data())  ? Kind::Jpeg
         : looksLikeHdr(start.data()) ? Kind::Hdr
                                      : Kind::Neither;
}

std::optional<Picture> loadByStb(const std::filesystem::path& file, bool linear) {
  const Kind kind = stbKindOf(file);
  if (kind == Kind::Neither) return std::nullopt;
  const char* const what = kind == Kind::Jpeg ? "JPEG" : "Radiance HDR picture";
  const std::string bytes = readFile(file);
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data, int(bytes.size()), &width, &height, &channels))
    fail("{}: expected an intact {}, found: {}", file.string(), what, stbi_failure_reason());
  if (std::int64_t(width) * height > kMaxPictureArea)
    fail("{}: expected at most {} pixels, found {}x{}", file.string(), kMaxPictureArea, width,
         height);
  Picture picture;
  picture.image = Image(width, height, glm::vec4(0, 0, 0, 1));
  picture.dataWindow = picture.displayWindow = {0, 0, width, height};
  const std::size_t count = picture.image.pixels.size();
  if (kind == Kind::Hdr) {
    const std::unique_ptr<float, FreePixels> values(
        stbi_loadf_from_memory(data, int(bytes.size()), &width, &height, &channels, 3));
    if (!values)
      fail("{}: expected an intact {}, found: {}", file.string(), what, stbi_failure_reason());
    for (std::size_t i = 0; i < count; ++i)
      for (int c = 0; c < 3; ++c) picture.image.pixels[i][c] = values.get()[i * 3 + std::size_t(c)];
    return picture;
  }
  const std::unique_ptr<stbi_uc, FreePixels> values(
      stbi_load_from_memory(data, int(bytes.size()), &width, &height, &channels, 3));
  if (!values)
    fail("{}: expected an intact {}, found: {}", file.string(), what, stbi_failure_reason());
  picture.encoding = Encoding::Srgb;
  for (std::size_t i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) {
      const float stored = float(values.get()[i * 3 + std::size_t(c)]) / 255.0f;
      picture.image.pixels[i][c] = linear ? linearFromSrgb(stored) : stored;
    }
  return picture;
}

}  // namespace

bool looksLikeJpeg(const char* start) { return std::memcmp(start, "\xff\xd8\xff", 3) == 0; }
bool looksLikeHdr(const char* start) {
  return std::memcmp(start, "#?RADIAN", 8) == 0 || std::memcmp(start, "#?RGBE", 6) == 0;
}

std::optional<Picture> loadJpegOrHdr(const std::filesystem::path& file) {
  return loadByStb(file, true);
}
std::optional<Picture> loadJpegOrHdrAsStored(const std::filesystem::path& file) {
  return loadByStb(file, false);
}

}  // namespace fathom
