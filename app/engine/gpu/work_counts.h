// SPDX-License-Identifier: BSD-3-Clause
// What tests and tools may watch: counts of what keeps a device from working ahead, and an observer
// that is told of contexts and shaders.
#pragma once

#include "app/engine/gpu/handle.h"

namespace fathom::gpu {

struct ShaderText;

/// Told of the use of OpenGL (tests/races): when there is a context, and what each shader was
/// flattened from. Nobody is told unless a tool asks.
struct Observer {
  /// The context is current and its functions are loaded; nothing was made in it yet.
  std::function<void()> contextMade;
  /// Called right before this shader object is given its source.
  std::function<void(GlId, const ShaderText&)> stageLoaded;
};

/// The process's one observer; both functions are empty at first.
Observer& observer();

// Counts
// -------------------------------------------------------------------------------------------------

// Counts what keeps a device from working ahead: waits of the processor for it, and memory asked of
// the driver. A picture in steady state needs neither, and tests of the techniques say so.

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

}  // namespace fathom::gpu
