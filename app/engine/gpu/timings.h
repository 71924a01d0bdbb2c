// SPDX-License-Identifier: BSD-3-Clause
// What each pass costs on the GPU, from pairs of timestamps (GL_TIME_ELAPSED reads 0 for compute on
// llvmpipe), and on the CPU. Several frames are in flight; reading results never waits.
#pragma once

#include "app/engine/gpu/work_counts.h"

namespace fathom::gpu {

/// One pass (or named group of passes) over the frames recorded so far.
struct PassTiming {
  std::string name;
  double gpuMs = 0;           // of the newest finished frame: the sum over `count` uses
  double cpuMs = 0;           // time to submit
  int count = 0;              // uses in that frame
  std::deque<float> history;  // gpuMs of the last 240 finished frames, oldest first
  double medianMs() const;
  double percentileMs(double p) const;  // p in 0..1
};

class Timings {
 public:
  Timings();
  ~Timings();

  /// Brackets a frame: everything between is summed per name, and against the wall clock. Without
  /// it, everything from the first scope to finish() or beginFrame() is one frame. A frame without
  /// scopes leaves the results as they are.
  void beginFrame();
  void endFrame();
  /// A pass, as a scope; also a group in graphics debuggers. Scopes may nest; a nested scope's time
  /// is part of the outer one's, and only outermost scopes count in the sum.
  class Scope {
   public:
    enum class Work { Any, Compute };  // Compute: a dispatch and nothing else
    Scope(Timings& timings, const std::string& name, Work work = Work::Any);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Timings& timings_;
    std::uint64_t record_;
    Work work_;
    bool recorded_;
  };
  /// While one lives, passes are not recorded: drawing a window must not overwrite what the work
  /// shown in it has cost.
  class Pause {
   public:
    explicit Pause(Timings& timings);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Timings& timings_;
  };

  /// A software renderer queues drawing, timestamps too, but runs compute while it is submitted:
  /// there, timestamps are sent off at once, and compute is timed by the same clock on the CPU. The
  /// context sets this.
  void setSoftware(bool software);

  /// Takes in the results that are ready; never waits. endFrame() calls it.
  void collect();
  /// Waits for the device and takes in everything (command line, benchmarks).
  void finish();
  /// Forgets all results and history.
  void clear();

  /// In order of first use in the newest finished frame; passes of older frames follow (count 0)
  /// until they were idle for 240 frames.
  const std::vector<PassTiming>& passes() const;
  /// Of the newest finished frame.
  double gpuSumMs() const;
  /// From beginFrame() until the device was done with the same frame, by the wall clock.
  double frameWallMs() const;
  /// Waits and allocations of the newest finished frame.
  const WorkCounts& counts() const;
  std::uint64_t finishedFrames() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::gpu
