// SPDX-License-Identifier: BSD-3-Clause
// PNG is read by stb_image, whose limits are checked before it allocates, and written by libpng,
// which also knows 16 bits. A file is encoded in memory first: nothing appears when that fails.
#include "app/engine/io/png.h"

#include "app/engine/core/color.h"
#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"

#include <png.h>
#include <stb_image.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <fstream>
#include <memory>
#include <new>
#include <string>

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::array<unsigned char, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::uint64_t kMaxDeflateRatio = 1032;  // of deflate
constexpr std::uint64_t kMaxPngBytes = 1u << 30;
constexpr std::size_t kMaxRawPngBytes = std::size_t(1) << 30;  // of pixels to be written

// Reading
// -------------------------------------------------------------------------------------------------

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

// Writing
// -------------------------------------------------------------------------------------------------

namespace {

/// Pixels as the caller has them, RGB or RGBA; 16-bit values in the order of this machine.
struct PngRows {
  const std::uint8_t* pixels;
  int width, height, channels, bits;
  std::size_t rowBytes() const { return std::size_t(width) * std::size_t(channels * bits / 8); }
};

/// What libpng's callbacks get to see. None lets an exception into C code.
struct PngSink {
  std::string bytes, problem;
};

void onPngBytes(png_structp png, png_bytep data, std::size_t count) {
  bool enough = true;
  try {
    static_cast<PngSink*>(png_get_io_ptr(png))
        ->bytes.append(reinterpret_cast<const char*>(data), count);
  } catch (const std::bad_alloc&) {
    enough = false;
  }
  if (!enough) png_error(png, "out of memory");
}

void onPngError(png_structp png, png_const_charp message) {
  try {
    static_cast<PngSink*>(png_get_error_ptr(png))->problem = message;
  } catch (const std::bad_alloc&) {  // the call fails all the same
  }
  png_longjmp(png, 1);
}

void onPngWarning(png_structp, png_const_charp) {}

/// libpng reports errors by longjmp, so no object with a destructor lives in this function.
bool encodePng(png_structp png, png_infop info, const PngRows& rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(png, info, png_uint_32(rows.width), png_uint_32(rows.height), rows.bits,
               rows.channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP | PNG_FILTER_PAETH);
  png_set_compression_level(png, 3);  // twice as fast as 6, files 7 % larger
  png_write_info(png, info);
  if (rows.bits == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  for (int y = 0; y < rows.height; ++y)
    png_write_row(png, rows.pixels + std::size_t(y) * rows.rowBytes());
  png_write_end(png, nullptr);
  return true;
}

/// `count`: of the values that are there.
void writePngRows(const fs::path& path, const PngRows& rows, std::size_t count) {
  FATHOM_CHECK(rows.channels == 3 || rows.channels == 4);
  const std::size_t values =
      std::size_t(rows.width) * std::size_t(rows.height) * std::size_t(rows.channels);
  FATHOM_CHECK_OP(count, ==, values);
  if (rows.width <= 0 || rows.height <= 0 || values * std::size_t(rows.bits / 8) > kMaxRawPngBytes)
    fail("{}: expected a picture of 1 to {} bytes, found {}x{}", path.string(), kMaxRawPngBytes,
         rows.width, rows.height);
  PngSink sink;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, onPngError, onPngWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  bool encoded = false;
  if (info) {
    png_set_write_fn(png, &sink, onPngBytes, nullptr);
    encoded = encodePng(png, info, rows);
  }
  png_destroy_write_struct(&png, &info);
  if (!encoded)
    fail("{}: expected to encode {}x{} as PNG, could not ({})", path.string(), rows.width,
         rows.height, sink.problem.empty() ? "out of memory" : sink.problem);
  writeFile(path, sink.bytes);
}

}  // namespace

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

void writePngBytes(const fs::path& file, int width, int height, int channels,
                   std::span<const std::uint8_t> bytes) {
  writePngRows(file, {bytes.data(), width, height, channels, 8}, bytes.size());
}

void writePng16(const fs::path& file, int width, int height, int channels,
                std::span<const std::uint16_t> values) {
  writePngRows(file,
               {reinterpret_cast<const std::uint8_t*>(values.data()), width, height, channels, 16},
               values.size());
}

}  // namespace fathom
