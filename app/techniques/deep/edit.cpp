// SPDX-License-Identifier: BSD-3-Clause
// The operations of operations.h as passes over lists: count what comes out, make tables, write.
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <bit>

namespace fathom::deep {

/// Runs a pass over `in` (and `matte`) that makes `out`; edit_output.glsl says how. RIA goes by way
/// of LA: these passes go over lists again and again, and its walk is dear (and has loops of its
/// own, which some compilers get wrong so deep inside of others). Returns summary.spare of passes
/// that use scratch.
std::uint32_t Pipeline::edit(const EditPass& wanted, FragmentLists& in, FragmentLists* matte,
                             FragmentLists& out) {
  FATHOM_CHECK(&out != &in && &out != matte);
  FATHOM_CHECK(!matte || (matte->shape == in.shape && matte->region == in.region));
  if (isRanked(in.shape)) {
    linearize(in, plainIn_);
    if (matte) linearize(*matte, plainMatte_);
    const std::uint32_t spare = edit(wanted, plainIn_, matte ? &plainMatte_ : nullptr, plainOut_);
    out.shape = in.shape;
    arrange(plainOut_, out);
    return spare;
  }
  ascend(in);
  if (matte) ascend(*matte);
  prepare(out, in.region, in.shape);
  if (!out.data) reserve(out, 1);  // something to bind while counting

  const auto dispatch = [&](bool writes) {
    gpu::Pass& p = pass(wanted.name, wanted.file, anySlots(in.shape),
                        {{"OUTPUT", 1}, {"COUNTS", !writes && wanted.countsApart ? 1 : 0}});
    shared::Params values = params(out);
    values.first = writes ? 1 : 0;
    values.count = wanted.words[0];
    values.spareA = wanted.words[1], values.spareB = wanted.words[2];
    values.spareC = wanted.words[3];
    bind(p, in, 0);
    if (matte) bind(p, *matte, 1);
    bind(p, out, matte ? 2 : 1);
    if (isLinked(in.shape) || wanted.usesScratch) p.storage(DEEP_BIND_SUMMARY, summary_);
    if (wanted.usesScratch) p.storage(DEEP_BIND_SCRATCH, longScratch_);
    p.params(DEEP_BIND_PARAMS, values);
    p.dispatch(out.slotCount);
    gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // what follows; the host
  };
  if (wanted.usesScratch)
    ensure(longScratch_, "scratch of lists",
           std::max<std::uint64_t>(4, 4 * std::uint64_t(in.fragmentCount)));
  dispatch(false);
  const shared::Summary summary = summarize(out);
  const std::uint64_t fragments = summary.fragmentsLow;
  tabulate(out);
  reserve(out, fragments);
  out.fragmentCount = std::uint32_t(fragments);
  if (isLinked(in.shape) || wanted.usesScratch) summary_.clear();
  dispatch(true);
  const std::uint32_t spare = wanted.usesScratch ? readSummary().spare : 0;
  if (wanted.sorts) sort(out, summary);
  return spare;
}

void Pipeline::editDepths(FragmentLists& in, const InputEdit& wanted, bool hasVolumes,
                          FragmentLists& out) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  // Volumes that were cut at one depth, or whose fronts became one by rounding, need sorting.
  edit({.name = "edit depths",
        .file = "edit_depths.comp",
        .words = {bits(wanted.zScale), bits(wanted.zOffset), bits(wanted.nearest),
                  bits(wanted.farthest)},
        .sorts = hasVolumes},
       in, nullptr, out);
}

void Pipeline::hold(FragmentLists& in, FragmentLists& matte, Role role, FragmentLists& out) {
  edit({"hold lists", "edit_hold.comp", {role == Role::HoldIn ? 1u : 0u}}, in, &matte, out);
}

void Pipeline::tidy(FragmentLists& in, FragmentLists& out) {
  edit({.name = "tidy lists", .file = "edit_tidy.comp", .countsApart = true}, in, nullptr, out);
}

void Pipeline::dropHidden(FragmentLists& in, float alpha, FragmentLists& out) {
  edit({"drop hidden", "edit_hidden.comp", {std::bit_cast<std::uint32_t>(alpha)}}, in, nullptr,
       out);
}

float Pipeline::thin(FragmentLists& in, int most, FragmentLists& out) {
  FATHOM_CHECK_OP(most, >, 0);
  const std::uint32_t move = edit({.name = "thin lists",
                                   .file = "edit_thin.comp",
                                   .words = {std::uint32_t(most)},
                                   .usesScratch = true},
                                  in, nullptr, out);
  return std::bit_cast<float>(move);
}

void Pipeline::flattenTidy(FragmentLists& lists, EarlyOut earlyOut, const gpu::Texture& picture) {
  ascend(lists);
  if (isRanked(lists.shape)) {
    linearize(lists, plainIn_);
    return flattenTidy(plainIn_, earlyOut, picture);
  }
  gpu::Pass& p = pass("flatten tidy", "edit_tidy.comp", lists.shape,
                      {{"OUTPUT", 0}, {"EARLY_OUT", int(earlyOut)}});
  bind(p, lists).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(lists.slotCount);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

}  // namespace fathom::deep
