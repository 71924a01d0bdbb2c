// SPDX-License-Identifier: BSD-3-Clause
// PNG: 8 bits per channel, sRGB encoded, straight alpha in the file; linear and premultiplied in
// memory. 16 bits per channel can be written.
#pragma once

#include "app/engine/io/picture.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace fathom
