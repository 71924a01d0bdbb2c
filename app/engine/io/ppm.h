// SPDX-License-Identifier: BSD-3-Clause
// PPM and PGM (P6, P5; 8 and 16 bits): the plainest files of colors and of gray, which other
// programs of the field write for comparison.
#pragma once

#include "app/engine/io/picture.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace fathom {

/// None when the file is neither; throws Error when it is a broken or oversized one.
std::optional<Picture> loadPpm(const std::filesystem::path& file);
/// The same values as stored: integers / 255 or 65535.
std::optional<Picture> loadPpmAsStored(const std::filesystem::path& file);

/// uint8[height][width][3], as they are. Throws Error; written beside and renamed.
void writePpm(const std::filesystem::path& file, int width, int height,
              std::span<const std::uint8_t> bytes);

}  // namespace fathom
