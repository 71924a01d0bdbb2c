// SPDX-License-Identifier: BSD-3-Clause
// How large the log is, which bits of it are sorted, and who replays it.
#include "app/engine/flame/render/hit_log.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/sliced_work.h"
#include "shaders/flame/shared.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>

namespace fathom::flame {
namespace {

// Words of the log, of which there are two copies: enough that the cost of visiting all windows is
// small beside that of the entries, no more, because a software renderer shares the memory.
constexpr std::size_t kWordsInSoftware = std::size_t(1) << 24;
// Each replay visits the whole histogram, which is larger than any cache.
constexpr std::size_t kWordsOnHost = std::size_t(1) << 24;
constexpr std::size_t kWordsOnGpu = std::size_t(1) << 26;  // as cuburn
// A window may read this many times (as a power of two) its own entries, before a second pass of
// the sort is cheaper.
constexpr int kSharedRangeBits = 2;

std::int64_t bucketCount(const HistogramShape& shape) {
  const glm::ivec2 buckets = shape.buckets();
  return std::int64_t(buckets.x) * buckets.y;
}

}  // namespace

bool needsWideLog(const HistogramShape& shape, const Structure& structure) {
  return structure.visibility || bucketCount(shape) > std::int64_t(1) << FLAME_BUCKET_BITS;
}

void HitLog::start(const HistogramShape& shape, const Structure& structure, int sortBits,
                   std::size_t minEntries) {
  const std::int64_t buckets = bucketCount(shape);
  if (buckets >= std::int64_t(UINT32_MAX))
    fail("histogram: expected fewer than 2^32 buckets, found {}", buckets);
  shape_ = shape;
  wide_ = structure.wideLog;
  linearPalette_ = structure.linearPalette;
  sortBits_ = sortBits;
  windowBits_ = shape.hasAlpha ? FLAME_WINDOW_BITS_ALPHA : FLAME_WINDOW_BITS_OPAQUE;
  const int bucketBits = std::max(1, int(std::bit_width(std::uint64_t(buckets - 1))));
  const int windowNumberBits = std::max(0, bucketBits - windowBits_);
  const int sorted = windowNumberBits <= sortBits + kSharedRangeBits
                         ? std::min(sortBits, bucketBits)
                         : windowNumberBits;
  sortedBits_ = {bucketBits - sorted, bucketBits};

  const std::size_t words = replay_ == Replay::Host  ? kWordsOnHost
                            : gpu_.device().software ? kWordsInSoftware
                                                     : kWordsOnGpu;
  const auto block = std::size_t(gpu_.memory().blockLimit()) / sizeof(std::uint32_t);
  const std::size_t capacity = std::min(words / (wide_ ? 2 : 1), block);
  if (capacity < minEntries)
    fail("flame log: a round takes {} entries, this device allows {} in a storage block",
         minEntries, capacity);
  const bool sorts = replay_ != Replay::Host;
  if (capacity != capacity_ || bool(payloads_) != wide_ || bool(otherEntries_) != sorts) {
    entries_ = gpu::Buffer<std::uint32_t>(gpu_, "flame log", capacity);
    otherEntries_ = {};
    if (sorts) otherEntries_ = gpu::Buffer<std::uint32_t>(gpu_, "flame log, sorted", capacity);
    payloads_ = {};
    otherPayloads_ = {};
    if (wide_) {
      payloads_ = gpu::Buffer<std::uint32_t>(gpu_, "flame log payloads", capacity);
      if (sorts)
        otherPayloads_ = gpu::Buffer<std::uint32_t>(gpu_, "flame log payloads, sorted", capacity);
    }
    capacity_ = capacity;
  }
  used_ = 0;
}

void HitLog::release() {
  entries_ = {}, otherEntries_ = {}, payloads_ = {}, otherPayloads_ = {};
  hostReplay_ = {};
  capacity_ = used_ = 0;
}

void HitLog::bind(gpu::Pass& iterate) const {
  iterate.storage(FLAME_BIND_LOG, entries_);
  if (wide_) iterate.storage(FLAME_BIND_LOG_PAYLOADS, payloads_);
}

void HitLog::append(std::size_t entries) {
  FATHOM_CHECK_OP(entries, <=, room());
  used_ += entries;
}

void HitLog::replay(Histogram& histogram, const gpu::Buffer<glm::vec4>& palette) {
  if (used_ == 0) return;
  if (replay_ == Replay::Host) return replayOnHost(histogram, palette);
  gpu::SortBuffers buffers{&entries_, &otherEntries_};
  if (wide_) buffers.payloads = &payloads_, buffers.otherPayloads = &otherPayloads_;
  const gpu::SortedBuffers sorted = sorter_.sort(buffers, used_,
                                                 {.firstBit = sortedBits_.first,
                                                  .lastBit = sortedBits_.last,
                                                  .discard = true,
                                                  .digitBits = sortBits_});
  for (std::size_t part = 0; part < histogram.parts.size(); ++part)
    replayPart(histogram, part, sorted, palette);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // the next replay, the image
  used_ = 0;
}

void HitLog::replayOnHost(Histogram& histogram, const gpu::Buffer<glm::vec4>& palette) {
  gpu_.finish();
  const gpu::Timings::Scope scope(gpu_.timings(), "replay log", gpu::Timings::Scope::Work::Compute);
  const std::vector<glm::vec4> colors = palette.download();
  const gpu::HostView entries(gpu_, entries_);
  std::optional<gpu::HostView> payloads;
  if (wide_) payloads.emplace(gpu_, payloads_);
  std::deque<gpu::HostView> views;
  std::vector<std::uint32_t*> parts;
  for (gpu::Buffer<std::uint32_t>& part : histogram.parts)
    parts.push_back(views.emplace_back(gpu_, part).as<std::uint32_t>());
  const LogWords log{{entries.as<const std::uint32_t>(), used_},
                     wide_ ? payloads->as<const std::uint32_t>() : nullptr,
                     shape_.hasAlpha,
                     linearPalette_};
  gpu::runAsync([&] {
    hostReplay_.add(log, shape_, histogram.rowsPerPart, parts,
                    std::span<const glm::vec4, 256>(colors.data(), 256));
  });
  used_ = 0;
}

void HitLog::replayPart(Histogram& histogram, std::size_t part, const gpu::SortedBuffers& log,
                        const gpu::Buffer<glm::vec4>& palette) {
  const bool grouped = replay_ == Replay::Groups;
  gpu::Pass& pass = gpu_.pass(
      {"replay log",
       grouped ? "shaders/flame/log/replay_log_group.comp" : "shaders/flame/log/replay_log.comp",
       {{"FLAME_LINEAR_PALETTE", linearPalette_ ? 1 : 0},
        {"FLAME_ALPHA", shape_.hasAlpha ? 1 : 0},
        {"FLAME_LOG_WIDE", wide_ ? 1 : 0},
        {"FLAME_REPLAY_SIZE", gpu_.device().software ? 8 : 256}}});
  const auto words = std::size_t(shape_.words());
  const std::size_t partBuckets = std::size_t(histogram.rowsPerPart) * shape_.buckets().x;
  shared::ReplayParams params{};
  params.firstBucket = std::uint32_t(part * partBuckets);
  params.bucketCount = std::uint32_t(histogram.parts[part].count() / words);
  params.firstWindow = params.firstBucket >> windowBits_;
  const std::uint32_t lastBucket = params.firstBucket + params.bucketCount - 1;
  params.windowCount = (lastBucket >> windowBits_) + 1 - params.firstWindow;
  // Hits crowd in few windows: several groups share them, where groups run at the same time.
  params.splits = std::clamp(8192 / params.windowCount, 4u, 64u);
  params.sortedFrom = std::uint32_t(sortedBits_.first);
  params.bucketMask = wide_ ? 0xFFFFFFFFu : (1u << FLAME_BUCKET_BITS) - 1;
  params.sumCount = shape_.hasAlpha ? 5 : 4;
  pass.params(FLAME_BIND_REPLAY, params)
      .uniform(FLAME_BIND_PALETTE, palette)
      .storage(FLAME_BIND_KEPT, sorter_.kept())
      .storage(FLAME_BIND_LOG, *log.keys)
      .storage(FLAME_BIND_REPLAYED, histogram.parts[part]);
  if (wide_) pass.storage(FLAME_BIND_LOG_PAYLOADS, *log.payloads);
  // A hit is read, colored and added; where windows are summed first, their sums are added too.
  const double hits = double(used_), added = double(params.bucketCount) * params.splits;
  if (grouped)
    gpu::dispatchGroups(pass, std::uint64_t(params.windowCount) * params.splits,
                        gpu::DispatchCost{30 * hits + 10 * added});
  else
    gpu::dispatch(pass, (used_ + FLAME_STRETCH - 1) / FLAME_STRETCH,
                  gpu::DispatchCost{30 * hits, FLAME_STRETCH});
}

}  // namespace fathom::flame
