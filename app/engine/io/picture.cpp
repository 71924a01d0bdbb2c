// SPDX-License-Identifier: BSD-3-Clause
// What a file is, by its first bytes; who reads it; and from its values to linear ones. Glyphs are
// the quads of stb_easy_font: 7-bit ASCII without a font file.
#include "app/engine/io/picture.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/exr/deep_exr.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_easy_font.h>
#pragma GCC diagnostic pop

namespace fathom {
namespace {

/// A plain picture as it is stored; none for others.
std::optional<Picture> loadStored(const fs::path& file, FileKind kind, Reading reading) {
  static const std::map<FileKind, Picture (*)(const fs::path&, Reading)> loaders = {
      {FileKind::Png, loadPng},   {FileKind::Ppm, loadPpm}, {FileKind::Pgm, loadPpm},
      {FileKind::Jpeg, loadJpeg}, {FileKind::Hdr, loadHdr}, {FileKind::Webp, loadWebp},
      {FileKind::Tiff, loadTiff}};
  const auto loader = loaders.find(kind);
  return loader == loaders.end() ? std::nullopt : std::optional(loader->second(file, reading));
}

/// From straight alpha to premultiplied, and from sRGB, which is mostly of 8 bits, to linear.
Picture linearized(Picture stored) {
  std::array<float, 256> ofByte{};
  for (std::size_t i = 0; i < ofByte.size(); ++i) ofByte[i] = linearFromSrgb(float(i) / 255.0f);
  const auto linear = [&](float value) {
    if (stored.encoding == Encoding::Linear) return value;
    const std::uint8_t byte = byteOf(value);
    return float(byte) / 255.0f == value ? ofByte[byte] : linearFromSrgb(value);
  };
  for (glm::vec4& pixel : stored.image.pixels)
    for (int c = 0; c < 3; ++c) pixel[c] = linear(pixel[c]) * pixel.w;
  return stored;
}

}  // namespace

FileKind kindOf(const fs::path& file) {
  openFile(file);  // what cannot be read is refused
  if (const FileKind plain = plainKindOf(file); plain != FileKind::Unknown) return plain;
  if (!looksLikeExr(file)) return FileKind::Unknown;
  return looksLikeDeepExr(file) ? FileKind::DeepExr : FileKind::FlatExr;
}

const std::vector<std::string>& pictureEndings() {
  static const std::vector<std::string> endings{".exr", ".png",  ".jpg", ".jpeg", ".webp",
                                                ".tif", ".tiff", ".hdr", ".ppm",  ".pgm"};
  return endings;
}

Picture readPicture(const fs::path& file) {
  const FileKind kind = kindOf(file);
  if (std::optional<Picture> stored = loadStored(file, kind, Reading::Whole))
    return linearized(std::move(*stored));
  if (std::optional<Picture> picture = loadFlatExr(file)) return std::move(*picture);
  fail("{}: expected a PNG, PPM, PGM, JPEG, WebP, TIFF, HDR or flat EXR, found {}", file.string(),
       kind == FileKind::DeepExr ? "a deep EXR" : otherFormat(file));
}

Picture readPictureAsStored(const fs::path& file) {
  std::optional<Picture> stored = loadStored(file, kindOf(file), Reading::Whole);
  return stored ? std::move(*stored) : readPicture(file);
}

Picture readPictureHeader(const fs::path& file) {
  std::optional<Picture> header = loadStored(file, kindOf(file), Reading::Header);
  return header ? std::move(*header) : readPicture(file);
}

const std::vector<std::string>& writtenEndings() {
  static const std::vector<std::string> endings{".exr", ".png", ".tif", ".tiff", ".dpx"};
  return endings;
}

void checkPictureEnding(const fs::path& file) {
  const std::string ending = endingOf(file);
  const std::vector<std::string>& known = writtenEndings();
  if (std::find(known.begin(), known.end(), ending) == known.end())
    failUsage("{}: expected a name ending in {}, found \"{}\"", file.string(),
              fmt::join(known, ", "), ending);
}

Image inWindow(const Image& image, const Rect& own, const Rect& wanted, const std::string& name) {
  if (wanted.area() > kMaxPictureArea)
    fail("{}: expected a display window of at most {} pixels, found {}x{}", name, kMaxPictureArea,
         wanted.width, wanted.height);
  Image result(wanted.width, wanted.height);
  const Rect both = intersect(own, wanted);
  for (int y = both.y; y < both.bottom() && !both.empty(); ++y)
    std::copy_n(&image.at(both.x - own.x, y - own.y), both.width,
                &result.at(both.x - wanted.x, y - wanted.y));
  return result;
}

void writePicture(const fs::path& file, const Image& image, const FlatExrOptions& options,
                  PngAlpha alpha) {
  checkPictureEnding(file);
  const Rect &own = options.dataWindow, &frame = options.displayWindow;
  if (endingOf(file) != ".exr" && !frame.empty() && frame != own)
    return writePicture(file, inWindow(image, own, frame, file.string()),
                        {.attributes = options.attributes}, alpha);
  if (endingOf(file) != ".exr")
    return writePictureValues(
        file, image.width, image.height, alpha == PngAlpha::Straight ? 4 : 3,
        pictureValues(image, pictureValueBytes(file), alpha, options.attributes));
  if (!hasOutputColor()) return writeFlatExr(file, image, options);
  FlatExrOptions made = options;
  made.attributes = exportedAttributes(options.attributes);
  writeFlatExr(file, exported(image, options.attributes), made);
}

// ---- Labels

int labelWidth(int scale, const std::string& text) {
  std::string copy = text;  // stb takes a mutable string
  return scale * stb_easy_font_width(copy.data());
}

void drawLabel(Image& image, int x, int y, int scale, const std::string& text, glm::vec3 color) {
  struct Corner {
    float x, y, z;
    unsigned char rgba[4];
  };
  std::vector<Corner> corners(text.size() * 32 + 64);
  std::string copy = text;
  const int quads = stb_easy_font_print(0, 0, copy.data(), nullptr, corners.data(),
                                        int(corners.size() * sizeof(Corner)));
  // Each quad is a rectangle of whole units: corner 0 is its top left, corner 2 its bottom right.
  for (int q = 0; q < quads; ++q) {
    const Corner& low = corners[std::size_t(q) * 4];
    const Corner& high = corners[std::size_t(q) * 4 + 2];
    for (int py = y + int(low.y) * scale; py < y + int(high.y) * scale; ++py)
      for (int px = x + int(low.x) * scale; px < x + int(high.x) * scale; ++px)
        if (px >= 0 && py >= 0 && px < image.width && py < image.height)
          image.at(px, py) = glm::vec4(color, 1);
  }
}

}  // namespace fathom
