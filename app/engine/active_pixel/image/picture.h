// SPDX-License-Identifier: BSD-3-Clause
// Conversion between frames, whose row 0 is the bottom row, and pictures, which begin at the top.
// Bytes of a frame are sRGB encoded, with alpha multiplied after encoding; floats are linear.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/active_pixel/image/model.h"

#include <vector>

namespace fathom::active_pixel {

/// Linear and premultiplied. Alpha is 1 where Rgb32f is active; a frame without color shows depth,
/// white near and black far.
Image imageOf(const Frame& frame);
/// Depth of a frame with the top row first; empty when it has none.
std::vector<float> depthOf(const Frame& frame);

/// `depth`: float[height][width] top row first, 0 near .. 1 far; left out when the format has none.
Frame frameOf(const Image& image, const std::vector<float>& depth, const Format& format);

}  // namespace fathom::active_pixel
