// SPDX-License-Identifier: BSD-3-Clause
// PPM (P6, 8 bits): the plainest file of colors, which other programs of the field write for
// comparison.
#pragma once

#include "app/io/picture.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace fathom {

/// None when the file is no P6; throws Error when it is a broken or oversized one.
std::optional<Picture> loadPpm(const std::filesystem::path& file);
/// The same values as stored: bytes / 255.
std::optional<Picture> loadPpmAsStored(const std::filesystem::path& file);

/// uint8[height][width][3], as they are. Throws Error; written beside and renamed.
void writePpm(const std::filesystem::path& file, int width, int height,
              std::span<const std::uint8_t> bytes);

}  // namespace fathom
