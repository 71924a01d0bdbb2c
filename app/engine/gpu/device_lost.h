// SPDX-License-Identifier: BSD-3-Clause
// A device can be lost: its driver crashed or was updated, a watchdog reset it, it was unplugged.
// Everything that lay on it is gone then, and its context is of no more use.
#pragma once

#include "app/engine/core/error.h"

namespace fathom::gpu {

/// The context is dead; a new one can be made. "the GPU was reset: ..., what was on it is lost".
class DeviceLost : public Error {
 public:
  using Error::Error;
};

/// Throws DeviceLost when the current context was lost, from then on each time; asks the driver,
/// which takes no time.
void throwIfLost();

/// Another context is current now.
void forgetDeviceLoss();

/// For tests: the next throwIfLost() of any thread finds a lost device. May be called by a handler
/// of signals.
void simulateDeviceLoss();

}  // namespace fathom::gpu
