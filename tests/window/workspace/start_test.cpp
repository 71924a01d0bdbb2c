// SPDX-License-Identifier: BSD-3-Clause
// Which technique opens what the program is started with, and what is kept for whom.
#include "app/window/start.h"

#include "app/engine/io/picture.h"
#include "app/window/document/flat_picture.h"
#include "app/window/workspace/session_state.h"

namespace fathom::viewer {
namespace {

class StartTest : public ::testing::Test {
 protected:
  void SetUp() override { writePicture(photo, Image(8, 8, glm::vec4(0.5f))); }
  std::string opens(const ViewOptions& options, const Session& session,
                    const std::vector<std::string>& inputs) {
    return chooseTechnique(windowTechniques(), inputs,
                           preferredTechniques(options, session, inputs, windowTechniques()))
        .info.name;
  }
  TempFolder folder;
  const std::string photo = folder.file("photo.png");
};

TEST_F(StartTest, APictureOpensAsAPicture) { EXPECT_EQ(opens({}, {}, {photo}), "picture"); }

TEST_F(StartTest, TheTechniqueOfTheLastSessionDoesNotCaptureOtherFiles) {
  Session last;
  last.set("view", "technique", "dof");
  EXPECT_EQ(opens({}, last, {"atrium"}), "deep");
  ViewOptions named;
  named.session = "my.json";  // but a session that is named says it all
  EXPECT_EQ(opens(named, last, {"atrium"}), "dof");
}

TEST_F(StartTest, SettingsChooseTheTechniqueThatKnowsThem) {
  ViewOptions options;
  options.settings = {{"components", "60"}, {"exposure", "1"}};
  EXPECT_EQ(opens(options, {}, {photo}), "smoe");
  options.settings = {{"f-number", "2"}};
  EXPECT_EQ(opens(options, {}, {"atrium"}), "dof");
  EXPECT_NO_THROW(checkSettings(options, {}, {"atrium"}, windowTechniques()));
  options.settings = {{"componnents", "60"}};
  EXPECT_THROW(checkSettings(options, {}, {photo}, windowTechniques()), UsageError);
}

TEST_F(StartTest, WithoutInputsThereIsTheStartPage) {
  EXPECT_TRUE(initialInputs({}, {}, windowTechniques()).empty());
  ViewOptions script;
  script.frames = 1;
  EXPECT_EQ(initialInputs(script, {}, windowTechniques()), std::vector<std::string>{"atrium"});
}

TEST_F(StartTest, SettingsOfInputsReturnToTheirDefaults) {
  const TechniqueEntry& deep = *techniqueNamed("deep");
  const auto engine = deep.make();
  const std::vector<FieldValue> defaults = valuesOf(engine->settings());
  assign(engine->settings(), "visible", "off");
  assign(engine->settings(), "strategy", "pairwise");
  restoreSet(deep.info, *engine, defaults, {});
  const std::vector<FieldValue> now = valuesOf(engine->settings());
  for (std::size_t i = 0; i < now.size(); ++i)
    EXPECT_EQ(now[i].text, now[i].name == "strategy" ? "pairwise" : defaults[i].text)
        << now[i].name;
}

}  // namespace
}  // namespace fathom::viewer
