// SPDX-License-Identifier: BSD-3-Clause
// The radix sort by sweeps: one dispatch counts the values of up to four digits, then one dispatch
// per digit puts the keys in their places.
#include "app/engine/core/log.h"
#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "shaders/common/shared.h"

#include <algorithm>
#include <utility>

namespace fathom::gpu {
namespace {

constexpr std::size_t kTileWord = sizeof(std::uint32_t);

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

}  // namespace

RadixSorter::Traffic RadixSorter::traffic() const {
  if (!traffic_) return {};
  const std::vector<std::uint32_t> words = traffic_.download();
  const auto bytes = [&](std::size_t i) {
    return std::int64_t(words[i]) * std::int64_t(kTileWord);
  };
  return {bytes(0), bytes(1)};
}

/// Whether this sort can be done by sweeps, and is better so here.
bool RadixSorter::sweeps(const SortBuffers& buffers, std::size_t count, int digitBits) {
  if (method_ == RadixMethod::Strands || ballotOf(context_) == Ballot::None) return false;
  if (sweepCost(count).ms() > kMaxDispatchMs) return false;
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

namespace {

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

void RadixSorter::sweepDigits(SortBuffers& buffers, std::size_t count, const SortOptions& options,
                              const std::vector<int>& firstBits) {
  const SweepShape shape = shapeFor(context_, shape_);
  shared::SweepParams params = paramsOf(shape, count, firstBits);
  params.discards = options.discard ? 1 : 0;
  const int values = digitValues(params);

  if (!input_) input_ = Buffer<std::uint32_t>(context_, "sort input count", 1);
  input_.copyFrom(count_, kTileWord);
  ensure(context_, starts_, "sort starts",
         std::uint64_t(params.digitMask[int(params.passCount) - 1]) + 2);
  ensure(context_, states_, "sort states",
         std::uint64_t(params.passCount) * (params.tileCount + 1) * std::uint64_t(values));
  ensure(context_, shared_, "sort sums", 8 + std::uint64_t(SORT_MAX_PASSES) * 1024);
  if (shape.countTraffic && !traffic_) {
    traffic_ = Buffer<std::uint32_t>(context_, "sort traffic", 2);
    traffic_.clear();
  }
  shared_.clear();

  std::vector<Define> defines = {{"SORT_DIGITS", values}};
  if (shape.countTraffic) defines.emplace_back("SORT_TRAFFIC", 1);
  std::vector<Define> counting = defines;
  counting.emplace_back("SORT_LANES", 256);
  Pass& histogram =
      context_.pass({"sort histogram", "shaders/common/sort_histogram.comp", counting});
  histogram.storage(SORT_BIND_KEYS, *buffers.keys)
      .storage(SORT_BIND_COUNT, input_)
      .storage(SORT_BIND_STATES, states_)
      .storage(SORT_BIND_KEPT, count_)
      .storage(SORT_BIND_STARTS, starts_)
      .storage(SORT_BIND_SHARED, shared_)
      .params(SORT_BIND_PARAMS, params);
  if (shape.countTraffic) histogram.storage(SORT_BIND_TRAFFIC, traffic_);
  // Up to four counters per key; a lane reads its keys of the group's one after the other.
  dispatchGroups(histogram,
                 std::max<std::size_t>(1, (count + params.groupKeys - 1) / params.groupKeys),
                 DispatchCost{12.0 * double(count), params.groupKeys / 256.0 / 4});
  barrier(Reader::Storage);  // sort sweep

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
    dispatchGroups(pass, params.tileCount, sweepCost(count));
    barrier(Reader::Storage);  // the next digit, the caller
    std::swap(buffers.keys, buffers.otherKeys);
    std::swap(buffers.payloads, buffers.otherPayloads);
  }
}

}  // namespace fathom::gpu
