// SPDX-License-Identifier: BSD-3-Clause
// What an engine does for its picture, or beside it, in slices of a few milliseconds: one at a
// time, since on renderers that work on the processor it is left wherever a slice ends.
#pragma once

#include "app/engine/gpu/sliced_work.h"
#include "app/engine/engine.h"
#include "app/window/document/engine_state.h"

#include <functional>

namespace fathom::viewer {

class EngineSlices {
 public:
  explicit EngineSlices(gpu::Context& gpu) : gpu_(gpu) {}

  /// The GPU time that one slice should take.
  double sliceMs() const;
  /// Slices end in the middle of passes.
  bool cuts() const;

  /// The engine's update(), or more of it; true when it needs no further call. `begunWith`: a whole
  /// picture without a budget of its own, made of this state, whatever moves meanwhile; null: of
  /// what the engine has. Passes on what it throws.
  bool update(Engine& engine, Effect effect, const EngineState* begunWith = nullptr);
  /// The engine was left in the middle of its work: nobody else may let it do other work.
  bool inTheMiddle() const { return slice_.pending(); }
  /// What the engine was left in the middle of is given up.
  void abandon() { slice_.abandon(), aside_ = nullptr; }

  /// Work with the engine besides its picture: the next call of goOnAside() begins it.
  void startAside(std::function<void()> work) { aside_ = std::move(work); }
  bool hasAside() const { return aside_ != nullptr; }
  /// One slice of it. Passes on what it throws, which ends it.
  void goOnAside();

 private:
  gpu::Context& gpu_;
  gpu::SlicedWork slice_;
  bool updated_ = false;  // what update() returned
  std::function<void()> aside_;
};

}  // namespace fathom::viewer
