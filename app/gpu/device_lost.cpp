// SPDX-License-Identifier: BSD-3-Clause
// What the driver says about resets, in our words; and fences, whose waits end when there is nobody
// left to reach them.
#include "app/gpu/device_lost.h"

#include "app/gpu/gl.h"

#include <utility>

namespace fathom::gpu {
namespace {

thread_local bool simulatedLoss = false;

const char* causeText(GLenum status) {
  switch (status) {
    case GL_GUILTY_CONTEXT_RESET:
      return "by work of this program";
    case GL_INNOCENT_CONTEXT_RESET:
      return "by another program";
    default:
      return "for a reason that the driver does not tell";
  }
}

}  // namespace

void throwIfLost() {
  const GLenum status = std::exchange(simulatedLoss, false) ? GLenum(GL_UNKNOWN_CONTEXT_RESET)
                                                            : glGetGraphicsResetStatus();
  if (status != GL_NO_ERROR)
    throw DeviceLost(
        fmt::format("the GPU was reset {}: what lay in its memory is lost", causeText(status)));
}

void simulateDeviceLoss() { simulatedLoss = true; }

bool fenceReached(void* fence) {
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence), 0, 0);
  return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

void waitForFence(void* fence, const std::string& what) {
  constexpr GLuint64 kQuarterSecond = 250'000'000;
  for (;;) {
    const GLenum state = glClientWaitSync(static_cast<GLsync>(fence), GL_SYNC_FLUSH_COMMANDS_BIT,
                                          kQuarterSecond);
    if (state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED) return;
    throwIfLost();
    if (state == GL_WAIT_FAILED)
      throw DeviceLost(what + ": expected the GPU to finish it, found the GPU lost");
  }
}

}  // namespace fathom::gpu
