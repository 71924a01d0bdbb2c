// SPDX-License-Identifier: BSD-3-Clause
// Previews of a scene that moves: the one that is being made, and how long they take, which decides
// the resolution of the next.
#pragma once

#include "app/engine/gpu/slices.h"
#include "app/window/document/engine_state.h"
#include "app/window/document/resolution.h"

#include <cstdint>
#include <optional>

namespace fathom::viewer {

class Previews {
 public:
  explicit Previews(gpu::Context& gpu);

  Resolution& resolution() { return resolution_; }
  const Resolution& resolution() const { return resolution_; }

  /// One is begun, of what the engine has now.
  void begin(Engine& engine);
  bool making() const { return made_.has_value(); }
  /// What it was begun with; null: none is being made.
  const EngineState* state() const { return made_ ? &made_->state : nullptr; }
  /// The processor has worked on it.
  void spent(double ms);
  void giveUp() { made_.reset(); }
  /// It is complete; `whole`: without an error, so that its time counts.
  void finish(bool whole, glm::ivec2 size);
  /// Times that have arrived from the device since.
  void collect();

 private:
  struct Preview {
    EngineState state;
    std::uint64_t compiles = 0;
    double ms = 0;
  };
  gpu::Context& gpu_;
  Resolution resolution_;
  gpu::SliceTimer timer_;
  std::optional<Preview> made_;
};

}  // namespace fathom::viewer
