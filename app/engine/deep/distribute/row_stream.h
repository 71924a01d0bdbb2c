// SPDX-License-Identifier: BSD-3-Clause
// Rows of a deep image as bytes for another rank (docs/reference/wire.md). Fragments come out bit
// for bit.
#pragma once

#include "app/engine/core/deep_image.h"

namespace fathom::deep {

/// What an image has within a window (image coordinates), as an image of the smallest window that
/// holds it. `firstIndex`: what the index words of an Indexed image start at; they begin with 0
/// then.
DeepImage trimmed(const DeepImage& image, const Rect& window, std::uint32_t firstIndex = 0);

/// What a stream is about, besides rows.
struct StreamTag {
  std::uint32_t input = 0;  // number of the input that the fragments belong to
  int level = 1;            // of deflate; 0: bytes as they are
};
/// What the image has in these rows (image coordinates); nothing where they are empty. Index words
/// count from 0.
std::vector<std::byte> encodeRows(const DeepImage& image, const Rect& rows, const StreamTag& tag);

/// What a stream may say; anything else is damage or another run's.
struct StreamLimits {
  Rect region;     // it has to lie within
  DeepImage like;  // without fragments
  std::uint32_t inputs = 0;
  std::uint64_t maxFragments = 0;
};
struct DecodedRows {
  std::uint32_t input = 0;
  DeepImage image;  // its data window is the region
};
/// Checks every number before memory is taken for it. Throws Error.
DecodedRows decodeRows(std::span<const std::byte> stream, const StreamLimits& limits);

}  // namespace fathom::deep
