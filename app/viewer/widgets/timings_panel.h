// SPDX-License-Identifier: BSD-3-Clause
// What every pass costs: last, median, 90th percentile and history, and the sum on the GPU against
// the wall clock.
#pragma once

#include "app/gpu/timings.h"

#include <cstdint>
#include <vector>

namespace fathom::viewer {

class TimingsPanel {
 public:
  /// Takes in frames that have finished since the last call.
  void update(const gpu::Timings& timings);
  void draw(const gpu::Timings& timings);

 private:
  void drawCounts(const gpu::WorkCounts& counts);
  void drawHistory(float width, float height);
  std::vector<float> gpuSum_, wall_;  // ms, oldest first
  std::uint64_t seen_ = 0;
};

}  // namespace fathom::viewer
