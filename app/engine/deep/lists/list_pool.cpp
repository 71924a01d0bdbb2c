// SPDX-License-Identifier: BSD-3-Clause
// How much each image needs of each kind of buffer, and moving what is there into one of them.
#include "app/engine/deep/lists/list_pool.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/memory_account.h"

#include <algorithm>

namespace fathom::deep {
namespace {

/// Slices begin at multiples of 64 words, which is 256 bytes: more than any device asks of offsets.
/// In data they begin at multiples of 64 fragments.
constexpr std::uint64_t kAlignment = 64;
std::uint64_t aligned(std::uint64_t n) {
  return (std::max<std::uint64_t>(n, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

struct PooledBuffer {
  BufferSlice FragmentLists::*slice;
  const char* name;
  std::uint64_t (*need)(const FragmentLists&);  // in words
};

constexpr PooledBuffer kBuffers[] = {
    {&FragmentLists::table, "pooled tables",
     [](const FragmentLists& lists) { return aligned(std::uint64_t(lists.slotCount) + 1); }},
    {&FragmentLists::counts, "pooled counts",
     [](const FragmentLists& lists) {
       return isLinear(lists.shape) ? 0 : aligned(lists.slotCount);
     }},
    // As many links as fragments, aligned alike: a node has one place in both.
    {&FragmentLists::extra, "pooled links and minimums",
     [](const FragmentLists& lists) -> std::uint64_t {
       if (isLinear(lists.shape)) return 0;
       if (isLinked(lists.shape)) return aligned(lists.elements());
       return aligned(isRanked(lists.shape) ? 2 * std::uint64_t(lists.slotCount)
                                            : lists.groupCount());
     }},
    {&FragmentLists::data, "pooled fragments", [](const FragmentLists& lists) {
       return aligned(lists.elements()) * std::uint64_t(lists.shape.words());
     }}};

/// All buffers are checked: a region that is a little larger may have outgrown one of them alone.
bool isPooled(std::span<FragmentLists* const> lists) {
  for (const PooledBuffer& buffer : kBuffers)
    for (const FragmentLists* l : lists) {
      const std::uint64_t need = buffer.need(*l);
      const BufferSlice& slice = l->*buffer.slice;
      if (need > 0 && (!slice.sharesWith(lists[0]->*buffer.slice) || slice.count() < need))
        return false;
    }
  return true;
}

}  // namespace

void pool(ListStore& store, std::span<FragmentLists* const> lists) {
  FATHOM_CHECK(!lists.empty());
  if (isPooled(lists)) return;
  for (FragmentLists* l : lists) {
    FATHOM_CHECK(l->shape == lists[0]->shape && l->region == lists[0]->region);
    l->capacity = std::uint32_t(l->elements());
  }
  for (const PooledBuffer& buffer : kBuffers) {
    std::uint64_t words = 0;
    for (const FragmentLists* l : lists) words += buffer.need(*l);
    if (words == 0) continue;
    store.gpu().memory().expectRoom(buffer.name, std::int64_t(words * 4), true);
    const auto shared =
        std::make_shared<BufferSlice::Buffer>(store.gpu(), buffer.name, std::size_t(words));
    std::size_t first = 0;
    for (FragmentLists* l : lists) {
      BufferSlice slice(shared, first, std::size_t(buffer.need(*l)));
      BufferSlice& old = l->*buffer.slice;
      if (old) slice.copyFrom(old, std::int64_t(std::min(old.count(), slice.count()) * 4));
      old = slice;  // gives the old buffer back before the next is copied
      first += slice.count();
    }
  }
  gpu::barrier(gpu::Reader::Storage);  // merge lists
}

gpu::Program& bindPool(gpu::Program& program, std::span<FragmentLists* const> inputs) {
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
