// SPDX-License-Identifier: BSD-3-Clause
// Files that hold one sparse image as IceT lays it out in memory, header included (.icet). Row 0 is
// the bottom row. The files do not store which rule made pixels active: with depth it is the
// z-buffer, without it blending.
#pragma once

#include "app/engine/active_pixel/image/model.h"

#include <filesystem>
#include <span>
#include <string>

namespace fathom::active_pixel {

/// By its first word, or by its ending; false for what cannot be opened.
bool isIcetFile(const std::string& input);

/// The rule that fits a header of at least 7 words.
Compositing compositingOf(std::span<const std::uint32_t> words);

/// The whole file's bytes as an image, checked. Throws Error: NAME: what was expected, what was
/// found.
SparseImage parseIcet(std::span<const std::byte> bytes, const std::string& name);
SparseImage readIcet(const std::filesystem::path& file);

/// Written to a temporary file and renamed. Throws Error.
void writeIcet(const std::filesystem::path& file, std::span<const std::uint32_t> words);

}  // namespace fathom::active_pixel
