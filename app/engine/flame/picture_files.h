// SPDX-License-Identifier: BSD-3-Clause
// Flames as files, byte for byte as flam3 cuts them: truncated, never rounded.
#pragma once

#include "app/engine/core/image.h"

namespace fathom::flame {

struct PictureOptions {
  bool transparent = false;  // PNG and EXR get an alpha channel; the background is black then
  int bits = 8;              // of PNG: 8 or 16
  bool asFloat = false;      // EXR: float in place of half
};

/// `displayed`: as Rendering has it; `light` the same as linear light (for .exr). The ending
/// decides: .png, .ppm or .exr. Throws Error.
void writeFlame(const fs::path& file, const Image& displayed, const Image& light,
                const PictureOptions& options);

/// Whole levels of 8 bits per channel, RGB or RGBA.
std::vector<std::uint8_t> levels8(const Image& displayed, bool transparent);
/// Levels of 16 bits as flam3 has them: 256 times those of 8 bits, alpha in 0..65535.
std::vector<std::uint16_t> levels16(const Image& displayed, bool transparent);

}  // namespace fathom::flame
