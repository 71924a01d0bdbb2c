// SPDX-License-Identifier: BSD-3-Clause
// The operations of operations/operations.h on the GPU, as passes over sorted lists: count what
// comes out, make tables, write. Linked lists that run back to front are reversed; `out` is another
// object.
#pragma once

#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

void editDepths(ListStore& store, FragmentLists& in, const InputEdit& edit, bool hasVolumes,
                FragmentLists& out);
/// `in` has no volumes, or is tidy.
void holdLists(ListStore& store, FragmentLists& in, FragmentLists& matte, Role role, HoldRule rule,
               FragmentLists& out);
void tidyLists(ListStore& store, FragmentLists& in, FragmentLists& out);
void dropHidden(ListStore& store, FragmentLists& in, float alpha, FragmentLists& out);
/// Returns how far light that shows was moved.
float thinLists(ListStore& store, FragmentLists& in, int maxCount, FragmentLists& out);
/// Composites what tidyLists() would make, in float: nothing is rounded in between.
void flattenTidy(ListStore& store, FragmentLists& lists, EarlyOut earlyOut,
                 const gpu::Texture& picture);

}  // namespace fathom::deep
