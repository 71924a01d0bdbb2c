// SPDX-License-Identifier: BSD-3-Clause
// libtiff reports through functions of the whole process; ours keep the last message per thread.
#include "app/engine/io/flat_formats.h"

#include "app/engine/core/error.h"

#include <tiffio.h>

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// Pixels per byte of a file that its compression cannot exceed, but for empty pages of fax.
constexpr std::int64_t kMaxTiffRatio = 4096;

thread_local std::string tiffProblem;

void onTiffError(const char*, const char* format, va_list arguments) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  tiffProblem = text.data();
}

struct CloseTiff {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using Tiff = std::unique_ptr<TIFF, CloseTiff>;

struct Layout {
  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, planar = PLANARCONFIG_CONTIG,
                photometric = PHOTOMETRIC_MINISBLACK;
  bool tiled = false, premultiplied = false;
  bool hasAlpha() const { return samples == 2 || samples == 4; }
  /// Values as they are; what is left over is converted by libtiff, to 8 bits.
  bool plain() const {
    return bits > 8 || (bits == 8 && planar == PLANARCONFIG_CONTIG && samples <= 4 &&
                        (photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_MINISBLACK));
  }
};

Layout layoutOf(TIFF* tiff, const fs::path& file) {
  Layout layout;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &layout.width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &layout.height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &layout.bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &layout.samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &layout.format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &layout.planar);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &layout.photometric);
  layout.tiled = TIFFIsTiled(tiff) != 0;
  std::uint16_t extraCount = 0, *extra = nullptr;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extraCount, &extra);
  layout.premultiplied = extraCount == 1 && extra[0] == EXTRASAMPLE_ASSOCALPHA;
  const std::int64_t area = std::int64_t(layout.width) * layout.height;
  if (area < 1 || layout.width > (1u << 24) || layout.height > (1u << 24) || area > kMaxPictureArea)
    fail("{}: expected 1 to {} pixels, found {}x{}", file.string(), kMaxPictureArea, layout.width,
         layout.height);
  const auto bytes = std::int64_t(fs::file_size(file));
  if (area / kMaxTiffRatio > bytes)
    fail("{}: expected a size that fits {} bytes, found {}x{}", file.string(), bytes, layout.width,
         layout.height);
  return layout;
}

[[noreturn]] void failDamaged(const fs::path& file) {
  fail("{}: expected an intact TIFF, found: {}", file.string(),
       tiffProblem.empty() ? "a damaged one" : tiffProblem);
}

Picture readConverted(TIFF* tiff, const Layout& layout, const fs::path& file) {
  std::vector<std::uint32_t> raster(std::size_t(layout.width) * layout.height);
  if (!TIFFReadRGBAImageOriented(tiff, layout.width, layout.height, raster.data(),
                                 ORIENTATION_TOPLEFT, 1))
    failDamaged(file);
  Picture picture = storedPicture(int(layout.width), int(layout.height), false);
  for (std::size_t i = 0; i < raster.size(); ++i) {
    const std::uint32_t p = raster[i];
    picture.image.pixels[i] = {float(TIFFGetR(p)) / 255.0f, float(TIFFGetG(p)) / 255.0f,
                               float(TIFFGetB(p)) / 255.0f, 1};
  }
  return picture;
}

float plainValue(const std::uint8_t* at, const Layout& layout) {
  if (layout.format == SAMPLEFORMAT_IEEEFP) {
    float value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  if (layout.bits == 8) return float(*at) / 255.0f;
  std::uint16_t value;
  std::memcpy(&value, at, sizeof value);
  return float(value) / 65535.0f;
}

/// A row of values, gray or in color, into the picture.
void putRow(Picture& picture, const Layout& layout, const std::uint8_t* row, int x, int y,
            int count) {
  const std::size_t bytes = layout.bits / 8u, step = bytes * layout.samples;
  const bool color = layout.samples >= 3;
  for (int i = 0; i < count; ++i, row += step) {
    glm::vec4& pixel = picture.image.at(x + i, y);
    for (std::size_t c = 0; c < 3; ++c)
      pixel[int(c)] = plainValue(row + (color ? c * bytes : 0), layout);
    pixel.w = layout.hasAlpha() ? plainValue(row + (layout.samples - 1u) * bytes, layout) : 1;
    if (layout.premultiplied && pixel.w > 0)
      for (int c = 0; c < 3; ++c) pixel[c] /= pixel.w;
  }
}

void readTiles(TIFF* tiff, const Layout& layout, Picture& picture, const fs::path& file) {
  std::uint32_t width = 0, height = 0;
  TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
  const std::int64_t bytes = TIFFTileSize64(tiff);
  const std::size_t rowBytes = std::size_t(width) * (layout.bits / 8u) * layout.samples;
  if (bytes < 1 || bytes > (std::int64_t(1) << 28) || std::int64_t(rowBytes * height) > bytes)
    failDamaged(file);
  std::vector<std::uint8_t> tile(std::size_t(bytes), 0);
  for (std::uint32_t y = 0; y < layout.height; y += height)
    for (std::uint32_t x = 0; x < layout.width; x += width) {
      if (TIFFReadTile(tiff, tile.data(), x, y, 0, 0) < 0) failDamaged(file);
      for (std::uint32_t row = 0; row < height && y + row < layout.height; ++row)
        putRow(picture, layout, tile.data() + row * rowBytes, int(x), int(y + row),
               int(std::min(width, layout.width - x)));
    }
}

Picture readPlain(TIFF* tiff, const Layout& layout, const fs::path& file) {
  const bool known = (layout.format == SAMPLEFORMAT_UINT && layout.bits <= 16) ||
                     (layout.format == SAMPLEFORMAT_IEEEFP && layout.bits == 32);
  const bool colors =
      layout.photometric == PHOTOMETRIC_RGB || layout.photometric == PHOTOMETRIC_MINISBLACK;
  if (!known || !colors || layout.bits % 8 != 0 || layout.samples > 4 ||
      layout.planar != PLANARCONFIG_CONTIG)
    fail("{}: expected gray or RGB of 8 or 16 bits or float, interleaved; found {} x {} bits",
         file.string(), layout.samples, layout.bits);
  Picture picture = storedPicture(int(layout.width), int(layout.height), layout.hasAlpha());
  if (layout.format == SAMPLEFORMAT_IEEEFP) picture.encoding = Encoding::Linear;
  if (layout.tiled) {
    readTiles(tiff, layout, picture, file);
    return picture;
  }
  const std::int64_t bytes = TIFFScanlineSize64(tiff);
  if (bytes < std::int64_t(layout.width) * (layout.bits / 8) * layout.samples) failDamaged(file);
  std::vector<std::uint8_t> row(std::size_t(bytes), 0);
  for (std::uint32_t y = 0; y < layout.height; ++y) {
    if (TIFFReadScanline(tiff, row.data(), y, 0) < 0) failDamaged(file);
    putRow(picture, layout, row.data(), 0, int(y), int(layout.width));
  }
  return picture;
}

}  // namespace

Picture loadTiff(const fs::path& file) {
  static const bool quiet = [] {
    TIFFSetErrorHandler(onTiffError);
    TIFFSetWarningHandler(nullptr);
    return true;
  }();
  static_cast<void>(quiet);
  tiffProblem.clear();
  const Tiff tiff(TIFFOpen(file.c_str(), "r"));
  if (!tiff) failDamaged(file);
  const Layout layout = layoutOf(tiff.get(), file);
  return layout.plain() ? readPlain(tiff.get(), layout, file)
                        : readConverted(tiff.get(), layout, file);
}

}  // namespace fathom
