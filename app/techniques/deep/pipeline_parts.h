// SPDX-License-Identifier: BSD-3-Clause
// What the files of the pipeline share: pipeline, capture, transfer, merge, depth_complexity, sort.
#pragma once

#include "app/techniques/deep/fragment_lists.h"
#include "shaders/deep/shared.h"

#include <cstdint>

namespace fathom::deep {

constexpr std::uint64_t kWord = sizeof(std::uint32_t);

inline std::uint32_t groupCount(const FragmentLists& lists) { return lists.slotCount / DEEP_GROUP; }
inline bool isLinked(const ListShape& shape) { return shape.layout == Layout::LinkedList; }
inline bool isLinear(const ListShape& shape) { return shape.layout == Layout::Linearized; }

}  // namespace fathom::deep
