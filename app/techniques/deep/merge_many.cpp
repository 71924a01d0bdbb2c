// SPDX-License-Identifier: BSD-3-Clause
// More than two lists into one: in one pass over all of them (Archer 2018, future work), and by
// whatever strategy the settings ask for.
#include "app/techniques/deep/merge_plan.h"
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>

namespace fathom::deep {
namespace {

/// Programs are compiled for so many lists: those that are not there count as ended.
int waysFor(std::size_t inputs) { return inputs <= 4 ? 4 : inputs <= 8 ? 8 : DEEP_MAX_WAYS; }

/// Fragments per list that fit the registers of one invocation, all lists together: about 64 words.
int registersFor(int ways, const ListShape& shape, Method method) {
  if (method == Method::Stepwise || ways > 8) return 1;
  const int most = 64 / ways / shape.words();
  return std::min(shape.registers(), ways > 4 ? std::min(most, 4) : most);
}

}  // namespace

gpu::Pass& Pipeline::manyPass(std::span<FragmentLists* const> inputs, const ListShape& shape,
                              const Settings& settings, std::vector<gpu::Define> defines) {
  FATHOM_CHECK(inputs.size() >= 2 && inputs.size() <= DEEP_MAX_WAYS);
  const int ways = waysFor(inputs.size());
  const Method method = resolve(settings.method, gpu_.device().software);
  defines.emplace_back("WAYS", ways);
  defines.emplace_back("REGISTERS", registersFor(ways, shape, method));
  defines.emplace_back("DESCENDING", inputs[0]->descending ? 1 : 0);
  gpu::Pass& p = pass("merge many lists", "merge_many_lists.comp", shape, std::move(defines));
  bindPool(p, inputs);
  return p;
}

void Pipeline::mergeMany(std::span<FragmentLists* const> inputs, const Settings& settings,
                         FragmentLists& out) {
  pool(inputs);
  const FragmentLists& first = *inputs[0];
  std::uint64_t fragments = 0;
  for (const FragmentLists* lists : inputs) {
    FATHOM_CHECK(lists != &out);
    fragments += lists->fragmentCount;
  }
  prepare(out, first.region, first.shape);
  reserve(out, fragments);
  out.fragmentCount = std::uint32_t(fragments);
  alignDirections(inputs);

  shared::Params sizes = params(out);
  sizes.count = std::uint32_t(inputs.size());
  gpu::Pass& combine =
      pass("combine tables", "combine_tables.comp", anySlots(first.shape), {{"POOLED", 1}});
  bindPool(combine, inputs);
  bind(combine, out, 1).params(DEEP_BIND_PARAMS, sizes);
  combine.dispatch(groupCount(out));
  gpu::barrier(gpu::Reader::Storage);  // rank lists, merge many lists
  if (isRanked(out.shape)) rankLists(out);

  std::vector<gpu::Define> defines{{"OUTPUT", 1}};
  if (isLinked(out.shape)) defines.emplace_back("LINK", int(settings.links));
  gpu::Pass& p = manyPass(inputs, anySlots(first.shape), settings, std::move(defines));
  bind(p, out, 1).params(DEEP_BIND_PARAMS, sizes);
  if (isLinked(out.shape)) {
    summary_.clear();
    p.storage(DEEP_BIND_SUMMARY, summary_);
  }
  p.dispatch(out.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next merge, flatten, download
  out.descending = isLinked(out.shape) && (first.descending != (settings.links == Links::Push));
}

void Pipeline::mergeManyComposite(std::span<FragmentLists* const> inputs, const Settings& settings,
                                  const gpu::Texture& picture) {
  pool(inputs);
  alignDirections(inputs);
  shared::Params sizes = params(*inputs[0]);
  sizes.count = std::uint32_t(inputs.size());
  gpu::Pass& p = manyPass(inputs, inputs[0]->shape, settings,
                          {{"OUTPUT", 0}, {"EARLY_OUT", int(settings.earlyOut)}});
  p.image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, sizes);
  p.dispatch(inputs[0]->slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

std::vector<FragmentLists*> Pipeline::mergeDown(std::span<FragmentLists* const> inputs,
                                                std::vector<FragmentLists>& merged,
                                                const Settings& settings, bool toOne) {
  std::vector<std::uint64_t> counts;
  for (const FragmentLists* lists : inputs) counts.push_back(lists->fragmentCount);
  const MergePlan plan = planMerge(counts, resolve(settings.strategy, inputs.size()), toOne);
  if (merged.size() < plan.steps.size()) merged.resize(plan.steps.size());
  const auto numbered = [&](const std::vector<std::size_t>& numbers) {
    std::vector<FragmentLists*> lists;
    for (const std::size_t n : numbers)
      lists.push_back(n < inputs.size() ? inputs[n] : &merged[n - inputs.size()]);
    return lists;
  };

  // What a pass over many reads lies in one pool, with room for what is merged into it before.
  std::vector<FragmentLists*> pooled;
  const auto join = [&](const std::vector<std::size_t>& numbers) {
    if (numbers.size() < 3) return;
    const std::vector<FragmentLists*> lists = numbered(numbers);
    pooled.insert(pooled.end(), lists.begin(), lists.end());
  };
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    join(plan.steps[i]);
    std::uint64_t fragments = 0;
    for (const FragmentLists* lists : numbered(plan.steps[i])) fragments += lists->fragmentCount;
    if (fragments > UINT32_MAX)
      throw DoesNotFit("fragments: more than 2^32 in one region", double(fragments), 0x1p32);
    merged[i].shape = inputs[0]->shape;
    merged[i].region = inputs[0]->region;
    merged[i].slotCount = inputs[0]->slotCount;
    merged[i].fragmentCount = std::uint32_t(fragments);
  }
  join(plan.left);
  if (!pooled.empty()) pool(pooled);

  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const std::vector<FragmentLists*> lists = numbered(plan.steps[i]);
    if (lists.size() == 2)
      merge(*lists[0], *lists[1], settings, merged[i]);
    else
      mergeMany(lists, settings, merged[i]);
  }
  return numbered(plan.left);
}

std::vector<FragmentLists*> Pipeline::mergeDown(std::span<FragmentLists> inputs,
                                                std::vector<FragmentLists>& merged,
                                                const Settings& settings, bool toOne) {
  std::vector<FragmentLists*> lists;
  for (FragmentLists& input : inputs) lists.push_back(&input);
  return mergeDown(std::span<FragmentLists* const>(lists), merged, settings, toOne);
}

void Pipeline::composite(std::span<FragmentLists* const> lists, const Settings& settings,
                         const gpu::Texture& picture) {
  if (lists.size() == 1)
    flatten(*lists[0], settings.earlyOut, picture);
  else if (lists.size() == 2)
    mergeComposite(*lists[0], *lists[1], settings, picture);
  else
    mergeManyComposite(lists, settings, picture);
}

}  // namespace fathom::deep
