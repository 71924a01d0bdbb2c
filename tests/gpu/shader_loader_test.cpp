// SPDX-License-Identifier: BSD-3-Clause
// Shaders as the compiler gets them: flattened, with the features of a variant, and messages in
// terms of our files.
#include "app/engine/gpu/shader_loader.h"
#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// "file:line" of the first line of the flattened text that holds `part`.
std::string placeOf(const ShaderText& shader, const std::string& part) {
  const auto lines = linesOf(shader.text);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find(part) != std::string::npos)
      return shader.files.at(std::size_t(shader.origins.at(i).file)) + ":" +
             std::to_string(shader.origins[i].line);
  return "nowhere";
}

TEST(ShaderLoader, OpensWithVersionAndDefines) {
  const ShaderText shader = loadShader("tests/gpu/data/write_one.comp", {{"A", 3}, {"B", "x + 1"}});
  const auto lines = linesOf(shader.text);
  EXPECT_EQ(lines.at(0), "#version 450 core");
  EXPECT_EQ(lines.at(1), "#define A 3");
  EXPECT_EQ(lines.at(2), "#define B x + 1");
}

TEST(ShaderLoader, GeneratedTextStandsForTheIncludeOfItsName) {
  const std::vector<GeneratedText> generated = {
      {"shaders/common/invocation.glsl", "uint invocationIndex() { return 7u; }\n"}};
  const ShaderText shader = loadShader("shaders/common/copy_words.comp", {}, generated);
  EXPECT_EQ(countOf(shader.text, "return 7u"), 1U);
  EXPECT_EQ(placeOf(shader, "return 7u"), "shaders/common/invocation.glsl:1");
}

TEST(ShaderLoader, RemembersWhereEachLineCameFrom) {
  const ShaderText shader = loadShader("tests/gpu/data/bad.comp", {{"A", 3}});
  EXPECT_EQ(shader.origins.size(), linesOf(shader.text).size());
  EXPECT_EQ(placeOf(shader, "uint good()"), "tests/gpu/data/good.glsl:4");
  EXPECT_EQ(placeOf(shader, "nonsense"), "tests/gpu/data/bad.comp:6");
}

TEST(ShaderLoader, IncludesEachFileOnce) {
  const ShaderText shader = loadShader("tests/gpu/data/circle_a.glsl", {});
  EXPECT_EQ(shader.files.size(), 2u);
  EXPECT_EQ(countOf(shader.text, "const int a"), 1u);
  EXPECT_EQ(countOf(shader.text, "const int b"), 1u);
}

TEST(ShaderLoader, HoistsExtensionsWithTheirConditions) {
  const ShaderText shader = loadShader("tests/gpu/data/conditions.comp", {{"USE_BALLOT", 1}});
  const std::string hoisted =
      "#define USE_BALLOT 1\n"
      "#if USE_BALLOT\n#ifdef OLD\n#extension GL_NO_such : require\n#endif\n#endif\n"
      "#if USE_BALLOT\n#ifdef OLD\n#else\n  #extension GL_ARB_shader_ballot : enable\n"
      "#endif\n#endif\n";
  EXPECT_THAT(shader.text, HasSubstr(hoisted));
  EXPECT_EQ(countOf(shader.text, "#extension"), 2u);
}

TEST(ShaderLoader, LeavesPartsForCppAlone) {
  const ShaderText shader = loadShader("tests/gpu/data/conditions.comp", {});
  EXPECT_EQ(placeOf(shader, "<cstdint>"), "tests/gpu/data/conditions.comp:6");
  EXPECT_EQ(placeOf(shader, "const int b"), "tests/gpu/data/circle_b.glsl:4");
}

TEST(ShaderLoader, DropsAnotherVersion) {
  EXPECT_EQ(countOf(loadShader("tests/gpu/data/conditions.comp", {}).text, "#version"), 1u);
}

TEST(ShaderLoader, NamesTheLineOfALostInclude) {
  const std::string message = messageOf([] { loadShader("tests/gpu/data/lost_include.comp", {}); });
  EXPECT_EQ(message.find("tests/gpu/data/lost_include.comp:3: expected the file "
                         "tests/gpu/data/no_such_file.glsl, found none"),
            0u)
      << message;
}

TEST(ShaderLoader, NamesALostShader) {
  const std::string message = messageOf([] { loadShader("shaders/no_such.comp", {}); });
  EXPECT_EQ(message.find("expected the file shaders/no_such.comp, found none"), 0u) << message;
}

// Line 9 of the flattened text: version, extension, then bad.comp 1-3 with good.glsl in between.
TEST(ShaderLoader, RewritesMessagesOfEveryDriver) {
  const ShaderText shader = loadShader("tests/gpu/data/bad.comp", {});
  const auto lines = linesOf(shader.text);
  std::size_t number = 0;
  while (lines.at(number).find("nonsense") == std::string::npos) ++number;
  const std::string n = std::to_string(number + 1);
  const std::string place = "tests/gpu/data/bad.comp:6: ";
  EXPECT_EQ(mapMessages(shader, "0:" + n + "(3): error: `nonsense' undeclared\n"),
            place + "error: `nonsense' undeclared");
  EXPECT_EQ(mapMessages(shader, "0(" + n + ") : error C1503: undefined variable\n\n"),
            place + "error C1503: undefined variable");
  EXPECT_EQ(mapMessages(shader, "ERROR: 0:" + n + ": 'nonsense' : undeclared identifier\n" +
                                    "WARNING: 0:" + n + ": hm"),
            place + "error: 'nonsense' : undeclared identifier\n" + place + "warning: hm");
}

TEST(ShaderLoader, KeepsMessagesWithoutAPlace) {
  const ShaderText shader = loadShader("tests/gpu/data/bad.comp", {});
  EXPECT_EQ(mapMessages(shader, "Internal error\r\n\0"), "Internal error");
  EXPECT_EQ(mapMessages(shader, "0:1(1): error: x"), "tests/gpu/data/bad.comp (defines): error: x");
  EXPECT_EQ(mapMessages(shader, "0:9999(1): error: x"), "tests/gpu/data/bad.comp: error: x");
}

class ShaderMessages : public test::GpuTest {};

TEST_F(ShaderMessages, NameFileAndLine) {
  const std::string message = messageOf([] {
    context().pass({"bad", "tests/gpu/data/bad.comp", {}});
  });
  EXPECT_EQ(message.find("tests/gpu/data/bad.comp:6: error"), 0u) << message;
  EXPECT_THAT(message, HasSubstr("nonsense"));
}

TEST_F(ShaderMessages, NameTheIncludedFile) {
  const std::string message = messageOf([] {
    context().pass({"bad", "tests/gpu/data/bad_include.comp", {{"UNUSED", 1}}});
  });
  EXPECT_EQ(message.find("tests/gpu/data/bad.glsl:4: error"), 0u) << message;
}

TEST_F(ShaderMessages, RefuseAnUnknownStage) {
  EXPECT_EQ(messageOf([] {
              context().pass({"bad", "tests/gpu/data/bad.glsl", {}});
            }),
            "tests/gpu/data/bad.glsl: expected a shader that ends in .comp, .vert or .frag");
}

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
  EXPECT_THAT(messageOf([] { files("small.none.up", {"a.b+.glsl"}); }),
              HasSubstr("expected a name like"));
  EXPECT_THAT(messageOf([] {
                FeatureFiles({"no/such", {}});
              }),
              HasSubstr("expected a folder of features"));
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
  EXPECT_THAT(shader.text, HasSubstr("// target stop-each"));
}

TEST(FeatureShader, NamesTheTemplateLineOfALostFeature) {
  const std::string message =
      messageOf([] { loadShader("tests/gpu/data/features.comp", {}, {}, {}); });
  EXPECT_THAT(message, HasSubstr("tests/gpu/data/features.comp:"));
  EXPECT_THAT(message, HasSubstr("@add"));
}

class FeaturePass : public test::GpuTest {};

std::uint32_t runPass(Context& context, const std::string& id) {
  Pass& pass =
      context.pass({"features " + id, "tests/gpu/data/features.comp", {}, {}, dataFeatures(id)});
  Buffer<std::uint32_t> out(context, "out", 1);
  pass.storage(0, out);
  pass.dispatchGroups(1, {});
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
