// SPDX-License-Identifier: BSD-3-Clause
// Frames for the tests of active pixels: drawn as text, or at random from a seed.
#pragma once

#include "app/engine/active_pixel/image/model.h"

namespace fathom::test {

/// Every format that IceT composites: four by depth, two by blending.
const std::vector<active_pixel::Format>& allFormats();
std::string formatName(const active_pixel::Format& format);  // "Rgba8Depth": for names of tests

/// '#' is active, all else is not; rows in the order of memory (the bottom one first), all of one
/// length. Each pixel has a color and a depth of its own, inactive ones too (of the colors).
active_pixel::Frame drawn(const std::vector<std::string>& rows,
                          const active_pixel::Format& format = {});

enum class Pattern { Blobs, Noise, Stripes };
/// About `coverage` of the pixels are active. Depths and alphas include the odd ones: -0, denormal,
/// infinite, NaN, just below and above 1.
active_pixel::Frame randomFrame(std::uint64_t seed, int width, int height,
                                const active_pixel::Format& format, double coverage = 0.3,
                                Pattern pattern = Pattern::Blobs);

}  // namespace fathom::test
