// SPDX-License-Identifier: BSD-3-Clause
// The lists of several images in the same buffers. A pass over k images would need 4 k storage
// blocks, and devices may have as few as 8; with a pool it needs 8 (LL: 9), and passes over one
// image bind its slice of each buffer. The result of a merge is as large as the pool of its inputs,
// so that saving needs no smaller regions than before.
#pragma once

#include "app/engine/deep/lists/list_store.h"

#include <span>

namespace fathom::deep {

/// Puts the lists of several images (one shape, one region) into the same buffers, one image after
/// the other, by copying them once; nothing happens when they are there already. A list whose
/// buffers are not made yet gets room for its fragmentCount: a merge writes into it later. Throws
/// DoesNotFit.
void pool(ListStore& store, std::span<FragmentLists* const> lists);

/// Binds pooled inputs as list 0, and where each begins.
gpu::Program& bindPool(gpu::Program& program, std::span<FragmentLists* const> inputs);

}  // namespace fathom::deep
