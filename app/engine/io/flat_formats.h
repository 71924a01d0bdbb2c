// SPDX-License-Identifier: BSD-3-Clause
// The formats of flat pictures besides EXR: PNG and PPM are read and written, JPEG, Radiance HDR,
// WebP and TIFF are read. 8-bit files are sRGB encoded with straight alpha, pictures in memory
// linear and premultiplied.
#pragma once

#include "app/engine/core/image.h"

namespace fathom {

/// None when the file is no PNG; throws Error when it is a broken or oversized one.
std::optional<Picture> loadPng(const std::filesystem::path& file);

/// The same values as stored: sRGB / 255, alpha not multiplied in. For comparing files.
std::optional<Picture> loadPngAsStored(const std::filesystem::path& file);

enum class PngAlpha { OverBlack, Straight };

/// Encodes a linear, premultiplied image. Throws Error; written beside and renamed.
void writePng(const std::filesystem::path& file, const Image& image,
              PngAlpha alpha = PngAlpha::OverBlack);

/// The bytes that writePng() writes: uint8[height][width][3 or 4].
std::vector<std::uint8_t> pngBytes(const Image& image, PngAlpha alpha = PngAlpha::OverBlack);

/// Writes bytes as they are: uint8[height][width][channels], 3 (RGB) or 4 (RGBA) channels.
void writePngBytes(const std::filesystem::path& file, int width, int height, int channels,
                   std::span<const std::uint8_t> bytes);

/// The same with 16 bits per channel: uint16[height][width][channels].
void writePng16(const std::filesystem::path& file, int width, int height, int channels,
                std::span<const std::uint16_t> values);

/// None when the file is neither; throws Error when it is a broken or oversized one.
std::optional<Picture> loadPpm(const std::filesystem::path& file);
/// The same values as stored: integers / 255 or 65535.
std::optional<Picture> loadPpmAsStored(const std::filesystem::path& file);

/// uint8[height][width][3], as they are. Throws Error; written beside and renamed.
void writePpm(const std::filesystem::path& file, int width, int height,
              std::span<const std::uint8_t> bytes);

bool looksLikeJpeg(const char* start);  // eight bytes
bool looksLikeHdr(const char* start);

/// None when the file is neither; throws Error when it is a broken or oversized one.
std::optional<Picture> loadJpegOrHdr(const std::filesystem::path& file);
/// The same values as stored: of a JPEG bytes / 255.
std::optional<Picture> loadJpegOrHdrAsStored(const std::filesystem::path& file);

bool looksLikeWebp(const char* start);  // twelve bytes

/// None when the file is none; throws Error when it is a broken or oversized one.
std::optional<Picture> loadWebp(const std::filesystem::path& file);
/// The same values as stored: bytes / 255, straight alpha.
std::optional<Picture> loadWebpAsStored(const std::filesystem::path& file);

bool looksLikeTiff(const char* start);  // four bytes

/// None when the file is none; throws Error when it is a broken, oversized or unknown one.
std::optional<Picture> loadTiff(const std::filesystem::path& file);
/// The same values as stored: integers / their largest, straight alpha.
std::optional<Picture> loadTiffAsStored(const std::filesystem::path& file);

/// A picture of this size in sRGB, black.
Picture storedPicture(int width, int height, bool hasAlpha);

/// Values of a file in sRGB with straight alpha become linear and premultiplied; linear ones only
/// the latter.
std::optional<Picture> linearized(std::optional<Picture> stored);

}  // namespace fathom
