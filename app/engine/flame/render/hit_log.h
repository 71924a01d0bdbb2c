// SPDX-License-Identifier: BSD-3-Clause
// The replay of a log of hits by the processor itself, for devices that are the processor: where
// shaders are emulated, a scattered addition costs ten times what it costs here. The log is sorted
// by tiles of buckets that fit a core's cache, then each tile has one thread that adds its hits.
#pragma once

#include "app/engine/flame/render/generator.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/radix_sort.h"

namespace fathom::flame {

/// What shaders/flame/log/log.glsl describes.
struct LogWords {
  std::span<const std::uint32_t> entries;
  const std::uint32_t* payloads = nullptr;    // of a wide log; as many
  bool alpha = false, linearPalette = false;  // alpha: of the histogram
  bool full = false;                          // colors are not of the palette
};

class HostReplay {
 public:
  /// Adds all hits in its rows to the histogram, whose parts are `parts`:
  /// uint32[row][column][words]. The sums do not depend on the order of the entries, nor on the
  /// number of threads.
  void add(const LogWords& log, const Histogram& histogram, std::span<std::uint32_t* const> parts,
           std::span<const glm::vec4, 256> palette);

 private:
  void sort(const LogWords& log, std::size_t firstBucket, std::size_t bucketCount,
            std::size_t partBuckets);

  int tileBits_ = 0;
  std::vector<std::size_t> tileStarts_;  // in the sorted log, one more than there are tiles
  std::vector<std::uint32_t> entries_, payloads_;  // sorted
};

/// True when an entry of the log takes two words: the bucket or what the hit adds asks for it. The
/// last bucket of one word is that of no hit.
bool needsWideLog(const HistogramShape& shape, const Structure& structure);

/// Who adds up the hits: work groups a window of buckets each, in shared memory; or, where the
/// processor is the device, itself (HostReplay).
enum class Replay { Groups, Host };

class HitLog {
 public:
  HitLog(gpu::Context& gpu, Replay replay) : gpu_(gpu), sorter_(gpu), replay_(replay) {}

  /// Empties the log and fits it to the histogram and to `samples`, as many as there will be,
  /// about; `minEntries` is what one round of all trajectories takes. `sortBits`: bits of the
  /// bucket per pass of the sort (7..10). Throws Error when the log cannot hold one round.
  void start(const HistogramShape& shape, const Structure& structure, int sortBits,
             std::size_t minEntries, double samples);

  /// Entries that it still has room for.
  std::size_t room() const { return capacity_ - used_; }
  std::size_t used() const { return used_; }
  /// The first words of the entries, as the chaos game wrote them.
  const gpu::Words& entries() const { return entries_; }
  /// Where the next ones go.
  std::uint32_t firstEntry() const { return std::uint32_t(used_); }
  /// For iterate.comp, which writes entries from firstEntry() on.
  void bind(gpu::Pass& iterate) const;
  /// That many were written.
  void append(std::size_t entries);

  /// Gives its memory back until the next start().
  void release();

  /// Adds all entries to the histogram and empties the log. Ends with the barrier for
  /// Access::Storage and Access::Transfer.
  void replay(Histogram& histogram, const gpu::Buffer<glm::vec4>& palette);

  /// The bits [first, last) of the bucket that the log is sorted by.
  struct SortedBits {
    int first, last;
  };

 private:
  void replayOnHost(Histogram& histogram, const gpu::Buffer<glm::vec4>& palette);
  void replayPart(Histogram& histogram, std::size_t part, const gpu::SortedBuffers& log,
                  const gpu::Buffer<glm::vec4>& palette);

  gpu::Context& gpu_;
  gpu::RadixSorter sorter_;
  HostReplay hostReplay_;
  Replay replay_;
  gpu::Words entries_, otherEntries_;
  gpu::Words payloads_, otherPayloads_;  // of a wide log
  std::size_t capacity_ = 0, used_ = 0;  // entries
  HistogramShape shape_;
  bool wide_ = false, linearPalette_ = false, full_ = false;
  int windowBits_ = 0, sortBits_ = 8;
  SortedBits sortedBits_{0, 0};
};

}  // namespace fathom::flame
