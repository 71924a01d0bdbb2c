// SPDX-License-Identifier: BSD-3-Clause
// The implementation space of decoding: what may differ while the picture stays within its
// certified bound.
#pragma once

#include "app/engine/core/variants.h"

namespace fathom::smoe {

enum Dimension { kTile, kMasks, kFetch };

inline constexpr VariantSpace kSpace{
    {{"tile",
      "Side of a tile in pixels.",
      {{"8", "", "short lists, many of them"},
       {"16", "", "the middle"},
       {"32", "", "the paper's blocks"}}},
     {"masks",
      "Skipping components cell by cell inside a tile.",
      {{"off", "", "every entry of the list is evaluated"},
       {"on", "", "a bit per cell of 8 x 4 samples says where"}}},
     {"fetch",
      "How records reach the samples.",
      {{"columns", "", "columns of samples read them for themselves"},
       {"batches", "", "a work group reads them together, into shared memory"}}}},
    {{"S1", "masks belong to tiles of 16",
      [](const Variant& v) { return v[kMasks] == 0 || v[kTile] == 1; }}}};
static_assert(kSpace.count() == 8);

/// What runs without tuning.
constexpr Variant defaultVariant(bool software) { return {1, 1, std::uint8_t(software ? 0 : 1)}; }

}  // namespace fathom::smoe
