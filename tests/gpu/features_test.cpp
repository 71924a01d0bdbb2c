// SPDX-License-Identifier: BSD-3-Clause
// Features resolve to the most specific file, and shaders run what was resolved.
#include "app/engine/gpu/shader_loader.h"

#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"
#include "tests/support/message.h"

namespace fathom::gpu {
namespace {

using test::messageOf;

// What the files in tests/gpu/data/features are for.
constexpr VariantSpace kSpace{
    {{"size", "How large.", {{"small", "", "little"}, {"large", "", "much"}}},
     {"stop",
      "When to stop.",
      {{"none", "", "never"}, {"block", "none", "per block"}, {"each", "block", "always"}}},
     {"way", "Which way.", {{"up", "", "to the top"}, {"down", "", "back"}}}},
    {}};

FeatureFiles files(const std::string& id, const std::vector<std::string>& names) {
  return FeatureFiles({"f", targetsOf(kSpace, kSpace.parse(id))}, names);
}

TEST(Features, TheMostSpecificFileWins) {
  const std::vector<std::string> names = {"exit.glsl", "exit.stop-none.glsl",
                                          "exit.stop-block.glsl", "exit.size-large+stop-block.glsl",
                                          "exit.way-down.glsl"};
  EXPECT_EQ(files("small.none.up", names).resolve("exit"), "f/exit.stop-none.glsl");
  EXPECT_EQ(files("small.each.up", names).resolve("exit"), "f/exit.stop-block.glsl");
  EXPECT_EQ(files("large.each.up", names).resolve("exit"), "f/exit.size-large+stop-block.glsl");
}

TEST(Features, AnAdditionalTargetMayRefineAValue) {
  Features features{"f", targetsOf(kSpace, kSpace.parse("small.none.up"))};
  features.targets.push_back({"emulated", "size-large"});
  const FeatureFiles both(features, {"load.size-large.glsl", "exit.glsl", "exit.emulated.glsl"});
  EXPECT_EQ(both.resolve("load"), "f/load.size-large.glsl");
  EXPECT_EQ(both.resolve("exit"), "f/exit.emulated.glsl");
}

TEST(Features, AGapIsNamed) {
  EXPECT_EQ(messageOf([] { files("small.none.up", {"exit.stop-block.glsl"}).resolve("exit"); }),
            "f: expected a file of feature \"exit\" that applies, found none for size-small "
            "stop-none way-up");
}

TEST(Features, ATieNamesBothFiles) {
  EXPECT_EQ(messageOf([] {
              files("small.block.up", {"a.size-small.glsl", "a.stop-none.glsl"}).resolve("a");
            }),
            "feature \"a\": expected one most specific file, found f/a.size-small.glsl and "
            "f/a.stop-none.glsl for size-small stop-block way-up");
}

TEST(Features, ParentIsTheNextLessSpecificFile) {
  const FeatureFiles f = files(
      "large.each.up", {"a.stop-none.glsl", "a.stop-block.glsl", "a.size-large+stop-each.glsl"});
  EXPECT_EQ(f.parentOf("f/a.size-large+stop-each.glsl"), "f/a.stop-block.glsl");
  EXPECT_EQ(f.parentOf("f/a.stop-block.glsl"), "f/a.stop-none.glsl");
  EXPECT_EQ(messageOf([&] { f.parentOf("f/a.stop-none.glsl"); }),
            "f/a.stop-none.glsl: expected a less specific file of feature \"a\" for @parent, found "
            "none for size-large stop-each way-up");
}

TEST(Features, ABadNameIsRefused) {
  EXPECT_NE(messageOf([] { files("small.none.up", {"a.b+.glsl"}); }).find("expected a name like"),
            std::string::npos);
  EXPECT_NE(messageOf([] {
              FeatureFiles({"no/such", {}});
            }).find("expected a folder of features"),
            std::string::npos);
}

Features dataFeatures(const std::string& id) {
  return {"tests/gpu/data/features", targetsOf(kSpace, kSpace.parse(id))};
}

TEST(FeatureShader, TakesAFeatureAsOftenAsItStandsThere) {
  const ShaderText shader =
      loadShader("tests/gpu/data/features.comp", {}, {}, dataFeatures("small.each.up"));
  std::size_t count = 0;
  for (auto at = shader.text.find("value += 2u"); at != std::string::npos;
       at = shader.text.find("value += 2u", at + 1))
    ++count;
  EXPECT_EQ(count, 2u) << shader.text;
  EXPECT_NE(shader.text.find("// target stop-each"), std::string::npos);
}

TEST(FeatureShader, NamesTheTemplateLineOfALostFeature) {
  const std::string message =
      messageOf([] { loadShader("tests/gpu/data/features.comp", {}, {}, {}); });
  EXPECT_NE(message.find("tests/gpu/data/features.comp:"), std::string::npos) << message;
  EXPECT_NE(message.find("@add"), std::string::npos) << message;
}

class FeaturePass : public test::GpuTest {};

std::uint32_t runPass(Context& context, const std::string& id) {
  Pass& pass =
      context.pass({"features " + id, "tests/gpu/data/features.comp", {}, {}, dataFeatures(id)});
  Buffer<std::uint32_t> out(context, "out", 1);
  pass.storage(0, out);
  pass.dispatchGroups(1);
  barrier(Access::Transfer);
  return out.download()[0];
}

// The template includes @add twice; each refines block by adding 1 to what block adds.
TEST_F(FeaturePass, RunsWhatWasResolved) {
  EXPECT_EQ(runPass(context(), "small.none.up"), 0u);
  EXPECT_EQ(runPass(context(), "small.block.up"), 4u);
  EXPECT_EQ(runPass(context(), "small.each.up"), 6u);
}

TEST_F(FeaturePass, MessagesNameTheFeatureFile) {
  const std::string message = messageOf([] { runPass(context(), "large.block.up"); });
  EXPECT_EQ(message.find("tests/gpu/data/features/add.size-large+stop-block.glsl:3: error"), 0u)
      << message;
}

}  // namespace
}  // namespace fathom::gpu
