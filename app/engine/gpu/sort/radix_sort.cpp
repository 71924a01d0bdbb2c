// SPDX-License-Identifier: BSD-3-Clause
// Digits from the lowest up. By strands: count per strand, scan the table, scatter; buffers beyond
// the storage block limit are bound slice by slice. Sweeps are in radix_sweep.cpp.
#include "app/engine/gpu/sort/radix_sort.h"

#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/pass.h"
#include "shaders/common/shared.h"

#include <algorithm>
#include <bit>

namespace fathom::gpu {
namespace {

constexpr int kMaxDigitBits = 10;
constexpr std::size_t kWord = sizeof(std::uint32_t);

std::size_t ceilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The slice [first, first + count) of a buffer of words, as it is bound.
struct KeySlice {
  std::size_t first, count;
};

KeySlice sliceOf(std::size_t index, std::size_t partSize, std::size_t count) {
  const std::size_t first = index * partSize;
  return {first, std::min(partSize, count - first)};
}

/// Invocations that the slice's keys take; one at least, which clears the table.
std::uint32_t strandsOf(const SortPlan& plan, const KeySlice& slice) {
  return std::uint32_t(std::max<std::size_t>(1, ceilDivide(slice.count, plan.strandKeys)));
}

shared::SortParams sortParams(const SortPlan& plan, const KeySlice& source,
                              const KeySlice& target) {
  shared::SortParams params{};
  params.firstKey = std::uint32_t(source.first);
  params.firstStrand = std::uint32_t(source.first / plan.strandKeys);
  params.endStrand = params.firstStrand + strandsOf(plan, source);
  params.strandCount = plan.strandCount;
  params.strandKeys = plan.strandKeys;
  params.shift = std::uint32_t(plan.shift);
  params.digitCount = 1u << plan.bits;
  params.discards = plan.discard ? 1 : 0;
  params.firstSorted = std::uint32_t(target.first);
  params.sortedCount = std::uint32_t(target.count);
  return params;
}

/// Counting is a part of scattering: a key's digit, its place in the table and the write. A strand
/// is one invocation, whose keys follow one another.
DispatchCost strandCost(const SortPlan& plan, const KeySlice& slice) {
  return {.operations = 10.0 * double(slice.count), .dependentReads = 2.0 * plan.strandKeys};
}

/// The pass that does this half of the work, as the plan wants it.
Pass& passOf(Context& context, const SortPlan& plan, bool scatters, bool payloads) {
  std::vector<Define> defines = {{"SORT_DIGITS", 1 << plan.bits}, {"SORT_LANES", int(plan.lanes)}};
  if (scatters) defines.emplace_back("SORT_PAYLOADS", payloads ? 1 : 0);
  const std::string step = scatters ? "scatter" : "count";
  return context.pass({"sort " + step, "shaders/common/sort_" + step + ".comp", defines});
}

void bindSlice(Pass& pass, unsigned binding, const RawBuffer& buffer, const KeySlice& slice) {
  pass.storage(binding, buffer, std::int64_t(slice.first * kWord),
               std::int64_t(slice.count * kWord));
}

}  // namespace

RadixSorter::RadixSorter(Context& context, RadixMethod method, const SweepShape& shape)
    : context_(context), scanner_(context), method_(method), shape_(shape) {}

SortedBuffers RadixSorter::sort(const SortBuffers& buffers, std::size_t count,
                                const SortOptions& options) {
  FATHOM_CHECK_OP(options.firstBit, >=, 0);
  FATHOM_CHECK_OP(options.firstBit, <=, options.lastBit);
  FATHOM_CHECK_OP(options.lastBit, <=, 32);
  FATHOM_CHECK_OP(options.digitBits, <=, kMaxDigitBits);
  FATHOM_CHECK_OP(count, <, std::size_t(UINT32_MAX));
  FATHOM_CHECK_OP(count, <=, buffers.keys->count());
  FATHOM_CHECK_OP(count, <=, buffers.otherKeys->count());
  FATHOM_CHECK_OP(!buffers.payloads, ==, !buffers.otherPayloads);
  if (!count_) count_ = Buffer<std::uint32_t>(context_, "sort count", 1);
  const auto word = std::uint32_t(count);
  if (options.countFrom)
    count_.copyFrom(*options.countFrom, kWord);
  else
    count_.upload({&word, 1});

  const int bits = options.lastBit - options.firstBit;
  const bool swept = sweeps(buffers, count, std::min(options.digitBits, bits));
  ran_ = swept ? RadixMethod::Sweeps : RadixMethod::Strands;
  const int widest = options.digitBits > 0 ? options.digitBits : swept ? 8 : widestDigit();
  const int passCount = std::max(1, (bits + widest - 1) / widest);
  SortBuffers now = buffers;
  if (swept) {
    sweep(now, count, options, passCount);
    return {now.keys, now.payloads};
  }
  for (int i = 0; i < passCount; ++i) {
    const int first = bits * i / passCount, last = bits * (i + 1) / passCount;
    runPass(plan(count, options.firstBit + first, last - first, options.discard), now);
    std::swap(now.keys, now.otherKeys);
    std::swap(now.payloads, now.otherPayloads);
  }
  return {now.keys, now.payloads};
}

SortPlan RadixSorter::plan(std::size_t count, int shift, int bits, bool discard) const {
  SortPlan plan{};
  plan.count = count;
  plan.shift = shift;
  plan.bits = bits;
  plan.discard = discard;
  // Lanes of a CPU are few and take long strands; invocations of a GPU are many.
  const bool software = context_.device().software;
  const std::size_t room = std::size_t(context_.limits().sharedBytes) / kWord >> bits;
  plan.lanes = std::uint32_t(std::min<std::size_t>(software ? 8 : 128, std::bit_floor(room)));
  const std::size_t shortest = 64, longest = software ? 4096 : 256;
  plan.strandKeys =
      std::uint32_t(std::bit_ceil(std::clamp(count / (software ? 128 : 32768), shortest, longest)));
  plan.strandCount = std::uint32_t(std::max<std::size_t>(1, ceilDivide(count, plan.strandKeys)));
  const auto block = std::min(context_.memory().blockLimit(), context_.limits().storageBlockBytes);
  const std::size_t alignment = std::size_t(context_.limits().storageOffsetAlignment) / kWord;
  const std::size_t step = std::max<std::size_t>(plan.strandKeys, alignment);
  plan.partKeys = std::max(step, std::size_t(block) / kWord / step * step);
  return plan;
}

void RadixSorter::runPass(const SortPlan& plan, const SortBuffers& buffers) {
  const std::size_t digits = std::size_t(1) << plan.bits;
  const std::size_t words = digits * plan.strandCount;
  if (table_.count() < words + 1) table_ = Buffer<std::uint32_t>(context_, "sort table", words + 1);
  if (starts_.count() < digits + 1)
    starts_ = Buffer<std::uint32_t>(context_, "sort starts", digits + 1);

  const std::size_t partCount = std::max<std::size_t>(1, ceilDivide(plan.count, plan.partKeys));
  for (std::size_t i = 0; i < partCount; ++i) count(plan, buffers, i);
  barrier(Reader::Storage);  // the scan
  scanner_.exclusive(table_, table_, words);
  for (std::size_t from = 0; from < partCount; ++from)
    for (std::size_t to = 0; to < partCount; ++to) scatter(plan, buffers, from, to);
  barrier(Reader::Storage);  // sort starts writes the count that scatter reads
  Pass& starts = context_.pass({"sort starts", "shaders/common/sort_starts.comp", {}});
  starts.storage(SORT_BIND_TABLE, table_)
      .storage(SORT_BIND_STARTS, starts_)
      .storage(SORT_BIND_COUNT, count_)
      .params(SORT_BIND_PARAMS, sortParams(plan, {0, 0}, {0, 0}));
  dispatch(starts, digits + 1, Each{4});
  barrier(Reader::Storage);  // the next pass, the caller
}

void RadixSorter::count(const SortPlan& plan, const SortBuffers& buffers, std::size_t from) {
  Pass& pass = passOf(context_, plan, false, false);
  const KeySlice slice = sliceOf(from, plan.partKeys, plan.count);
  bindSlice(pass, SORT_BIND_KEYS, *buffers.keys, slice);
  pass.storage(SORT_BIND_COUNT, count_)
      .storage(SORT_BIND_TABLE, table_)
      .params(SORT_BIND_PARAMS, sortParams(plan, slice, {0, 0}));
  dispatch(pass, strandsOf(plan, slice), strandCost(plan, slice));
}

void RadixSorter::scatter(const SortPlan& plan, const SortBuffers& buffers, std::size_t from,
                          std::size_t to) {
  Pass& pass = passOf(context_, plan, true, buffers.payloads != nullptr);
  const KeySlice source = sliceOf(from, plan.partKeys, plan.count);
  const KeySlice target = sliceOf(to, plan.partKeys, plan.count);
  bindSlice(pass, SORT_BIND_KEYS, *buffers.keys, source);
  bindSlice(pass, SORT_BIND_SORTED, *buffers.otherKeys, target);
  if (buffers.payloads) {
    bindSlice(pass, SORT_BIND_PAYLOADS, *buffers.payloads, source);
    bindSlice(pass, SORT_BIND_SORTED_PAYLOADS, *buffers.otherPayloads, target);
  }
  pass.storage(SORT_BIND_COUNT, count_)
      .storage(SORT_BIND_TABLE, table_)
      .params(SORT_BIND_PARAMS, sortParams(plan, source, target));
  dispatch(pass, strandsOf(plan, source), strandCost(plan, source));
}

std::uint32_t RadixSorter::keptCount() const { return count_.download().at(0); }

int RadixSorter::widestDigit() const { return context_.device().software ? 8 : 4; }

}  // namespace fathom::gpu
