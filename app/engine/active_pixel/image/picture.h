// SPDX-License-Identifier: BSD-3-Clause
// Frames, whose row 0 is the bottom row, from and to pictures, which begin at the top: colors, the
// Z of pictures, and the files that hold one sparse image. Bytes of a frame are sRGB encoded, with
// alpha multiplied after encoding; floats are linear.
#pragma once

#include "app/engine/active_pixel/image/model.h"
#include "app/engine/core/image.h"

namespace fathom::active_pixel {

/// Copies a region of a frame (of what both have) to where `x`, `y` is its lower left pixel.
void copyRegion(const Frame& from, const Region& region, Frame& to, int x, int y);

/// Linear and premultiplied. Alpha is 1 where Rgb32f is active; a frame without color shows depth,
/// white near and black far.
Image imageOf(const Frame& frame);
/// Depth of a frame with the top row first; empty when it has none.
std::vector<float> depthOf(const Frame& frame);

/// `depth`: float[height][width] top row first, 0 near .. 1 far; left out when the format has none.
Frame frameOf(const Image& image, const std::vector<float>& depth, const Format& format);

// ---- Z of pictures
// In scene units, larger is farther. Images are composited by depth: 0 near .. 1 far, 1 where
// nothing is.

struct DepthRange {
  double near = 0, far = 1;

  /// (z - near) / (far - near); 1 for `far` and beyond, and for NaN. What is nearer than `far`
  /// stays below 1.
  float depthOf(float z) const;
  /// The inverse; infinite for depths of 1 and more, where nothing is.
  float zOf(float depth) const;
};

/// 0 to the power of two, at least 1, that is beyond every Z below infinity. Scaling by it keeps
/// all bits (but those of numbers near the smallest), so that Z comes back exactly, and Z within
/// 0..1 stays as it is.
DepthRange losslessRange(std::span<const float> z);

/// "NEAR,FAR" with near < far, both finite; none for anything else.
std::optional<DepthRange> parseDepthRange(const std::string& text);

// ---- Files (.icet)
// One sparse image as IceT lays it out in memory, header included; row 0 is the bottom row. Files
// do not store which rule made pixels active: with depth it is the z-buffer, without it blending.

/// By its first word, or by its ending; false for what cannot be opened.
bool isIcetFile(const std::string& input);

/// The rule that fits a header of at least 7 words.
Compositing compositingOf(std::span<const std::uint32_t> words);

/// The whole file's bytes as an image, checked. Throws Error: NAME: what was expected, what was
/// found.
SparseImage parseIcet(std::span<const std::byte> bytes, const std::string& name);
SparseImage readIcet(const fs::path& file);

/// Written to a temporary file and renamed. Throws Error.
void writeIcet(const fs::path& file, std::span<const std::uint32_t> words);

}  // namespace fathom::active_pixel
