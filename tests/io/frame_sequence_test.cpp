// SPDX-License-Identifier: BSD-3-Clause
// Lists of frames, and file names with a place for one.
#include "app/engine/io/frame_sequence.h"

namespace fathom {
namespace {

TEST(FrameSequence, ListsAndRangesWithSteps) {
  EXPECT_THAT(parseFrames("7"), ElementsAre(7));
  EXPECT_THAT(parseFrames("1-4"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(parseFrames("1-10x3,20,4"), ElementsAre(1, 4, 7, 10, 20));
  EXPECT_THAT(parseFrames("-2-1"), ElementsAre(-2, -1, 0, 1));
  // Malformed lists are refused.
  for (const char* text : {"", "a", "1-", "3-1", "1-9x0", "1,,2", "1 2", "1-2000000000"})
    EXPECT_THROW(parseFrames(text), UsageError) << text;
}

TEST(FrameSequence, NamesWithAPlaceForTheFrame) {
  EXPECT_EQ(FramePattern::of("a.%04d.exr")->at(12), "a.0012.exr");
  EXPECT_EQ(FramePattern::of("a.%d.exr")->at(12), "a.12.exr");
  EXPECT_EQ(FramePattern::of("dir.v2/a_####.exr")->at(7), "dir.v2/a_0007.exr");
  EXPECT_EQ(FramePattern::of("a.@@.exr#left")->at(123), "a.123.exr#left");
  EXPECT_EQ(FramePattern::of("a.####.exr")->at(-1), "a.-0001.exr");
  for (const char* name : {"a.exr", "a.exr#left", "atrium#interior", "100%.exr", "a%s.exr", "a@b"})
    EXPECT_FALSE(FramePattern::of(name)) << name;
}

TEST(FrameSequence, AFileOfTheNameIsNoPattern) {
  const TempFolder folder;
  for (const char* name : {"%d.exr", "a.####.exr", "a.%V.exr"}) {
    const std::string file = folder.write(name, "x").string();
    EXPECT_FALSE(FramePattern::of(file));
    EXPECT_FALSE(FramePattern::hasView(file));
    EXPECT_EQ(FramePattern::withView(file, "left"), file);
  }
}

TEST(FrameSequence, FindsTheFramesThatAreThere) {
  const TempFolder folder;
  for (const char* name :
       {"a.0001.exr", "a.0003.exr", "a.12345.exr", "a.4.exr", "a.x.exr", "b.0002.exr"})
    folder.write(name, "x");
  const auto pattern = FramePattern::of(folder.file("a.####.exr"));
  EXPECT_THAT(pattern->found(), ElementsAre(1, 3, 12345));
  EXPECT_THAT(FramePattern::of(folder.file("a.####.exr#left"))->found(), ElementsAre(1, 3, 12345));
}

TEST(FrameSequence, InputsTogetherHaveTheFramesOfAll) {
  const TempFolder folder;
  for (const char* name : {"a.1.exr", "a.2.exr", "a.3.exr", "b.2.exr", "b.3.exr", "still.exr"})
    folder.write(name, "x");
  const NumberedInputs inputs(
      {folder.file("a.3.exr"), folder.file("b.3.exr"), folder.file("still.exr")});
  EXPECT_THAT(inputs.frames, ElementsAre(2, 3));
  EXPECT_EQ(inputs.given, 1u);
}

TEST(FrameSequence, ANameMayListItsFrames) {
  const auto pattern = FramePattern::of("dir.v2/a.0998-1002x2#.exr");
  EXPECT_EQ(pattern->at(7), "dir.v2/a.0007.exr");
  EXPECT_THAT(pattern->frames(), ElementsAre(998, 1000, 1002));
  EXPECT_EQ(FramePattern::of("1-3@@.exr")->at(2), "02.exr");
  EXPECT_EQ(FramePattern::of("a.v2-3#.exr")->at(2), "a.v2-32.exr");  // a version, no range
}

TEST(FrameSequence, ViewsByNameAndLetter) {
  EXPECT_TRUE(FramePattern::hasView("a.%V.exr"));
  EXPECT_EQ(FramePattern::withView("%V/a.%v.exr", "left"), "left/a.l.exr");
}

}  // namespace
}  // namespace fathom
