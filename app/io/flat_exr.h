// SPDX-License-Identifier: BSD-3-Clause
// Flat EXR: colour (RGB or Y, with or without A, any type) and an optional Z, read and written
// through the OpenEXR library.
#pragma once

#include "app/io/picture.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace fathom {

/// None when the file is no flat EXR ("not mine"); throws Error when it is one but broken, or has
/// no colour channel. `part`: number, name or view; empty: the first flat part with colour.
std::optional<Picture> loadFlatExr(const std::filesystem::path& file, const std::string& part = {});

struct FlatExrOptions {
  bool asFloat = false;  // half otherwise
  bool withAlpha = true;
  Rect dataWindow, displayWindow;  // empty: (0, 0, width, height)
  float pixelAspect = 1.0f;
  std::span<const float> depth = {};  // float[height][width] written as Z; empty: no Z
};

/// Written beside and renamed; zip compression. Throws Error.
void writeFlatExr(const std::filesystem::path& file, const Image& image,
                  const FlatExrOptions& options = {});

}  // namespace fathom
