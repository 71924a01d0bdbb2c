// SPDX-License-Identifier: BSD-3-Clause
// Deferred accumulation: the chaos game notes its hits in a log; when the log is full it is sorted
// by the upper bits of the bucket, and what lies in a window of buckets is added up in shared
// memory (after cuburn). The sums are those of the atomic mode, in the same histogram.
//
// Equal to the atomic mode, to the last bit, when all hits count alike (no opacity) and
// - the palette is in step mode and holds whole numbers, or
// - the histogram has more than 2^23 buckets and no alpha: entries of two words hold what is added.
// Otherwise the color of a hit is rounded to half an entry of the palette (a mixed one), its
// visibility to 11 bits, without bias; counts without opacity are always equal.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/flame/render/generator.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/flame/render/host_replay.h"

#include <cstddef>
#include <cstdint>

#include <glm/vec4.hpp>

namespace fathom::flame {

/// True when an entry of the log takes two words: the bucket or what the hit adds asks for it.
bool needsWideLog(const HistogramShape& shape, const Structure& structure);

/// Who adds up the hits: invocations a stretch of the log each, straight into the histogram (lanes
/// of a CPU); work groups a window of buckets each, in shared memory; or, where the processor is
/// the device, itself (host_replay.h).
enum class Replay { Invocations, Groups, Host };

class HitLog {
 public:
  explicit HitLog(gpu::Context& gpu)
      : gpu_(gpu), sorter_(gpu), replay_(gpu.device().software ? Replay::Host : Replay::Groups) {}

  /// The constructor chose what suits the device; the result is the same.
  void setReplay(Replay replay) { replay_ = replay; }

  /// Empties the log and fits it to the histogram; `minEntries` is what one round of all
  /// trajectories takes. `sortBits`: bits of the bucket per pass of the sort (7..10). Throws Error
  /// when the log cannot hold one round.
  void start(const HistogramShape& shape, const Structure& structure, int sortBits,
             std::size_t minEntries);

  /// Entries that it still has room for.
  std::size_t room() const { return capacity_ - used_; }
  std::size_t used() const { return used_; }
  /// The first words of the entries, as the chaos game wrote them.
  const gpu::Buffer<std::uint32_t>& entries() const { return entries_; }
  /// Where the next ones go.
  std::uint32_t firstEntry() const { return std::uint32_t(used_); }
  /// For iterate.comp, which writes entries from firstEntry() on.
  void bind(gpu::Pass& iterate) const;
  /// That many were written.
  void append(std::size_t entries);

  /// Gives its memory back until the next start().
  void release();

  /// Adds all entries to the histogram and empties the log. Ends with the barrier for
  /// Reader::Storage and Reader::Transfer.
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
  gpu::Buffer<std::uint32_t> entries_, otherEntries_;
  gpu::Buffer<std::uint32_t> payloads_, otherPayloads_;  // of a wide log
  std::size_t capacity_ = 0, used_ = 0;                  // entries
  HistogramShape shape_;
  bool wide_ = false, linearPalette_ = false;
  int windowBits_ = 0, sortBits_ = 8;
  SortedBits sortedBits_{0, 0};
};

}  // namespace fathom::flame
