// SPDX-License-Identifier: BSD-3-Clause
// Buffers, tables and passes of the pipeline. What is done with them: capture.cpp, transfer.cpp,
// sort.cpp, pool.cpp, merge.cpp, merge_many.cpp, depth_complexity.cpp.
#include "app/techniques/deep/pipeline.h"

#include "app/gpu/memory_account.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>
#include <cmath>

namespace fathom::deep {

std::int64_t FragmentLists::usedBytes() const {
  const std::int64_t fragment = shape.words() * 4 + (isLinked(shape) ? 4 : 0);
  std::int64_t tables = 4 * std::int64_t(slotCount);
  if (hasMinimums(shape))
    tables += 4 * std::int64_t(slotCount) + 4 * std::int64_t(slotCount / DEEP_GROUP);
  if (isRanked(shape)) tables += 12 * std::int64_t(slotCount);
  const std::uint64_t elements =
      isLinked(shape) ? fragmentCount : shape.elementsFor(fragmentCount, slotCount);
  return std::int64_t(elements) * fragment + tables;
}

std::int64_t FragmentLists::allocatedBytes() const {
  if (!isLinked(shape)) return usedBytes();
  return std::int64_t(capacity) * (shape.words() * 4 + 4) + 8 * std::int64_t(slotCount);
}

DoesNotFit::DoesNotFit(const std::string& message, double need, double limit)
    : Error(message),
      pieces(int(std::clamp(std::ceil(1.15 * need / std::max(limit, 1.0)), 2.0, 65536.0))) {}

std::vector<Rect> cut(const Rect& region, const DoesNotFit& reason) {
  const bool rows = region.height > 8;
  const int step = rows ? 8 : 4, extent = rows ? region.height : region.width;
  const int blocks = (extent + step - 1) / step;
  if (blocks < 2) throw Error(reason.what());
  const int pieces = std::min(reason.pieces, blocks);
  std::vector<Rect> parts;
  for (int i = 0; i < pieces; ++i) {
    const auto edge = [&](int piece) {
      return std::min(extent, int((std::int64_t(blocks) * piece + pieces - 1) / pieces) * step);
    };
    const int first = edge(i), length = edge(i + 1) - first;
    parts.push_back(rows ? Rect{region.x, region.y + first, region.width, length}
                         : Rect{region.x + first, region.y, length, region.height});
  }
  return parts;
}

Pipeline::Pipeline(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu) {
  summary_ = gpu::Buffer<shared::Summary>(gpu, "deep summary", 1);
}

namespace {

/// What is large enough is kept, but not what was made for a picture four times this one.
bool serves(std::size_t count, std::uint64_t words) {
  return count >= words && count / 4 <= std::max<std::uint64_t>(words, 1024);
}

}  // namespace

void Pipeline::expectRoom(const std::string& name, std::uint64_t words, std::int64_t freed) const {
  const gpu::MemoryAccount& memory = gpu_.memory();
  const auto bytes = std::int64_t(words * kWord);
  if (bytes > memory.blockLimit())
    throw DoesNotFit(fmt::format("{}: needs {} in one buffer, this GPU allows {}", name,
                                 gpu::bytesText(bytes), gpu::bytesText(memory.blockLimit())),
                     double(bytes), double(memory.blockLimit()));
  const std::int64_t others = memory.totalBytes() - freed;
  if (others + bytes > memory.budget())
    throw DoesNotFit(
        fmt::format("{}: needs {} beside {} in use, the budget is {}", name, gpu::bytesText(bytes),
                    gpu::bytesText(others), gpu::bytesText(memory.budget())),
        double(bytes), double(memory.budget() - others));
}

void Pipeline::ensure(gpu::Buffer<std::uint32_t>& buffer, const std::string& name,
                      std::uint64_t words) {
  if (buffer && serves(buffer.count(), words)) return;
  expectRoom(name, words, buffer ? buffer.bytes() : 0);
  buffer = {};
  buffer = gpu::Buffer<std::uint32_t>(gpu_, name, std::size_t(words));
}

void Pipeline::ensure(Words& part, const std::string& name, std::uint64_t words) {
  if (part && serves(part.count(), words)) return;
  expectRoom(name, words, part ? part.ownBytes() : 0);
  part = {};
  part = Words(gpu::Buffer<std::uint32_t>(gpu_, name, std::size_t(words)));
}

shared::Params Pipeline::params(const FragmentLists& lists) const {
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

gpu::Pass& Pipeline::pass(const std::string& name, const std::string& file, const ListShape& shape,
                          std::vector<gpu::Define> defines) {
  // A define that a pass does not look at would only compile it again.
  if (isBlocked(shape)) defines.emplace_back("BLOCK", shape.block);
  defines.emplace_back("LAYOUT", int(shape.layout));
  defines.emplace_back("SLOTS", int(shape.slots));
  defines.emplace_back("WORDS", shape.words());
  return gpu_.pass({name, "shaders/deep/" + file, std::move(defines)});
}

gpu::Program& Pipeline::bind(gpu::Program& program, const FragmentLists& lists, unsigned index) {
  program.storage(DEEP_BIND_TABLE + index, lists.table);
  if (!isLinear(lists.shape)) {
    program.storage(DEEP_BIND_COUNTS + index, lists.counts);
    program.storage(DEEP_BIND_EXTRA + index, lists.extra);
  }
  program.storage(DEEP_BIND_DATA + index, lists.data);
  return program;
}

/// Tables for the region; contents undefined. Data follows with reserve() once the count is known.
void Pipeline::prepare(FragmentLists& out, const Rect& region, const ListShape& shape) {
  FATHOM_CHECK(!region.empty());
  const std::uint64_t slots = slotCountOf(region);
  if (slots > UINT32_MAX / 2)
    throw DoesNotFit("deep tables: more than 2^31 pixels in one region", double(slots), 0x1p31);
  out.shape = shape;
  out.region = region;
  out.slotCount = std::uint32_t(slots);
  out.fragmentCount = 0;
  out.descending = false;
  ensure(out.table, isLinked(shape) ? "list heads" : "list offsets", slots + 1);
  if (!isLinear(shape)) ensure(out.counts, "list counts", slots);
  if (hasMinimums(shape)) ensure(out.extra, "group minimums", slots / DEEP_GROUP);
  if (isRanked(shape)) ensure(out.extra, "list ranks", 2 * slots);
}

/// Room for so many fragments.
void Pipeline::reserve(FragmentLists& out, std::uint64_t fragments) {
  const std::uint64_t elements = out.shape.elementsFor(fragments, out.slotCount);
  if (elements > UINT32_MAX)
    throw DoesNotFit("fragments: more than 2^32 in one region", double(elements), 0x1p32);
  ensure(out.data, "fragments", elements * std::uint64_t(out.shape.words()));
  if (isLinked(out.shape)) ensure(out.extra, "list links", elements);
  out.capacity = std::uint32_t(elements);
}

shared::Summary Pipeline::readSummary() { return summary_.download().front(); }

/// Group minimums, length classes and totals; the scanned table comes after it (LA counts in its
/// table).
shared::Summary Pipeline::summarize(FragmentLists& lists) {
  const std::uint32_t groups = groupCount(lists);
  ensure(order_, "length classes", std::uint64_t(DEEP_CLASSES) * groups + 1);
  summary_.clear();
  gpu::Pass& p = pass("summarize groups", "summarize_groups.comp", anySlots(lists.shape));
  p.storage(isLinear(lists.shape) ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS,
            isLinear(lists.shape) ? lists.table : lists.counts);
  if (hasMinimums(lists.shape)) p.storage(DEEP_BIND_EXTRA, lists.extra);
  p.storage(DEEP_BIND_SUMMARY, summary_)
      .storage(DEEP_BIND_ORDER, order_)
      .params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(groups);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // scan, sort; the host
  const shared::Summary summary = readSummary();
  if (summary.fragmentsHigh != 0)
    throw DoesNotFit("fragments: more than 2^32 in one region", summary.fragmentsHigh + 1.0, 1);
  if (isRanked(lists.shape)) {
    constexpr std::uint32_t kLongest = (1u << DEEP_RANK_SHIFT) - 1;
    if (summary.longest > kLongest)
      fail("fragments of one pixel: the layout ria expects at most {}, found {}", kLongest,
           summary.longest);
    rankLists(lists);
  }
  return summary;
}

/// RIA: ranks from counts.
void Pipeline::rankLists(FragmentLists& lists) {
  gpu::Pass& p = pass("rank lists", "rank_lists.comp", anySlots(lists.shape),
                      {{"NETWORK", sortingNetwork(DEEP_GROUP)}});
  p.storage(DEEP_BIND_COUNTS, lists.counts)
      .storage(DEEP_BIND_EXTRA, lists.extra)
      .params(DEEP_BIND_PARAMS, params(lists));
  p.dispatch(groupCount(lists));
  gpu::barrier(gpu::Reader::Storage);  // whoever walks the lists
}

/// Complete tables from counts that are in place (LA: in the table), by a scan.
void Pipeline::tabulate(FragmentLists& lists) {
  const ListShape& shape = lists.shape;
  if (isLinear(shape)) {
    // LA's finished table is inclusive: the exclusive one, moved by a word.
    ensure(raster_, "exclusive offsets", std::uint64_t(lists.slotCount) + 1);
    scanner_.exclusive(lists.table, raster_, lists.slotCount);
    lists.table.copyFrom(raster_, std::int64_t(lists.slotCount) * 4, 4, 0);
    lists.table.copyFrom(raster_, 4, std::int64_t(lists.slotCount) * 4,
                         std::int64_t(lists.slotCount) * 4);
  } else if (!isLinked(shape)) {
    scanner_.exclusive(lists.counts, lists.table, lists.slotCount);
  }
}

}  // namespace fathom::deep
