// SPDX-License-Identifier: BSD-3-Clause
// The only header that includes OpenGL; only .cpp files of this folder include it.
#pragma once

#include "app/engine/gpu/texture.h"
#include "app/engine/gpu/timings.h"

#include <glad/gl.h>

namespace fathom::gpu {

/// Names an object for debuggers and driver messages; long names are cut to the driver's limit.
void labelObject(GLenum kind, GlId id, const std::string& name);

/// How a TextureFormat is spelled in GL.
struct GlFormat {
  GLenum internal, layout, type;
  bool integer;
};
GlFormat glFormat(TextureFormat format);

/// The counters behind workCounts().
WorkCounts& countedWork();

Fence makeFence();
/// Asks without waiting.
bool fenceReached(const Fence& fence);
/// Sends off what was queued, and waits. Throws DeviceLost.
void waitForFence(const Fence& fence, const std::string& what);

/// Watches one allocation: clears the error flag, and tells afterwards whether the driver ran out
/// of memory. Its debug message is dropped meanwhile, because the caller turns it into an Error.
struct AllocationWatch : Counted {
  AllocationWatch();
  bool failed();
};

}  // namespace fathom::gpu
