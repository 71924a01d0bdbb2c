// SPDX-License-Identifier: BSD-3-Clause
// What reading back and compressing costs in each of the three modes, picture by picture: the
// slowest part counts, as it does among ranks (Lipinski et al. 2021, table 1).
#pragma once

#include "app/techniques/active_pixel/parts.h"

#include <array>
#include <cstdint>
#include <deque>

namespace fathom::active_pixel {

constexpr int kModes = 3;
constexpr const char* kModeNames[kModes] = {"generic", "roi", "gpu"};

class ModeHistory {
 public:
  struct Sample {
    double readMs = 0, compressMs = 0;  // of the slowest part
    std::uint64_t bytes = 0;            // of all parts
    double totalMs() const { return readMs + compressMs; }
  };
  using Picture = std::array<Sample, kModes>;

  /// Starts measuring a picture, so many times, unless it is the one measured last.
  void begin(std::uint64_t picture, std::size_t parts, std::size_t rounds);
  /// One part in one mode; false when all have been measured in all rounds.
  bool step(Parts& parts, const PartView& view, Method method);
  /// Whether a picture has been measured once at least.
  bool measured(std::uint64_t picture) const { return picture_ == picture && done_ >= round_; }
  /// The newest rounds, oldest first: several of one picture, or one each of many.
  const std::deque<Picture>& pictures() const { return pictures_; }
  void clear() { *this = {}; }

 private:
  std::deque<Picture> pictures_;
  Picture current_{};
  std::uint64_t picture_ = 0;
  std::size_t done_ = 0, round_ = 0, total_ = 0;  // steps: so far, in a round, in all rounds
};

}  // namespace fathom::active_pixel
