// SPDX-License-Identifier: BSD-3-Clause
// How large the log is, which bits of it are sorted, and who replays it.
#include "app/engine/flame/render/hit_log.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/gpu/slices.h"
#include "shaders/flame/shared.h"

#include <glm/gtc/packing.hpp>

namespace fathom::flame {
namespace {

// Words of the log, of which there are two copies: enough that the cost of visiting all windows is
// small beside that of the entries, no more, because a software renderer shares the memory.
constexpr std::size_t kFewestWords = std::size_t(1) << 21;
constexpr std::size_t kWordsInSoftware = std::size_t(1) << 24;
constexpr std::size_t kWordsOnGpu = std::size_t(1) << 26;  // as cuburn
constexpr int kSpareRounds = 16;  // beyond the samples: those that lead in, a last one begun
// A window may read this many times (as a power of two) its own entries, before a second pass of
// the sort is cheaper.
constexpr int kSharedRangeBits = 2;

std::int64_t bucketCount(const HistogramShape& shape) {
  const glm::ivec2 buckets = shape.buckets();
  return std::int64_t(buckets.x) * buckets.y;
}

}  // namespace

bool needsWideLog(const HistogramShape& shape, const Structure& structure) {
  return structure.visibility || showsFullColors(structure) ||
         bucketCount(shape) >= std::int64_t(1) << FLAME_BUCKET_BITS;
}

void HitLog::start(const HistogramShape& shape, const Structure& structure, int sortBits,
                   std::size_t minEntries, double samples) {
  const std::int64_t buckets = bucketCount(shape);
  if (buckets >= std::int64_t(UINT32_MAX))
    fail("histogram: expected fewer than 2^32 bins, found {}", buckets);
  shape_ = shape;
  wide_ = structure.wideLog;
  full_ = showsFullColors(structure);
  linearPalette_ = structure.linearPalette;
  sortBits_ = sortBits;
  windowBits_ = shape.hasAlpha ? FLAME_WINDOW_BITS_ALPHA : FLAME_WINDOW_BITS_OPAQUE;
  const int bucketBits = std::max(1, int(std::bit_width(std::uint64_t(buckets - 1))));
  const int windowNumberBits = std::max(0, bucketBits - windowBits_);
  const int sorted = windowNumberBits <= sortBits + kSharedRangeBits
                         ? std::min(sortBits, bucketBits)
                         : windowNumberBits;
  sortedBits_ = {bucketBits - sorted, bucketBits};

  std::size_t words = gpu_.device().software ? kWordsInSoftware : kWordsOnGpu;
  if (gpu_.device().software && std::isfinite(samples))
    words = std::clamp(std::bit_ceil(2 * std::size_t(buckets)), kFewestWords, words);
  const auto block = std::size_t(gpu_.memory().blockLimit()) / sizeof(std::uint32_t);
  // No more than is written: llvmpipe clears all of it, which takes longer than a small picture.
  const double asked = std::min(samples + kSpareRounds * double(minEntries), double(kWordsOnGpu));
  const std::size_t capacity =
      std::min({words / (wide_ ? 2 : 1), block, std::bit_ceil(std::size_t(asked))});
  if (capacity < minEntries)
    fail("flame log: a round takes {} entries, this device allows {} in a storage block",
         minEntries, capacity);
  const bool sorts = replay_ != Replay::Host;
  if (capacity != capacity_ || bool(payloads_) != wide_ || bool(otherEntries_) != sorts) {
    entries_ = gpu::Words(gpu_, "flame log", capacity);
    otherEntries_ = {};
    if (sorts) otherEntries_ = gpu::Words(gpu_, "flame log, sorted", capacity);
    payloads_ = {};
    otherPayloads_ = {};
    if (wide_) {
      payloads_ = gpu::Words(gpu_, "flame log payloads", capacity);
      if (sorts) otherPayloads_ = gpu::Words(gpu_, "flame log payloads, sorted", capacity);
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
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // the next replay, the image
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
  for (gpu::Words& part : histogram.parts)
    parts.push_back(views.emplace_back(gpu_, part).as<std::uint32_t>());
  const LogWords log{{entries.as<const std::uint32_t>(), used_},
                     wide_ ? payloads->as<const std::uint32_t>() : nullptr,
                     shape_.hasAlpha,
                     linearPalette_,
                     full_};
  gpu::runAsync([&] {
    hostReplay_.add(log, histogram, parts, std::span<const glm::vec4, 256>(colors.data(), 256));
  });
  used_ = 0;
}

void HitLog::replayPart(Histogram& histogram, std::size_t part, const gpu::SortedBuffers& log,
                        const gpu::Buffer<glm::vec4>& palette) {
  gpu::Pass& pass = gpu_.pass({"replay log",
                               "shaders/flame/log/replay_log.comp",
                               {{"FLAME_LINEAR_PALETTE", linearPalette_ ? 1 : 0},
                                {"FLAME_ALPHA", shape_.hasAlpha ? 1 : 0},
                                {"FLAME_LOG_WIDE", wide_ ? 1 : 0},
                                {"FLAME_LOG_FULL", full_ ? 1 : 0},
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
  pass.dispatchGroups(std::uint64_t(params.windowCount) * params.splits,
                      gpu::DispatchCost{30 * hits + 10 * added});
}

// ---- Replay by the processor

namespace {

constexpr int kTileBits = 15;            // of 16 bytes each: half a MiB
constexpr std::size_t kMaxTiles = 1024;  // streams that sorting writes at a time
constexpr std::size_t kAhead = 128;      // hits whose buckets are on their way from memory

using Words4 [[gnu::vector_size(16)]] = std::uint32_t;

// What hits add, for each color index of the log. Fractions are rounded up as often as they are
// large: by one of four thresholds, which a hash of the entry chooses.
constexpr int kRoundings = 4;
struct ColorTable {
  std::array<glm::vec4, 512> colors;
  std::array<std::array<glm::uvec4, 512>, kRoundings> whole;  // R, G, B, and A or 1 hit
};

ColorTable colorTable(std::span<const glm::vec4, 256> palette, const LogWords& log) {
  ColorTable table{};
  for (std::size_t i = 0; i < 512; ++i) {
    // Of a mixing palette the log has half entries (log.glsl).
    const std::size_t a = std::min<std::size_t>(log.linearPalette ? i / 2 : i, 255);
    const std::size_t b = std::min<std::size_t>(log.linearPalette ? (i + 1) / 2 : i, 255);
    table.colors[i] = 0.5f * (palette[a] + palette[b]);
    for (int rounding = 0; rounding < kRoundings; ++rounding) {
      const float fraction = (float(rounding) + 0.5f) / kRoundings;
      const glm::uvec4 amounts(table.colors[i] + fraction);
      table.whole[std::size_t(rounding)][i] = {amounts.x, amounts.y, amounts.z,
                                               log.alpha ? amounts.w : 1};
    }
  }
  return table;
}

// Hits of a bucket up to which sums of 255 per hit fit 32 bits; the bucket is full then: its color
// stays, and it is white in any picture.
constexpr std::uint32_t kMaxHits = 1u << 24;

void addAll(const glm::uvec4& amounts, std::uint32_t* bucket) {
  Words4 sums, more;
  std::memcpy(&sums, bucket, sizeof sums);
  std::memcpy(&more, &amounts, sizeof more);
  sums += more;
  std::memcpy(bucket, &sums, sizeof sums);
}

const glm::uvec4& wholeAmounts(const ColorTable& table, std::uint32_t entry) {
  std::uint32_t hash = entry * 0x9e3779b1u;  // as in the shaders, whose fractions have more bits
  hash = (hash ^ hash >> 15) * 0x85ebca6bu;
  return table.whole[hash >> 30][entry >> FLAME_BUCKET_BITS];
}

void addOpaque(const ColorTable& table, std::uint32_t entry, std::uint32_t* bucket) {
  if (bucket[3] >= kMaxHits) return;
  addAll(wholeAmounts(table, entry), bucket);
}

void addWithAlpha(const ColorTable& table, std::uint32_t entry, std::uint32_t* bucket) {
  if (bucket[3] >= 255 * kMaxHits) return;
  const glm::uvec4& amounts = wholeAmounts(table, entry);
  for (int i = 0; i < 3; ++i) bucket[i] += amounts[i];
  bucket[3] += 255;
  bucket[4] += amounts.w;
}

void addWide(std::uint32_t payload, std::uint32_t* bucket) {
  if (bucket[3] >= kMaxHits) return;
  bucket[0] += payload & 0x3ff;
  bucket[1] += payload >> 10 & 0x3ff;
  bucket[2] += payload >> 20;
  bucket[3] += 1;
}

void addVisible(const ColorTable& table, std::uint32_t payload, std::uint32_t* bucket) {
  if (bucket[3] >= 255 * kMaxHits) return;
  const float fraction = float(payload & 0xff) / 256;
  const float visibility = glm::unpackHalf1x16(std::uint16_t(payload >> 8 & 0x7fff));
  const glm::uvec4 amounts(table.colors[payload >> 23] * visibility + fraction);
  bucket[0] += amounts.x;
  bucket[1] += amounts.y;
  bucket[2] += amounts.z;
  bucket[3] += std::uint32_t(255 * visibility + fraction);
  bucket[4] += amounts.w;
}

void addFullVisible(std::uint32_t payload, std::uint32_t* bucket) {
  if (bucket[3] >= 255 * kMaxHits) return;
  for (int i = 0; i < 4; ++i) bucket[i] += payload >> 8 * i & 0xff;
  bucket[4] += payload >> 24;
}

}  // namespace

// A counting sort by tile: each thread counts and then places its range of the log.
void HostReplay::sort(const LogWords& log, std::size_t firstBucket, std::size_t bucketCount,
                      std::size_t partBuckets) {
  tileBits_ = kTileBits;
  while ((bucketCount >> tileBits_) + 1 > kMaxTiles) ++tileBits_;
  while (tileBits_ > 0 && std::size_t(1) << tileBits_ > partBuckets) --tileBits_;
  const std::size_t tileCount = (bucketCount >> tileBits_) + 1;
  const std::uint32_t mask = log.payloads ? UINT32_MAX : (1u << FLAME_BUCKET_BITS) - 1;
  const int bits = tileBits_;  // a copy, as are the pointers below: stores cannot change them
  const auto first = std::uint32_t(firstBucket), count = std::uint32_t(bucketCount),
             none = std::uint32_t(tileCount);
  // None: no hit, which lies beyond all buckets. No branch, because hits are chance.
  const auto tileOf = [=](std::uint32_t entry) {
    const std::uint32_t bucket = (entry & mask) - first;
    const std::uint32_t outside = -std::uint32_t(bucket >= count);
    return (bucket >> bits & ~outside) | (none & outside);
  };
  const std::uint32_t* const found = log.entries.data();
  const std::size_t rangeCount = threadCount();
  const std::size_t perRange = (log.entries.size() + rangeCount - 1) / rangeCount;
  std::vector<std::vector<std::size_t>> places(rangeCount);
  const auto forRanges = [&](const auto& body) {
    parallelForEach(rangeCount, 1, [&](std::size_t range) {
      body(places[range], std::min(log.entries.size(), range * perRange),
           std::min(log.entries.size(), (range + 1) * perRange));
    });
  };
  forRanges([&](std::vector<std::size_t>& counts, std::size_t first, std::size_t last) {
    // Four counters for each tile, in turn: neighbors in the log often share theirs, and additions
    // to one place wait for each other.
    std::vector<std::uint32_t> quarters(4 * (tileCount + 1));
    std::uint32_t* const counters = quarters.data();
#pragma GCC unroll 4
    for (std::size_t i = first; i < last; ++i) ++counters[4 * tileOf(found[i]) + (i & 3)];
    counts.resize(tileCount + 1);
    for (std::size_t t = 0; t <= tileCount; ++t)
      counts[t] = std::size_t(quarters[4 * t]) + quarters[4 * t + 1] + quarters[4 * t + 2] +
                  quarters[4 * t + 3];
  });
  tileStarts_.resize(tileCount + 1);
  std::size_t next = 0;
  for (std::size_t tile = 0; tile <= tileCount; ++tile) {
    tileStarts_[tile] = next;
    for (std::vector<std::size_t>& counts : places) next += std::exchange(counts[tile], next);
  }
  entries_.resize(log.entries.size());
  if (log.payloads) payloads_.resize(log.entries.size());
  forRanges([&](std::vector<std::size_t>& place, std::size_t first, std::size_t last) {
    std::size_t* const at = place.data();
    std::uint32_t* const sorted = entries_.data();
    std::uint32_t* const sortedPayloads = payloads_.data();
    const std::uint32_t* const payloads = log.payloads;
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t to = at[tileOf(found[i])]++;
      sorted[to] = found[i];
      if (payloads) sortedPayloads[to] = payloads[i];
    }
  });
}

void HostReplay::add(const LogWords& log, const Histogram& histogram,
                     std::span<std::uint32_t* const> parts,
                     std::span<const glm::vec4, 256> palette) {
  const auto width = std::size_t(histogram.shape.buckets().x);
  const auto words = std::size_t(histogram.shape.words());
  const std::size_t partBuckets = std::size_t(histogram.rowsPerPart) * width;
  const std::size_t top = std::size_t(histogram.firstRow) * width;
  sort(log, top, std::size_t(histogram.rows) * width, partBuckets);
  const ColorTable table = colorTable(palette, log);
  const std::uint32_t mask = log.payloads ? UINT32_MAX : (1u << FLAME_BUCKET_BITS) - 1;
  const std::uint32_t* const entries = entries_.data();
  const std::uint32_t* const payloads = payloads_.data();
  const auto addTile = [&](std::size_t tile, const auto& addHit) {
    // A tile is no larger than a part, so it meets two at most.
    const std::size_t part = std::min((tile << tileBits_) / partBuckets, parts.size() - 1);
    const std::size_t first = top + part * partBuckets, end = first + partBuckets;
    std::uint32_t* const here = parts[part];
    std::uint32_t* const next = part + 1 < parts.size() ? parts[part + 1] : nullptr;
    if (top + ((tile + 1) << tileBits_) <= end || !next) {  // in one part
      std::uint32_t* const base = here - first * words;
      for (std::size_t i = tileStarts_[tile], last = tileStarts_[tile + 1]; i < last; ++i) {
        __builtin_prefetch(base + (entries[std::min(i + kAhead, last - 1)] & mask) * words, 1);
        addHit(i, base + (entries[i] & mask) * words);
      }
      return;
    }
    for (std::size_t i = tileStarts_[tile], last = tileStarts_[tile + 1]; i < last; ++i) {
      const std::size_t bucket = entries[i] & mask;
      addHit(i, bucket < end ? here + (bucket - first) * words : next + (bucket - end) * words);
    }
  };
  parallelForEach(tileStarts_.size() - 1, 1, [&](std::size_t tile) {
    if (!log.payloads && log.alpha)
      addTile(tile, [&](std::size_t i, std::uint32_t* at) { addWithAlpha(table, entries[i], at); });
    else if (!log.payloads)
      addTile(tile, [&](std::size_t i, std::uint32_t* at) { addOpaque(table, entries[i], at); });
    else if (log.alpha && log.full)
      addTile(tile, [&](std::size_t i, std::uint32_t* at) { addFullVisible(payloads[i], at); });
    else if (log.alpha)
      addTile(tile, [&](std::size_t i, std::uint32_t* at) { addVisible(table, payloads[i], at); });
    else
      addTile(tile, [&](std::size_t i, std::uint32_t* at) { addWide(payloads[i], at); });
  });
}

}  // namespace fathom::flame
