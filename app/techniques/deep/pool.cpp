// SPDX-License-Identifier: BSD-3-Clause
// The lists of several images in the same buffers. A pass over k images would need 4 k storage
// blocks, and devices may have as few as 8; with a pool it needs 8 (LL: 9), and the passes over one
// image are given its part of each buffer. The result of a merge is as large as the pool of its
// inputs, so that saving needs no smaller regions than before.
#include "app/gpu/memory_account.h"
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>

namespace fathom::deep {
namespace {

/// Parts begin at multiples of so many words: 256 bytes, more than any device asks of offsets, and
/// of so many fragments in data.
constexpr std::uint64_t kStep = 64;
std::uint64_t rounded(std::uint64_t n) {
  return (std::max<std::uint64_t>(n, 1) + kStep - 1) / kStep * kStep;
}

struct Kind {
  Words FragmentLists::*words;
  const char* name;
  std::uint64_t (*need)(const FragmentLists&);  // in words
};

std::uint64_t elementsOf(const FragmentLists& lists) {
  return lists.shape.elementsFor(lists.fragmentCount, lists.slotCount);
}

constexpr Kind kKinds[] = {
    {&FragmentLists::table, "pooled tables",
     [](const FragmentLists& lists) { return rounded(std::uint64_t(lists.slotCount) + 1); }},
    {&FragmentLists::counts, "pooled counts",
     [](const FragmentLists& lists) {
       return isLinear(lists.shape) ? 0 : rounded(lists.slotCount);
     }},
    // As many links as fragments, rounded alike: a node has one place in both.
    {&FragmentLists::extra, "pooled links and minimums",
     [](const FragmentLists& lists) -> std::uint64_t {
       if (isLinear(lists.shape)) return 0;
       if (isLinked(lists.shape)) return rounded(elementsOf(lists));
       return rounded(isRanked(lists.shape) ? 2 * std::uint64_t(lists.slotCount)
                                            : groupCount(lists));
     }},
    {&FragmentLists::data, "pooled fragments", [](const FragmentLists& lists) {
       return rounded(elementsOf(lists)) * std::uint64_t(lists.shape.words());
     }}};

/// Each kind is looked at: a region that is a little larger may have outgrown one of them alone.
bool isPooled(std::span<FragmentLists* const> lists) {
  for (const Kind& kind : kKinds)
    for (const FragmentLists* l : lists) {
      const std::uint64_t need = kind.need(*l);
      const Words& words = l->*kind.words;
      if (need > 0 && (!words.sharesWith(lists[0]->*kind.words) || words.count() < need))
        return false;
    }
  return true;
}

}  // namespace

void Pipeline::pool(std::span<FragmentLists* const> lists) {
  FATHOM_CHECK(!lists.empty());
  if (isPooled(lists)) return;
  for (FragmentLists* l : lists) {
    FATHOM_CHECK(l->shape == lists[0]->shape && l->region == lists[0]->region);
    l->capacity = std::uint32_t(elementsOf(*l));
  }
  for (const Kind& kind : kKinds) {
    std::uint64_t words = 0;
    for (const FragmentLists* l : lists) words += kind.need(*l);
    if (words == 0) continue;
    expectRoom(kind.name, words, 0);
    const auto shared = std::make_shared<Words::Buffer>(gpu_, kind.name, std::size_t(words));
    std::size_t first = 0;
    for (FragmentLists* l : lists) {
      Words part(shared, first, std::size_t(kind.need(*l)));
      Words& old = l->*kind.words;
      if (old) part.copyFrom(old, std::int64_t(std::min(old.count(), part.count()) * kWord));
      old = part;  // gives the old buffer back before the next is copied
      first += part.count();
    }
  }
  gpu::barrier(gpu::Reader::Storage);  // merge lists
}

/// All inputs as list 0, and where each begins.
gpu::Program& Pipeline::bindPool(gpu::Program& program, std::span<FragmentLists* const> inputs) {
  FATHOM_CHECK(isPooled(inputs));
  const FragmentLists& any = *inputs[0];
  program.storage(DEEP_BIND_TABLE, any.table.whole()).storage(DEEP_BIND_DATA, any.data.whole());
  if (!isLinear(any.shape))
    program.storage(DEEP_BIND_COUNTS, any.counts.whole())
        .storage(DEEP_BIND_EXTRA, any.extra.whole());
  shared::Sources sources{};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const FragmentLists& l = *inputs[i];
    const std::size_t bases[] = {l.table.first(), l.counts.first(), l.extra.first(),
                                 l.data.first() / std::size_t(l.shape.words())};
    std::copy_n(bases, 4, sources.bases[i]);
  }
  return program.params(DEEP_BIND_SOURCES, sources);
}

}  // namespace fathom::deep
