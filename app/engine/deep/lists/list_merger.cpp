// SPDX-License-Identifier: BSD-3-Clause
// The passes of a merge: tables of the result from those of the inputs, then the fragments. Which
// inputs go into which pass: merge_plan.h.
#include "app/engine/deep/lists/list_merger.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/lists/list_pool.h"
#include "app/engine/deep/lists/merge_plan.h"
#include "shaders/deep/view/depth_view_shared.h"

#include <algorithm>

namespace fathom::deep {
namespace {

/// The number of lists that a program is compiled for: missing ones count as exhausted.
int waysFor(std::size_t inputs) { return inputs <= 4 ? 4 : inputs <= 8 ? 8 : DEEP_MAX_WAYS; }

/// Fragments per list that fit the registers of one invocation, all lists together: about 64 words.
int registersFor(int ways, const ListShape& shape, Method method) {
  if (method == Method::Stepwise || ways > 8) return 1;
  const int fitting = 64 / ways / shape.words();
  return std::min(shape.registers(), ways > 4 ? std::min(fitting, 4) : fitting);
}

/// A fragment of several lists is compared with the first of each, moved, and written or laid over.
gpu::DispatchCost mergeCost(std::span<FragmentLists* const> inputs) {
  const std::vector<const FragmentLists*> lists(inputs.begin(), inputs.end());
  return walkCost(lists, {40 + 8 * double(inputs.size()), 1});
}

/// Of a group: its 32 slots in each input.
gpu::Each combineCost(std::size_t inputs) { return {12.0 * DEEP_GROUP * double(inputs + 1), DEEP_GROUP}; }

std::uint32_t longestOfAll(std::span<FragmentLists* const> inputs) {
  return longestOf(std::vector<const FragmentLists*>(inputs.begin(), inputs.end()));
}

}  // namespace

bool ListMerger::poolsPairs(const ListShape& shape) const {
  const int needed = isLinked(shape) ? 13 : 12;
  return store_.gpu().limits().storageBlocksPerStage < needed;
}

void ListMerger::alignDirections(std::span<FragmentLists* const> inputs) {
  const auto descending = std::count_if(
      inputs.begin(), inputs.end(), [](const FragmentLists* lists) { return lists->descending; });
  if (descending == std::ptrdiff_t(inputs.size())) return;
  for (FragmentLists* lists : inputs) store_.ascend(*lists);
}

std::vector<gpu::Define> ListMerger::mergeDefines(const FragmentLists& input,
                                                  const Settings& settings) const {
  const Method method = resolve(settings.method, store_.gpu().device().software);
  std::vector<gpu::Define> defines{{"METHOD", int(method)},
                                   {"DESCENDING", input.descending ? 1 : 0}};
  if (method == Method::RegisterBlock) defines.emplace_back("REGISTERS", input.shape.registers());
  return defines;
}

// Two
// -------------------------------------------------------------------------------------------------

void ListMerger::merge(FragmentLists& front, FragmentLists& back, const Settings& settings,
                       FragmentLists& out) {
  FATHOM_CHECK(front.shape == back.shape && front.region == back.region);
  FragmentLists* const both[] = {&front, &back};
  FATHOM_CHECK(&out != &front && &out != &back);
  if (poolsPairs(front.shape)) return mergeMany(both, settings, out);
  store_.prepare(out, front.region, front.shape);
  store_.reserve(out, std::uint64_t(front.fragmentCount) + back.fragmentCount);
  out.fragmentCount = front.fragmentCount + back.fragmentCount;
  out.longest = longestOfAll(both);
  alignDirections(both);

  gpu::Pass& combine =
      store_.pass("combine tables", "lists/combine_tables.comp", anySlots(front.shape));
  bind(combine, front, 0);
  bind(combine, back, 1);
  bind(combine, out, 2).params(DEEP_BIND_PARAMS, paramsOf(out));
  gpu::dispatch(combine, out.groupCount(), combineCost(2));
  gpu::barrier(gpu::Reader::Storage);  // rank lists, merge lists
  if (isRanked(out.shape)) store_.rankLists(out);

  if (isLinked(out.shape)) store_.summary().clear();
  std::vector<gpu::Define> defines = mergeDefines(front, settings);
  defines.emplace_back("OUTPUT", 1);
  if (isLinked(out.shape)) defines.emplace_back("LINK", int(settings.links));
  gpu::Pass& p = store_.pass("merge lists", "lists/merge_lists.comp", anySlots(front.shape),
                             std::move(defines));
  bind(p, front, 0);
  bind(p, back, 1);
  bind(p, out, 2);
  if (isLinked(out.shape)) p.storage(DEEP_BIND_SUMMARY, store_.summary());
  p.params(DEEP_BIND_PARAMS, paramsOf(out));
  gpu::dispatch(p, out.slotCount, mergeCost(both));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next merge, flatten, download
  // Pushing turns the lists around; writing forward keeps the direction of the inputs.
  out.descending = isLinked(out.shape) && (front.descending != (settings.links == Links::Push));
}

void ListMerger::mergeComposite(FragmentLists& front, FragmentLists& back, const Settings& settings,
                                const gpu::Texture& picture) {
  FATHOM_CHECK(front.shape == back.shape && front.region == back.region);
  FragmentLists* const both[] = {&front, &back};
  alignDirections(both);
  std::vector<gpu::Define> defines = mergeDefines(front, settings);
  defines.emplace_back("OUTPUT", 0);
  defines.emplace_back("EARLY_OUT", int(settings.earlyOut));
  gpu::Pass& p =
      store_.pass("merge lists", "lists/merge_lists.comp", front.shape, std::move(defines));
  bind(p, front, 0);
  bind(p, back, 1).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, paramsOf(front));
  gpu::dispatch(p, front.slotCount, mergeCost(both));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

// Many in one pass
// -------------------------------------------------------------------------------------------------

gpu::Pass& ListMerger::manyPass(std::span<FragmentLists* const> inputs, const ListShape& shape,
                                const Settings& settings, std::vector<gpu::Define> defines) {
  FATHOM_CHECK(inputs.size() >= 2 && inputs.size() <= DEEP_MAX_WAYS);
  const int ways = waysFor(inputs.size());
  const Method method = resolve(settings.method, store_.gpu().device().software);
  defines.emplace_back("WAYS", ways);
  defines.emplace_back("REGISTERS", registersFor(ways, shape, method));
  defines.emplace_back("DESCENDING", inputs[0]->descending ? 1 : 0);
  gpu::Pass& p =
      store_.pass("merge many lists", "lists/merge_many_lists.comp", shape, std::move(defines));
  bindPool(p, inputs);
  return p;
}

void ListMerger::mergeMany(std::span<FragmentLists* const> inputs, const Settings& settings,
                           FragmentLists& out) {
  pool(store_, inputs);
  const FragmentLists& first = *inputs[0];
  std::uint64_t fragments = 0;
  for (const FragmentLists* lists : inputs) {
    FATHOM_CHECK(lists != &out);
    fragments += lists->fragmentCount;
  }
  store_.prepare(out, first.region, first.shape);
  store_.reserve(out, fragments);
  out.fragmentCount = std::uint32_t(fragments);
  out.longest = longestOfAll(inputs);
  alignDirections(inputs);

  shared::Params sizes = paramsOf(out);
  sizes.count = std::uint32_t(inputs.size());
  gpu::Pass& combine = store_.pass("combine tables", "lists/combine_tables.comp",
                                   anySlots(first.shape), {{"POOLED", 1}});
  bindPool(combine, inputs);
  bind(combine, out, 1).params(DEEP_BIND_PARAMS, sizes);
  gpu::dispatch(combine, out.groupCount(), combineCost(inputs.size()));
  gpu::barrier(gpu::Reader::Storage);  // rank lists, merge many lists
  if (isRanked(out.shape)) store_.rankLists(out);

  std::vector<gpu::Define> defines{{"OUTPUT", 1}};
  if (isLinked(out.shape)) defines.emplace_back("LINK", int(settings.links));
  gpu::Pass& p = manyPass(inputs, anySlots(first.shape), settings, std::move(defines));
  bind(p, out, 1).params(DEEP_BIND_PARAMS, sizes);
  if (isLinked(out.shape)) {
    store_.summary().clear();
    p.storage(DEEP_BIND_SUMMARY, store_.summary());
  }
  gpu::dispatch(p, out.slotCount, mergeCost(inputs));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next merge, flatten, download
  out.descending = isLinked(out.shape) && (first.descending != (settings.links == Links::Push));
}

void ListMerger::mergeManyComposite(std::span<FragmentLists* const> inputs,
                                    const Settings& settings, const gpu::Texture& picture) {
  pool(store_, inputs);
  alignDirections(inputs);
  shared::Params sizes = paramsOf(*inputs[0]);
  sizes.count = std::uint32_t(inputs.size());
  gpu::Pass& p = manyPass(inputs, inputs[0]->shape, settings,
                          {{"OUTPUT", 0}, {"EARLY_OUT", int(settings.earlyOut)}});
  p.image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, sizes);
  gpu::dispatch(p, inputs[0]->slotCount, mergeCost(inputs));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

// Any number
// -------------------------------------------------------------------------------------------------

namespace {

/// Lists as a plan numbers them: the inputs, then the result of each step.
std::vector<FragmentLists*> numbered(const std::vector<std::size_t>& numbers,
                                     std::span<FragmentLists* const> inputs,
                                     std::vector<FragmentLists>& merged) {
  std::vector<FragmentLists*> lists;
  for (const std::size_t n : numbers)
    lists.push_back(n < inputs.size() ? inputs[n] : &merged[n - inputs.size()]);
  return lists;
}

}  // namespace

void ListMerger::prepareSteps(std::span<FragmentLists* const> inputs, const MergePlan& plan,
                              std::vector<FragmentLists>& merged) {
  if (merged.size() < plan.steps.size()) merged.resize(plan.steps.size());
  // All inputs of a pass over many share one pool, with room for results of earlier steps.
  std::vector<FragmentLists*> pooled;
  const auto join = [&](const std::vector<FragmentLists*>& lists) {
    if (lists.size() >= 3 || (lists.size() == 2 && poolsPairs(lists[0]->shape))) pooled.insert(pooled.end(), lists.begin(), lists.end());
  };
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const std::vector<FragmentLists*> lists = numbered(plan.steps[i], inputs, merged);
    join(lists);
    std::uint64_t fragments = 0;
    for (const FragmentLists* list : lists) fragments += list->fragmentCount;
    if (fragments > UINT32_MAX)
      throw gpu::DoesNotFit("fragments: more than 2^32 in one region", double(fragments), 0x1p32);
    merged[i].shape = inputs[0]->shape;
    merged[i].region = inputs[0]->region;
    merged[i].slotCount = inputs[0]->slotCount;
    merged[i].fragmentCount = std::uint32_t(fragments);
  }
  join(numbered(plan.left, inputs, merged));
  if (!pooled.empty()) pool(store_, pooled);
}

std::vector<FragmentLists*> ListMerger::mergeDown(std::span<FragmentLists* const> inputs,
                                                  std::vector<FragmentLists>& merged,
                                                  const Settings& settings, bool toOne) {
  std::vector<std::uint64_t> counts;
  for (const FragmentLists* lists : inputs) counts.push_back(lists->fragmentCount);
  const MergePlan plan = planMerge(counts, resolve(settings.strategy, inputs.size()), toOne);
  prepareSteps(inputs, plan, merged);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const std::vector<FragmentLists*> lists = numbered(plan.steps[i], inputs, merged);
    if (lists.size() == 2)
      merge(*lists[0], *lists[1], settings, merged[i]);
    else
      mergeMany(lists, settings, merged[i]);
  }
  return numbered(plan.left, inputs, merged);
}

std::vector<FragmentLists*> ListMerger::mergeDown(std::span<FragmentLists> inputs,
                                                  std::vector<FragmentLists>& merged,
                                                  const Settings& settings, bool toOne) {
  std::vector<FragmentLists*> lists;
  for (FragmentLists& input : inputs) lists.push_back(&input);
  return mergeDown(std::span<FragmentLists* const>(lists), merged, settings, toOne);
}

void ListMerger::composite(std::span<FragmentLists* const> lists, const Settings& settings,
                           const gpu::Texture& picture) {
  if (lists.size() == 1)
    flatten(*lists[0], settings.earlyOut, picture);
  else if (lists.size() == 2)
    mergeComposite(*lists[0], *lists[1], settings, picture);
  else
    mergeManyComposite(lists, settings, picture);
}

// Lists that are merged
// -------------------------------------------------------------------------------------------------

void ListMerger::flatten(const FragmentLists& lists, EarlyOut earlyOut,
                         const gpu::Texture& picture) {
  gpu::Pass& p =
      store_.pass("flatten lists", "lists/flatten_lists.comp", lists.shape,
                  {{"DESCENDING", lists.descending ? 1 : 0}, {"EARLY_OUT", int(earlyOut)}});
  bind(p, lists).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, paramsOf(lists));
  gpu::dispatch(p, lists.slotCount, walkCost(lists, {25, 1}));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

void ListMerger::peel(const FragmentLists& lists, const Peel& peel, EarlyOut earlyOut,
                      const gpu::Texture& picture) {
  gpu::Pass& p =
      store_.pass("peel lists", "lists/peel_lists.comp", lists.shape,
                  {{"DESCENDING", lists.descending ? 1 : 0}, {"EARLY_OUT", int(earlyOut)}});
  shared::PeelParams window{};
  window.nearKey = zKey(peel.range.nearest);
  window.farKey = zKey(peel.range.farthest);
  window.number = std::uint32_t(peel.number);
  bind(p, lists)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, paramsOf(lists))
      .params(DEEP_BIND_PEEL, window);
  gpu::dispatch(p, lists.slotCount, walkCost(lists, {30, 1}));
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

}  // namespace fathom::deep
