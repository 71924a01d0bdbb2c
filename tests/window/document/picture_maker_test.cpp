// SPDX-License-Identifier: BSD-3-Clause
// Pictures step by step: settings as applied, slices, previews while a scene moves, and the picture
// that is kept when the next one fails.
#include "app/window/document/picture_maker.h"
#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"
#include "tests/techniques/tiny/entry.h"
#include "tests/window/fake_technique.h"

#include "app/window/widgets/inspector.h"
#include "app/window/workspace/recorder.h"

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
  void openAndFinish(const std::string& scene) { open(scene), finish(); }
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
  openAndFinish("spin");
  ASSERT_NE(pictures.picture(), nullptr);
  EXPECT_EQ(pictures.size(), glm::ivec2(64, 32));
  EXPECT_EQ(pictures.picture()->width(), 64);
  EXPECT_EQ(pictures.scale(), 1);
  EXPECT_FALSE(pictures.dueAt());
}

TEST_F(PictureMakerTest, TimesAreOfTheseSettingsAndCountNoPause) {
  open("spin");
  for (int i = 0; i < 5; ++i) pictures.restartInFull(), finish();
  context().timings().finish();
  EXPECT_GE(context().timings().finishedFrames(), 5u);
  set("tint", "blue");
  finish();
  context().timings().finish();
  EXPECT_LE(context().timings().finishedFrames(), 2u);  // a preview, and in full
  for (int i = 0; i < 5; ++i) pictures.restartInFull(), finish();
  openAndFinish("spin");  // with the same settings
  context().timings().finish();
  EXPECT_LE(context().timings().finishedFrames(), 2u);
  pictures.step();
  pictures.stop();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  pictures.restartInFull();
  context().timings().finish();
  EXPECT_LT(context().timings().frameWallMs(), 300);
  finish();
}

TEST_F(PictureMakerTest, PreviewsHaveTheSizeThatTheUserSees) {
  openAndFinish("spin");
  const std::uint64_t view = pictures.viewGeneration();
  active.engine()->camera()->position.x += 1;
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

TEST_F(PictureMakerTest, ARestartInFullHasNoPreview) {
  openAndFinish("spin");
  pictures.restartInFull();
  EXPECT_TRUE(pictures.step());
  EXPECT_EQ(pictures.scale(), 1);
  EXPECT_FALSE(pictures.busy());
}

TEST_F(PictureMakerTest, AnAppliedSettingIsAppliedOnce) {
  openAndFinish("spin");
  EXPECT_FALSE(pictures.step());
  set("tint", "red");
  EXPECT_TRUE(pictures.step());
  finish();
  EXPECT_EQ(left(), FakeTechnique::leftColor(0, 0.5f));
  EXPECT_FALSE(pictures.step());
}

TEST_F(PictureMakerTest, SlicesAreCountedAndShown) {
  openAndFinish("spin-in-slices");
  pictures.restartInFull();
  const std::uint64_t before = pictures.generation();
  finish();
  EXPECT_EQ(pictures.generation() - before, std::uint64_t(FakeTechnique::kSlices));
}

/// An engine whose picture takes one pass over `kWords` words, suspended wherever a slice ends.
class LongTechnique : public Engine {
 public:
  static constexpr std::size_t kWords = 60000;
  void describe(FieldVisitor& field) override { field(step_, range("step", 1, 9, "A step.")); }
  void adopt(std::unique_ptr<LoadedInputs>) override {}
  const std::vector<std::string>& inputs() const override { return inputs_; }
  void setSize(int, int) override {}
  Frame frame() const override {
    return {.picture = picture_ ? &picture_ : nullptr, .size = {4, 4}};
  }
  bool stale() const override { return asked_ && *asked_ != state(); }
  void restart() override { asked_.reset(), made_ = false; }
  bool work(gpu::Context& gpu, double) override {
    if (made_ && !stale()) return true;
    made_ = false;
    asked_ = state();
    struct {
      std::uint32_t count, step, spare[2];
    } params{kWords, std::uint32_t(step_), {}};
    seen.assign(1, state());
    gpu::ensure(gpu, marks_, "marks", kWords), gpu::ensure(gpu, ran_, "ran", 1);
    marks_.clear();
    gpu::Pass& pass =
        gpu.pass({"mark", "tests/gpu/data/mark_invocations.comp", {{"MARK_SIZE", 1}}});
    pass.storage(0, marks_).storage(1, ran_).params(0, params);
    pass.dispatch(kWords, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(60));  // the slice is over
    pass.storage(0, marks_).storage(1, ran_).params(0, params);
    pass.dispatch(kWords, {});
    seen.push_back(state());
    gpu::barrier(gpu::Access::Transfer);
    gpu::ensure(gpu, picture_, "picture", gpu::TextureFormat::Rgba32f, {4, 4});
    ++pictures;
    return made_ = true;
  }
  Image reference() const override { return {4, 4}; }
  std::vector<std::uint32_t> marks() const { return marks_.download(0, kWords); }
  int pictures = 0;
  /// What the engine saw at the beginning and at the end of the picture.
  using State = std::pair<int, float>;
  std::vector<State> seen;

 protected:
  virtual State state() const { return {step_, 0.0f}; }
  int step_ = 2;

 private:
  std::optional<State> asked_;
  bool made_ = false;
  std::vector<std::string> inputs_;
  gpu::Buffer<std::uint32_t> marks_, ran_;
  gpu::Texture picture_;
};

/// Parts of a technique that plays while a test says so.
struct PlayedParts : WindowParts, Playing {
  PlayedParts() { playing = this; }
  bool animated() const override { return moving; }
  inline static bool moving = false;
};

/// A LongTechnique with a camera, so that there are previews.
class LongScene : public LongTechnique {
 public:
  Camera* camera() override { return &camera_; }

 protected:
  State state() const override { return {step_, camera_.position.x}; }

 private:
  Camera camera_;
};

class SuspendedPictureTest : public PictureMakerTest {
 protected:
  SuspendedPictureTest() { show<LongTechnique>(); }
  template <class Own>
  void show() {
    entry = fakeEntry();
    entry.make = makeEngine<Own>;
    entry.info.name = typeid(Own).name();
    [[maybe_unused]] static const bool added = [&] {
      addWindowEntry({entry.info.name, {}, [](Engine&) -> std::unique_ptr<WindowParts> {
                        return std::make_unique<PlayedParts>();
                      }});
      return true;
    }();
    PlayedParts::moving = false;
    active = {};
    active.adopt(entry, {"long"}, std::make_unique<LoadedInputs>());
    pictures.setViewSize({64, 32});
    pictures.inputsChanged();
  }
  TechniqueEntry entry;
  LongTechnique& engine() { return static_cast<LongTechnique&>(*active.engine()); }
  /// Until the engine is left in the middle of its pass.
  void stepUntilSuspended() {
    const int before = engine().pictures;
    while (!pictures.suspended()) pictures.step();
    EXPECT_TRUE(pictures.busy());
    EXPECT_EQ(engine().pictures, before);
  }
};

TEST_F(SuspendedPictureTest, AStepEndsInTheMiddleOfAPass) {
  stepUntilSuspended();
  finish();
  EXPECT_EQ(engine().pictures, 1);
  EXPECT_TRUE(test::exact(engine().marks(), std::vector<std::uint32_t>(LongTechnique::kWords, 4)));
}

TEST_F(SuspendedPictureTest, AChangeGivesUpWhatWasBegun) {
  stepUntilSuspended();
  set("step", "3");
  finish();
  EXPECT_EQ(engine().pictures, 1);
  EXPECT_TRUE(test::exact(engine().marks(), std::vector<std::uint32_t>(LongTechnique::kWords, 6)));
}

TEST_F(SuspendedPictureTest, APictureBegunInAFilmHasNoTimesOfTheOneBefore) {
  for (int i = 0; i < 5; ++i) pictures.restartInFull(), finish();
  context().timings().finish();
  EXPECT_EQ(context().timings().finishedFrames(), 5u);
  PlayedParts::moving = true;
  set("step", "3");
  stepUntilSuspended();
  PlayedParts::moving = false;
  finish();
  context().timings().finish();
  EXPECT_LE(context().timings().finishedFrames(), 1u);
}

/// In the middle of a preview, which is the engine's second picture.
class SuspendedPreviewTest : public SuspendedPictureTest {
 protected:
  SuspendedPreviewTest() {
    show<LongScene>();
    finish();
    engine().pictures = 0;
    move(1);
    stepUntilSuspended();
  }
  void move(float x) {
    active.engine()->camera()->position.x = x;
    pictures.cameraMoved();
  }
  using State = LongTechnique::State;
};

TEST_F(SuspendedPreviewTest, ItIsMadeOfWhatItWasBegunWith) {
  move(2);
  set("step", "5");
  while (engine().pictures == 0) pictures.step();
  EXPECT_EQ(engine().seen, (std::vector<State>{{2, 1.0f}, {2, 1.0f}}));
  EXPECT_EQ(active.engine()->camera()->position.x, 2);
  EXPECT_EQ(valuesOf(active.engine()->settings())[0].text, "5");
  finish();
  EXPECT_EQ(engine().seen, (std::vector<State>{{5, 2.0f}, {5, 2.0f}}));
}

TEST_F(SuspendedPreviewTest, WhoKeepsMovingSeesPreviews) {
  for (int i = 0; i < 1000 && engine().pictures < 2; ++i) {
    pictures.step();
    move(float(i));
  }
  EXPECT_EQ(engine().pictures, 2);
}

TEST_F(SuspendedPreviewTest, TheOldPictureStaysUntilItIsMade) {
  const gpu::Texture* const before = pictures.picture();
  ASSERT_NE(before, nullptr);
  EXPECT_NE(before, active.engine()->frame().picture);
  while (engine().pictures == 0) {
    EXPECT_EQ(pictures.picture(), before);
    pictures.step();
  }
  EXPECT_EQ(pictures.picture(), active.engine()->frame().picture);
}

TEST_F(SuspendedPreviewTest, ARestartGivesItUp) {
  move(3);
  pictures.restart();  // shaders were reloaded
  while (engine().pictures == 0) pictures.step();
  EXPECT_EQ(engine().seen, (std::vector<State>{{2, 3.0f}, {2, 3.0f}}));
}

TEST_F(SuspendedPictureTest, BackgroundWorkWaitsForThePictureAndIsSuspended) {
  stepUntilSuspended();
  bool ended = false;
  pictures.startBackground([&] {
    EXPECT_EQ(engine().pictures, 1);
    engine().restart();
    engine().step(context(), 1e9);
    ended = true;
  });
  int steps = 0;
  while (!ended) {
    EXPECT_TRUE(pictures.busy());
    pictures.step();
    if (engine().pictures == 1) ++steps;
  }
  EXPECT_GT(steps, 1);
  EXPECT_TRUE(ended);
  EXPECT_FALSE(pictures.busy());
}

TEST_F(SuspendedPictureTest, AChangeEndsBackgroundWork) {
  finish();
  bool ended = false;
  pictures.startBackground([&] {
    engine().restart();
    engine().step(context(), 1e9);
    ended = true;
  });
  while (!pictures.suspended()) pictures.step();
  set("step", "3");
  finish();
  EXPECT_FALSE(ended);
}

TEST_F(SuspendedPictureTest, OtherInputsMayComeAtAnyTime) {
  stepUntilSuspended();
  pictures.abandon();
  openAndFinish("spin");  // the engine is gone
  EXPECT_EQ(left(), FakeTechnique::leftColor(1, 0.5f));
  EXPECT_FALSE(pictures.takeError());
}

// The pass of the tiny technique has not run in this process.
TEST_F(PictureMakerTest, ProgramsAreCompiledBesideThePicture) {
  const TempFolder folder;
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
  EXPECT_TRUE(
      test::rounding(pictures.picture()->downloadImage(), active.engine()->reference(), 1e-6f));
}

TEST_F(PictureMakerTest, AFailureKeepsThePictureAndSaysWhy) {
  const TempFolder folder;
  folder.write("a.pic", "PIC 16 8");
  openAndFinish(folder.file("a.pic"));
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

class PictureBTest : public PictureMakerTest {
 protected:
  void render(const char* scene, const char* tint, glm::ivec2 size = {0, 0}) {
    openAndFinish(scene);
    std::vector<FieldValue> other = valuesOf(active.engine()->settings());
    other[0].text = tint;
    pictures.renderB(other, size, [&](PictureMaker::PictureB b) { made = std::move(b); });
    EXPECT_TRUE(pictures.busy());
  }
  std::optional<PictureMaker::PictureB> made;
};

TEST_F(PictureBTest, LeavesTheSettings) {
  render("spin", "red");
  finish();
  ASSERT_TRUE(made);
  EXPECT_EQ(made->picture.texel(2, 2), FakeTechnique::leftColor(0, 0.5f));
  EXPECT_EQ(left(), FakeTechnique::leftColor(1, 0.5f));
  EXPECT_FALSE(pictures.busy());
}

TEST_F(PictureBTest, HasAnySizeAndTheOwnPictureComesBack) {
  render("spin", "green", {200, 90});
  finish();
  ASSERT_TRUE(made);
  EXPECT_EQ(made->picture.size(), glm::ivec2(200, 90));
  EXPECT_EQ(pictures.picture()->size(), glm::ivec2(64, 32));
  EXPECT_EQ(pictures.size(), glm::ivec2(64, 32));
}

TEST_F(PictureBTest, IsMadeInSlicesAndPictureAStays) {
  render("spin-in-slices", "red");
  int steps = 0;
  while (!made && ++steps < 100) {
    pictures.step();
    EXPECT_EQ(left(), FakeTechnique::leftColor(1, 0.5f));
    EXPECT_EQ(valuesOf(active.engine()->settings())[0].text, "green");
  }
  EXPECT_EQ(steps, FakeTechnique::kSlices);
}

TEST_F(PictureBTest, EndsWithAnEditAndWhenItIsTold) {
  for (const bool edits : {true, false}) {
    made.reset();
    render("spin-in-slices", "red", {100, 50});
    pictures.step();
    edits ? set("tint", "blue") : pictures.endB("cancelled");
    finish();
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->ended && !made->error.empty());
    EXPECT_FALSE(made->picture);
    EXPECT_EQ(left(), FakeTechnique::leftColor(2, 0.5f));  // blue since the first round
    EXPECT_EQ(pictures.picture()->size(), glm::ivec2(64, 32));
  }
}

class OpenDocumentTest : public test::GpuTest {
 protected:
  OpenDocumentTest() {
    document.pictures().setViewSize({64, 32});
    document.open({"spin"});
    finish();
  }
  void finish() {
    do {
      document.step();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!document.complete());
  }

  const std::vector<TechniqueEntry> available{fakeEntry()};
  Document document{context(), available, [](const Info&, Engine&) {}};
};

TEST_F(OpenDocumentTest, TheInspectorReadsItsPixelInEachNewPicture) {
  Inspector inspector;
  inspector.update(document, glm::ivec2(2, 2));
  ASSERT_GT(inspector.value().g, 0);
  assign(document.technique()->settings(), "tint", "blue");
  finish();
  inspector.update(document, std::nullopt);  // the cursor is over the settings now
  EXPECT_EQ(inspector.pixel(), glm::ivec2(2, 2));
  EXPECT_EQ(inspector.value().g, 0);
  EXPECT_GT(inspector.value().b, 0);
}

TEST_F(OpenDocumentTest, ARecordingEndsAtAllOfIt) {
  Recorder recorder;
  recorder.writeWith([](const Recording&, const std::string&) { return std::string("done"); });
  recorder.pictures = 2;
  recorder.start(document, "timings.json");
  double before = 0;
  while (recorder.running()) {
    EXPECT_GE(recorder.progress(), before);
    EXPECT_LE(before = recorder.progress(), 1);
    document.step();
    recorder.step(context(), document);
  }
  EXPECT_EQ(before, 1);
}

}  // namespace
}  // namespace fathom::viewer
