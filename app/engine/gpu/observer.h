// SPDX-License-Identifier: BSD-3-Clause
// What a tool that watches the program's use of OpenGL is told (tests/races): when there is a
// context, and what each shader was flattened from. Nobody is told unless a tool asks.
#pragma once

#include "app/engine/gpu/handle.h"

#include <functional>

namespace fathom::gpu {

struct ShaderText;

struct Observer {
  /// The context is current and its functions are loaded; nothing was made in it yet.
  std::function<void()> contextMade;
  /// Called right before this shader object is given its source.
  std::function<void(GlId, const ShaderText&)> stageLoaded;
};

/// The process's one observer; both functions are empty at first.
Observer& observer();

}  // namespace fathom::gpu
