// SPDX-License-Identifier: BSD-3-Clause
// Spaces count, enumerate and spell their variants; features resolve to the most specific file.
#include "app/gpu/variants.h"

#include "app/core/error.h"
#include "app/gpu/features.h"
#include "app/gpu/pass.h"
#include "app/gpu/shader_loader.h"
#include "tests/support/gpu_test.h"
#include "tests/support/temp_folder.h"

#include <set>
#include <string>
#include <vector>

namespace fathom::gpu {
namespace {

// 2 x 3 x 2 with one forbidden pair and one extension: 12 - 2 without extras, 2 more.
constexpr Space kSpace{
    {{"size", "How large.", {{"small", "", "little"}, {"large", "", "much"}}},
     {"stop",
      "When to stop.",
      {{"none", "", "never"}, {"block", "none", "per block"}, {"each", "block", "always"}}},
     {"way",
      "Which way.",
      {{"up", "", "to the top"}, {"down", "", "back"}, {"side", "up", "", true}}}},
    {{"S1", "downwards, nothing stops", [](const Variant& v) { return v[2] != 1 || v[1] == 0; }}}};
static_assert(kSpace.dimensionCount() == 3);
static_assert(kSpace.count() == 8);
static_assert(kSpace.countAll() == 14);
static_assert(kSpace.index(kSpace.at(7)) == 7);

template <class Action>
std::string messageOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Space, EnumeratesEveryValidVariantOnce) {
  std::set<std::string> ids;
  for (int i = 0; i < kSpace.countAll(); ++i) {
    const Variant variant = kSpace.at(i);
    EXPECT_TRUE(kSpace.valid(variant));
    EXPECT_EQ(kSpace.extension(variant), i >= kSpace.count());
    EXPECT_EQ(kSpace.index(variant), i);
    ids.insert(kSpace.id(variant));
  }
  EXPECT_EQ(ids.size(), std::size_t(kSpace.countAll()));
}

TEST(Space, CountedVariantsComeFirstWithTheLastDimensionFastest) {
  EXPECT_EQ(kSpace.id(kSpace.at(0)), "small.none.up");
  EXPECT_EQ(kSpace.id(kSpace.at(1)), "small.none.down");
  EXPECT_EQ(kSpace.id(kSpace.at(2)), "small.block.up");
  EXPECT_EQ(kSpace.id(kSpace.at(8)), "small.none.side");
  const std::vector<Variant> all = allVariants(kSpace);
  ASSERT_EQ(int(all.size()), kSpace.countAll());
  for (int i = 0; i < kSpace.countAll(); ++i) EXPECT_EQ(all[std::size_t(i)], kSpace.at(i));
}

TEST(Space, IdsParseBack) {
  for (int i = 0; i < kSpace.countAll(); ++i)
    EXPECT_EQ(kSpace.parse(kSpace.id(kSpace.at(i))), kSpace.at(i));
}

TEST(Space, WrongIdsNameWhatIsWrong) {
  EXPECT_EQ(messageOf([] { (void)kSpace.parse("small.none"); }),
            "variant small.none: expected 3 names like small.none.up, found 2");
  EXPECT_EQ(messageOf([] { (void)kSpace.parse("small.blok.up"); }),
            "variant small.blok.up: expected stop to be none or block or each, found \"blok\", did "
            "you mean \"block\"?");
  EXPECT_EQ(messageOf([] { (void)kSpace.parse("small.each.down"); }),
            "variant small.each.down: S1 forbids it: downwards, nothing stops");
}

TEST(Space, NamesTheConstraintOfAnImpossibleChoice) {
  const Variant each = kSpace.parse("large.each.up");
  EXPECT_EQ(kSpace.whyNot(each, 2, 1), "S1: downwards, nothing stops");
  EXPECT_EQ(kSpace.whyNot(each, 0, 0), "");
  EXPECT_EQ(kSpace.index({0, 1, 1}), -1);
}

TEST(Space, AChoiceBringsTheNearestValidVariant) {
  const Variant each = kSpace.parse("large.each.up");
  EXPECT_EQ(kSpace.id(kSpace.with(each, 0, 0)), "small.each.up");
  EXPECT_EQ(kSpace.id(kSpace.with(each, 2, 1)), "large.none.down");
}

TEST(Space, TargetsComeWithWhatTheyRefine) {
  const std::vector<TargetChain> chains = targetsOf(kSpace, kSpace.parse("small.each.up"));
  const std::vector<TargetChain> expected = {
      {"size-small"}, {"stop-each", "stop-block", "stop-none"}, {"way-up"}};
  EXPECT_EQ(chains, expected);
}

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
  barrier(Reader::Transfer);
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
