// SPDX-License-Identifier: BSD-3-Clause
// Decides by running: a small sort by votes must come out right before it is trusted.
#include "app/engine/gpu/sort/radix_method.h"

#include "app/engine/gpu/sort/radix_sort.h"

#include <algorithm>
#include <numeric>

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
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (keys[a] >> 8 & mask) < (keys[b] >> 8 & mask);
  });
  return order;
}

}  // namespace

Ballot ballotOf(const Context& context) {
  const Capabilities& can = context.capabilities();
  return can.subgroupShuffle               ? Ballot::Khr
         : can.shaderBallot && can.int64 ? Ballot::Arb
                                           : Ballot::None;
}

bool sweepsRight(Context& context, int digitBits) {
  if (ballotOf(context) == Ballot::None) return false;
  const Uints keys = testKeys(20'011);
  Uints payloads(keys.size());
  std::iota(payloads.begin(), payloads.end(), 0u);
  const Uints expected = expectedOrder(keys, digitBits);
  Buffer<std::uint32_t> a(context, "sort test keys", keys);
  Buffer<std::uint32_t> b(context, "sort test other keys", keys.size());
  Buffer<std::uint32_t> c(context, "sort test payloads", payloads);
  Buffer<std::uint32_t> d(context, "sort test other payloads", keys.size());
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

}  // namespace fathom::gpu
