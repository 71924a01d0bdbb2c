// SPDX-License-Identifier: BSD-3-Clause
// The replay of a log of hits by the processor itself, for devices that are the processor: where
// shaders are emulated, a scattered addition costs ten times what it costs here. The log is sorted
// by tiles of buckets that fit a core's cache, then each tile has one thread that adds its hits.
#pragma once

#include "app/engine/flame/render/histogram.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec4.hpp>

namespace fathom::flame {

/// What shaders/flame/log/log.glsl describes.
struct LogWords {
  std::span<const std::uint32_t> entries;
  const std::uint32_t* payloads = nullptr;    // of a wide log; as many
  bool alpha = false, linearPalette = false;  // alpha: of the histogram
};

class HostReplay {
 public:
  /// Adds all hits to the histogram, whose parts are `parts`: uint32[row][column][words]. The sums
  /// do not depend on the order of the entries, nor on the number of threads.
  void add(const LogWords& log, const HistogramShape& shape, int rowsPerPart,
           std::span<std::uint32_t* const> parts, std::span<const glm::vec4, 256> palette);

 private:
  void sort(const LogWords& log, std::size_t bucketCount, std::size_t partBuckets);

  int tileBits_ = 0;
  std::vector<std::size_t> tileStarts_;  // in the sorted log, one more than there are tiles
  std::vector<std::uint32_t> entries_, payloads_;  // sorted
};

}  // namespace fathom::flame
