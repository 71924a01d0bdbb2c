// SPDX-License-Identifier: BSD-3-Clause
// Deep EXR through OpenEXR's own C++ classes: a second witness for files that we write, and a
// writer of files that we read.
#pragma once

#include "app/engine/core/deep_image.h"

namespace fathom::test {

struct WitnessPart {
  DeepImage image;  // Indexed
  std::string name = {}, view = {};
  bool tiled = false, mipmapped = false;
  bool rle = false;
  bool bottomUp = false;  // decreasing line order
};

/// Several parts make a multi-part file.
void writeWithOpenExr(const std::filesystem::path& file, const std::vector<WitnessPart>& parts);

/// Reads a single-part file, scanline or tiled, as Indexed.
DeepImage readWithOpenExr(const std::filesystem::path& file);

}  // namespace fathom::test
