// SPDX-License-Identifier: BSD-3-Clause
// What a flat picture file holds, whatever its format.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/rect.h"

#include <cstdint>
#include <vector>

namespace fathom {

/// How the values of a file relate to light. Image is always linear; compare wants the file's own.
enum class Encoding { Linear, Srgb };

/// Pixels of a PNG or PPM: 16384 x 16384. A larger claim is refused before anything is allocated.
inline constexpr std::int64_t kMaxPictureArea = std::int64_t(1) << 28;

struct Picture {
  Image image;               // linear, premultiplied; covers the data window
  std::vector<float> depth;  // float[height][width] where the file has a Z channel, else empty
  Rect dataWindow;           // where image lies; (0, 0, width, height) for formats without windows
  Rect displayWindow;
  float pixelAspect = 1.0f;
  bool hasAlpha = false;
  Encoding encoding = Encoding::Linear;
};

}  // namespace fathom
