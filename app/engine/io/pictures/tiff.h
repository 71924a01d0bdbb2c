// SPDX-License-Identifier: BSD-3-Clause
// TIFF pictures, read by libtiff: 8 bits of any color model as it converts them; 16 bits and float
// as gray or RGB, without rounding. The first picture of a file; float is linear light.
#pragma once

#include "app/engine/io/picture.h"

#include <filesystem>
#include <optional>

namespace fathom {

bool looksLikeTiff(const char* start);  // four bytes

/// None when the file is none; throws Error when it is a broken, oversized or unknown one.
std::optional<Picture> loadTiff(const std::filesystem::path& file);
/// The same values as stored: integers / their largest, straight alpha.
std::optional<Picture> loadTiffAsStored(const std::filesystem::path& file);

}  // namespace fathom
