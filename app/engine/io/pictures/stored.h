// SPDX-License-Identifier: BSD-3-Clause
// What loaders of sRGB pictures have in common.
#pragma once

#include "app/engine/io/picture.h"

#include <optional>

namespace fathom {

/// A picture of this size in sRGB, black.
Picture storedPicture(int width, int height, bool hasAlpha);

/// Values of a file in sRGB with straight alpha become linear and premultiplied; linear ones only
/// the latter.
std::optional<Picture> linearized(std::optional<Picture> stored);

}  // namespace fathom
