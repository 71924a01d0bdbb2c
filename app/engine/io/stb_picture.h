// SPDX-License-Identifier: BSD-3-Clause
// JPEG and Radiance HDR pictures, read by stb_image.
#pragma once

#include "app/engine/io/picture.h"

#include <filesystem>
#include <optional>

namespace fathom {

bool looksLikeJpeg(const char* start);  // eight bytes
bool looksLikeHdr(const char* start);

/// None when the file is neither; throws Error when it is a broken or oversized one.
std::optional<Picture> loadJpegOrHdr(const std::filesystem::path& file);
/// The same values as stored: of a JPEG bytes / 255.
std::optional<Picture> loadJpegOrHdrAsStored(const std::filesystem::path& file);

}  // namespace fathom
