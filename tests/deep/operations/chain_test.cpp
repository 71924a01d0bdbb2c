// SPDX-License-Identifier: BSD-3-Clause
// Chains: rows that come in bands of any height leave as of the whole image at once; recipes are
// read, or refused with the line; channels become others.
#include "app/engine/deep/operations/chain.h"

#include "app/engine/core/bytes.h"
#include "app/engine/deep/operations/resample.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/operations/literal_tidy.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

/// What a chain makes of an image that comes in bands of some rows.
DeepImage through(const std::string& steps, const DeepImage& image, int rows) {
  ChainContext context;
  context.file = "a.exr";
  context.frame = 7;
  const std::vector<Step> all = parseSteps(steps, "--do");
  DeepImage header = emptyLike(image, image.dataWindow);
  header.attributes = image.attributes;
  Chain chain(all, header, context);
  DeepImage out = emptyLike(chain.header(), {});
  const auto add = [&](DeepImage&& band) { appendRows(out, std::move(band)); };
  const Rect& w = image.dataWindow;
  for (int y = w.y; y < w.bottom(); y += rows) {
    const Rect band{w.x, y, w.width, std::min(rows, w.bottom() - y)};
    chain.take(mergeEdited(withEdits(std::span(&image, 1)), {}, nullptr, band), add);
  }
  chain.end(add);
  EXPECT_EQ(out.dataWindow, chain.header().dataWindow) << steps;
  out.displayWindow = chain.header().displayWindow;
  return out;
}

TEST(Chain, BandsOfAnyHeightAreTheWhole) {
  for (const bool volumes : {false, true}) {
    const DeepImage image = test::sphereField({21, 50, 4, 3, volumes});
    for (const char* steps :
         {"grade gain=1.5 offset=0.1", "crop 5,9,20,31", "tidy; thin 1/64", "resize 17x30",
          "resize scale=2.3 filter=mitchell keep-all", "transform rotate=5 scale=0.7",
          "transform translate=3,-4", "crop 0,10,41,50; resize 20x40; expression R = R * x + y",
          "resize 30x60; resize 20x20 filter=box; drop-hidden 0.9"}) {
      const DeepImage whole = through(steps, image, 1000);
      EXPECT_GT(whole.fragmentCount(), 0u);
      for (const int rows : {1, 8, 33})
        EXPECT_TRUE(sameFragments(through(steps, image, rows), whole)) << steps << " " << rows;
    }
  }
}

TEST(Chain, OneStepIsTheOperation) {
  const DeepImage image = test::sphereField({41, 37, 6, 3});
  Resampling how = resizing(image, {20, 20}, PixelFilter::Tent);
  EXPECT_TRUE(sameFragments(through("resize 20x20 keep-all", image, 5), resampled(image, how)));
  const DeepImage crop = through("crop -3,5,20,10 reformat", image, 4);
  EXPECT_EQ(crop.dataWindow, (Rect{0, 5, 17, 10}));
  EXPECT_EQ(crop.displayWindow, (Rect{-3, 5, 20, 10}));
  DeepImage graded = image;
  ColorRepairs repairs;
  Grade grade;
  grade.gain = {2, 1, 0.5};
  gradeFragments(graded, grade, repairs);
  EXPECT_TRUE(sameFragments(through("grade gain=2,1,0.5", image, 9), graded));
}

float valueOf(const DeepImage& image, const std::string& name, std::size_t i) {
  for (const DeepChannel& channel : image.channels)
    if (channel.name == name) return float(channelValue(channel, i));
  return -1;
}

TEST(Chain, ChannelsBecomeOthers) {
  const DeepImage image = through(
      "drop ZBack",
      test::floatImage({0, 0, 2, 1}, {{{0.125f, 0.25f, 0.5f, 0.5f, 3, 3}, {1, 0, 0, 1, 4, 4}}, {}}),
      1);
  const DeepImage swapped = through("shuffle R=G,G=R,mask=A", image, 1);
  EXPECT_EQ(valueOf(swapped, "R", 0), 0.25f);
  EXPECT_EQ(valueOf(swapped, "G", 0), 0.125f);
  EXPECT_EQ(valueOf(swapped, "mask", 1), 1);
  const DeepImage named =
      through("copy Zback=Z; expression Zback = Z + 2; rename Zback=ZBack", image, 1);
  EXPECT_TRUE(named.hasZBack);
  EXPECT_EQ(decodeFragment(named, 0).zBack, 5);
  EXPECT_FALSE(through("rename ZBack=Zback", named, 1).hasZBack);
  const DeepImage half =
      through("retype R=half,B=uint; drop G; expression A = frame / 10", image, 1);
  ASSERT_EQ(half.channels.size(), 4u);
  EXPECT_EQ(half.channels[1].type, ChannelType::Uint);
  EXPECT_EQ(half.channels[2].type, ChannelType::Half);
  EXPECT_FLOAT_EQ(valueOf(half, "A", 0), 0.7f);
  EXPECT_EQ(through("keep R,A", image, 1).channels.size(), 3u);
  for (const char* wrong : {"rename Q=R", "rename G=R", "drop Z,R; rename Z=Q", "retype Z=uint",
                            "retype R=int", "shuffle R"})
    EXPECT_THROW(through(wrong, image, 1), Error) << wrong;
}

TEST(Recipe, IsStepsPerLineOrBetweenSemicolons) {
  const std::vector<Step> steps = parseSteps(
      "# a shot\n"
      "hold-out smoke\n"
      "grade 1 gain=1.2,1,1 only=\"tree *\"  # of the first\n"
      "\n"
      "expression only=3 \"R = R * 2; G = G\" ; thin 1/512\n"
      "crop window=1,2,3,4 reformat",
      "shot.recipe");
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].input, "smoke");
  EXPECT_EQ(steps[1].input, "1");
  EXPECT_EQ(steps[1].text("only"), "tree *");
  EXPECT_EQ(steps[1].numbers("gain", 3)[0], 1.2);
  EXPECT_EQ(steps[1].text("gamma"), "1");
  EXPECT_EQ(steps[2].text("expression"), "R = R * 2; G = G");
  EXPECT_EQ(steps[2].text("only"), "3");
  EXPECT_EQ(steps[3].text("error"), "1/512");
  EXPECT_EQ(steps[4].numbers("window", 4), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_TRUE(steps[4].on("reformat"));
}

TEST(Recipe, IsWrittenAsItIsRead) {
  for (const char* text :
       {"hold-out smoke", "grade trees black=0.1,0.2,0.3 only=\"tree *\"", "grade input=gain",
        "expression input=2 only=7 \"R = R * 2; G = G\"", "shuffle input=2 R=G,G=R",
        "crop -3,5,20,10 reformat", "thin 1/512 depth=0.001", "range 1 2.5:", "tidy"}) {
    EXPECT_EQ(textOf(parseStep(text)), text);
  }
  const std::string recipe =
      "# a shot\nhold-out smoke  # it is in front\n# thin 1/512\n# expression \"R = 1\"\n";
  const std::vector<RecipeLine> lines = recipeLines("\n" + recipe, "s");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].text, "");
  EXPECT_TRUE(lines[1].on);
  EXPECT_EQ(lines[1].number, 3);
  EXPECT_FALSE(lines[2].on);
  EXPECT_EQ(lines[2].text, "thin 1/512");
  EXPECT_EQ(textOf(lines), recipe);
  EXPECT_EQ(stepsIn(recipe, "s").size(), 1u);
}

TEST(Recipe, NamesInputsByWhatStaysInTheNextFrame) {
  const std::vector<std::string> files{"a/leaves.0001.exr", "b/s_0001.exr", "c/x.exr", "d/x.exr"};
  const std::vector<std::string> words{"leaves", "2", "3", "4"};
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(wordFor(i, files), words[i]);
    EXPECT_EQ(inputOf(parseStep("hide " + words[i]), files), i);
  }
  EXPECT_THROW(inputOf(parseStep("hide 5"), files), UsageError);
}

TEST(Recipe, WhatIsNoneIsRefusedWithItsLine) {
  const std::pair<const char*, const char*> wrong[] = {
      {"tidy\ngrad gain=2", "s:2: expected a step, found \"grad\", did you mean \"grade\"?"},
      {"grade 1 2 gain=1",
       "s:1: grade: expected its arguments (black white lift gain multiply offset gamma channels "
       "only), found \"2\""},
      {"crop", "s:1: crop: window: expected a value, found \"\""},
      {"hold-out", "s:1: hold-out: expected the number or name of an input, found none"},
      {"expression \"R = 1", "s:1: expected a second \", found none"},
      {"# nothing", "s: expected a step, found none"}};
  for (const auto& [text, message] : wrong)
    EXPECT_EQ(messageOf([&, text = text] { parseSteps(text, "s"); }), message);
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "tidy\n";
  EXPECT_EQ(messageOf([&] { parseSteps(many, "s"); }),
            "s: expected at most 1000 steps, found more");
  const DeepImage image = test::sphereField({9, 9, 3, 3});
  EXPECT_EQ(messageOf([&] { through("tidy\nexpression R", image, 4); }).rfind("--do:2: ", 0), 0u);
  for (const char* steps :
       {"grade gain=x", "thin", "thin 1/512 count=3", "resize 0x4", "resize 99999999999x8",
        "resize 4x4 scale=2", "crop 50,50,5,5", "crop 2.5,0,9,9", "crop 1e30,0,9,9",
        "crop 2e9,2e9,2e9,2e9", "expression Q = 1", "transform filter=none"})
    EXPECT_THROW(through(steps, image, 4), Error) << steps;
}

}  // namespace
}  // namespace fathom::deep
