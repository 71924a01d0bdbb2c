// SPDX-License-Identifier: BSD-3-Clause
// Flames as the window sees them: files with several, edits that cost what they must, pictures that
// get better, and what is drawn when there is nothing to draw.
#include "app/engine/inspect.h"
#include "app/window/flame/parts.h"

#include "app/engine/core/compare.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/gpu/slices.h"
#include "tests/flame/genomes.h"
#include "tests/support/gpu_test.h"

namespace fathom::flame {
namespace {

using test::flameXml;
using test::triangle;

class FlameTechniqueTest : public fathom::test::GpuTest {
 protected:
  void open(const std::string& xml) {
    const std::string file = folder_.write("x.flame", xml).string();
    adopt(file);
  }
  void adopt(const std::string& file) {
    technique_.adopt(read({file}, progress_));
    parts_.adopted({});
  }
  Image picture(bool anew = true) {
    if (anew) technique_.restart();
    EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
    return technique_.frame().picture->downloadImage();
  }
  double samples() { return technique_.rendering()->samples(); }
  std::string fact(const std::string& name) {
    for (const auto& [key, value] : technique_.facts())
      if (key == name) return value;
    return {};
  }

  TempFolder folder_;
  Progress progress_;
  FlameEngine technique_;
  FlameWindowParts parts_{technique_};
};

double meanDifference(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c) sum += std::abs(a.pixels[i][c] - b.pixels[i][c]);
  return sum / (3 * double(a.pixels.size()));
}

TEST_F(FlameTechniqueTest, AcceptsGenomesByContent) {
  const std::string genome = folder_.write("a.txt", triangle()).string();
  const std::string other = folder_.write("b.flame", "nothing").string();
  EXPECT_TRUE(accepts({genome}));
  EXPECT_TRUE(accepts({genome, genome}));
  EXPECT_FALSE(accepts({genome, other}));
  EXPECT_FALSE(accepts({"atrium"}));
}

/// Dropped on a flame: an edit, for which no genome is read.
TEST_F(FlameTechniqueTest, APaletteThatIsOpenedGoesToTheFlameThatIsShown) {
  const std::string map = folder_.write("red.map", "255 0 0\n255 0 0\n").string();
  EXPECT_TRUE(accepts({map}));
  EXPECT_THROW(technique_.adopt(read({map}, progress_)), Error);  // on nothing
  open(triangle());
  const std::vector<std::string> names = technique_.inputs();
  Genome edited = technique_.timeline().shown();
  edited.brightness = 17;
  parts_.editor().change(edited);
  adopt(map);
  EXPECT_EQ(technique_.timeline().shown().palette[100], glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(technique_.timeline().shown().brightness, 17);  // edits stay
  EXPECT_EQ(technique_.inputs(), names);
  EXPECT_TRUE(parts_.editor().unsaved());
  parts_.advance();
  parts_.editor().undo();
  EXPECT_NE(technique_.timeline().shown().palette[100], glm::vec4(1, 0, 0, 1));
}

TEST_F(FlameTechniqueTest, ThePictureIsTheReferencesWithinNoise) {
  open(triangle());
  const Image found = picture();
  EXPECT_EQ(found.width, 60);
  EXPECT_EQ(found.height, 40);
  EXPECT_EQ(found.at(3, 3).a, 1);
  const Image expected = technique_.reference();
  EXPECT_LT(meanDifference(found, expected), 0.01);
  EXPECT_GT(meanDifference(found, Image(60, 40)), 0.03);
}

TEST_F(FlameTechniqueTest, TheSameSeedGivesTheSamePicture) {
  open(triangle());
  technique_.drawing().accumulate = Accumulate::Atomic;
  const Image first = picture(), again = picture();
  EXPECT_EQ(first.pixels, again.pixels);
  technique_.setSeed(2);
  EXPECT_NE(picture().pixels, first.pixels);
}

/// The window leaves a step between two pieces of a dispatch, and gives it up when it is resized.
TEST_F(FlameTechniqueTest, AStepThatIsAbandonedChangesNoByteOfThePicture) {
  if (!context().device().software) GTEST_SKIP() << "passes are cut on software renderers only";
  open(triangle());
  const Image expected = picture();
  technique_.startAfresh();
  gpu::SlicedWork slice;
  slice.start([&] { technique_.step(context(), INFINITY); });
  for (int piece = 0; piece < 3; ++piece) ASSERT_FALSE(slice.resume(0));
  slice.abandon();
  EXPECT_EQ(picture(false).pixels, expected.pixels);
}

TEST_F(FlameTechniqueTest, SizeKeepsTheFraming) {
  technique_.setSize(120, 50);
  open(triangle());
  EXPECT_EQ(technique_.frame().size, glm::ivec2(120, 50));
  EXPECT_EQ(technique_.timeline().shown().scale, 36);
  technique_.setSize(10, 10);  // a file that is open keeps its own
  EXPECT_EQ(technique_.frame().size, glm::ivec2(120, 50));
  parts_.editor().change(framed(technique_.timeline().shown(), {60, 60}));
  EXPECT_EQ(technique_.frame().size, glm::ivec2(60, 60));
  EXPECT_EQ(technique_.timeline().shown().scale, 18);
}

TEST_F(FlameTechniqueTest, SlicesGetBetter) {
  open(triangle());
  // A device draws the whole in a second; in software a tenth of it takes longer.
  const double quality = context().device().software ? 2000 : 20000;
  technique_.drawing().quality = quality;
  int slices = 1;
  double before = 0;
  technique_.restart();
  bool done = !technique_.step(context(), 1).partial;
  for (; !done && slices < 100000; ++slices) {
    EXPECT_GT(samples(), before);
    before = samples();
    done = !technique_.step(context(), 1).partial;
  }
  EXPECT_TRUE(done);
  EXPECT_GT(slices, 2);
  EXPECT_GE(samples(), quality * 60 * 40);
  EXPECT_FALSE(fact("samples per second").empty());
}

/// As on hardware: slices and pictures of them are sent off one after the other; nobody waits but
/// for the device not to fall far behind. Nor while a handle is dragged.
TEST_F(FlameTechniqueTest, SlicesAndDragsAwaitAndAllocateNothing) {
  open(triangle());
  Settings& drawing = technique_.drawing();
  // Where the processor is the device, it filters itself, but for the filters of JWildfire.
  drawing.accumulate = Accumulate::Atomic;
  drawing.quality = 1000000;  // never reached here
  const auto drag = [&](int step) {
    Genome next = technique_.timeline().shown();
    next.xforms[0].coefs.c = 0.01 * step, next.dialect = Dialect::JWildfire;
    parts_.editor().change(std::move(next));
    technique_.restart();
    EXPECT_TRUE(technique_.step(context(), 3).partial);
  };
  const auto slices = [&](int count) {
    for (int i = 0; i < count; ++i) EXPECT_TRUE(technique_.step(context(), 3).partial);
  };
  drag(1), slices(20), drag(2);
  const gpu::WorkCounts before = gpu::workCounts();
  slices(20);
  for (int step = 3; step < 8; ++step) drag(step), slices(2);
  const gpu::WorkCounts counts = gpu::workCounts() - before;
  EXPECT_EQ(counts.finishes, 0u);
  EXPECT_EQ(counts.waits, 0u);
  EXPECT_EQ(counts.reads, 0u);
  EXPECT_EQ(counts.allocations, 0u);
  EXPECT_GT(samples(), 0);
  EXPECT_TRUE(technique_.frame().picture);
}

TEST_F(FlameTechniqueTest, TheToneMapAloneDrawsNothingAnew) {
  open(triangle());
  const Image first = picture();
  const double drawn = samples();
  Genome brighter = technique_.timeline().shown();
  brighter.brightness *= 2;
  parts_.editor().change(brighter);
  parts_.advance();
  const Image second = picture(false);
  EXPECT_EQ(samples(), drawn);
  EXPECT_GT(meanDifference(first, second), 0.001);
  parts_.editor().change(technique_.timeline().shown());
  parts_.advance();
  technique_.step(context(), INFINITY);
  EXPECT_EQ(technique_.frame().picture->downloadImage().pixels, second.pixels);
}

TEST_F(FlameTechniqueTest, WhatAnEditMakesAgain) {
  const Genome genome = parseGenomes(triangle(), "x").genomes[0];
  const auto redoOfEdit = [&](auto edit) {
    Genome changed = genome;
    edit(changed);
    return redoFor(genome, changed);
  };
  EXPECT_EQ(redoOfEdit([](Genome&) {}), Redo::Nothing);
  EXPECT_EQ(redoOfEdit([](Genome& g) { g.name = "other"; }), Redo::Nothing);
  EXPECT_EQ(redoOfEdit([](Genome& g) { g.gamma = 2; }), Redo::Tones);
  EXPECT_EQ(redoOfEdit([](Genome& g) { g.background.r = 1; }), Redo::Tones);
  EXPECT_EQ(redoOfEdit([](Genome& g) { g.quality = 7; }), Redo::Tones);
  EXPECT_EQ(redoOfEdit([](Genome& g) { g.scale *= 2; }), Redo::Samples);
  EXPECT_EQ(redoOfEdit([](Genome& g) { g.palette[0].r = 0.5f; }), Redo::Samples);
  EXPECT_EQ(redoOfEdit([](Genome& g) { g.xforms[0].coefs.a = 0.1; }), Redo::Samples);
}

TEST_F(FlameTechniqueTest, MoreQualityGoesOnWhereItWas) {
  open(triangle());
  picture();
  const double drawn = samples();
  technique_.drawing().quality = 40;
  technique_.step(context(), INFINITY);
  EXPECT_GE(samples(), 40.0 * 60 * 40);
  EXPECT_GT(samples(), drawn);
}

TEST_F(FlameTechniqueTest, OneOfSeveralFlames) {
  open("<x>" + triangle() + flameXml(test::kXform, "name='second' size='30 20'") + "</x>");
  picture();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(60, 40));
  assign(technique_.settings(), "flame", "2");
  picture();
  EXPECT_EQ(technique_.frame().size, glm::ivec2(30, 20));
  EXPECT_EQ(technique_.timeline().shown().name, "second");
  assign(technique_.settings(), "flame", "3");
  EXPECT_THAT(messageOf([&] {
                technique_.restart();
                technique_.step(context(), INFINITY);
              }),
              HasSubstr("expected a flame from 1 to 2, found 3"));
  technique_.restart();
  EXPECT_FALSE(technique_.step(context(), INFINITY).partial);  // the old one stays
}

/// Two keyframes: the third corner of the triangle moves while the picture gets darker.
std::string film() {
  std::string first = triangle(), last = triangle();
  first.replace(first.find("nick"), 0, "time=\"0\" ");
  last.replace(last.find("0 0.5\"/>"), 5, "0.5 0");
  last.replace(last.find("nick"), 0, "time=\"10\" brightness=\"2\" ");
  return "<film>" + first + last + "</film>";
}

TEST_F(FlameTechniqueTest, AFilmIsSeenAtItsTime) {
  open(film());
  const Image first = picture();
  assign(technique_.settings(), "time", "5");
  const Image middle = picture(false);
  EXPECT_GT(meanDifference(first, middle), 0.01);
  EXPECT_LT(meanDifference(middle, technique_.reference()), 0.01);
  EXPECT_EQ(fact("time"), "5 of 0 to 10");
  assign(technique_.settings(), "time", "99");  // no later than the end
  const Image last = picture(false);
  EXPECT_EQ(technique_.timeline().current(), 1u);
  assign(technique_.settings(), "flame", "2");
  EXPECT_EQ(picture().pixels, last.pixels);
}

TEST_F(FlameTechniqueTest, SettingsAreFollowedByUpdateAlone) {
  open(film());
  assign(technique_.settings(), "time", "5");
  valuesOf(technique_.settings());
  EXPECT_EQ(technique_.timeline().time(), 0);
  picture(false);
  EXPECT_EQ(technique_.timeline().time(), 5);
}

TEST_F(FlameTechniqueTest, BlurIsSeenWhereThingsMove) {
  open(film());
  assign(technique_.settings(), "time", "5");
  const Image still = picture();
  assign(technique_.settings(), "motion-blur", "on");
  EXPECT_GT(meanDifference(picture(), still), 1e-4);
  EXPECT_FALSE(technique_.step(context(), INFINITY).partial);
}

// So that sessions keep it.
TEST_F(FlameTechniqueTest, HowAFilmIsPlayedIsASetting) {
  open(film());
  const auto text = [&](const std::string& name) {
    for (const FieldValue& value : valuesOf(technique_.settings()))
      if (value.name == name) return value.text;
    return std::string("none");
  };
  parts_.transport().settings() = {30, false, true};
  EXPECT_EQ(text("frame-rate") + ' ' + text("loop") + ' ' + text("motion-blur"), "30 off on");
  assign(technique_.settings(), "frame-rate", "12");
  assign(technique_.settings(), "loop", "on");
  assign(technique_.settings(), "motion-blur", "off");
  EXPECT_EQ(parts_.transport().settings().frameRate, 12);
  EXPECT_TRUE(parts_.transport().settings().loop);
  EXPECT_FALSE(parts_.transport().settings().motionBlur);
}

TEST_F(FlameTechniqueTest, AFilmThatIsReadAgainIsSeenWhereItWas) {
  open(film());
  parts_.transport().goTo(3.5);
  open(film());
  EXPECT_EQ(technique_.timeline().time(), 3.5);
  open(triangle());  // it has become a still
  EXPECT_FALSE(technique_.timeline().moves());
}

TEST_F(FlameTechniqueTest, AStillHasNoTime) {
  assign(technique_.settings(), "time", "5");
  EXPECT_THAT(messageOf([&] { open(triangle()); }),
              HasSubstr("ascending times for a time, found one flame"));
}

TEST_F(FlameTechniqueTest, PlayedFramesAreKept) {
  open(film());
  const Image first = picture();
  parts_.transport().play(true);
  EXPECT_TRUE(parts_.playing->animated());
  EXPECT_TRUE(parts_.playing->dueAt());
  const auto frame = [&] {
    parts_.advance();
    EXPECT_FALSE(technique_.step(context(), 20).partial);
    return parts_.background->backgroundStep(context(), 20);
  };
  int frames = 0;
  while (frame() && frames < 10000) ++frames;
  const std::vector<bool> kept = parts_.preview().kept(parts_.transport(), technique_.drawing());
  EXPECT_EQ(std::ranges::count(kept, true), 10);  // the last one is the first again
  EXPECT_GE(frames, 10);
  frame();
  EXPECT_LT(meanDifference(technique_.frame().picture->downloadImage(), technique_.reference()),
            0.03);
  EXPECT_FALSE(parts_.background->backgroundStep(context(), 20));  // all are there

  parts_.transport().play(false);
  parts_.advance();
  EXPECT_TRUE(technique_.stale());
  EXPECT_FALSE(parts_.playing->dueAt());
  parts_.transport().goTo(0);
  EXPECT_EQ(picture().pixels, first.pixels);
  EXPECT_FALSE(parts_.background->backgroundStep(context(), 20));
}

TEST_F(FlameTechniqueTest, AnotherFileBeginsAtItsFirstFlame) {
  open(film());
  assign(technique_.settings(), "flame", "2");
  picture();
  adopt(folder_.write("still.flame", triangle()).string());
  picture();
  EXPECT_EQ(technique_.timeline().current(), 0u);
}

TEST_F(FlameTechniqueTest, NothingToDrawIsTheBackground) {
  for (const char* attributes : {"scale='0'", "scale='-5'", "soloxform='7'", "time='0'"}) {
    const bool weightless = std::string(attributes) == "time='0'";
    open(flameXml(weightless ? "<xform linear='1'/>" : test::kXform,
                  std::string("background='1 0 0.5' size='8 4' ") + attributes));
    const Image found = picture();
    EXPECT_NEAR(found.at(3, 2).r, 1, 1e-5) << attributes;
    EXPECT_NEAR(found.at(3, 2).b, 0.2158605f, 1e-2) << attributes;
    EXPECT_EQ(found.at(3, 2).a, 1) << attributes;
    technique_.drawing().transparent = true;
    EXPECT_EQ(picture().at(3, 2), glm::vec4(0)) << attributes;
    technique_.drawing().transparent = false;
  }
}

TEST_F(FlameTechniqueTest, PixelsTellTheirHits) {
  open(triangle());
  picture();
  double hits = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 60; ++x) {
      const std::optional<PixelReport> report = technique_.inspect(x, y);
      ASSERT_TRUE(report);
      ASSERT_EQ(report->rows.size(), 1u);
      hits += std::stod(report->rows[0][1]);
    }
  EXPECT_NEAR(hits, samples(), 0.1 * samples());  // few fall outside
  EXPECT_FALSE(technique_.inspect(60, 0));
}

TEST_F(FlameTechniqueTest, AMissingFileLeavesTheOldGenome) {
  open(triangle());
  EXPECT_THROW(technique_.adopt(read({folder_.file("none.flame")}, progress_)), Error);
  EXPECT_EQ(technique_.timeline().shown().name, "triangle");
}

}  // namespace
}  // namespace fathom::flame
