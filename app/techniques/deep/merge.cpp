// SPDX-License-Identifier: BSD-3-Clause
// Two lists into one, saved or composited, and one list composited.
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

namespace fathom::deep {

void Pipeline::alignDirections(FragmentLists& a, FragmentLists& b) {
  if (a.descending == b.descending) return;
  FragmentLists& turned = a.descending ? a : b;
  gpu::Pass& p = pass("reverse links", "reverse_links.comp", anySlots(turned.shape));
  bind(p, turned).params(DEEP_BIND_PARAMS, params(turned));
  p.dispatch(turned.slotCount);
  gpu::barrier(gpu::Reader::Storage);  // merge lists
  turned.descending = !turned.descending;
}

void Pipeline::merge(FragmentLists& front, FragmentLists& back, const Settings& settings,
                     FragmentLists& out) {
  FATHOM_CHECK(front.shape == back.shape && front.region == back.region);
  FATHOM_CHECK(&out != &front && &out != &back);
  prepare(out, front.region, front.shape);
  reserve(out, std::uint64_t(front.fragmentCount) + back.fragmentCount);
  out.fragmentCount = front.fragmentCount + back.fragmentCount;
  alignDirections(front, back);

  gpu::Pass& combine = pass("combine tables", "combine_tables.comp", anySlots(front.shape));
  bind(combine, front, 0);
  bind(combine, back, 1);
  bind(combine, out, 2).params(DEEP_BIND_PARAMS, params(out));
  combine.dispatch(groupCount(out));
  gpu::barrier(gpu::Reader::Storage);  // merge lists

  if (isLinked(out.shape)) summary_.clear();
  gpu::Pass& p = pass("merge lists", "merge_lists.comp", anySlots(front.shape),
                      {{"METHOD", int(resolve(settings.method, gpu_.device().software))},
                       {"OUTPUT", 1},
                       {"DESCENDING", front.descending ? 1 : 0},
                       {"LINK", int(settings.links)}});
  bind(p, front, 0);
  bind(p, back, 1);
  bind(p, out, 2);
  if (isLinked(out.shape)) p.storage(DEEP_BIND_SUMMARY, summary_);
  p.params(DEEP_BIND_PARAMS, params(out));
  p.dispatch(out.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next merge, flatten, download
  // Pushing turns the lists around; writing forward keeps the direction of the inputs.
  out.descending = isLinked(out.shape) && (front.descending != (settings.links == Links::Push));
}

void Pipeline::mergeComposite(FragmentLists& front, FragmentLists& back, const Settings& settings,
                              const gpu::Texture& picture) {
  FATHOM_CHECK(front.shape == back.shape && front.region == back.region);
  alignDirections(front, back);
  gpu::Pass& p = pass("merge lists", "merge_lists.comp", front.shape,
                      {{"METHOD", int(resolve(settings.method, gpu_.device().software))},
                       {"OUTPUT", 0},
                       {"DESCENDING", front.descending ? 1 : 0},
                       {"EARLY_OUT", int(settings.earlyOut)}});
  bind(p, front, 0);
  bind(p, back, 1).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, params(front));
  p.dispatch(front.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

void Pipeline::flatten(const FragmentLists& lists, EarlyOut earlyOut, const gpu::Texture& picture) {
  gpu::Pass& p = pass("flatten lists", "flatten_lists.comp", lists.shape,
                      {{"DESCENDING", lists.descending ? 1 : 0}, {"EARLY_OUT", int(earlyOut)}});
  bind(p, lists).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

}  // namespace fathom::deep
