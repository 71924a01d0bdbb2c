// SPDX-License-Identifier: BSD-3-Clause
// What the files of the pipeline share: capture, depth_complexity, merge, merge_many, pipeline,
// pool, sort, transfer.
#pragma once

#include "app/techniques/deep/fragment_lists.h"
#include "shaders/deep/shared.h"

#include <cstdint>
#include <string>

namespace fathom::deep {

constexpr std::uint64_t kWord = sizeof(std::uint32_t);

inline std::uint32_t groupCount(const FragmentLists& lists) { return lists.slotCount / DEEP_GROUP; }
inline bool isLinked(const ListShape& shape) { return shape.layout == Layout::LinkedList; }
inline bool isRanked(const ListShape& shape) { return shape.layout == Layout::RankInterleaved; }
inline bool isLinear(const ListShape& shape) { return shape.layout == Layout::Linearized; }

/// Layouts that are compiled for a block size.
inline bool isBlocked(const ListShape& shape) {
  return shape.layout == Layout::BlockInterleaved || shape.layout == Layout::AlignedBlocks ||
         shape.layout == Layout::RankInterleaved;
}
/// Layouts whose `extra` holds the minimum of each group.
inline bool hasMinimums(const ListShape& shape) {
  return !isLinked(shape) && !isLinear(shape) && !isRanked(shape);
}

/// Batcher's odd-even merge sort for n = 2^k inputs as "CX(0, 1) CX(2, 3) ..."
std::string sortingNetwork(int n);

}  // namespace fathom::deep
