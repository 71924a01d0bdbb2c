// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/gpu_test.h"

namespace fathom::test {
namespace {

std::unique_ptr<gpu::Context> shared;
std::int64_t storageBlocks = 0;  // that the device allows

// The context must go before the driver's own exit handlers run.
class ContextLifetime : public ::testing::Environment {
  // The driver has threads, which a plain fork would lose.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void TearDown() override { shared.reset(); }
};
[[maybe_unused]] const auto* const lifetime =
    ::testing::AddGlobalTestEnvironment(new ContextLifetime);

}  // namespace

gpu::Context& GpuTest::context() {
  if (!shared) {
    offerContexts();
    gpu::ContextOptions options;
    options.debug = true;
    shared = std::make_unique<gpu::Context>(options);
    storageBlocks = shared->limits().storageBlocksPerStage;
  }
  return *shared;
}

void GpuTest::limitStorageBlocks(std::int64_t count) {
  const_cast<gpu::Limits&>(context().limits()).storageBlocksPerStage = count;
}

void GpuTest::SetUp() {
  context().makeCurrent();
  context().takeDebugMessages();
  context().timings().clear();
  limitStorageBlocks(storageBlocks);
  context().memory().setBlockLimit(context().limits().storageBlockBytes);
}

void GpuTest::TearDown() {
  if (!shared) return;
  shared->finish();
  // Mesa says what is wrong. Others also say what might be: arrays filled in part, slow transfers.
  const bool strict = shared->device().vendor.find("Mesa") != std::string::npos;
  for (const std::string& message : shared->takeDebugMessages())
    if (strict || message.starts_with("high:"))
      ADD_FAILURE() << "OpenGL said: " << message;
    else
      fmt::print("OpenGL said: {}\n", message);
}

}  // namespace fathom::test
