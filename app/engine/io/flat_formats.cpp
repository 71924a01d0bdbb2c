// SPDX-License-Identifier: BSD-3-Clause
// PNG and JPEG are read by stb_image; PNG and PPM are written by hand, WebP by libwebp, TIFF by
// libtiff.
#include "app/engine/io/flat_formats.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/deflate.h"

#include <tiffio.h>
#include <webp/decode.h>

#include <stb_image.h>

namespace fathom {
namespace {

// Pixels that a byte of a file can stand for: of a bit each behind deflate's 1032 to 1; a bit per
// block of 8x8; what others do not exceed but for empty pages of fax and the like.
constexpr std::int64_t kPngRatio = 8 * 1032, kJpegRatio = 8 * 64, kUsualRatio = 4096;
constexpr std::int64_t kUnquestionedArea = 1 << 24;            // may be as empty as it likes
constexpr std::size_t kMaxRawPngBytes = std::size_t(1) << 30;  // of pixels to be written
constexpr int kPngLevel = 1;  // of 1 to 12: a quarter of the time of zlib at 3, and no larger

using namespace std::string_view_literals;

constexpr struct {
  std::string_view start;
  FileKind kind;
} kSignatures[] = {
    {"\x89PNG\r\n\x1a\n", FileKind::Png}, {"P6", FileKind::Ppm},       {"P5", FileKind::Pgm},
    {"\xff\xd8\xff", FileKind::Jpeg},     {"#?RADIAN", FileKind::Hdr}, {"#?RGBE", FileKind::Hdr},
    {"II*\0"sv, FileKind::Tiff},          {"MM\0*"sv, FileKind::Tiff}, {"II+\0"sv, FileKind::Tiff},
    {"MM\0+"sv, FileKind::Tiff}};

// ---- Reading

/// RGBA integers, 0 to 1.
template <class T>
void fill(Picture& picture, const T* values) {
  constexpr auto kLargest = float(std::numeric_limits<T>::max());
  for (std::size_t i = 0; i < picture.image.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c)
      picture.image.pixels[i][c] = float(values[4 * i + std::size_t(c)]) / kLargest;
}

std::atomic<std::int64_t> mostPixels = INT64_MAX;

}  // namespace

FileKind plainKindOf(const fs::path& file) {
  const std::string found = startOf(file, 12);
  for (const auto& [signature, kind] : kSignatures)
    if (found.starts_with(signature)) return kind;
  return found.starts_with("RIFF") && found.ends_with("WEBP") ? FileKind::Webp : FileKind::Unknown;
}

const char* nameOf(FileKind kind) {
  static constexpr const char* names[] = {"EXR",          "PNG",  "PPM",  "PGM", "JPEG",
                                          "Radiance HDR", "WebP", "TIFF", "EXR", "EXR"};
  return names[int(kind)];
}

std::string otherFormat(const fs::path& file) {
  const std::string start = startOf(file, 64);
  if (start.empty()) return "an empty file";
  if (start.starts_with("fdp")) return "a packed deep image of another version of Fathom";
  if (const FileKind kind = plainKindOf(file); isPlainPicture(kind))
    return fmt::format("a {} image", nameOf(kind));
  const bool text = std::all_of(start.begin(), start.end(),
                                [](unsigned char c) { return std::isprint(c) || std::isspace(c); });
  if (text) return "a text file";
  return fmt::format(
      "a file starting {:02x}",
      fmt::join(std::as_bytes(std::span(start).first(std::min<std::size_t>(4, start.size()))),
                " "));
}

void limitPixels(std::int64_t most) { mostPixels = most; }

void checkPixels(const std::string& file, std::int64_t width, std::int64_t height) {
  if (height > 0 && width > mostPixels / height)
    fail("{}: expected at most {} pixels (--max-pixels), found {}x{}", file, mostPixels.load(),
         width, height);
}

void checkPictureSize(const fs::path& file, std::int64_t width, std::int64_t height,
                      std::uint64_t fileBytes, std::int64_t maxPixelsPerByte) {
  if (width < 1 || height < 1 || width > kMaxPictureArea / height)
    fail("{}: expected 1 to {} pixels, found {}x{}", file.string(), kMaxPictureArea, width, height);
  checkPixels(file.string(), width, height);
  const std::int64_t area = width * height;
  if (area > kUnquestionedArea && std::uint64_t(area / maxPixelsPerByte) > fileBytes)
    fail("{}: expected a size that fits {} bytes, found {}x{}", file.string(), fileBytes, width,
         height);
}

Picture storedPicture(int width, int height, bool hasAlpha, Reading reading) {
  Picture picture;
  if (reading == Reading::Whole) picture.image = Image(width, height);
  picture.dataWindow = picture.displayWindow = {0, 0, width, height};
  picture.hasAlpha = hasAlpha;
  picture.encoding = Encoding::Srgb;
  return picture;
}

namespace {

/// PNG and JPEG.
Picture decodeByStb(const fs::path& file, const char* what, std::int64_t ratio, Reading reading) {
  const std::string bytes = readFile(file);
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  int width = 0, height = 0, channels = 0;
  const auto damaged = [&] {
    fail("{}: expected an intact {}, found: {}", file.string(), what, stbi_failure_reason());
  };
  if (!stbi_info_from_memory(data, int(bytes.size()), &width, &height, &channels)) damaged();
  checkPictureSize(file, width, height, bytes.size(), ratio);
  Picture picture = storedPicture(width, height, channels == 2 || channels == 4, reading);
  if (reading == Reading::Header) return picture;
  const bool wide = stbi_is_16_bit_from_memory(data, int(bytes.size()));
  const auto load = [&](auto read) {
    return read(data, int(bytes.size()), &width, &height, &channels, 4);
  };
  const std::unique_ptr<void, decltype(&stbi_image_free)> pixels(
      wide ? static_cast<void*>(load(stbi_load_16_from_memory)) : load(stbi_load_from_memory),
      stbi_image_free);
  if (!pixels) damaged();
  FATHOM_CHECK_OP(std::size_t(width) * std::size_t(height), ==, picture.image.pixels.size());
  if (wide)
    fill(picture, static_cast<const std::uint16_t*>(pixels.get()));
  else
    fill(picture, static_cast<const std::uint8_t*>(pixels.get()));
  return picture;
}

}  // namespace

Picture loadPng(const fs::path& file, Reading reading) {
  return decodeByStb(file, "PNG", kPngRatio, reading);
}
Picture loadJpeg(const fs::path& file, Reading reading) {
  return decodeByStb(file, "JPEG", kJpegRatio, reading);
}

// ---- Writing

namespace {

/// PNG's third filter, of what is left, above and above left: the nearest to their plane.
inline int paeth(int a, int b, int c) {
  const int pa = std::abs(b - c), pb = std::abs(a - c), pc = std::abs(a + b - 2 * c);
  const int other = pb <= pc ? b : c;
  return pa <= pb && pa <= pc ? a : other;
}

/// A row after each of three filters, and of them the one with the smallest sum of sizes. Before
/// `row` and `above` lie the zeros of a pixel.
struct FilteredRow {
  std::vector<std::uint8_t> tries[3];

  const std::vector<std::uint8_t>& best(const std::uint8_t* row, const std::uint8_t* above,
                                        std::size_t pixel, std::size_t count) {
    for (std::vector<std::uint8_t>& out : tries) out.resize(1 + count);
    std::uint8_t *sub = tries[0].data() + 1, *up = tries[1].data() + 1, *both = tries[2].data() + 1;
    sub[-1] = 1, up[-1] = 2, both[-1] = 4;
    const std::uint8_t *left = row - pixel, *corner = above - pixel;
    for (std::size_t i = 0; i < count; ++i) sub[i] = std::uint8_t(row[i] - left[i]);
    for (std::size_t i = 0; i < count; ++i) up[i] = std::uint8_t(row[i] - above[i]);
    for (std::size_t i = 0; i < count; ++i)
      both[i] = std::uint8_t(row[i] - paeth(left[i], above[i], corner[i]));
    return *std::ranges::min_element(tries, {}, [&](const std::vector<std::uint8_t>& out) {
      std::uint64_t sum = 0;
      for (const std::uint8_t byte : out) sum += std::uint64_t(std::abs(int(std::int8_t(byte))));
      return sum;
    });
  }
};

/// From the top byte down, as PNG has numbers.
void putDown(ByteWriter& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.put(std::uint8_t(value >> shift));
}

void putPngChunk(ByteWriter& out, std::string_view type, std::span<const std::byte> bytes) {
  putDown(out, std::uint32_t(bytes.size()));
  const std::size_t start = out.bytes().size();
  out.append(std::as_bytes(std::span(type))).append(bytes);
  putDown(out, crc32(std::span(out.bytes()).subspan(start)));
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

void writePngBytes(const fs::path& path, int width, int height, int channels,
                   std::span<const std::uint8_t> bytes, int bits) {
  FATHOM_CHECK(channels == 1 || channels == 3 || channels == 4);
  const auto pixel = std::size_t(channels * bits / 8), count = std::size_t(width) * pixel;
  FATHOM_CHECK_OP(bytes.size(), ==, count * std::size_t(height));
  if (width <= 0 || height <= 0 || bytes.size() > kMaxRawPngBytes)
    fail("{}: expected an image of 1 to {} bytes, found {}x{}", path.string(), kMaxRawPngBytes,
         width, height);
  std::vector<std::uint8_t> row(pixel + count), above(pixel + count), rows;
  FilteredRow filtered;
  rows.reserve((1 + count) * std::size_t(height));
  for (std::size_t first = 0; first < bytes.size(); first += count) {
    std::swap(row, above);
    std::copy_n(bytes.begin() + std::ptrdiff_t(first), count, row.begin() + std::ptrdiff_t(pixel));
    if (bits == 16 && std::endian::native == std::endian::little)
      for (std::size_t i = pixel; i < row.size(); i += 2) std::swap(row[i], row[i + 1]);
    const auto& best = filtered.best(row.data() + pixel, above.data() + pixel, pixel, count);
    rows.insert(rows.end(), best.begin(), best.end());
  }
  std::vector<std::byte> packed(rows.size() + rows.size() / 1000 + 1024);  // more than it can take
  packed.resize(deflateZlibInto(packed, std::as_bytes(std::span(rows)), kPngLevel));
  ByteWriter out, header;
  putDown(header, std::uint32_t(width)), putDown(header, std::uint32_t(height));
  header.put(std::uint8_t(bits), std::uint8_t(channels == 4 ? 6 : channels == 3 ? 2 : 0));
  header.put(std::uint8_t(0), std::uint8_t(0), std::uint8_t(0));
  out.append(std::as_bytes(std::span(kSignatures[0].start)));
  putPngChunk(out, "IHDR", header.bytes());
  putPngChunk(out, "IDAT", packed);
  putPngChunk(out, "IEND", {});
  writeFile(path, out.bytes());
}

void writePng(const fs::path& file, const Image& image, PngAlpha alpha) {
  writePngBytes(file, image.width, image.height, alpha == PngAlpha::Straight ? 4 : 3,
                pictureValues(image, 1, alpha));
}

void writePng16(const fs::path& file, int width, int height, int channels,
                std::span<const std::uint16_t> values) {
  writePngBytes(file, width, height, channels,
                {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()}, 16);
}

Picture loadPpm(const fs::path& file, Reading reading) {
  const std::string bytes = readFile(file);
  std::size_t at = 2;
  const std::int64_t width = headerNumber(bytes, at), height = headerNumber(bytes, at);
  const std::int64_t maxValue = headerNumber(bytes, at);
  checkPictureSize(file, width, height, bytes.size(), 1);
  if (maxValue != 255 && maxValue != 65535)
    fail("{}: expected 255 or 65535 levels, found {}", file.string(), maxValue);
  const std::size_t channels = bytes[1] == '6' ? 3 : 1, each = maxValue == 255 ? 1 : 2;
  ++at;  // one white space
  const auto count = std::size_t(width * height);
  if (at > bytes.size() || bytes.size() - at < channels * each * count)
    fail("{}: expected {} bytes of colors, found {}", file.string(), channels * each * count,
         bytes.size() - std::min(at, bytes.size()));
  Picture picture = storedPicture(int(width), int(height), false, reading);
  if (reading == Reading::Header) return picture;
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

int pictureValueBytes(const fs::path& file) {
  const std::string ending = endingOf(file);
  if (ending == ".png") return 1;
  return ending == ".tif" || ending == ".tiff" || ending == ".dpx" ? 2 : 0;
}

namespace {

/// byteOf(srgbFromLinear()) without powers: by the light that each byte begins at.
class SrgbBytes {
 public:
  SrgbBytes() {
    std::uint32_t bits = 0;
    for (std::size_t byte = 1; byte < 256; ++byte)
      for (std::uint32_t step = 1u << 29; step > 0; step >>= 1) {
        // The largest number below it, then the next one.
        if (bits + step < kOne && of(bits + step) < byte) bits += step;
        begins_[byte] = std::bit_cast<float>(bits + 1);
      }
    for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = of(std::uint32_t(i) << kShift);
  }
  std::uint8_t operator()(float light) const {
    if (!(light > 0)) return 0;
    if (light >= 1) return 255;
    std::uint8_t byte = first_[std::bit_cast<std::uint32_t>(light) >> kShift];
    while (byte < 255 && light >= begins_[byte + 1u]) ++byte;
    return byte;
  }

 private:
  static constexpr std::uint32_t kOne = 0x3F800000, kShift = 16;
  static std::uint8_t of(std::uint32_t bits) {
    return byteOf(srgbFromLinear(std::bit_cast<float>(bits)));
  }
  std::array<float, 256> begins_{};
  std::array<std::uint8_t, (kOne >> kShift)> first_{};
};

std::vector<std::uint8_t> srgbBytes(const Image& image, PngAlpha alpha) {
  static const SrgbBytes byte;
  const bool straight = alpha == PngAlpha::Straight;
  std::vector<std::uint8_t> values(image.pixels.size() * (straight ? 4 : 3));
  std::uint8_t* at = values.data();
  for (const glm::vec4& p : image.pixels) {
    const glm::vec3 color = straight && p.a > 0 ? glm::vec3(p) / p.a : glm::vec3(p);
    for (int c = 0; c < 3; ++c) *at++ = byte(color[c]);
    if (straight) *at++ = p.a > 0 ? byteOf(p.a) : 0;
  }
  return values;
}

}  // namespace

std::vector<std::uint8_t> pictureValues(const Image& image, int bytes, PngAlpha alpha,
                                        const SharedAttributes& attributes) {
  if (bytes == 1 && !attributes && !hasOutputColor()) return srgbBytes(image, alpha);
  const int channels = alpha == PngAlpha::Straight ? 4 : 3;
  const Image shown = displayed(image, alpha == PngAlpha::Straight, attributes);
  std::vector<std::uint8_t> values(shown.pixels.size() * std::size_t(channels * bytes));
  std::uint8_t* at = values.data();
  for (const glm::vec4& pixel : shown.pixels)
    for (int c = 0; c < channels; ++c, at += bytes) {
      const float value = pixel[c] > 0 ? std::min(pixel[c], 1.0f) : 0;  // NaN: 0
      const auto wide = std::uint16_t(value * 65535 + 0.5f);
      const std::uint8_t byte = byteOf(value);
      std::memcpy(at, bytes == 1 ? static_cast<const void*>(&byte) : &wide, std::size_t(bytes));
    }
  return values;
}

void writePpm(const fs::path& path, int width, int height, std::span<const std::uint8_t> bytes) {
  FATHOM_CHECK_OP(bytes.size(), ==, std::size_t(width) * std::size_t(height) * 3);
  AtomicFile file(path);
  file.append(fmt::format("P6\n{} {}\n255\n", width, height));
  file.append(std::as_bytes(bytes));
  file.commit();
}

Picture loadWebp(const fs::path& file, Reading reading) {
  const std::string bytes = readFile(file);
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK)
    fail("{}: expected an intact WebP, found a damaged header", file.string());
  if (features.has_animation)
    fail("{}: expected a WebP of one image, found an animation", file.string());
  checkPictureSize(file, features.width, features.height, bytes.size(), kUsualRatio);
  Picture picture =
      storedPicture(features.width, features.height, features.has_alpha != 0, reading);
  if (reading == Reading::Header) return picture;
  int width = 0, height = 0;
  const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> pixels(
      WebPDecodeRGBA(data, bytes.size(), &width, &height), WebPFree);
  if (!pixels) fail("{}: expected an intact WebP, found a damaged one", file.string());
  FATHOM_CHECK_OP(std::size_t(width) * std::size_t(height), ==, picture.image.pixels.size());
  fill(picture, pixels.get());
  return picture;
}

namespace {

thread_local std::string tiffProblem;

void onTiffError(const char*, const char* format, va_list arguments) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  tiffProblem = text.data();
}

using Tiff = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

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
  checkPictureSize(file, layout.width, layout.height, fs::file_size(file), kUsualRatio);
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

float plainValue(const std::byte* at, const Layout& layout) {
  if (layout.format == SAMPLEFORMAT_IEEEFP) return load<float>(at);
  return layout.bits == 8 ? float(std::uint8_t(*at)) / 255.0f
                          : float(load<std::uint16_t>(at)) / 65535.0f;
}

/// A row of values, gray or in color, into the picture.
void putRow(Picture& picture, const Layout& layout, const std::byte* row, int x, int y, int count) {
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
  std::vector<std::byte> tile(std::size_t(bytes), std::byte(0));
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
  std::vector<std::byte> row(std::size_t(bytes), std::byte(0));
  for (std::uint32_t y = 0; y < layout.height; ++y) {
    if (TIFFReadScanline(tiff, row.data(), y, 0) < 0) failDamaged(file);
    putRow(picture, layout, row.data(), 0, int(y), int(layout.width));
  }
  return picture;
}

/// Null when it cannot be opened; what libtiff says is kept.
Tiff openTiff(const fs::path& file, const char* mode) {
  static const bool quiet = [] {
    TIFFSetErrorHandler(onTiffError);
    TIFFSetWarningHandler(nullptr);
    return true;
  }();
  static_cast<void>(quiet);
  tiffProblem.clear();
  return {TIFFOpen(file.string().c_str(), mode), TIFFClose};
}

/// One strip of 16 bits per value, not compressed.
void writeTiff(const fs::path& path, int width, int height, int channels,
               std::span<const std::uint8_t> values) {
  AtomicFile file(path);
  Tiff tiff = openTiff(file.place(), "w");
  const auto set = [&](std::uint32_t tag, auto... value) {
    if (tiff) TIFFSetField(tiff.get(), tag, value...);
  };
  const std::uint16_t straight = EXTRASAMPLE_UNASSALPHA;
  set(TIFFTAG_IMAGEWIDTH, width), set(TIFFTAG_IMAGELENGTH, height);
  set(TIFFTAG_BITSPERSAMPLE, 16), set(TIFFTAG_SAMPLESPERPIXEL, channels);
  set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB), set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  set(TIFFTAG_ROWSPERSTRIP, height);
  if (channels == 4) set(TIFFTAG_EXTRASAMPLES, 1, &straight);
  std::vector<std::uint8_t> strip(values.begin(), values.end());  // libtiff may write to it
  if (!tiff || TIFFWriteEncodedStrip(tiff.get(), 0, strip.data(), tmsize_t(strip.size())) < 0 ||
      !TIFFFlush(tiff.get()))
    fail("{}: expected room to write, found: {}", path.string(), tiffProblem);
  tiff.reset();  // Windows renames no open file
  file.commit();
}

/// SMPTE 268M, version 2: big-endian, RGB of 10 bits in words of 32, method A.
std::string dpxOf(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> values) {
  constexpr std::uint32_t kData = 2048, kRgb = 50, kBits = 10;
  std::string file(kData + std::size_t(width) * height * 4, '\0');
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) file[at + i] = char(value >> 8 * (3 - i));
  };
  put(0, 0x53445058), put(4, kData), put(8, 0x56322e30), put(16, std::uint32_t(file.size()));
  put(20, 1), put(24, 1664), put(28, 384), put(660, ~0u), put(768, 1);
  put(772, width), put(776, height), put(792, 1023), put(796, std::bit_cast<std::uint32_t>(1.0f));
  put(800, kRgb << 24 | kBits), put(804, 1 << 16), put(808, kData);
  for (std::size_t p = 0; 6 * p < values.size(); ++p) {
    std::uint32_t word = 0;
    for (std::size_t c = 0; c < 3; ++c)
      word = word << kBits |
             (load<std::uint16_t>(std::as_bytes(values).data() + 6 * p + 2 * c) * 1023u + 32767) /
                 65535;
    put(kData + 4 * p, word << 2);
  }
  return file;
}

}  // namespace

Picture loadTiff(const fs::path& file, Reading reading) {
  const Tiff tiff = openTiff(file, "r");
  if (!tiff) failDamaged(file);
  const Layout layout = layoutOf(tiff.get(), file);
  if (reading == Reading::Header)
    return storedPicture(int(layout.width), int(layout.height), layout.plain() && layout.hasAlpha(),
                         reading);
  return layout.plain() ? readPlain(tiff.get(), layout, file)
                        : readConverted(tiff.get(), layout, file);
}

void writePictureValues(const fs::path& file, int width, int height, int channels,
                        std::span<const std::uint8_t> values) {
  if (pictureValueBytes(file) == 1) return writePngBytes(file, width, height, channels, values);
  if (values.size() > kMaxRawPngBytes)
    fail("{}: expected an image of 1 to {} bytes, found {}x{}", file.string(), kMaxRawPngBytes,
         width, height);
  if (endingOf(file) != ".dpx") return writeTiff(file, width, height, channels, values);
  writeFile(file, dpxOf(std::uint32_t(width), std::uint32_t(height), values));
}

}  // namespace fathom
