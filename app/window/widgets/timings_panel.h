// SPDX-License-Identifier: BSD-3-Clause
// What the picture costs: GPU times of its passes, and bytes of its buffers and textures.
#pragma once

#include "app/engine/gpu/memory_account.h"
#include "app/engine/gpu/timings.h"

#include <imgui.h>

namespace fathom::viewer {

/// The color of the n-th pass in bars.
ImVec4 passColor(std::size_t index);

class TimingsPanel {
 public:
  /// Takes in frames that have finished since the last call; `generation` changes when the timings
  /// are cleared.
  void update(const gpu::Timings& timings, std::uint64_t generation);
  void draw(const gpu::Timings& timings);

 private:
  struct Frame {
    float gpuSum = 0, wall = 0;  // ms
    std::vector<float> passMs;   // in the order of names_
  };
  struct PassRow {
    const gpu::PassTiming* pass;
    std::size_t index;  // into names_
    double median, p90;
  };
  /// In the order that the table's header asks for.
  std::vector<PassRow> sortedRows(const gpu::Timings& timings);
  /// Over frames_, of a pass or of the sum; a pass that did not run in a frame took 0 ms there, so
  /// that no part is above its whole.
  double percentile(double p, std::optional<std::size_t> pass = {}) const;
  void drawCounts(const gpu::Timings& timings);
  void drawTable(const gpu::Timings& timings, ImVec2 size);
  void drawFrames(ImVec2 size);
  std::size_t indexOf(const std::string& name);
  std::vector<std::string> names_;  // of passes, in the order of first use; they never move
  std::vector<Frame> frames_;       // oldest first
  std::uint64_t seen_ = 0, generation_ = 0;
  int hovered_ = -1;  // the pass under the cursor, in table or bars
};

void drawMemoryPanel(const gpu::MemoryAccount& memory);

}  // namespace fathom::viewer
