// SPDX-License-Identifier: BSD-3-Clause
// Pictures step by step: settings as applied, slices, previews while a scene moves, and the picture
// that is kept when the next one fails.
#include "app/viewer/document/picture_maker.h"
#include "tests/support/gpu_test.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tolerance.h"
#include "tests/techniques/tiny/entry.h"
#include "tests/viewer/fake_technique.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace fathom::viewer {
namespace {

class PictureMakerTest : public test::GpuTest {
 protected:
  void open(const std::string& scene) {
    Progress progress;
    active.adopt(fakeEntry(), {scene}, fakeEntry().read({scene}, progress));
    pictures.setViewSize({64, 32});
    pictures.inputsChanged();
  }
  void set(const char* name, const char* text) { assign(active.engine()->settings(), name, text); }
  /// Steps until the picture rests.
  void finish() {
    while (pictures.busy()) {
      pictures.step();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  glm::vec4 left() { return pictures.picture()->texel(2, 2); }

  ActiveTechnique active;
  PictureMaker pictures{context(), active};
};

TEST_F(PictureMakerTest, ThereIsNoneBeforeTheFirstStep) {
  EXPECT_EQ(pictures.picture(), nullptr);
  open("spin");
  EXPECT_EQ(pictures.picture(), nullptr);
  EXPECT_TRUE(pictures.busy());
}

TEST_F(PictureMakerTest, ASceneFillsTheViewOnceItRests) {
  open("spin");
  finish();
  ASSERT_NE(pictures.picture(), nullptr);
  EXPECT_EQ(pictures.size(), glm::ivec2(64, 32));
  EXPECT_EQ(pictures.picture()->width(), 64);
  EXPECT_EQ(pictures.scale(), 1);
  EXPECT_FALSE(pictures.dueAt());
}

TEST_F(PictureMakerTest, PreviewsHaveTheSizeThatTheUserSees) {
  open("spin");
  finish();
  const std::uint64_t view = pictures.viewGeneration();
  pictures.cameraMoved();
  EXPECT_TRUE(pictures.step());
  EXPECT_EQ(pictures.size(), glm::ivec2(64, 32));
  EXPECT_EQ(pictures.viewGeneration(), view + 1);
  EXPECT_TRUE(pictures.busy());  // in full once it rests
  ASSERT_TRUE(pictures.dueAt());
  EXPECT_GT(*pictures.dueAt(), Clock::now());
  finish();
  EXPECT_EQ(pictures.picture()->width(), 64);
}

TEST_F(PictureMakerTest, RebuildInFullHasNoPreview) {
  open("spin");
  finish();
  pictures.rebuildInFull();
  EXPECT_TRUE(pictures.step());
  EXPECT_EQ(pictures.scale(), 1);
  EXPECT_FALSE(pictures.busy());
}

TEST_F(PictureMakerTest, AnAppliedSettingIsAppliedOnce) {
  open("spin");
  finish();
  EXPECT_FALSE(pictures.step());
  set("tint", "red");
  EXPECT_TRUE(pictures.step());
  finish();
  EXPECT_EQ(left(), FakeTechnique::leftColor(0, 0.5f));
  EXPECT_FALSE(pictures.step());
}

TEST_F(PictureMakerTest, SlicesAreCountedAndShown) {
  open("spin-in-slices");
  finish();
  pictures.rebuildInFull();
  const std::uint64_t before = pictures.generation();
  finish();
  EXPECT_EQ(pictures.generation() - before, std::uint64_t(FakeTechnique::kSlices));
}

// The pass of the tiny technique has not run in this process.
TEST_F(PictureMakerTest, ProgramsAreCompiledBesideThePicture) {
  const test::TempFolder folder;
  folder.write("a.ramp", "RAMP 16 8");
  Progress progress;
  const TechniqueEntry& entry = tiny::entry();
  pictures.setCompilesBeside(true);
  active.adopt(entry, {folder.file("a.ramp")}, entry.read({folder.file("a.ramp")}, progress));
  pictures.inputsChanged();
  const std::uint64_t before = pictures.generation();
  finish();
  EXPECT_FALSE(pictures.takeError());
  EXPECT_GT(pictures.generation(), before);
  ASSERT_NE(pictures.picture(), nullptr);
  EXPECT_EQ(pictures.picture()->size(), glm::ivec2(16, 8));
  EXPECT_TRUE(test::rounding(pictures.picture()->downloadImage(), active.engine()->reference(),
                             1e-6f));
}

TEST_F(PictureMakerTest, AFailureKeepsThePictureAndSaysWhy) {
  const test::TempFolder folder;
  folder.write("a.pic", "PIC 16 8");
  open(folder.file("a.pic"));
  finish();
  set("failing", "on");
  set("tint", "blue");
  finish();
  pictures.step();
  finish();
  const auto error = pictures.takeError();
  ASSERT_TRUE(error);
  EXPECT_NE(error->find("failing"), std::string::npos);
  EXPECT_FALSE(pictures.takeError());
  ASSERT_NE(pictures.picture(), nullptr);
  EXPECT_EQ(left(), FakeTechnique::leftColor(1, 0.5f));
  set("failing", "off");
  pictures.step();
  finish();
  EXPECT_EQ(left(), FakeTechnique::leftColor(2, 0.5f));
}

TEST_F(PictureMakerTest, AnotherPictureLeavesTheSettings) {
  open("spin");
  finish();
  std::vector<FieldValue> other = valuesOf(active.engine()->settings());
  for (FieldValue& value : other)
    if (value.name == "tint") value.text = "red";
  pictures.startOther(other);
  EXPECT_TRUE(pictures.busy());
  finish();
  const auto red = pictures.takeOther();
  ASSERT_TRUE(red);
  EXPECT_EQ(red->picture.texel(2, 2), FakeTechnique::leftColor(0, 0.5f));
  EXPECT_EQ(left(), FakeTechnique::leftColor(1, 0.5f));
  EXPECT_FALSE(pictures.busy());
}

TEST_F(PictureMakerTest, AnotherPictureIsMadeInSlicesAndTheFirstOneStays) {
  open("spin-in-slices");
  finish();
  std::vector<FieldValue> other = valuesOf(active.engine()->settings());
  for (FieldValue& value : other)
    if (value.name == "tint") value.text = "red";
  pictures.startOther(other);
  int steps = 0;
  while (pictures.makingOther() && ++steps < 100) {
    pictures.step();
    EXPECT_EQ(left(), FakeTechnique::leftColor(1, 0.5f));
    EXPECT_EQ(valuesOf(active.engine()->settings())[0].text, "green");
  }
  EXPECT_EQ(steps, FakeTechnique::kSlices);
  EXPECT_TRUE(pictures.takeOther());
}

TEST_F(PictureMakerTest, AnEditEndsAnotherPicture) {
  open("spin-in-slices");
  finish();
  pictures.startOther(valuesOf(active.engine()->settings()));
  pictures.step();
  set("tint", "blue");
  finish();
  EXPECT_FALSE(pictures.takeOther());
  EXPECT_EQ(left(), FakeTechnique::leftColor(2, 0.5f));
}

}  // namespace
}  // namespace fathom::viewer
