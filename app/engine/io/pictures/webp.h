// SPDX-License-Identifier: BSD-3-Clause
// WebP pictures, with and without loss, read by libwebp; of an animation nothing.
#pragma once

#include "app/engine/io/picture.h"

#include <filesystem>
#include <optional>

namespace fathom {

bool looksLikeWebp(const char* start);  // twelve bytes

/// None when the file is none; throws Error when it is a broken or oversized one.
std::optional<Picture> loadWebp(const std::filesystem::path& file);
/// The same values as stored: bytes / 255, straight alpha.
std::optional<Picture> loadWebpAsStored(const std::filesystem::path& file);

}  // namespace fathom
