// SPDX-License-Identifier: BSD-3-Clause
// The header may hold comments and any white space; the samples are one block of bytes.
#include "app/engine/io/ppm.h"

#include "app/engine/core/color.h"
#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace fathom {
namespace {

namespace fs = std::filesystem;

bool isPpm(const fs::path& file) {
  char start[2]{};
  std::ifstream in(file, std::ios::binary);
  return in.read(start, 2) && start[0] == 'P' && (start[1] == '5' || start[1] == '6');
}

/// The next number of the header; comments run from # to the end of the line. -1 when there is
/// none.
std::int64_t headerNumber(const std::string& bytes, std::size_t& at) {
  while (at < bytes.size() &&
         (std::isspace(static_cast<unsigned char>(bytes[at])) || bytes[at] == '#'))
    if (bytes[at] == '#')
      at = std::min(bytes.find('\n', at), bytes.size());
    else
      ++at;
  std::int64_t value = -1;
  for (; at < bytes.size() && std::isdigit(static_cast<unsigned char>(bytes[at])); ++at)
    value = std::min<std::int64_t>(std::max<std::int64_t>(value, 0) * 10 + (bytes[at] - '0'),
                                   INT32_MAX);
  return value;
}

}  // namespace

std::optional<Picture> loadPpmAsStored(const fs::path& file) {
  if (!isPpm(file)) return std::nullopt;
  const std::string bytes = readFile(file);
  std::size_t at = 2;
  const std::int64_t width = headerNumber(bytes, at), height = headerNumber(bytes, at);
  const std::int64_t maxValue = headerNumber(bytes, at);
  if (width < 1 || height < 1 || width * height > kMaxPictureArea)
    fail("{}: expected at most {} pixels, found {}x{}", file.string(), kMaxPictureArea, width,
         height);
  if (maxValue != 255 && maxValue != 65535)
    fail("{}: expected 255 or 65535 levels, found {}", file.string(), maxValue);
  const std::size_t channels = bytes[1] == '6' ? 3 : 1, each = maxValue == 255 ? 1 : 2;
  ++at;  // one white space
  const auto count = std::size_t(width * height);
  if (at > bytes.size() || bytes.size() - at < channels * each * count)
    fail("{}: expected {} bytes of colors, found {}", file.string(), channels * each * count,
         bytes.size() - std::min(at, bytes.size()));
  Picture picture;
  picture.image = Image(int(width), int(height));
  picture.dataWindow = picture.displayWindow = {0, 0, int(width), int(height)};
  picture.encoding = Encoding::Srgb;
  for (std::size_t i = 0; i < count; ++i) {
    const auto level = [&](std::size_t c) {
      const std::size_t first = at + (channels * i + c % channels) * each;
      float value = 0;
      for (std::size_t k = 0; k < each; ++k)
        value = 256 * value + float(static_cast<unsigned char>(bytes[first + k]));
      return value / float(maxValue);
    };
    picture.image.pixels[i] = {level(0), level(1), level(2), 1};
  }
  return picture;
}

std::optional<Picture> loadPpm(const fs::path& file) {
  std::optional<Picture> picture = loadPpmAsStored(file);
  if (!picture) return picture;
  for (glm::vec4& pixel : picture->image.pixels)
    for (int c = 0; c < 3; ++c) pixel[c] = linearFromSrgb(pixel[c]);
  return picture;
}

void writePpm(const fs::path& path, int width, int height, std::span<const std::uint8_t> bytes) {
  FATHOM_CHECK_OP(bytes.size(), ==, std::size_t(width) * std::size_t(height) * 3);
  AtomicFile file(path);
  file.append(fmt::format("P6\n{} {}\n255\n", width, height));
  file.append(std::as_bytes(bytes));
  file.commit();
}

}  // namespace fathom
