// SPDX-License-Identifier: BSD-3-Clause
// The whole way from GLSL to a finding: a shader with one fault at a time, and passes without a
// memory barrier between them. In a context of llvmpipe's, which runs one group after another.
#include "app/engine/gpu/pass.h"
#include "tests/races/watch.h"

namespace fathom::races {
namespace {

using Words = gpu::Buffer<std::uint32_t>;

constexpr std::size_t kCount = 32;  // two groups

class Detector : public ::testing::Test {
 protected:
  Detector()
      : words_(context(), "words", std::vector<std::uint32_t>(kCount, 1)),
        sums_(context(), "sums", kCount),
        picture_(context(), "picture", gpu::TextureFormat::R32ui, int(kCount), 1) {
    sums_.clear();
  }

  static gpu::Context& context() {
    static auto* const one = [] {
      setenv("LP_NUM_THREADS", "0", 1);
      setenv("LP_NATIVE_VECTOR_WIDTH", "256", 1);
      setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
      startWatching({.trials = 2});
      return new gpu::Context;  // as long as the process
    }();
    return *one;
  }

  void run(int fault, const std::string& name = "turn", const std::string& file = "planted.comp") {
    gpu::Pass& pass =
        context().pass({name, sourcePath("tests/races/data/" + file).string(), {{"FAULT", fault}}});
    pass.storage(0, words_).storage(1, sums_).image(0, picture_);
    pass.dispatch(kCount, {});
  }

  /// What was found in between.
  template <class Work>
  std::vector<std::string> findings(const Work& work) {
    std::map<std::string, int> before;
    for (const auto& [key, finding] : watched().findings) before[key] = finding.count;
    work();
    std::vector<std::string> texts;
    for (const auto& [key, finding] : watched().findings)
      if (finding.count != before[key]) texts.push_back(finding.text);
    return texts;
  }

  std::vector<std::string> findingsOf(int fault) {
    return findings([&] {
      run(fault);
      gpu::barrier(gpu::Access::Storage);
    });
  }

  Words words_, sums_;
  gpu::Texture picture_;
};

TEST_F(Detector, FindsNothingInACorrectShader) {
  EXPECT_THAT(findingsOf(0), IsEmpty());
  EXPECT_EQ(sums_.download().front(), 17u) << "and it does what it does without being watched";
}

TEST_F(Detector, NamesLinesAndInvocationsOfAMissingBarrier) {
  const auto texts = findingsOf(1);
  ASSERT_FALSE(texts.empty());
  EXPECT_THAT(texts, Contains(AllOf(
                         HasSubstr("planted.comp:21: reads word"), HasSubstr("of turned (shared)"),
                         HasSubstr("another invocation writes at"), HasSubstr("planted.comp:16"),
                         HasSubstr("pass \"turn\", invocations"))));
}

TEST_F(Detector, FindsEachPlantedFault) {
  for (const auto& [fault, text] : {std::pair(2, "of total (shared)"),  // atomics, read too early
                                    {3, "of Words (\"words\")"},        // no barrier for the buffer
                                    {4, "nothing orders the groups of one"},
                                    {5, "word 0 of picture"}})
    EXPECT_THAT(findingsOf(fault), Contains(HasSubstr(text))) << fault;
}

TEST_F(Detector, KnowsGroupsThatAtomicsOrder) {
  const auto ofFault = [&](int fault) {
    return findings([&] {
      sums_.clear();
      run(fault, "sum", "last_group.comp");
      gpu::barrier(gpu::Access::Storage);
    });
  };
  EXPECT_THAT(ofFault(0), IsEmpty());
  EXPECT_EQ(sums_.download()[1], 2u) << "the last group has added up";
  EXPECT_THAT(ofFault(1), Contains(HasSubstr("of Words (\"words\")")));
}

TEST_F(Detector, FindsPassesWithoutAMemoryBarrierBetween) {
  const auto texts = findings([&] {
    run(0, "first");
    run(0, "second");
    gpu::barrier(gpu::Access::Storage);
  });
  EXPECT_THAT(texts, Contains(AllOf(HasSubstr("pass \"second\""), HasSubstr("pass \"first\""),
                                    HasSubstr("expected barrier(Access::Storage)"))));
  EXPECT_THAT(findings([&] {
                run(0, "first");
                gpu::barrier(gpu::Access::Storage);
                run(0, "second");
                gpu::barrier(gpu::Access::Storage);
              }),
              IsEmpty());
}

TEST_F(Detector, FindsADispatchThatDoesNotWaitForItsSize) {
  words_.clear();  // so will the sums be, and the dispatch empty
  const auto dispatch = [&] {
    gpu::Pass& pass = context().pass(
        {"indirect", sourcePath("tests/races/data/planted.comp").string(), {{"FAULT", 0}}});
    Words other(context(), "other", kCount);
    pass.storage(0, other).storage(1, other).image(0, picture_);
    pass.dispatchIndirect(sums_, 0, {});
  };
  const auto texts = findings([&] {
    run(0);
    gpu::barrier(gpu::Access::Storage);
    dispatch();
  });
  EXPECT_THAT(texts, Contains(HasSubstr("expected barrier(Access::Indirect)")));
}

TEST_F(Detector, EachBarrierThatIsLeftOutIsMissed) {
  findingsOf(0);
  int barriers = 0;
  for (const auto& [key, trial] : watched().trials) {
    if (!trial.shader.ends_with("planted.comp")) continue;
    EXPECT_TRUE(trial.noticed) << trial.place;
    ++barriers;
  }
  EXPECT_EQ(barriers, 3);
  EXPECT_EQ(words_.download().front(), 17u) << "and what that did is undone";
}

}  // namespace
}  // namespace fathom::races
