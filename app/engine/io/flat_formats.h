// SPDX-License-Identifier: BSD-3-Clause
// The formats of flat pictures besides EXR: PNG, PPM and TIFF are read and written, JPEG, Radiance
// HDR and WebP are read, DPX is written. Files are sRGB encoded with straight alpha or what
// output_color.h says, pictures in memory linear and premultiplied.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"

namespace fathom {

enum class FileKind { Unknown, Png, Ppm, Pgm, Jpeg, Hdr, Webp, Tiff, FlatExr, DeepExr };

/// True for a picture that is not an EXR: it has colors and nothing else.
inline bool isPlainPicture(FileKind kind) {
  return kind != FileKind::Unknown && kind != FileKind::FlatExr && kind != FileKind::DeepExr;
}
/// "PNG", "WebP"; of an EXR "EXR".
const char* nameOf(FileKind kind);
/// By the first bytes of a file: a plain picture's, else Unknown.
FileKind plainKindOf(const fs::path& file);
/// What a file is that was expected to be another, for messages: "a PNG image", "a text file", "a
/// file starting 7f 45 4c 46".
std::string otherFormat(const fs::path& file);

/// Of the header only the windows and alpha are known: the picture has no pixels.
enum class Reading { Header, Whole };

// Readers of files of which kindOf() says that they are theirs: the values as stored, 0 to 1 for
// integers, in sRGB or linear (Picture::encoding), alpha not multiplied in. They throw Error for a
// broken, an oversized or an unknown one.
Picture loadPng(const fs::path& file, Reading reading);
Picture loadPpm(const fs::path& file, Reading reading);
Picture loadJpeg(const fs::path& file, Reading reading);
Picture loadHdr(const fs::path& file, Reading reading);
Picture loadWebp(const fs::path& file, Reading reading);
Picture loadTiff(const fs::path& file, Reading reading);

/// A picture of this size in sRGB, black.
Picture storedPicture(int width, int height, bool hasAlpha, Reading reading = Reading::Whole);

/// Pictures of more pixels are refused from now on, in any format.
void limitPixels(std::int64_t most);
/// Throws Error beyond that limit, of which there is none at first.
void checkPixels(const std::string& file, std::int64_t width, std::int64_t height);

/// Throws Error unless a picture may be that large: at least a pixel, at most kMaxPictureArea, and
/// a large one no more pixels than so many per byte of its file.
void checkPictureSize(const fs::path& file, std::int64_t width, std::int64_t height,
                      std::uint64_t fileBytes, std::int64_t maxPixelsPerByte);

enum class PngAlpha { OverBlack, Straight };

/// Encodes a linear, premultiplied image. Throws Error; written beside and renamed.
void writePng(const fs::path& file, const Image& image, PngAlpha alpha = PngAlpha::OverBlack);

/// Bytes per value of a picture file by its ending: 1 of .png, 2 of .tif, .tiff and .dpx (which
/// keeps 10 bits); 0 of others.
int pictureValueBytes(const fs::path& file);
/// A linear, premultiplied image of the attributes' primaries as such values, uint8 or uint16 in
/// the order of this machine: [height][width][3 or 4].
std::vector<std::uint8_t> pictureValues(const Image& image, int bytes, PngAlpha alpha,
                                        const SharedAttributes& attributes = nullptr);
/// Writes them. DPX has 3 channels alone. Throws Error; written beside and renamed.
void writePictureValues(const fs::path& file, int width, int height, int channels,
                        std::span<const std::uint8_t> values);

/// Writes bytes as they are: uint8[height][width][channels], 1 (gray), 3 (RGB) or 4 (RGBA); of 16
/// bits two for each value, in the order of this machine.
void writePngBytes(const fs::path& file, int width, int height, int channels,
                   std::span<const std::uint8_t> bytes, int bits = 8);

/// The same with 16 bits per channel: uint16[height][width][channels].
void writePng16(const fs::path& file, int width, int height, int channels,
                std::span<const std::uint16_t> values);

/// uint8[height][width][3], as they are. Throws Error; written beside and renamed.
void writePpm(const fs::path& file, int width, int height, std::span<const std::uint8_t> bytes);

}  // namespace fathom
