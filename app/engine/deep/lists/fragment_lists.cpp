// SPDX-License-Identifier: BSD-3-Clause
// Sizes of lists in each layout, cutting a region that is too large for the device; room and
// tables: counts are summarized per group, then scanned into offsets.
#include "app/engine/deep/lists/fragment_lists.h"

#include "app/engine/core/error.h"

namespace fathom::deep {

std::uint64_t ListShape::elementsFor(std::uint64_t fragments, std::uint32_t slotCount) const {
  if (layout == Layout::LinkedList) return fragments + 1;
  if (layout == Layout::AlignedBlocks)
    return fragments + std::uint64_t(slotCount / DEEP_GROUP) * std::uint64_t(block - 1);
  return fragments;
}

std::int64_t FragmentLists::usedBytes() const {
  const std::int64_t fragment = shape.words() * 4 + (isLinked(shape) ? 4 : 0);
  std::int64_t tables = 4 * std::int64_t(slotCount);
  if (hasMinimums(shape))
    tables += 4 * std::int64_t(slotCount) + 4 * std::int64_t(slotCount / DEEP_GROUP);
  if (isRanked(shape)) tables += 12 * std::int64_t(slotCount);
  const std::uint64_t stored = isLinked(shape) ? fragmentCount : elements();
  return std::int64_t(stored) * fragment + tables;
}

std::int64_t FragmentLists::allocatedBytes() const {
  if (!isLinked(shape)) return usedBytes();
  return std::int64_t(capacity) * (shape.words() * 4 + 4) + 8 * std::int64_t(slotCount);
}

shared::Params paramsOf(const FragmentLists& lists) {
  shared::Params p{};
  p.width = std::uint32_t(lists.region.width);
  p.height = std::uint32_t(lists.region.height);
  p.paddedWidth = paddedWidth(lists.region);
  p.slotCount = lists.slotCount;
  p.originX = std::uint32_t(lists.region.x);
  p.originY = std::uint32_t(lists.region.y);
  p.capacity = lists.capacity;
  return p;
}

gpu::DispatchCost walkCost(const FragmentLists& lists, const gpu::Each& each) {
  const FragmentLists* const one[] = {&lists};
  return walkCost(one, each);
}

gpu::DispatchCost walkCost(std::span<const FragmentLists* const> lists, const gpu::Each& each) {
  constexpr double kSlot = 30;  // operations: which pixel it is, and where its list lies
  double fragments = 0;
  for (const FragmentLists* list : lists) fragments += list->fragmentCount;
  return {kSlot * lists[0]->slotCount + each.operations * fragments,
          each.dependentReads * longestOf(lists)};
}

std::uint32_t longestOf(std::span<const FragmentLists* const> lists) {
  std::uint64_t sum = 0;
  for (const FragmentLists* list : lists) sum += list->longest;
  return std::uint32_t(std::min<std::uint64_t>(sum, UINT32_MAX));
}

ListStore::ListStore(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu) {
  summary_ = gpu::Buffer<shared::Summary>(gpu, "deep summary", 1);
  if (!gpu.device().software || gpu.limits().storageBlocksPerStage <= DEEP_BIND_UNFINISHED) return;
  unfinished_ = gpu::Words(gpu, "unfinished lists", 1);
  unfinished_.clear();
}

void ListStore::expectWhole() {
  if (!unfinished_) return;
  gpu::barrier(gpu::Access::Transfer);
  if (unfinished_.download(0, 1).front() == 0) return;
  unfinished_.clear();
  throw ListTooLong(
      "fragments of one pixel: expected as many as the loops of a software renderer go through "
      "(65,535 rounds), found more; a GPU has no such limit");
}

gpu::PassKey ListStore::key(const std::string& name, const std::string& file,
                            const ListShape& shape, std::vector<gpu::Define> defines,
                            std::uint32_t longest) const {
  // A define that a pass does not look at would only compile it again.
  if (isBlocked(shape)) defines.emplace_back("BLOCK", shape.block);
  defines.emplace_back("LAYOUT", int(shape.layout));
  defines.emplace_back("SLOTS", int(shape.slots));
  defines.emplace_back("WORDS", shape.words());
  // Loops over fewer come to their end, and asking costs as much as they do.
  constexpr std::uint32_t kFew = 1 << 14;
  if (unfinished_ && (longest == 0 || longest > kFew)) defines.emplace_back("LOOPS_END", 1);
  return {name, "shaders/deep/" + file, std::move(defines)};
}

gpu::Pass& ListStore::pass(const gpu::PassKey& key) {
  gpu::Pass& p = gpu_.pass(key);
  if (unfinished_) p.storage(DEEP_BIND_UNFINISHED, unfinished_);
  return p;
}

gpu::PassKey ListStore::summaryKey(const ListShape& shape) const {
  return key("summarize groups", "lists/summarize_groups.comp", anySlots(shape), {longestShort()});
}

gpu::Program& bind(gpu::Program& program, const FragmentLists& lists, unsigned index) {
  program.storage(DEEP_BIND_TABLE + index, lists.table);
  if (!isLinear(lists.shape)) {
    program.storage(DEEP_BIND_COUNTS + index, lists.counts);
    program.storage(DEEP_BIND_EXTRA + index, lists.extra);
  }
  program.storage(DEEP_BIND_DATA + index, lists.data);
  return program;
}

// ---- Room

void ListStore::ensure(BufferSlice& slice, const std::string& name, std::uint64_t words) {
  if (slice && gpu::suits(slice.count(), words)) return;
  gpu_.memory().expectRoom(name, std::int64_t(words * sizeof(std::uint32_t)), true,
                           slice ? slice.ownBytes() : 0);
  slice = {};
  slice = BufferSlice(gpu::Words(gpu_, name, std::size_t(words)));
}

void ListStore::prepare(FragmentLists& out, const Rect& region, const ListShape& shape) {
  FATHOM_CHECK(!region.empty());
  const std::uint64_t slots = slotCountOf(region);
  if (slots > UINT32_MAX / 2)
    throw gpu::DoesNotFit("deep tables: more than 2^31 pixels in one region", double(slots),
                          0x1p31);
  out.shape = shape;
  out.region = region;
  out.slotCount = std::uint32_t(slots);
  out.fragmentCount = 0;
  out.longest = 0;
  out.descending = false;
  ensure(out.table, isLinked(shape) ? "list heads" : "list offsets", slots + 1);
  if (!isLinear(shape)) ensure(out.counts, "list counts", slots);
  if (hasMinimums(shape)) ensure(out.extra, "group minimums", slots / DEEP_GROUP);
  if (isRanked(shape)) ensure(out.extra, "list ranks", 2 * slots);
}

void ListStore::reserve(FragmentLists& out, std::uint64_t fragments) {
  const std::uint64_t elements = out.shape.elementsFor(fragments, out.slotCount);
  if (elements > UINT32_MAX)
    throw gpu::DoesNotFit("fragments: more than 2^32 in one region", double(elements), 0x1p32);
  ensure(out.data, "fragments", elements * std::uint64_t(out.shape.words()));
  if (isLinked(out.shape)) ensure(out.extra, "list links", elements);
  out.capacity = std::uint32_t(elements);
}

// ---- Tables

shared::Summary ListStore::summarize(FragmentLists& lists, const gpu::RawBuffer* nodes) {
  queueSummary(lists, nodes);
  const shared::Summary summary = readSummary();
  accept(lists, summary);
  return summary;
}

void ListStore::queueSummary(FragmentLists& lists, const gpu::RawBuffer* nodes) {
  ensure(scratch_.order, "length classes", std::uint64_t(DEEP_CLASSES) * lists.groupCount() + 1);
  summary_.clear();
  const bool linear = isLinear(lists.shape);
  gpu::Pass& p = pass(summaryKey(lists.shape));
  p.storage(linear ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, linear ? lists.table : lists.counts);
  if (hasMinimums(lists.shape)) p.storage(DEEP_BIND_EXTRA, lists.extra);
  p.storage(DEEP_BIND_SUMMARY, summary_)
      .storage(DEEP_BIND_ORDER, scratch_.order)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  p.dispatch(lists.groupCount(), gpu::Each{20 * DEEP_GROUP});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // scan, sort; the host
  if (nodes) summary_.copyFrom(*nodes, sizeof(std::uint32_t), 0, offsetof(shared::Summary, nodes));
}

void ListStore::accept(FragmentLists& lists, const shared::Summary& summary) {
  lists.longest = summary.longest;
  if (summary.fragmentsHigh != 0)
    throw gpu::DoesNotFit("fragments: more than 2^32 in one region", summary.fragmentsHigh + 1.0,
                          1);
  if (isRanked(lists.shape)) {
    constexpr std::uint32_t kLongest = (1u << DEEP_RANK_SHIFT) - 1;
    if (summary.longest > kLongest)
      fail("fragments of one pixel: the layout ria expects at most {}, found {}", kLongest,
           summary.longest);
    rankLists(lists);
  }
}

void ListStore::rankLists(FragmentLists& lists) {
  gpu::Pass& p = pass("rank lists", "lists/rank_lists.comp", anySlots(lists.shape),
                      {{"NETWORK", sortingNetwork(DEEP_GROUP)}});
  p.storage(DEEP_BIND_COUNTS, lists.counts)
      .storage(DEEP_BIND_EXTRA, lists.extra)
      .params(DEEP_BIND_PARAMS, paramsOf(lists));
  // 191 exchanges sort a group's 32 lengths.
  p.dispatch(lists.groupCount(), gpu::Each{191 * 5 + 10 * DEEP_GROUP});
  gpu::barrier(gpu::Access::Storage);  // whoever walks the lists
}

void ListStore::tabulate(FragmentLists& lists) {
  const ListShape& shape = lists.shape;
  if (isLinear(shape)) {
    // LA's finished table is inclusive: the exclusive one, moved by a word.
    gpu::Words& sums = scratch_.raster;
    ensure(sums, "exclusive offsets", std::uint64_t(lists.slotCount) + 1);
    scanner_.exclusive(lists.table, sums, lists.slotCount);
    lists.table.copyFrom(sums, std::int64_t(lists.slotCount) * 4, 4, 0);
    lists.table.copyFrom(sums, 4, std::int64_t(lists.slotCount) * 4,
                         std::int64_t(lists.slotCount) * 4);
  } else if (!isLinked(shape)) {
    scanner_.exclusive(lists.counts, lists.table, lists.slotCount);
  }
}

void ListStore::ascend(FragmentLists& lists) {
  if (!lists.descending) return;
  gpu::Pass& p = pass("reverse links", "lists/reverse_links.comp", anySlots(lists.shape));
  bind(p, lists).params(DEEP_BIND_PARAMS, paramsOf(lists));
  p.dispatch(lists.slotCount, walkCost(lists, {6, 1}));
  gpu::barrier(gpu::Access::Storage);  // merge lists
  lists.descending = false;
}

}  // namespace fathom::deep
