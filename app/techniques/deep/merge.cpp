// SPDX-License-Identifier: BSD-3-Clause
// Two lists into one, saved or composited, and one list composited.
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>

namespace fathom::deep {

void Pipeline::reverse(FragmentLists& lists) {
  gpu::Pass& p = pass("reverse links", "reverse_links.comp", anySlots(lists.shape));
  bind(p, lists).params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Storage);  // merge lists
  lists.descending = !lists.descending;
}

void Pipeline::ascend(FragmentLists& lists) {
  if (lists.descending) reverse(lists);
}

void Pipeline::alignDirections(std::span<FragmentLists* const> inputs) {
  const auto turned = std::count_if(inputs.begin(), inputs.end(),
                                    [](const FragmentLists* lists) { return lists->descending; });
  if (turned == std::ptrdiff_t(inputs.size())) return;
  for (FragmentLists* lists : inputs) ascend(*lists);
}

std::vector<gpu::Define> Pipeline::mergeDefines(const FragmentLists& input,
                                                const Settings& settings) const {
  const Method method = resolve(settings.method, gpu_.device().software);
  std::vector<gpu::Define> defines{{"METHOD", int(method)},
                                   {"DESCENDING", input.descending ? 1 : 0}};
  if (method == Method::RegisterBlock) defines.emplace_back("REGISTERS", input.shape.registers());
  return defines;
}

void Pipeline::merge(FragmentLists& front, FragmentLists& back, const Settings& settings,
                     FragmentLists& out) {
  FATHOM_CHECK(front.shape == back.shape && front.region == back.region);
  FragmentLists* const both[] = {&front, &back};
  FATHOM_CHECK(&out != &front && &out != &back);
  prepare(out, front.region, front.shape);
  reserve(out, std::uint64_t(front.fragmentCount) + back.fragmentCount);
  out.fragmentCount = front.fragmentCount + back.fragmentCount;
  alignDirections(both);

  gpu::Pass& combine = pass("combine tables", "combine_tables.comp", anySlots(front.shape));
  bind(combine, front, 0);
  bind(combine, back, 1);
  bind(combine, out, 2).params(DEEP_BIND_PARAMS, params(out));
  combine.dispatch(groupCount(out));
  gpu::barrier(gpu::Reader::Storage);  // rank lists, merge lists
  if (isRanked(out.shape)) rankLists(out);

  if (isLinked(out.shape)) summary_.clear();
  std::vector<gpu::Define> defines = mergeDefines(front, settings);
  defines.emplace_back("OUTPUT", 1);
  if (isLinked(out.shape)) defines.emplace_back("LINK", int(settings.links));
  gpu::Pass& p = pass("merge lists", "merge_lists.comp", anySlots(front.shape), std::move(defines));
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
  FragmentLists* const both[] = {&front, &back};
  alignDirections(both);
  std::vector<gpu::Define> defines = mergeDefines(front, settings);
  defines.emplace_back("OUTPUT", 0);
  defines.emplace_back("EARLY_OUT", int(settings.earlyOut));
  gpu::Pass& p = pass("merge lists", "merge_lists.comp", front.shape, std::move(defines));
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
