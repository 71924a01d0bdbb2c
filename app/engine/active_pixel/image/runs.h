// SPDX-License-Identifier: BSD-3-Clause
// Walking the runs of sparse images: statistics for overlays and reports (in how many images a
// pixel is active, which run lies in front, how long runs are), and the index by which shaders,
// which cannot walk a chain, find pixels.
#pragma once

#include "app/engine/active_pixel/image/model.h"

namespace fathom::active_pixel {

using SparseWords = std::span<const std::uint32_t>;  // a valid sparse image

/// Runs of active pixels by length: element k counts those of 2^k .. 2^(k+1) - 1 pixels.
constexpr int kLengthClasses = 26;
using RunLengths = std::array<std::uint64_t, kLengthClasses>;
RunLengths runLengths(SparseWords image);

/// uint[height][width], bottom row first: in how many images the pixel is active. All images are of
/// one size.
std::vector<std::uint32_t> activeCounts(std::span<const SparseWords> images);

/// uint[height][width], bottom row first: 0 where nothing is active, else 1 plus the number of the
/// run that lies in front, counted within its image. In front is the smallest depth, the later
/// image of two equal ones; when blending, the first in `order`.
std::vector<std::uint32_t> frontRuns(std::span<const SparseWords> images, Compositing compositing,
                                     std::span<const int> order);

/// The pixel of one image, when it is active: its payload as words, and its run.
struct FoundPixel {
  const std::uint32_t* payload;
  std::uint64_t run, runFirst, runLength;  // number of the run, its first pixel and length
};
/// Pixels count from the lower left corner, row by row. Null payload: inactive.
FoundPixel findPixel(SparseWords image, std::uint64_t pixel);

/// An image with split runs joined, a bit for each of its active pixels, uint[height][(width + 31)
/// / 32], and the sums over these (shaders/active_pixel/shared.h).
struct IndexedWords {
  std::vector<std::uint32_t> words, masks, prefix;
};
IndexedWords indexRuns(SparseWords image);

}  // namespace fathom::active_pixel
