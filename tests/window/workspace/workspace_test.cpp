// SPDX-License-Identifier: BSD-3-Clause
// Where the panels lie, which technique opens what, and which files are opened and kept together.
#include "app/window/workspace/workspace.h"

#include "app/engine/io/picture.h"
#include "app/window/document/flat_picture.h"
#include "app/window/start.h"
#include "app/window/workspace/file_sets.h"
#include "app/window/workspace/session_state.h"
#include "tests/support/system.h"

namespace fathom::viewer {
namespace {

TEST(PanelLayout, AreasTouchButDoNotOverlap) {
  for (const glm::vec2 size :
       {glm::vec2(720, 480), glm::vec2(1280, 720), glm::vec2(1920, 1080), glm::vec2(3840, 2160)}) {
    const Areas a = arrange(PanelLayout{}, size.x, size.y, 1);
    EXPECT_EQ(a.top.height, a.toolbar.y);
    EXPECT_EQ(a.toolbar.y + a.toolbar.height, a.picture.y);
    EXPECT_EQ(a.toolbar.width, a.picture.width);
    EXPECT_EQ(a.picture.x + a.picture.width, a.side.x);
    EXPECT_EQ(a.picture.y + a.picture.height, a.bottom.y);
    EXPECT_EQ(a.bottom.y + a.bottom.height, a.status.y);
    EXPECT_EQ(a.side.y, a.top.height);
    EXPECT_EQ(a.side.y + a.side.height, a.status.y);
    EXPECT_EQ(a.side.x + a.side.width, size.x);
    EXPECT_EQ(a.status.y + a.status.height, size.y);
    EXPECT_GE(a.picture.width, size.x / 3);
    EXPECT_GE(a.picture.height, size.y / 5);
  }
}

TEST(PanelLayout, TheStripOfATechniqueLiesRightBelowThePicture) {
  for (const glm::vec2 size : {glm::vec2(720, 480), glm::vec2(1920, 1080)}) {
    const Areas a = arrange(PanelLayout{}, size.x, size.y, 1, 124);
    EXPECT_GT(a.strip.height, 100);
    EXPECT_EQ(a.picture.y + a.picture.height, a.strip.y);
    EXPECT_EQ(a.strip.y + a.strip.height, a.bottom.y);
    EXPECT_EQ(a.strip.width, a.picture.width);
    EXPECT_GE(a.picture.height, size.y / 5);
  }
}

TEST(PanelLayout, OnlyTheAlgorithmIsClosedAtFirst) {
  PanelLayout layout;
  EXPECT_TRUE(isOpen(layout, Section::Picture));
  EXPECT_FALSE(isOpen(layout, Section::Algorithm));
  setOpen(layout, Section::Picture, false);
  setOpen(layout, Section::Algorithm, true);
  EXPECT_FALSE(isOpen(layout, Section::Picture));
  EXPECT_TRUE(isOpen(layout, Section::Algorithm));
  EXPECT_EQ(layout.closed, "image");
}

TEST(PanelLayout, SessionsNameTabAndPage) {
  PanelLayout layout;
  const Describe fields = [&](FieldVisitor& field) { describe(layout, field); };
  assign(fields, "tab", "timings");
  assign(fields, "page", "mutations");
  EXPECT_EQ(layout.tab(), PanelLayout::Tab::Timings);
  EXPECT_EQ(layout.page(), "mutations");
}

// ---- Recovery

/// What a process that is gone has left under two names, whatever the folder lists first.
TEST(Recovery, FindsTheNewestEdits) {
  for (const std::string newest : {"a.flame", "b.flame"}) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "999999999.0");
    folder.write("999999999.0/technique", "flame");
    for (const std::string name : {"a.flame", "b.flame"}) {
      const auto file = folder.write("999999999.0/" + name, "x");
      const auto age = std::chrono::seconds(name == newest ? 10 : 20);
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
    }
    Recovery recovery;
    recovery.keepIn(folder.path());
    const auto found = recovery.find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->file.filename(), newest);
  }
}

/// Killed, but its parent has not heard of it.
TEST(Recovery, AZombieIsGone) {
  const test::EndedChild child;
  const TempFolder folder;
  const std::string left = std::to_string(child.id());
  std::filesystem::create_directories(folder / left);
  folder.write(left + "/a.flame", "x");
  Recovery recovery;
  recovery.keepIn(folder.path());
  EXPECT_TRUE(recovery.find());
}

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

TEST(Recent, NewestComesFirstAndOnce) {
  std::vector<FileSet> recent = {{"one"}, {"two"}};
  addRecent(recent, {"two"});
  EXPECT_EQ(recent, (std::vector<FileSet>{FileSet{"two"}, FileSet{"one"}}));
  for (int i = 0; i < 40; ++i) addRecent(recent, {std::to_string(i)});
  EXPECT_LE(recent.size(), 12u);
  EXPECT_EQ(recent.front()[0], "39");
}

TEST(Recent, AMergedSetIsOneEntryAndDeletedFilesAreLeftOut) {
  const TempFolder folder;
  const std::string a = folder.write("a.exr", "a").string(),
                    b = folder.write("b.exr", "b").string();
  std::vector<FileSet> recent;
  addRecent(recent, {a, b});
  addRecent(recent, {a});
  addRecent(recent, {"atrium"});
  ASSERT_EQ(recent.size(), 3u);
  EXPECT_EQ(titleOf(recent[2]), "a.exr + 1 more");
  std::filesystem::remove(b);
  EXPECT_EQ(existing(recent), (std::vector<FileSet>{FileSet{"atrium"}, FileSet{a}}));
}

TEST(Opened, KeepsItsOrderAndGoesAround) {
  Opened opened;
  EXPECT_FALSE(opened.neighbor(1));
  opened.note({"atrium"}, "deep");
  EXPECT_FALSE(opened.neighbor(1));
  opened.note({"hairball"}, "deep");
  opened.note({"station"}, "active-pixel");
  opened.note({"hairball"}, "dof");  // shown again, as another technique shows it
  ASSERT_EQ(opened.entries().size(), 3u);
  EXPECT_TRUE(opened.isShown(opened.entries()[1]));
  EXPECT_EQ(opened.entries()[1].technique, "dof");
  EXPECT_EQ(opened.neighbor(1)->set[0], "station");
  EXPECT_EQ(opened.neighbor(-1)->set[0], "atrium");
  EXPECT_EQ(opened.neighbor(2)->set[0], "atrium");
}

TEST(Opened, ForgetsOneAndKeepsWhatIsShown) {
  Opened opened;
  for (const char* name : {"atrium", "hairball", "station"}) opened.note({name}, "deep");
  opened.note({"sent:a"}, "picture", false);
  EXPECT_TRUE(opened.isShown(opened.entries()[2]));
  opened.forget({"atrium"});
  ASSERT_EQ(opened.entries().size(), 3u);
  EXPECT_TRUE(opened.isShown(opened.entries()[1]));
  EXPECT_EQ(opened.neighbor(1)->set[0], "sent:a");
}

TEST(FileSets, EachSetKeepsItsOwnState) {
  const TempFolder folder;
  FileSets sets;
  sets.keepIn(folder / "files");
  Session state;
  state.set("view", "technique", "dof");
  sets.save({"a", "b"}, state);
  EXPECT_EQ(sets.techniqueOf({"a", "b"}), "dof");
  EXPECT_EQ(sets.techniqueOf({"a"}), "");
  EXPECT_NE(sets.thumbnail({"a"}), sets.thumbnail({"b"}));
}

TEST(Neighbor, FilesOfTheFolderFollowEachOtherAroundTheEnd) {
  const TempFolder folder;
  for (const char* name : {"b.EXR", "a.exr", "c.exr", "d.png"}) folder.write(name, "x");
  const auto name = [](const std::optional<std::string>& file) {
    return file ? std::filesystem::path(*file).filename().string() : "none";
  };
  EXPECT_EQ(name(neighborFile(folder.file("a.exr"), 1)), "b.EXR");
  EXPECT_EQ(name(neighborFile(folder.file("a.exr"), -1)), "c.exr");
  EXPECT_EQ(name(neighborFile(folder.file("c.exr"), 1)), "a.exr");
  EXPECT_EQ(name(neighborFile(folder.file("d.png"), 1)), "none");
  EXPECT_EQ(name(neighborFile("atrium", 1)), "none");
}

}  // namespace
}  // namespace fathom::viewer
