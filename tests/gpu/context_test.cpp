// SPDX-License-Identifier: BSD-3-Clause
// A context says what device it found, or what it tried in vain.
#include "app/engine/gpu/context.h"
#include "app/system/gl_surface.h"

#include "app/engine/gpu/buffer.h"
#include "tests/support/gpu_test.h"
#include "tests/support/system.h"

namespace fathom::gpu {
namespace {

class ContextTest : public test::GpuTest {};

TEST_F(ContextTest, KnowsItsDevice) {
  const Device& device = context().device();
  EXPECT_FALSE(device.vendor.empty());
  EXPECT_FALSE(device.renderer.empty());
  EXPECT_GE(std::stod(device.version), 4.5);
  EXPECT_EQ(device.software, device.renderer.find("llvmpipe") != std::string::npos);
}

TEST_F(ContextTest, ReadsLimitsThatTheStandardPromises) {
  const Limits& limits = context().limits();
  EXPECT_GE(limits.storageBlockBytes, 1 << 27);
  EXPECT_GE(limits.storageOffsetAlignment, 1);
  EXPECT_LE(limits.storageOffsetAlignment, 256);
  EXPECT_GE(limits.sharedBytes, 32768);
  EXPECT_GE(limits.workGroupInvocations, 1024);
  for (const std::int64_t count : limits.workGroupCount) EXPECT_GE(count, 65535);
  EXPECT_GE(limits.storageBlocksPerStage, 8);
  EXPECT_GE(limits.textureSize, 16384);
  EXPECT_GE(limits.textureBufferTexels, 65536);
}

TEST_F(ContextTest, HasABudgetBelowTheMachines) {
  EXPECT_GT(context().memory().budget(), 1 << 27);
  EXPECT_LT(context().memory().budget(), std::int64_t(1) << 50);
}

TEST_F(ContextTest, MayExistTwice) {
  const std::vector<std::uint32_t> words{1, 2, 3};
  const Buffer<std::uint32_t> here(context(), "here", std::span(words));
  {
    Context other;
    const Buffer<std::uint32_t> there(other, "there", std::span(words));
    EXPECT_EQ(there.download(), words);
    EXPECT_TRUE(other.takeDebugMessages().empty());
  }
  context().makeCurrent();
  EXPECT_EQ(here.download(), words);
}

TEST_F(ContextTest, TakesASurfaceOver) {
  std::vector<std::string> tried;
  {
    const Context other(system::makeHeadlessSurface(0, false, tried));
    EXPECT_EQ(other.device().renderer, context().device().renderer);
  }
  context().makeCurrent();
}

// Runs in a process of its own, where the variables hide displays and drivers.
void leaveWithMessage(Backend backend) {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) test::removeVariable(name);
  test::setVariable("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json");
  try {
    const Context context({.backend = backend});
  } catch (const NoDeviceError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(77);
  }
  std::exit(0);
}

TEST(ContextDeathTest, SaysInOneLineWhatWasTried) {
  EXPECT_EXIT(leaveWithMessage(Backend::Auto), ::testing::ExitedWithCode(77),
              "^no OpenGL 4.5 core context; tried EGL .*: .*; window: [^\n]*\n$");
  EXPECT_EXIT(leaveWithMessage(Backend::Egl), ::testing::ExitedWithCode(77),
              "^no OpenGL 4.5 core context; tried EGL [^\n]*\n$");
  EXPECT_EXIT(leaveWithMessage(Backend::Window), ::testing::ExitedWithCode(77),
              "^no OpenGL 4.5 core context; tried window: [^\n]*\n$");
}

}  // namespace
}  // namespace fathom::gpu
