// SPDX-License-Identifier: BSD-3-Clause
// Flat EXR files with Z among the inputs: each pixel becomes a list of one fragment.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/io/picture.h"

#include <filesystem>
#include <optional>
#include <string>

namespace fathom::deep {

/// The picture when the file is a flat EXR with Z; none for anything else. Throws Error when it is
/// a damaged one.
std::optional<Picture> readFlatWithDepth(const std::filesystem::path& file,
                                         const std::string& part = {});

/// One fragment at Z per pixel; a volume [Z, Z + thickness) when the thickness is above 0. Pixels
/// without alpha and color become empty lists. NaN depth becomes +inf, NaN and infinite color 0,
/// and alpha is kept within 0..1; repairs are counted. Half where that loses nothing, else Indexed
/// with float channels. `picture.depth` is not empty.
DeepImage deepened(const Picture& picture, float thickness);

}  // namespace fathom::deep
