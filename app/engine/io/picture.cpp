// SPDX-License-Identifier: BSD-3-Clause
// Asks the loaders one by one; each says "not mine" without reading more than a few bytes.
#include "app/engine/io/picture.h"

#include "app/engine/core/error.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/flat_formats.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::string endingOf(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return ending;
}

std::string firstBytes(const fs::path& file) {
  std::array<char, 4> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  if (in.gcount() == 0) return "an empty file";
  std::string text = "a file starting";
  for (std::streamsize i = 0; i < in.gcount(); ++i)
    text += fmt::format(" {:02x}", static_cast<unsigned char>(bytes[std::size_t(i)]));
  return text;
}

}  // namespace

FileKind kindOf(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) fail("{}: expected a file, found a folder", file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("{}: expected a readable file, found: {}", file.string(), std::strerror(errno));
  std::array<char, 12> start{};
  in.read(start.data(), start.size());
  if (std::memcmp(start.data(), "\x89PNG\r\n\x1a\n", 8) == 0) return FileKind::Png;
  if (std::memcmp(start.data(), "P6", 2) == 0) return FileKind::Ppm;
  if (std::memcmp(start.data(), "P5", 2) == 0) return FileKind::Pgm;
  if (looksLikeJpeg(start.data())) return FileKind::Jpeg;
  if (looksLikeHdr(start.data())) return FileKind::Hdr;
  if (looksLikeWebp(start.data())) return FileKind::Webp;
  if (looksLikeTiff(start.data())) return FileKind::Tiff;
  if (!looksLikeExr(file)) return FileKind::Unknown;
  return looksLikeDeepExr(file) ? FileKind::DeepExr : FileKind::FlatExr;
}

const char* nameOf(FileKind kind) {
  switch (kind) {
    case FileKind::Png:
      return "PNG";
    case FileKind::Ppm:
      return "PPM";
    case FileKind::Pgm:
      return "PGM";
    case FileKind::Jpeg:
      return "JPEG";
    case FileKind::Hdr:
      return "Radiance HDR";
    case FileKind::Webp:
      return "WebP";
    case FileKind::Tiff:
      return "TIFF";
    case FileKind::FlatExr:
    case FileKind::DeepExr:
    case FileKind::Unknown:
      break;
  }
  return "EXR";
}

const std::vector<std::string>& pictureEndings() {
  static const std::vector<std::string> endings{".exr", ".png",  ".jpg", ".jpeg", ".webp",
                                                ".tif", ".tiff", ".hdr", ".ppm",  ".pgm"};
  return endings;
}

Picture readPicture(const fs::path& file) {
  const FileKind kind = kindOf(file);
  if (std::optional<Picture> picture = loadPng(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadPpm(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadJpegOrHdr(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadWebp(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadTiff(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadFlatExr(file)) return std::move(*picture);
  fail("{}: expected a PNG, PPM, PGM, JPEG, WebP, TIFF, HDR or flat EXR, found {}", file.string(),
       kind == FileKind::DeepExr ? "a deep EXR" : firstBytes(file));
}

Picture readPictureAsStored(const fs::path& file) {
  kindOf(file);
  if (std::optional<Picture> picture = loadPngAsStored(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadPpmAsStored(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadJpegOrHdrAsStored(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadWebpAsStored(file)) return std::move(*picture);
  if (std::optional<Picture> picture = loadTiffAsStored(file)) return std::move(*picture);
  return readPicture(file);
}

void checkPictureEnding(const fs::path& file) {
  const std::string ending = endingOf(file);
  if (ending != ".png" && ending != ".exr")
    throw UsageError(fmt::format("{}: expected a name ending in .png or .exr, found \"{}\"",
                                 file.string(), ending));
}

void writePicture(const fs::path& file, const Image& image, const FlatExrOptions& options) {
  checkPictureEnding(file);
  if (endingOf(file) == ".png")
    writePng(file, image);
  else
    writeFlatExr(file, image, options);
}

}  // namespace fathom
