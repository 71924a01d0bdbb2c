// SPDX-License-Identifier: BSD-3-Clause
// Compositing only some fragments of a list.
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"
#include "shaders/deep/seeing_shared.h"

namespace fathom::deep {

void Pipeline::peel(const FragmentLists& lists, const Peel& peel, EarlyOut earlyOut,
                    const gpu::Texture& picture) {
  gpu::Pass& p = pass("peel lists", "peel_lists.comp", lists.shape,
                      {{"DESCENDING", lists.descending ? 1 : 0}, {"EARLY_OUT", int(earlyOut)}});
  shared::PeelParams seen{};
  seen.nearKey = zKey(peel.range.nearest);
  seen.farKey = zKey(peel.range.farthest);
  seen.number = std::uint32_t(peel.number);
  bind(p, lists)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, params(lists))
      .params(DEEP_BIND_PEEL, seen);
  p.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

}  // namespace fathom::deep
