// SPDX-License-Identifier: BSD-3-Clause
// Files as inputs: their parts, what they will need, and the question before much is taken; and the
// survey of what is open.
#include "app/engine/deep/read/inputs.h"
#include "app/window/deep/parts.h"
#include "tests/deep/command/two_parts.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

class DeepInputs : public test::GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    test::writeTwoParts(twoParts_);
  }
  TempFolder folder_;
  const std::string twoParts_ = folder_.file("parts.exr");
  Progress progress_;
  DeepEngine technique_;
  DeepWindowParts parts_{technique_};
};

TEST_F(DeepInputs, APartIsNamedBehindTheFile) {
  EXPECT_EQ(splitPart("a.exr"), std::pair(std::string("a.exr"), std::string()));
  EXPECT_EQ(splitPart("a.##.exr"), std::pair(std::string("a.##.exr"), std::string()));
  EXPECT_EQ(splitPart("a#1.exr#left"), std::pair(std::string("a#1.exr"), std::string("left")));
  const std::string odd = folder_.write("a#b", "x").string();
  EXPECT_EQ(splitPart(odd), std::pair(odd, std::string()));
}

TEST_F(DeepInputs, AFileTellsItsPartsAndWhatTheyHold) {
  const InputFile first = describeInput(twoParts_, progress_);
  EXPECT_EQ(first.parts, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(first.part, "one");
  EXPECT_EQ(first.totals.fragmentCount, 1u);
  EXPECT_GT(first.bytes, 0u);
  for (const char* name : {"#two", "#1"}) {
    const InputFile second = describeInput(twoParts_ + name, progress_);
    EXPECT_EQ(second.part, "two");
    EXPECT_EQ(second.totals.fragmentCount, 2u);
  }
}

TEST_F(DeepInputs, TwoPartsOfOneFileAreTwoInputs) {
  EXPECT_TRUE(accepts({twoParts_ + "#two"}));
  technique_.adopt(read({twoParts_, twoParts_ + "#two"}, progress_));
  EXPECT_EQ(technique_.opened().count(), 2u);
  EXPECT_EQ(technique_.fragmentsIn(), 3u);
  EXPECT_EQ(technique_.opened().nameOf(1), "parts.exr#two");
  EXPECT_THROW(read({twoParts_ + "#three"}, progress_), Error);
}

TEST_F(DeepInputs, WhatNeedsMuchMemoryIsAskedAbout) {
  readInputs({twoParts_}, progress_, 1);  // nobody answers: it is read
  for (const bool yes : {true, false}) {
    Progress watched;
    watched.answerQuestions();
    std::string question;
    std::thread user([&] {
      while ((question = watched.question()).empty()) std::this_thread::yield();
      watched.answer(yes);
    });
    if (yes)
      EXPECT_NO_THROW(readInputs({twoParts_}, watched, 1));
    else
      EXPECT_THROW(readInputs({twoParts_}, watched, 1), Cancelled);
    user.join();
    EXPECT_THAT(question, HasSubstr("1 fragments need"));
  }
}

TEST_F(DeepInputs, CancellingEndsAQuestion) {
  Progress watched;
  watched.answerQuestions();
  std::thread user([&] {
    while (watched.question().empty()) std::this_thread::yield();
    watched.cancel();
  });
  EXPECT_THROW(readInputs({twoParts_}, watched, 1), Cancelled);
  user.join();
}

TEST_F(DeepInputs, EditsStayWhileTheInputsAreReadAgain) {
  technique_.adopt(read({twoParts_, twoParts_ + "#two"}, progress_));
  std::vector<InputEdit> edits = editsOf(technique_.settingsStruct(), technique_.opened().count());
  edits[0].visible = false;
  setEdits(technique_.settingsStruct(), edits);
  technique_.adopt(read({twoParts_, twoParts_ + "#two"}, progress_));
  EXPECT_FALSE(editsOf(technique_.settingsStruct(), technique_.opened().count())[0].visible);
  // The one that stays keeps its edits when the other goes, and so does the other way around.
  technique_.adopt(read({twoParts_}, progress_));
  EXPECT_FALSE(editsOf(technique_.settingsStruct(), technique_.opened().count())[0].visible);
  technique_.adopt(read({twoParts_ + "#two", twoParts_}, progress_));
  edits = editsOf(technique_.settingsStruct(), technique_.opened().count());
  EXPECT_TRUE(edits[0].visible);
  EXPECT_FALSE(edits[1].visible);
  technique_.adopt(read({twoParts_ + "#two"}, progress_));
  EXPECT_TRUE(editsOf(technique_.settingsStruct(), technique_.opened().count())[0].visible);
}

/// As a session brings them: settings first, then the inputs.
TEST_F(DeepInputs, TheOrderIsASetting) {
  assign([this](FieldVisitor& field) { technique_.describe(field); }, "order", "2,1");
  technique_.adopt(read({twoParts_, twoParts_ + "#two"}, progress_));
  EXPECT_EQ(orderOf(technique_.settingsStruct(), technique_.opened().count()),
            (std::vector<std::size_t>{1, 0}));
  setOrder(technique_.settingsStruct(), std::vector<std::size_t>{0, 1});
  EXPECT_EQ(technique_.settingsStruct().order, "");
  setOrder(technique_.settingsStruct(), std::vector<std::size_t>{1, 0});
  technique_.adopt(read({twoParts_}, progress_));
  EXPECT_EQ(technique_.settingsStruct().order, "");  // it was of other inputs
}

TEST_F(DeepInputs, TheSurveyCountsWhatIsSeen) {
  const DeepImage one = test::sphereField({61, 35, 9, 1}),
                  other = test::sphereField({61, 35, 9, 2});
  technique_.adopt(loaded({one, other}, {"a.exr", "b.exr"}));
  const auto survey = [&] {
    EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
    parts_.surveyor().want();
    int calls = 0;
    while (parts_.background->backgroundStep(context(), INFINITY) && ++calls < 100)
      parts_.surveyor().want();
    return parts_.surveyor().survey();
  };
  const Survey both = survey();
  EXPECT_EQ(both.fragments, one.fragmentCount() + other.fragmentCount());
  EXPECT_EQ(both.pixels, 61u * 35);
  EXPECT_EQ(parts_.surveyor().depths().depths.size(), both.fragments);
  ASSERT_FALSE(both.heaviest.empty());
  const Survey::Heavy heavy = both.heaviest[0];
  EXPECT_EQ(heavy.count, both.max);
  EXPECT_EQ(technique_.inspect(heavy.pixel.x, heavy.pixel.y)->marks.size(), heavy.count);

  std::vector<InputEdit> edits = editsOf(technique_.settingsStruct(), technique_.opened().count());
  edits[1].visible = false;
  setEdits(technique_.settingsStruct(), edits);
  EXPECT_EQ(survey().fragments, one.fragmentCount());
}

TEST_F(DeepInputs, NothingIsSurveyedWhileNoPageShowsIt) {
  technique_.adopt(loaded({test::sphereField({61, 35, 9, 1})}, {"a.exr"}));
  technique_.restart();
  EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
  EXPECT_FALSE(parts_.background->backgroundStep(context(), INFINITY));
  EXPECT_EQ(parts_.surveyor().survey().pixels, 0u);
}

}  // namespace
}  // namespace fathom::deep
