// SPDX-License-Identifier: BSD-3-Clause
// The method is decided by running: a small sort by votes must come out right before it is trusted.
// Then digits from the lowest up, by strands (count, scan the table, scatter) or by sweeps.
#include "app/engine/gpu/sort/radix_sort.h"

#include "app/engine/core/progress.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/stress.h"
#include "shaders/common/shared.h"

namespace fathom::gpu {
namespace {

using Uints = std::vector<std::uint32_t>;

/// Keys in which every digit occurs, many of them often, some discarded.
Uints testKeys(std::size_t count) {
  Uints keys(count);
  std::uint32_t state = 1;
  for (std::uint32_t& key : keys) {
    state = state * 1664525u + 1013904223u;
    key = state >> 29 == 0 ? kDiscardKey : state & (state << 7);
  }
  return keys;
}

/// The indices of the keys that are kept, in the order of their bits [8, 8 + bits).
Uints expectedOrder(const Uints& keys, int bits) {
  const std::uint32_t mask = (1u << bits) - 1;
  Uints order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](std::uint32_t i) { return keys[i] == kDiscardKey; });
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i] >> 8 & mask; });
  return order;
}

}  // namespace

Ballot ballotOf(const Context& context) {
  const Capabilities& can = context.capabilities();
  return can.subgroupShuffle             ? Ballot::Khr
         : can.shaderBallot && can.int64 ? Ballot::Arb
                                         : Ballot::None;
}

bool sweepsRight(Context& context, int digitBits) {
  if (ballotOf(context) == Ballot::None) return false;
  const Uints keys = testKeys(20'011);
  Uints payloads(keys.size());
  std::iota(payloads.begin(), payloads.end(), 0u);
  const Uints expected = expectedOrder(keys, digitBits);
  Words a(context, "sort test keys", keys);
  Words b(context, "sort test other keys", keys.size());
  Words c(context, "sort test payloads", payloads);
  Words d(context, "sort test other payloads", keys.size());
  RadixSorter sorter(context, RadixMethod::Sweeps);
  const SortOptions options{
      .firstBit = 8, .lastBit = 8 + digitBits, .discard = true, .digitBits = digitBits};
  sorter.sort({&a, &b, &c, &d}, keys.size(), options);
  if (sorter.keptCount() != expected.size() || d.download(0, expected.size()) != expected)
    return false;
  const Uints sorted = b.download(0, expected.size());
  sorter.sort({&a, &b}, keys.size(), options);
  return b.download(0, expected.size()) == sorted;
}

// ---- By strands

// Digits from the lowest up. By strands: count per strand, scan the table, scatter; buffers beyond
// the storage block limit are bound slice by slice.
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
  if (!count_) count_ = Words(context_, "sort count", 1);
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
  if (table_.count() < words + 1) table_ = Words(context_, "sort table", words + 1);
  if (starts_.count() < digits + 1) starts_ = Words(context_, "sort starts", digits + 1);

  const std::size_t partCount = std::max<std::size_t>(1, ceilDivide(plan.count, plan.partKeys));
  for (std::size_t i = 0; i < partCount; ++i) count(plan, buffers, i);
  barrier(Access::Storage);  // the scan
  scanner_.exclusive(table_, table_, words);
  for (std::size_t from = 0; from < partCount; ++from)
    for (std::size_t to = 0; to < partCount; ++to) scatter(plan, buffers, from, to);
  barrier(Access::Storage);  // sort starts writes the count that scatter reads
  Pass& starts = context_.pass({"sort starts", "shaders/common/sort_starts.comp", {}});
  starts.storage(SORT_BIND_TABLE, table_)
      .storage(SORT_BIND_STARTS, starts_)
      .storage(SORT_BIND_COUNT, count_)
      .params(SORT_BIND_PARAMS, sortParams(plan, {0, 0}, {0, 0}));
  starts.dispatch(digits + 1, Each{4});
  barrier(Access::Storage);  // the next pass, the caller
}

void RadixSorter::count(const SortPlan& plan, const SortBuffers& buffers, std::size_t from) {
  Pass& pass = passOf(context_, plan, false, false);
  const KeySlice slice = sliceOf(from, plan.partKeys, plan.count);
  bindSlice(pass, SORT_BIND_KEYS, *buffers.keys, slice);
  pass.storage(SORT_BIND_COUNT, count_)
      .storage(SORT_BIND_TABLE, table_)
      .params(SORT_BIND_PARAMS, sortParams(plan, slice, {0, 0}));
  pass.dispatch(strandsOf(plan, slice), strandCost(plan, slice));
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
  pass.dispatch(strandsOf(plan, source), strandCost(plan, source));
}

std::uint32_t RadixSorter::keptCount() const { return count_.download().at(0); }

int RadixSorter::widestDigit() const { return context_.device().software ? 8 : 4; }

// ---- By sweeps

// The radix sort by sweeps: one dispatch counts the values of up to four digits, then one dispatch
// per digit puts the keys in their places.
namespace {

/// Tiles as large as shared memory allows without crowding out other groups: what travels besides
/// the keys is per tile.
SweepShape shapeFor(const Context& context, SweepShape shape) {
  if (shape.lanes > 0) return shape;
  const bool large = context.device().vendor.find("NVIDIA") != std::string::npos &&
                     context.limits().sharedBytes >= 48 * 1024 &&
                     context.limits().workGroupInvocations >= 384;
  shape.lanes = large ? 384 : 256;
  shape.rows = large ? 23 : 16;
  return shape;
}

/// Of one digit: a vote per bit and the ranks that follow from them; a tile asks those before it,
/// some polls long, and counts one anew at most.
DispatchCost sweepCost(std::size_t count) {
  return {.operations = 70.0 * double(count), .dependentReads = 2000};
}

int digitValues(const shared::SweepParams& params) {
  std::uint32_t bits = 8;  // fewer would only be another program
  for (int pass = 0; pass < int(params.passCount); ++pass)
    bits = std::max(bits, params.digitBits[pass]);
  return 1 << bits;
}

/// How many keys a work group counts: many, so that few of its 1,024 sums go to memory.
std::uint32_t groupKeysFor(std::size_t count) {
  return std::uint32_t(std::max<std::size_t>(16384, (count / 512 + 255) / 256 * 256));
}

/// `firstBits`: of each digit, and behind the last.
shared::SweepParams paramsOf(const SweepShape& shape, std::size_t count,
                             const std::vector<int>& firstBits) {
  const std::uint32_t tileKeys = shape.lanes * shape.rows;
  shared::SweepParams params{};
  params.passCount = std::uint32_t(firstBits.size() - 1);
  params.tileCount = std::uint32_t(std::max<std::size_t>(1, (count + tileKeys - 1) / tileKeys));
  params.keyLimit = std::uint32_t(count);
  for (int i = 0; i < int(params.passCount); ++i) {
    params.shift[i] = std::uint32_t(std::min(firstBits[std::size_t(i)], 31));
    params.digitBits[i] = std::uint32_t(firstBits[std::size_t(i) + 1] - firstBits[std::size_t(i)]);
    params.digitMask[i] = (1u << params.digitBits[i]) - 1;
  }
  params.groupKeys = groupKeysFor(count);
  params.laneCount = 256;
  params.rows = shape.rows;
  return params;
}

}  // namespace

RadixSorter::Traffic RadixSorter::traffic() const {
  if (!traffic_) return {};
  const std::vector<std::uint32_t> words = traffic_.download();
  const auto bytes = [&](std::size_t i) { return std::int64_t(words[i]) * std::int64_t(kWord); };
  return {bytes(0), bytes(1)};
}

/// Whether this sort can be done by sweeps, and is better so here.
bool RadixSorter::sweeps(const SortBuffers& buffers, std::size_t count, int digitBits) {
  if (method_ == RadixMethod::Strands || ballotOf(context_) == Ballot::None) return false;
  if (stressed(sweepCost(count)).ms() > kMaxDispatchMs) return false;
  const auto block = std::min(context_.memory().blockLimit(), context_.limits().storageBlockBytes);
  const auto most = std::max(buffers.keys->bytes(), buffers.otherKeys->bytes());
  if (most > block || count > SORT_COUNT_MASK) return false;
  if (method_ == RadixMethod::Sweeps) return true;
  // Invocations of a software renderer are lanes of a CPU: strands.
  if (context_.device().software) return false;
  const int bits = std::max(8, digitBits);
  const auto known = trusted_.find(bits);
  if (known != trusted_.end()) return known->second;
  const Timings::Pause pause(context_.timings());
  bool right = false;
  try {
    right = sweepsRight(context_, bits);
    if (!right) log::info("radix sort: votes fail the test here, sorting by strands");
  } catch (const Error& error) {  // a driver that does not compile what it offers
    log::info("radix sort: sorting by strands, because {}", error.what());
  }
  return trusted_[bits] = right;
}

void RadixSorter::sweep(SortBuffers& buffers, std::size_t count, const SortOptions& options,
                        int passCount) {
  const int bits = options.lastBit - options.firstBit;
  for (int first = 0; first < passCount; first += SORT_MAX_PASSES) {
    const int last = std::min(first + SORT_MAX_PASSES, passCount);
    std::vector<int> firstBits;  // of each digit of this histogram, and behind the last
    for (int i = first; i <= last; ++i)
      firstBits.push_back(options.firstBit + bits * i / passCount);
    sweepDigits(buffers, count, options, firstBits);
  }
}

/// How often each value of each digit occurs, in one dispatch.
void RadixSorter::countDigits(const SortBuffers& buffers, std::size_t count,
                              const shared::SweepParams& params, std::vector<Define> defines) {
  defines.emplace_back("SORT_LANES", 256);
  Pass& pass = context_.pass({"sort histogram", "shaders/common/sort_histogram.comp", defines});
  pass.storage(SORT_BIND_KEYS, *buffers.keys)
      .storage(SORT_BIND_COUNT, input_)
      .storage(SORT_BIND_STATES, states_)
      .storage(SORT_BIND_KEPT, count_)
      .storage(SORT_BIND_STARTS, starts_)
      .storage(SORT_BIND_SHARED, shared_)
      .params(SORT_BIND_PARAMS, params);
  if (shape_.countTraffic) pass.storage(SORT_BIND_TRAFFIC, traffic_);
  // Up to four counters per key; a lane reads its keys of the group's one after the other.
  pass.dispatchGroups(std::max<std::size_t>(1, (count + params.groupKeys - 1) / params.groupKeys),
                      DispatchCost{12.0 * double(count), params.groupKeys / 256.0 / 4});
  barrier(Access::Storage);  // sort sweep
}

void RadixSorter::sweepDigits(SortBuffers& buffers, std::size_t count, const SortOptions& options,
                              const std::vector<int>& firstBits) {
  const SweepShape shape = shapeFor(context_, shape_);
  shared::SweepParams params = paramsOf(shape, count, firstBits);
  params.discards = options.discard ? 1 : 0;
  const int values = digitValues(params);

  if (!input_) input_ = Words(context_, "sort input count", 1);
  input_.copyFrom(count_, kWord);
  ensure(context_, starts_, "sort starts",
         std::uint64_t(params.digitMask[int(params.passCount) - 1]) + 2);
  ensure(context_, states_, "sort states",
         std::uint64_t(params.passCount) * (params.tileCount + 1) * std::uint64_t(values));
  ensure(context_, shared_, "sort sums", 8 + std::uint64_t(SORT_MAX_PASSES) * 1024);
  if (shape.countTraffic && !traffic_) {
    traffic_ = Words(context_, "sort traffic", 2);
    traffic_.clear();
  }
  shared_.clear();

  std::vector<Define> defines = {{"SORT_DIGITS", values}};
  if (shape.countTraffic) defines.emplace_back("SORT_TRAFFIC", 1);
  countDigits(buffers, count, params, defines);

  defines.emplace_back("BALLOT", int(ballotOf(context_)));
  defines.emplace_back("SORT_LANES", int(shape.lanes));
  defines.emplace_back("SORT_ROWS", int(shape.rows));
  // A GPU keeps a lane's keys in registers when it knows which; a CPU gains nothing.
  defines.emplace_back("SORT_UNROLLED", context_.device().software ? 0 : 1);
  defines.emplace_back("SORT_PAYLOADS", buffers.payloads ? 1 : 0);
  if (shape.mute > 0) defines.emplace_back("SORT_MUTE", shape.mute);
  Pass& pass = context_.pass({"sort sweep", "shaders/common/sort_sweep.comp", defines});
  for (params.pass = 0; params.pass < params.passCount; ++params.pass) {
    pass.storage(SORT_BIND_KEYS, *buffers.keys)
        .storage(SORT_BIND_SORTED, *buffers.otherKeys)
        .storage(SORT_BIND_COUNT, params.pass == 0 ? input_ : count_)
        .storage(SORT_BIND_STATES, states_)
        .storage(SORT_BIND_SHARED, shared_)
        .params(SORT_BIND_PARAMS, params);
    if (buffers.payloads)
      pass.storage(SORT_BIND_PAYLOADS, *buffers.payloads)
          .storage(SORT_BIND_SORTED_PAYLOADS, *buffers.otherPayloads);
    if (shape.countTraffic) pass.storage(SORT_BIND_TRAFFIC, traffic_);
    pass.dispatchGroups(params.tileCount, sweepCost(count));
    barrier(Access::Storage);  // the next digit, the caller
    std::swap(buffers.keys, buffers.otherKeys);
    std::swap(buffers.payloads, buffers.otherPayloads);
  }
}

}  // namespace fathom::gpu
