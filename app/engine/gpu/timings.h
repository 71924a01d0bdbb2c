// SPDX-License-Identifier: BSD-3-Clause
// What each pass costs on the GPU, from pairs of timestamps (GL_TIME_ELAPSED reads 0 for compute on
// llvmpipe), and on the CPU. Several frames are in flight; reading results never waits. And counts
// of what keeps a device from working ahead: waits of the processor for it, and memory asked of the
// driver. A picture in steady state needs neither, and tests of the techniques say so.
#pragma once

#include "app/engine/gpu/handle.h"

namespace fathom::gpu {

/// What this thread has done since it began; the difference of two is what lies between.
struct WorkCounts {
  std::uint64_t finishes = 0;  // Context::finish(), Timings::finish()
  std::uint64_t waits = 0;     // ReadBack::wait() for a request that no ready() has seen complete
  std::uint64_t reads = 0;     // RawBuffer::read(), Texture::read() and their like
  std::uint64_t allocations = 0;  // buffers, textures, views and targets made
  std::uint64_t compiles = 0;     // programs taken into use
  /// Waits of pace() for the slice before the last. They hold back the processor, not the device,
  /// which has the last slice to go on with: no synchronization.
  std::uint64_t paced = 0;

  /// How often the processor stood still until the device had run dry, or may have: counted by the
  /// call, not by the luck of the moment.
  std::uint64_t synchronizations() const { return finishes + waits + reads; }
  bool operator==(const WorkCounts&) const = default;
};

constexpr WorkCounts operator-(const WorkCounts& a, const WorkCounts& b) {
  return {a.finishes - b.finishes,       a.waits - b.waits,       a.reads - b.reads,
          a.allocations - b.allocations, a.compiles - b.compiles, a.paced - b.paced};
}

WorkCounts workCounts();

/// One pass (or named group of passes) over the frames recorded so far.
struct PassTiming {
  std::string name;
  double gpuMs = 0;           // of the newest finished frame: the sum over `count` uses
  double cpuMs = 0;           // time to submit
  int count = 0;              // uses in that frame
  std::deque<float> history;  // gpuMs of the last 240 finished frames, oldest first
  std::uint64_t lastUse = 0;  // the finished frame that used it last
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
  struct Pause : Counted {
    explicit Pause(Timings& timings);
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
  double compileMs = 0;  // that work has waited for programs since the start

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::gpu
