// SPDX-License-Identifier: BSD-3-Clause
// Smallest and largest value and a histogram of the shown picture, counted on a worker when
// somebody asks for them and the picture has changed.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/jobs.h"
#include "app/window/document/document.h"

namespace fathom::viewer {

/// Of the finite values of a picture's R, G and B; alpha is left out.
struct PictureStatistics {
  static constexpr int kBins = 256;
  float low = 0, high = 1;                                 // equal when all values are
  std::array<std::array<std::uint32_t, kBins>, 3> bins{};  // from low to high, per channel
  std::uint64_t invalid = 0;                               // values that are NaN or infinite
};
PictureStatistics statisticsOf(const Image& image);

class Statistics {
 public:
  /// Counts the document's picture when it is complete and not counted yet. Called each frame while
  /// the numbers are wanted.
  void update(const Document& document);
  /// The last that were counted; none before the first.
  const std::optional<PictureStatistics>& latest() const { return latest_; }
  bool working() const { return jobs_.pending() > 0; }

 private:
  std::uint64_t counted_ = ~0ull;  // generation of the picture
  std::optional<PictureStatistics> latest_;
  JobQueue jobs_;  // last: its jobs use the members above
};

}  // namespace fathom::viewer
