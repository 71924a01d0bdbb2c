// SPDX-License-Identifier: BSD-3-Clause
// The smallest technique: read, drawn, equal to its reference, and stale when a setting differs.
#include "tests/techniques/tiny/entry.h"

#include "app/engine/core/stages.h"
#include "app/engine/engine.h"
#include "tests/support/gpu_test.h"
#include "tests/support/temp_folder.h"
#include "tests/techniques/tiny/reference.h"

namespace fathom::tiny {
namespace {

TEST(TinyReference, EndsMeetTheGraysOfTheSteps) {
  const Image image = reference::ramp({.left = 0.25f, .right = 0.75f, .steps = 2}, 8, 1);
  EXPECT_EQ(image.at(0, 0), glm::vec4(0.25f, 0.25f, 0.25f, 1));
  EXPECT_EQ(image.at(3, 0), glm::vec4(0.25f, 0.25f, 0.25f, 1));
  EXPECT_EQ(image.at(4, 0), glm::vec4(0.75f, 0.75f, 0.75f, 1));
}

class TinyTest : public test::GpuTest {
 protected:
  void open(int width, int height) {
    Progress progress;
    const std::string text = "RAMP " + std::to_string(width) + " " + std::to_string(height);
    technique_->adopt(entry().read({folder_.write("a.ramp", text).string()}, progress));
  }
  /// The largest difference of any channel between the picture and its reference.
  float difference() {
    const Image shown = technique_->frame().picture->downloadImage(),
                right = technique_->reference();
    EXPECT_EQ(shown.pixels.size(), right.pixels.size());
    float largest = 0;
    for (std::size_t i = 0; i < right.pixels.size(); ++i)
      for (int c = 0; c < 4; ++c)
        largest = std::max(largest, std::abs(shown.pixels[i][c] - right.pixels[i][c]));
    return largest;
  }

  test::TempFolder folder_;
  std::unique_ptr<Engine> technique_ = entry().make();
};

TEST_F(TinyTest, EqualsTheReferenceAtEverySize) {
  // Group size - 1, equal, + 1, odd by odd, and more than 65,535 groups.
  for (const glm::ivec2 size :
       {glm::ivec2(1, 1), {63, 1}, {64, 1}, {65, 1}, {17, 9}, {2100, 2100}}) {
    open(size.x, size.y);
    EXPECT_FALSE(technique_->step(context(), TimeBudget::kUnlimited).partial);
    EXPECT_LT(difference(), 1e-6f) << size.x << " x " << size.y;
  }
}

TEST_F(TinyTest, SettingsDecideThePicture) {
  open(33, 5);
  technique_->step(context(), TimeBudget::kUnlimited);
  assign(technique_->settings(), "steps", "3");
  assign(technique_->settings(), "left", "0.5");
  EXPECT_GT(difference(), 0.1f);
  EXPECT_TRUE(technique_->stale());
  technique_->step(context(), TimeBudget::kUnlimited);
  EXPECT_FALSE(technique_->stale());
  EXPECT_LT(difference(), 1e-6f);
}

TEST_F(TinyTest, ADamagedFileIsNamed) {
  Progress progress;
  const std::string file = folder_.write("b.ramp", "RAMP 0 5").string();
  EXPECT_THROW(entry().read({file}, progress), Error);
}

TEST(TinyEntry, SettingsAreKnownWithoutAnEngine) {
  std::vector<std::string> names;
  for (const FieldValue& value : valuesOf(entry().settings())) names.push_back(value.name);
  EXPECT_EQ(names, (std::vector<std::string>{"left", "right", "steps"}));
}

TEST(TinyEntry, IsChosenForItsFilesOnly) {
  const std::vector<TechniqueEntry> available{entry()};
  EXPECT_EQ(findTechnique(available, {"x.ramp"}), &available[0]);
  EXPECT_EQ(findTechnique(available, {"x.ramp", "y.ramp"}), nullptr);
  EXPECT_EQ(findTechnique(available, {"x.exr"}), nullptr);
}

}  // namespace
}  // namespace fathom::tiny
