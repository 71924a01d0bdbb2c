// SPDX-License-Identifier: BSD-3-Clause
// Decides by running both: a small pass measures the subgroup, and a small sort by ballots must
// come out right before it is trusted.
#include "app/gpu/radix_method.h"

#include "app/core/log.h"
#include "app/gpu/pass.h"
#include "app/gpu/radix_sort.h"
#include "shaders/common/shared.h"

#include <algorithm>
#include <bit>
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

/// The indices of the keys that are kept, in the order of their bits [8, 16).
Uints expectedOrder(const Uints& keys) {
  Uints order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](std::uint32_t i) { return keys[i] == kDiscardKey; });
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (keys[a] >> 8 & 0xFF) < (keys[b] >> 8 & 0xFF);
  });
  return order;
}

}  // namespace

Subgroups subgroupsOf(Context& context) {
  const Capabilities& can = context.capabilities();
  Subgroups result;
  result.kind = can.subgroups                   ? Subgroups::Khr
                : can.shaderBallot && can.int64 ? Subgroups::Ballot
                                                : Subgroups::None;
  if (result.kind == Subgroups::None) return result;
  Buffer<std::uint32_t> width(context, "subgroup width", 1);
  Pass& pass = context.pass(
      {"measure subgroup", "shaders/common/measure_subgroup.comp", {{"BALLOT", int(result.kind)}}});
  pass.storage(SORT_BIND_STARTS, width);
  pass.dispatch(1);
  barrier(Reader::Transfer);
  result.width = int(width.download().front());
  const bool usable = std::has_single_bit(unsigned(result.width)) && result.width <= 64;
  return usable ? result : Subgroups{};
}

bool sortsBySubgroups(Context& context) {
  if (subgroupsOf(context).kind == Subgroups::None) return false;
  const Uints keys = testKeys(20'011);
  Uints payloads(keys.size());
  std::iota(payloads.begin(), payloads.end(), 0u);
  Buffer<std::uint32_t> a(context, "sort test keys", keys);
  Buffer<std::uint32_t> b(context, "sort test other keys", keys.size());
  Buffer<std::uint32_t> c(context, "sort test payloads", payloads);
  Buffer<std::uint32_t> d(context, "sort test other payloads", keys.size());
  RadixSorter sorter(context, RadixMethod::Subgroups);
  const SortedBuffers sorted =
      sorter.sort({&a, &b, &c, &d}, keys.size(), {.firstBit = 8, .lastBit = 16, .discard = true});
  const Uints expected = expectedOrder(keys);
  return sorter.keptCount() == expected.size() &&
         sorted.payloads->download(0, expected.size()) == expected;
}

RadixMethod bestRadixMethod(Context& context) {
  if (context.device().software) return RadixMethod::Strands;
  const Timings::Pause pause(context.timings());
  try {
    if (sortsBySubgroups(context)) return RadixMethod::Subgroups;
    log::info("radix sort: subgroups fail the test here, sorting by strands");
  } catch (const Error& error) {  // a driver that does not compile what it offers
    log::info("radix sort: sorting by strands, because {}", error.what());
  }
  return RadixMethod::Strands;
}

}  // namespace fathom::gpu
