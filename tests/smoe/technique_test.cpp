// SPDX-License-Identifier: BSD-3-Clause
// SMoE as a whole: the picture is the reference's in every framing, nothing is done twice, the
// mouse changes what is decoded, and a pixel's components add up to its color.
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/picture.h"
#include "app/engine/smoe/engine.h"
#include "app/engine/smoe/model/file_format.h"
#include "app/system/process.h"
#include "app/window/smoe/parts.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"
#include "tests/support/system.h"

namespace fathom::smoe {
namespace {

void adopt(SmoeEngine& technique, const Model& model) {
  auto inputs = std::make_unique<ModelInputs>();
  inputs->names = {"test.smoe"};
  inputs->model = std::make_shared<const Model>(model);
  technique.adopt(std::move(inputs));
}

class SmoeTechniqueTest : public test::GpuTest {
 protected:
  void open(const Model& model) {
    adopt(technique_, model);
    settings().bits = Bits::Fourteen;
  }
  Image picture(bool anew = false) {
    if (anew) technique_.restart();
    EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
    return technique_.frame().picture->downloadImage();
  }
  /// Names of the passes that an update runs.
  std::vector<std::string> passesOf(bool anew) {
    context().timings().finish();
    context().timings().clear();
    context().timings().beginFrame();
    if (anew) technique_.restart();
    EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
    context().timings().endFrame();
    context().timings().finish();
    std::vector<std::string> names;
    for (const gpu::PassTiming& pass : context().timings().passes())
      if (pass.count > 0) names.push_back(pass.name);
    return names;
  }
  /// Half a step of 14 bits, where sRGB is steepest: light changes 2.3 times as fast.
  void expectReference() {
    const Image found = picture();
    EXPECT_TRUE(test::rounding(found, technique_.reference(), 2.3f * std::ldexp(1.0f, -15)));
  }
  PictureInput mouse() const {
    PictureInput input;
    const glm::vec2 size(technique_.frame().size);
    input.zoom = 2, input.inside = true;
    input.at = size / 2.0f, input.high = size;
    return input;
  }
  Settings& settings() { return technique_.settingsStruct(); }

  SmoeEngine technique_;
  SmoeWindowParts parts_{technique_};
};

TEST_F(SmoeTechniqueTest, PictureIsThatOfTheReference) {
  open(randomModel(1, 2, 120, {75, 53}));
  expectReference();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(75, 53));
}

TEST_F(SmoeTechniqueTest, ZoomedInZoomedOutAndBesideToo) {
  open(randomModel(2, 2, 120, {80, 60}));
  settings().window = "20.5,10,30,20";
  technique_.resize({90, 60});
  expectReference();
  settings().window = "";
  technique_.resize({33, 25});  // 3 samples per pixel and axis
  expectReference();
  settings().window = "-20,-10,120,80";
  technique_.resize({120, 80});
  expectReference();
}

TEST_F(SmoeTechniqueTest, ViewsAndFramesAreThoseOfTheReference) {
  open(randomModel(3, 4, 150, {64, 48}));
  settings().view = "1.25,-0.5";
  expectReference();
  open(randomModel(4, 3, 150, {64, 48}));
  settings().view = "3.5";
  expectReference();
}

TEST_F(SmoeTechniqueTest, AnotherModelTakesThePlaceOfTheFirst) {
  open(randomModel(12, 2, 150, {96, 64}));
  expectReference();
  open(randomModel(13, 2, 60, {120, 80}));
  expectReference();
  open(randomModel(14, 2, 300, {120, 80}));
  expectReference();
}

TEST_F(SmoeTechniqueTest, AMovedWindowWaitsForNothingAndAllocatesNothing) {
  open(randomModel(15, 2, 200, {120, 90}));
  technique_.resize({60, 45});
  const auto moveTo = [&](const char* window) {
    settings().window = window;
    const gpu::WorkCounts before = gpu::workCounts();
    while (technique_.step(context(), 1000).partial) {
    }
    return gpu::workCounts() - before;
  };
  moveTo("20,20,60,45");  // measures the sizes of the lists
  moveTo("21,20,60,45");  // makes the room
  const gpu::WorkCounts counts = moveTo("22,20,60,45");
  EXPECT_EQ(counts.allocations, 0u);
  EXPECT_EQ(counts.synchronizations(), 0u);
}

TEST_F(SmoeTechniqueTest, AViewThatNeedsMoreRoomIsDrawnAgain) {
  // All detail lies in one corner: lists are short elsewhere.
  Model model = randomModel(16, 2, 3000, {100, 100});
  model.width = model.height = 900;
  open(model);
  technique_.resize({96, 96});
  const auto pictureOf = [&](SmoeEngine& technique, const char* window) {
    technique.settingsStruct().window = window;
    while (technique.step(context(), 1000).partial) {
    }
    return technique.frame().picture->downloadImage();
  };
  pictureOf(technique_, "700,700,96,96");
  const Image moved = pictureOf(technique_, "5,5,96,96");
  SmoeEngine other;
  adopt(other, model);
  other.settingsStruct().bits = settings().bits;
  other.resize({96, 96});
  EXPECT_TRUE(test::rounding(moved, pictureOf(other, "5,5,96,96"), 0));
}

TEST_F(SmoeTechniqueTest, NothingIsDoneTwice) {
  open(randomModel(6, 2, 100, {64, 64}));
  EXPECT_GT(passesOf(true).size(), 1u);
  EXPECT_TRUE(passesOf(false).empty());
  EXPECT_TRUE(passesOf(false).empty());
  settings().ellipses = true;   // drawn by the window
  settings().components = 500;  // of the next fit
  EXPECT_TRUE(passesOf(false).empty());
}

TEST_F(SmoeTechniqueTest, WhatIsStaleIsKnownWithoutBeingTold) {
  open(randomModel(6, 2, 100, {64, 64}));
  picture();
  settings().window = "8,8,20,20";
  technique_.setSize(50, 50);
  EXPECT_FALSE(passesOf(false).empty());
  EXPECT_EQ(technique_.frame().size, glm::ivec2(50, 50));
  settings().window = "8,8";
  EXPECT_THROW(technique_.step(context(), INFINITY), UsageError);
  EXPECT_TRUE(passesOf(false).empty());  // said once; the picture stays
}

TEST_F(SmoeTechniqueTest, AnotherLookAtTheSameListsKeepsThem) {
  open(randomModel(6, 2, 100, {64, 64}));
  const std::size_t all = passesOf(true).size();
  settings().show = Show::Winner;
  EXPECT_LT(passesOf(false).size(), all / 2);
}

TEST_F(SmoeTechniqueTest, EveryLookIsDrawn) {
  open(randomModel(7, 4, 100, {64, 48}));
  Image last = picture();
  for (const Show show :
       {Show::Lists, Show::Winner, Show::Certificate, Show::Disparity, Show::Weight}) {
    settings().show = show;
    const Image now = picture();
    EXPECT_FALSE(test::rounding(now, last, 0.01f)) << int(show);
    for (const glm::vec4& p : now.pixels)
      ASSERT_TRUE(std::isfinite(p.r) && p.r >= 0 && p.a == 1) << int(show);
    last = now;
  }
}

TEST_F(SmoeTechniqueTest, GatesOfAPixelAddUpToItsColor) {
  open(randomModel(8, 2, 150, {64, 64}));
  settings().tile = TileSize::ThirtyTwo;
  picture();
  const auto report = technique_.inspect(20, 45);
  ASSERT_TRUE(report);
  EXPECT_FALSE(technique_.inspect(64, 0));
  EXPECT_EQ(report->columns[4], "R (srgb)");
  double gates = 0;
  glm::dvec3 color(0);
  double last = 1;
  for (const std::vector<std::string>& row : report->rows) {
    const double gate = row[1] == "skipped" ? 0 : std::stod(row[1]);
    EXPECT_LE(gate, last);
    last = gate;
    gates += gate;
    color += gate * glm::dvec3(std::stod(row[4]), std::stod(row[5]), std::stod(row[6]));
  }
  EXPECT_NEAR(gates, 1, 1e-3);
  const glm::vec4 shown = technique_.frame().picture->texel(20, 45);
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(srgbFromLinear(shown[c]), std::clamp(color[c], 0.0, 1.0), 2e-3);
}

TEST_F(SmoeTechniqueTest, TheInspectorNamesTheSpaceOfItsColors) {
  Model model = randomModel(8, 2, 30, {32, 32});
  model.colorSpace = ColorSpace::Ycbcr709;
  open(model);
  picture();
  const std::vector<std::string> columns = technique_.inspect(3, 4)->columns;
  EXPECT_EQ(std::vector(columns.begin() + 4, columns.end()),
            (std::vector<std::string>{"Y (ycbcr709)", "Cb (ycbcr709)", "Cr (ycbcr709)"}));
}

TEST_F(SmoeTechniqueTest, TheWheelZoomsAboutTheCursor) {
  open(randomModel(9, 2, 100, {80, 60}));
  technique_.setSize(160, 120);
  picture();
  PictureInput input = mouse();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(160, 120));  // decoded for the room, not enlarged
  input.at = {120, 30}, input.zoom = 1, input.wheel = 2;
  EXPECT_TRUE(parts_.tools->interact(input));
  picture();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(160, 120));  // all of the room
  const ViewWindow near = technique_.drawn()->window;
  EXPECT_NEAR(near.step, 0.5 / 1.5625, 1e-6);
  // What was under the cursor, at 120, 30 of the window, still is.
  EXPECT_NEAR(near.corner.x + 120 * near.step, 60, 1e-3);
  EXPECT_NEAR(near.corner.y + 30 * near.step, 15, 1e-3);
  expectReference();
  input = mouse();
  input.zoom = 1, input.wheel = -3;
  EXPECT_TRUE(parts_.tools->interact(input));
  EXPECT_EQ(settings().window, "");
  picture();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(160, 120));
}

TEST_F(SmoeTechniqueTest, ADragMovesThePartOfAPicture) {
  open(randomModel(9, 2, 100, {80, 60}));
  PictureInput input;
  picture();
  input = mouse();
  input.drag = {4, -2};
  input.buttons[PictureInput::Left].held = true;
  EXPECT_FALSE(parts_.tools->interact(input));  // all of it is seen: the window may pan
  settings().window = "20,20,40,30";
  technique_.setSize(80, 60);
  picture();
  EXPECT_TRUE(parts_.tools->interact(input));
  EXPECT_EQ(settings().window, "18,21,40,30");
}

TEST_F(SmoeTechniqueTest, ADragMovesTheViewUpToHalfAStepOutUnlessAllowed) {
  open(randomModel(10, 4, 100, {80, 60}));
  const Image first = picture();
  PictureInput input = mouse();
  input.buttons[PictureInput::Left].held = true;
  input.drag = {16, 0};  // a fifth of the width: 1.8 of 9 views, against the drag
  EXPECT_TRUE(parts_.tools->interact(input));
  EXPECT_EQ(settings().view, "-1.8,0");
  EXPECT_TRUE(technique_.stale());
  EXPECT_FALSE(test::rounding(picture(), first, 0.01f));
  input.drag = {-1000, 30};
  parts_.tools->interact(input);
  EXPECT_EQ(settings().view, "4.5,-4.5");
  settings().beyond = true;
  parts_.tools->interact(input);
  EXPECT_EQ(settings().view, "7,-7");
  input.drag = {0, 0};  // a click pins the pixel
  input.buttons[PictureInput::Left] = {};
  input.buttons[PictureInput::Left].released = true;
  EXPECT_FALSE(parts_.tools->interact(input));
}

TEST_F(SmoeTechniqueTest, TheDifferenceFromTheSourceIsAmplified) {
  const TempFolder folder;
  const std::vector<Record> one{disc({16, 12}, 5, {0.5, 0.5, 0.5})};
  open(modelOf(one, {32, 24}));
  // 13 of 255 brighter than one half.
  const Image source(32, 24, glm::vec4(glm::vec3(linearFromSrgb(0.551f)), 1));
  writePicture(folder.file("source.exr"), source);
  settings().source = folder.file("source.exr");
  settings().show = Show::Error, settings().errorGain = 8;
  Progress progress;
  technique_.source().readNow(context(), progress);
  const Image found = picture();
  for (const glm::vec4& p : found.pixels) ASSERT_NEAR(srgbFromLinear(p.r), 8 * 0.051f, 0.008f);
}

TEST_F(SmoeTechniqueTest, SourceModelAndErrorStandSideBySide) {
  const TempFolder folder;
  open(randomModel(3, 2, 60, {32, 24}));
  const Image model = picture();
  Image source(32, 24, glm::vec4(0.2f, 0.4f, 0.1f, 1));
  source.at(5, 7) = {0.9f, 0, 0, 1};
  writePicture(folder.file("source.exr"), source);
  settings().source = folder.file("source.exr");
  settings().show = Show::Error;
  Progress progress;
  technique_.source().readNow(context(), progress);
  const Image error = picture();
  settings().show = Show::Beside;
  const Image all = picture();
  ASSERT_EQ(technique_.frame().size, glm::ivec2(96, 24));
  for (int y = 0; y < 24; ++y)
    for (int x = 1; x < 32; ++x)  // column 0 is the line between them
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(all.at(x, y)[c], source.at(x, y)[c], 2e-3);
        EXPECT_EQ(all.at(32 + x, y)[c], model.at(x, y)[c]);
        EXPECT_NEAR(all.at(64 + x, y)[c], error.at(x, y)[c], 1e-5);
      }
  EXPECT_EQ(technique_.inspect(32 + 5, 7)->rows, technique_.inspect(5, 7)->rows);
}

TEST_F(SmoeTechniqueTest, TheWheelZoomsPanelsSideBySideAboutTheCursor) {
  open(randomModel(9, 2, 100, {80, 60}));
  settings().show = Show::Beside;
  technique_.setSize(481, 120);
  picture();
  ASSERT_EQ(technique_.frame().size, glm::ivec2(480, 120));
  PictureInput input = mouse();
  input.zoom = 1, input.wheel = 2;
  input.low = {-0.5f, 0}, input.high = {480.5f, 120};
  input.at = {160 + 120, 30};
  EXPECT_TRUE(parts_.tools->interact(input));
  picture();
  const ViewWindow near = technique_.drawn()->window;
  EXPECT_EQ(near.size, glm::ivec2(160, 120));
  EXPECT_NEAR(near.corner.x + 120 * near.step, 60, 0.5);
  EXPECT_NEAR(near.corner.y + 30 * near.step, 15, 0.5);
}

TEST_F(SmoeTechniqueTest, ASourceOfAnotherSizeIsRefused) {
  const TempFolder folder;
  open(randomModel(1, 2, 20, {32, 24}));
  writePicture(folder.file("source.exr"), Image(31, 24, glm::vec4(1)));
  settings().source = folder.file("source.exr");
  Progress progress;
  EXPECT_THROW(technique_.source().readNow(context(), progress), Error);
  settings().source = "";
  EXPECT_THROW(technique_.source().readNow(context(), progress), UsageError);
}

TEST_F(SmoeTechniqueTest, AFitInSlicesReplacesTheModel) {
  const TempFolder folder;
  open(randomModel(1, 2, 20, {32, 24}));
  picture();
  Image ramp(48, 40);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 48; ++x) ramp.at(x, y) = {float(x) / 48, float(y) / 40, 0.5f, 1};
  writePicture(folder.file("ramp.exr"), ramp);
  settings().source = folder.file("ramp.exr");
  settings().components = 12, settings().steps = 20;
  technique_.fit().start(false);
  while (parts_.backgroundStep(context(), 5)) std::this_thread::yield();
  EXPECT_EQ(technique_.fit().state(), FitJob::State::Done);
  EXPECT_EQ(technique_.models()->width, 48);
  EXPECT_EQ(technique_.models()->components.size(), 12u);
  EXPECT_TRUE(parts_.editing->unsaved());
  EXPECT_GT(technique_.fit().fitter()->curve().back().psnr, 30);
  // Where the device is lost, another engine goes on from there.
  SmoeEngine next;
  Progress progress;
  next.adopt(read({folder.file("ramp.exr")}, progress));
  SmoeWindowParts partsOfNext(next);
  partsOfNext.restore(parts_.keep());
  EXPECT_TRUE(partsOfNext.unsaved());
  EXPECT_EQ(next.models().current(), technique_.models().current());
  expectReference();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(48, 40));
  // What it is worth as a file was measured in the end, in each encoding.
  EXPECT_EQ(parts_.checks.costs().size(), std::size_t(kEncodings));
  parts_.editing->save(folder.file("ramp.smoe"));
  EXPECT_FALSE(parts_.editing->unsaved());
  EXPECT_TRUE(accepts({folder.file("ramp.smoe")}));
  EXPECT_FALSE(accepts({"atrium"}));
}

TEST_F(SmoeTechniqueTest, TheRecoveryCopyIsMadeInMemory) {
  const TempFolder folder;
  open(randomModel(1, 2, 20, {32, 24}));
  // What another user may leave in a shared folder.
  folder.write("mine", "of the user");
  std::filesystem::create_symlink(
      "mine", folder / ("fathom-" + std::to_string(system::processId()) + ".smoe"));
  test::setVariable("TMPDIR", folder.path().string());
  const std::string bytes = parts_.content();
  test::removeVariable("TMPDIR");
  EXPECT_EQ(readText(folder / "mine"), "of the user");
  Progress progress;
  EXPECT_EQ(readModel(std::as_bytes(std::span(bytes)), "copy", progress).components.size(), 20u);
}

TEST_F(SmoeTechniqueTest, APictureOpensAsTheBeginningOfItsFit) {
  const TempFolder folder;
  Image ramp(48, 40);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 48; ++x)
      ramp.at(x, y) = glm::vec4(linearFromSrgb(0.1f + float(x) / 70), 0.2f, float(y) / 40, 1);
  const std::string file = folder.file("ramp.png");
  writePicture(file, ramp);
  ASSERT_TRUE(accepts({file}));
  settings().source = "of-another-model.png";
  Progress progress;
  technique_.adopt(read({file}, progress));
  EXPECT_EQ(technique_.models()->components.size(), 48u * 40 / 16);
  EXPECT_EQ(technique_.source().name(), file);
  EXPECT_FALSE(parts_.editing->unsaved());
  EXPECT_EQ(parts_.editing->savable()->suggestion,
            folder.file("ramp.smoe"));  // never the picture
  const Image found = picture();
  ASSERT_EQ(found.width, 48);
  const glm::vec4 difference = found.at(24, 20) - ramp.at(24, 20);
  EXPECT_LT(std::abs(difference.r) + std::abs(difference.g) + std::abs(difference.b), 0.1f);
}

/// It is open with its alpha before anything is fitted, and fitted with it; beside its source both
/// keep it, and where only alpha differs, that is an error.
TEST_F(SmoeTechniqueTest, APictureWithAlphaIsFittedWithIt) {
  const TempFolder folder;
  Image cut(48, 40);
  for (int y = 0; y < 40; ++y)
    for (int x = 8; x < 40; ++x) cut.at(x, y) = glm::vec4(0, float(y) / 80, 0.25f, 0.5f);
  const std::string file = folder.file("cut.exr");
  writePicture(file, cut);
  Progress progress;
  technique_.adopt(read({file}, progress));
  ASSERT_TRUE(technique_.models()->alpha);
  settings().bits = Bits::Fourteen;
  EXPECT_NEAR(picture().at(24, 20).a, 0.5f, 0.05f);
  settings().components = 40, settings().steps = 30;
  technique_.fit().start(false);
  bool sawAlpha = false;
  while (parts_.backgroundStep(context(), 5)) sawAlpha |= technique_.fit().fittingAlpha();
  EXPECT_TRUE(sawAlpha);
  const Model& model = *technique_.models();
  ASSERT_TRUE(model.alpha);
  EXPECT_EQ(model.components.size() + model.alpha->components.size(), 40u);
  EXPECT_GT(model.alpha->psnr, 25);
  expectReference();
  EXPECT_LT(picture().at(1, 20).a, 0.1f);
  settings().show = Show::Beside;
  const Image all = picture();
  EXPECT_NEAR(all.at(24, 20).a, 0.5f, 1e-3f);
  EXPECT_NEAR(all.at(48 + 24, 20).a, 0.5f, 0.05f);
  EXPECT_EQ(all.at(96 + 24, 20).a, 1);
  Model opaque = model;
  opaque.alpha = nullptr;
  opaque.source = file;
  open(opaque);
  settings().show = Show::Error, settings().errorGain = 1;
  technique_.source().readNow(context(), progress);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(picture().at(24, 20)[k], linearFromSrgb(0.5f), 0.02f);
}

TEST_F(SmoeTechniqueTest, APictureDroppedOnAZoomedLightFieldIsWhole) {
  open(randomModel(3, 4, 40, {40, 30}));
  settings().window = "5,5,10,8", settings().view = "1,0";
  open(randomModel(3, 4, 40, {40, 30}));  // reloaded
  EXPECT_EQ(settings().window, "5,5,10,8");
  auto inputs = std::make_unique<ModelInputs>();
  inputs->names = {"other.smoe"};
  inputs->model = std::make_shared<const Model>(randomModel(4, 2, 40, {40, 30}));
  technique_.adopt(std::move(inputs));
  EXPECT_EQ(settings().window, "");
  EXPECT_EQ(settings().view, "");
}

TEST_F(SmoeTechniqueTest, AFolderOfViewsOpensAsTheBeginningOfItsFit) {
  const TempFolder folder;
  for (int i = 0; i < 9; ++i) {
    Image view(24, 16, glm::vec4(0.2f, 0.1f, 0.4f, 1));
    view.at(6 + i % 3, 8 + i / 3) = glm::vec4(1);
    writePicture(folder.file(fmt::format("input_Cam{:03}.png", i)), view);
  }
  EXPECT_FALSE(accepts({folder.file("nothing")}));
  ASSERT_TRUE(accepts({folder.path().string()}));
  Progress progress;
  technique_.adopt(read({folder.path().string()}, progress));
  EXPECT_EQ(technique_.models()->dims, 4);
  EXPECT_EQ(technique_.models()->views, glm::ivec2(3, 3));
  EXPECT_GT(picture().at(12, 8).b, 0.1f);
}

TEST_F(SmoeTechniqueTest, FactsNameWhatIsKnown) {
  open(randomModel(1, 4, 20, {32, 24}));
  picture();
  std::string names;
  for (const auto& [name, value] : technique_.facts()) names += name + ";";
  for (const char* wanted :
       {"components;", "views;", "file when saved;", "view;", "list;", "certified error;"})
    EXPECT_THAT(names, HasSubstr(wanted));
}

TEST_F(SmoeTechniqueTest, FactsNameTheEncodingOfTheFile) {
  const TempFolder folder;
  const Model model = randomModel(1, 4, 20, {32, 24});
  const auto encoding = [&] {
    for (const auto& [name, value] : technique_.facts())
      if (name == "encoding") return value;
    return std::string("none");
  };
  for (const Encoding each :
       {Encoding::F32, Encoding::Archive, Encoding::Compact, Encoding::Packed}) {
    save(folder.file("model.smoe"), model, each);
    Progress progress;
    technique_.adopt(read({folder.file("model.smoe")}, progress));
    EXPECT_EQ(encoding(), encodingName(each));
  }
  const Quantization bits{20, 12, 12, 12, 12};
  writeFile(folder.file("model.smoe"), encodeArrays(model, &bits, "model").bytes);
  Progress progress;
  technique_.adopt(read({folder.file("model.smoe")}, progress));
  EXPECT_EQ(encoding(), "quantized");
}

}  // namespace
}  // namespace fathom::smoe
