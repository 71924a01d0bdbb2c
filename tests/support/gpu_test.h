// SPDX-License-Identifier: BSD-3-Clause
// The fixture of every test that draws: one context per test process, without a display. A test
// fails when the driver said anything above notification level, and when there is no OpenGL 4.5 at
// all.
#pragma once

#include "app/engine/gpu/context.h"

namespace fathom::test {

/// Lets contexts be made as the program lets them (app/main.cpp). GpuTest has called it.
void offerContexts();

class GpuTest : public ::testing::Test {
 protected:
  /// The shared context; made at the first call. Throws NoDeviceError, which fails the test.
  static gpu::Context& context();

  /// As if the device allowed no more storage blocks per stage, for this test. Passes that need
  /// more are refused from now on, compiled or not.
  static void limitStorageBlocks(std::int64_t count);

  void SetUp() override;     // resets timings and the limits that a test may lower
  void TearDown() override;  // fails the test on debug messages
};

}  // namespace fathom::test
