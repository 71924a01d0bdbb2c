// SPDX-License-Identifier: BSD-3-Clause
// Which inputs are merged with which, in what order: two by two in levels, or up to DEEP_MAX_WAYS
// in one pass and more in rounds. Inputs that are merged are always neighbors, so that of equal
// depths the first input stays in front.
#pragma once

#include "app/engine/deep/settings/settings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom::deep {

struct MergePlan {
  /// Lists are numbered: the inputs, then the result of each step. At least two per step.
  std::vector<std::vector<std::size_t>> steps;
  std::vector<std::size_t> left;  // what is not merged any more, in order
};

/// Strategy is not Auto. With `toOne` a single list is left; else as many as one pass composites: 2
/// pairwise, DEEP_MAX_WAYS k-way. Rounds of the k-way merge are few and the first takes as few
/// fragments as it can, so that all later ones are full (Knuth, The Art of Computer Programming 3,
/// 5.4.9, with the order kept).
MergePlan planMerge(std::span<const std::uint64_t> fragmentCounts, Strategy strategy, bool toOne);

}  // namespace fathom::deep
