// SPDX-License-Identifier: BSD-3-Clause
// Each operation runs its pass twice: to count, and to write; see edit_output.glsl.
#include "app/engine/deep/lists/edit_lists.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/lists/arrange_lists.h"

namespace fathom::deep {
namespace {

/// What a pass reads again for each fragment: nothing, the volumes that overlap there, or what
/// edit_thin.comp keeps of the list.
enum class Rescans { Nothing, Overlaps, Blocks };

struct EditPass {
  std::string name, file;
  std::array<std::uint32_t, 4> words{};  // count, spareA, spareB, spareC of its params
  bool usesScratch = false;              // 4 words per fragment of the input
  bool countsApart = false;              // a program that only counts (COUNTS 1)
  bool sorts = false;                    // lists may come out unsorted
  Rescans rescans = Rescans::Nothing;
};

/// Entries of edit_thin.comp: one per fragment, and one per 64 or less of each list that is
/// thinned, which has two at least.
std::uint64_t thinScratch(const FragmentLists& lists) {
  const std::uint64_t fragments = lists.fragmentCount;
  return fragments + fragments / 64 + std::min<std::uint64_t>(lists.slotCount, fragments / 2) + 1;
}

gpu::DispatchCost editCost(Rescans rescans, const FragmentLists& in, const FragmentLists* matte) {
  constexpr double kOverlap = 256;  // volumes, more than which no renderer lays over one another
  constexpr double kAtOnce = 16;    // reads that do not wait for one another
  const FragmentLists* const lists[] = {&in, matte ? matte : &in};
  const auto both = std::span(lists).first(matte ? 2 : 1);
  const double longest = longestOf(both);
  double again = 0;  // reads per fragment
  if (rescans == Rescans::Overlaps) again = 3 * std::min(longest, kOverlap);
  if (rescans == Rescans::Blocks) again = longest / 64 + 192;
  return walkCost(both, {40 + 8 * again, 2 + again / kAtOnce});
}

void dispatchEdit(ListStore& store, const EditPass& wanted, bool writes, FragmentLists& in,
                  FragmentLists* matte, FragmentLists& out) {
  gpu::Pass& p = store.pass(wanted.name, "operations/" + wanted.file, anySlots(in.shape),
                            {{"OUTPUT", 1}, {"COUNTS", !writes && wanted.countsApart ? 1 : 0}});
  shared::Params values = paramsOf(out);
  values.first = writes ? 1 : 0;
  values.count = wanted.words[0];
  values.spareA = wanted.words[1], values.spareB = wanted.words[2], values.spareC = wanted.words[3];
  bind(p, in, 0);
  if (matte) bind(p, *matte, 1);
  bind(p, out, matte ? 2 : 1);
  if (isLinked(in.shape) || wanted.usesScratch) p.storage(DEEP_BIND_SUMMARY, store.summary());
  if (wanted.usesScratch) p.storage(DEEP_BIND_SCRATCH, store.scratch().lists);
  p.params(DEEP_BIND_PARAMS, values);
  p.dispatch(out.slotCount, editCost(wanted.rescans, in, matte));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // what follows; the host
}

/// Runs a pass over `in` (and `matte`) that makes `out`. RIA is linearized first: these passes go
/// over lists repeatedly, and its walk is expensive (and has loops of its own, which some
/// compilers get wrong so deep inside of others). Returns summary.spare of passes that use scratch.
std::uint32_t edit(ListStore& store, const EditPass& wanted, FragmentLists& in,
                   FragmentLists* matte, FragmentLists& out) {
  FATHOM_CHECK(&out != &in && &out != matte);
  FATHOM_CHECK(!matte || (matte->shape == in.shape && matte->region == in.region));
  if (isRanked(in.shape)) {
    ListStore::Scratch& scratch = store.scratch();
    linearizeLists(store, in, scratch.plain);
    if (matte) linearizeLists(store, *matte, scratch.plainMatte);
    const std::uint32_t spare =
        edit(store, wanted, scratch.plain, matte ? &scratch.plainMatte : nullptr, scratch.plainOut);
    out.shape = in.shape;
    arrangeLists(store, scratch.plainOut, out);
    return spare;
  }
  store.ascend(in);
  if (matte) store.ascend(*matte);
  store.prepare(out, in.region, in.shape);
  if (!out.data) store.reserve(out, 1);  // something to bind while counting
  if (wanted.usesScratch)
    store.ensure(store.scratch().lists, "scratch of lists", 4 * thinScratch(in));

  // Count, make tables, write.
  dispatchEdit(store, wanted, false, in, matte, out);
  const shared::Summary summary = store.summarize(out);
  store.tabulate(out);
  store.reserve(out, summary.fragmentsLow);
  out.fragmentCount = summary.fragmentsLow;
  if (isLinked(in.shape) || wanted.usesScratch) store.summary().clear();
  dispatchEdit(store, wanted, true, in, matte, out);
  if (wanted.usesScratch) store.expectWhole();
  const std::uint32_t spare = wanted.usesScratch ? store.readSummary().spare : 0;
  if (wanted.sorts) sortLists(store, out, summary);
  return spare;
}

}  // namespace

void editDepths(ListStore& store, FragmentLists& in, const InputEdit& wanted, bool hasVolumes,
                FragmentLists& out) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  // Volumes that were cut at one depth, or whose fronts became one by rounding, need sorting.
  edit(store,
       {.name = "edit depths",
        .file = "edit_depths.comp",
        .words = {bits(wanted.zScale), bits(wanted.zOffset), bits(wanted.nearest),
                  bits(wanted.farthest)},
        .sorts = hasVolumes},
       in, nullptr, out);
}

void holdLists(ListStore& store, FragmentLists& in, FragmentLists& matte, Role role, HoldRule rule,
               FragmentLists& out) {
  edit(store,
       {.name = "hold lists",
        .file = "edit_hold.comp",
        .words = {role == Role::HoldIn ? 1u : 0u, rule == HoldRule::Fragments ? 1u : 0u},
        .rescans = Rescans::Overlaps},
       in, &matte, out);
}

void tidyLists(ListStore& store, FragmentLists& in, FragmentLists& out) {
  edit(store,
       {.name = "tidy lists",
        .file = "edit_tidy.comp",
        .countsApart = true,
        .rescans = Rescans::Overlaps},
       in, nullptr, out);
}

void dropHidden(ListStore& store, FragmentLists& in, float alpha, FragmentLists& out) {
  edit(store, {"drop hidden", "edit_hidden.comp", {std::bit_cast<std::uint32_t>(alpha)}}, in,
       nullptr, out);
}

float thinLists(ListStore& store, FragmentLists& in, int maxCount, FragmentLists& out) {
  FATHOM_CHECK_OP(maxCount, >, 0);
  const std::uint32_t move = edit(store,
                                  {.name = "thin lists",
                                   .file = "edit_thin.comp",
                                   .words = {std::uint32_t(maxCount)},
                                   .usesScratch = true,
                                   .rescans = Rescans::Blocks},
                                  in, nullptr, out);
  return std::bit_cast<float>(move);
}

void flattenTidy(ListStore& store, FragmentLists& lists, EarlyOut earlyOut,
                 const gpu::Texture& picture) {
  store.ascend(lists);
  if (isRanked(lists.shape)) {
    linearizeLists(store, lists, store.scratch().plain);
    return flattenTidy(store, store.scratch().plain, earlyOut, picture);
  }
  gpu::Pass& p = store.pass("flatten tidy", "operations/edit_tidy.comp", lists.shape,
                            {{"OUTPUT", 0}, {"EARLY_OUT", int(earlyOut)}});
  bind(p, lists).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, paramsOf(lists));
  p.dispatch(lists.slotCount, editCost(Rescans::Overlaps, lists, nullptr));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

}  // namespace fathom::deep
