// SPDX-License-Identifier: BSD-3-Clause
// A sparse image made ready for shaders, which look for pixels and cannot walk a chain of runs.
#pragma once

#include "app/engine/active_pixel/image/model.h"

#include <span>
#include <vector>

namespace fathom::active_pixel {

/// The image with split runs joined, a bit for each of its active pixels, uint[height][(width + 31)
/// / 32], and the sums over these (shaders/active_pixel/shared.h).
struct IndexedWords {
  std::vector<std::uint32_t> words, masks, prefix;
};
/// Walks the runs, each of which says where the next begins. The image must be valid.
IndexedWords indexRuns(std::span<const std::uint32_t> words, const Format& format);

}  // namespace fathom::active_pixel
