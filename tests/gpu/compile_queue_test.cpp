// SPDX-License-Identifier: BSD-3-Clause
// Programs compiled beside arrive, by the driver's threads and by ours, and so do their errors;
// more than may be kept are dropped and come back.
#include "app/engine/gpu/compiler.h"

#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

PassKey markKey(int size) {
  return {"mark", "tests/gpu/data/mark_invocations.comp", {{"MARK_SIZE", size}}};
}

/// Marks one word with the pass.
std::uint32_t marked(Context& context, Pass& pass) {
  Buffer<std::uint32_t> marks(context, "marks", 1), ran(context, "ran", 1);
  marks.clear();
  struct {
    std::uint32_t count, step, spare[2];
  } const params{1, 3, {}};
  pass.storage(0, marks).storage(1, ran).params(0, params);
  pass.dispatch(1, {});
  barrier(Access::Transfer);
  return marks.download().front();
}

/// Asks until the program is there.
Pass& arrived(Context& context, const PassKey& key) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const Context::CompilesBeside beside(context);
  for (;;) {
    try {
      return context.pass(key);
    } catch (const Compiling&) {
      if (std::chrono::steady_clock::now() > end) throw Error("still compiling after a minute");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

class CompileQueueTest : public test::GpuTest, public ::testing::WithParamInterface<bool> {
 protected:
  /// A context of its own, which has compiled nothing.
  void makeOwn(std::size_t maxPrograms) {
    own_.reset();
    own_ = std::make_unique<Context>(
        ContextOptions{.debug = true, .ownCompileThread = GetParam(), .maxPrograms = maxPrograms});
  }
  void TearDown() override {
    // That llvmpipe compiles for the processor when a program first runs is known.
    std::vector<std::string> said = own_->takeDebugMessages();
    std::erase_if(said, [](const std::string& text) {
      return text.starts_with("medium: Compiling compute shader variant");
    });
    EXPECT_EQ(said, std::vector<std::string>{});
    own_.reset();
    context().makeCurrent();
    GpuTest::TearDown();
  }
  void SetUp() override {
    GpuTest::SetUp();
    makeOwn(512);
  }
  std::unique_ptr<Context> own_;
};

TEST_P(CompileQueueTest, ProgramsArriveWhileSomebodyElseWorks) {
  EXPECT_EQ(marked(*own_, arrived(*own_, markKey(3))), 3u);
  EXPECT_EQ(marked(*own_, own_->pass(markKey(3))), 3u);  // at once, from then on
  EXPECT_EQ(marked(*own_, own_->pass(markKey(4))), 3u);  // without waiting for another thread
  EXPECT_EQ(own_->compileProgress().total, 0);
}

TEST_P(CompileQueueTest, SaysHowManyAreOnTheirWay) {
  if (!GetParam()) return;  // a driver may be done before it is asked
  const Context::CompilesBeside beside(*own_);
  int missing = 0;  // on a busy machine some may arrive before they are asked for
  for (int size = 5; size < 16; ++size) {
    try {
      own_->pass(markKey(size));
    } catch (const Compiling&) {
      ++missing;
    }
  }
  EXPECT_GT(missing, 0);
  const CompileProgress progress = own_->compileProgress();
  EXPECT_EQ(progress.total, progress.total > 0 ? missing : 0);
  EXPECT_LE(progress.ready, progress.total);
}

TEST_P(CompileQueueTest, ErrorsArriveToo) {
  const PassKey broken{
      "broken", "tests/gpu/data/mark_invocations.comp", {{"MARK_SIZE", "no size"}}};
  try {
    arrived(*own_, broken);
    ADD_FAILURE() << "expected Error";
  } catch (const Error& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("mark_invocations.comp")) << error.what();
  }
}

TEST_P(CompileQueueTest, DropsWhatWasNotUsedForLongest) {
  makeOwn(3);
  std::vector<Pass*> passes;
  for (int size = 1; size < 8; ++size) passes.push_back(&own_->pass(markKey(size)));
  const auto kept = [&] {
    return std::count_if(passes.begin(), passes.end(), [](Pass* pass) { return pass->id() != 0; });
  };
  EXPECT_EQ(kept(), 3);
  EXPECT_EQ(passes[0]->id(), GlId(0));
  EXPECT_EQ(marked(*own_, *passes[0]), 3u);  // compiled again
  EXPECT_EQ(kept(), 3);
  EXPECT_EQ(own_->pass(markKey(2)).groupSize(), 2);
}

INSTANTIATE_TEST_SUITE_P(Threads, CompileQueueTest, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "OurOwn" : "OfTheDriver"; });

}  // namespace
}  // namespace fathom::gpu
