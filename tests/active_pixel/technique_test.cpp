// SPDX-License-Identifier: BSD-3-Clause
// The technique: every mode and overlay gives the picture that the reference gives; work is done in
// slices and only when something has changed; files of compressed images open.
#include "app/engine/active_pixel/engine.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/compare.h"
#include "app/engine/inspect.h"
#include "app/engine/io/atomic_file.h"
#include "app/window/active_pixel/parts.h"
#include "tests/active_pixel/frames.h"
#include "tests/support/gpu_test.h"

namespace fathom::active_pixel {
namespace {

class ActivePixelTechniqueTest : public test::GpuTest {
 protected:
  void open(const std::string& input) {
    Progress progress;
    technique.adopt(read({input}, progress));
    technique.setSize(160, 97);
  }
  void finish(bool anew = true) {
    if (anew) technique.restart();
    ASSERT_FALSE(technique.step(context(), INFINITY).partial);
  }
  Image picture() const { return technique.frame().picture->downloadImage(); }
  Settings& settings() { return technique.settingsStruct(); }
  ActivePixelEngine technique;
};

double worst(const Image& a, const Image& b) {
  double difference = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c)
      difference = std::max(difference, double(std::abs(a.pixels[i][c] - b.pixels[i][c])));
  return difference;
}

TEST_F(ActivePixelTechniqueTest, ShowsTheReferenceInEveryMode) {
  open("station");
  finish();
  const Image first = picture();
  EXPECT_LT(worst(first, technique.reference()), 1e-4);  // pow() of the device
  for (const Mode mode : {Mode::Generic, Mode::Roi}) {
    settings().mode = mode;
    finish(false);
    EXPECT_EQ(worst(picture(), first), 0);
  }
}

TEST_F(ActivePixelTechniqueTest, CompositesOnTheGpuAsTheProcessorDoes) {
  for (const char* scene : {"station", "planes:count=4,spheres=6,alpha=0.4"})
    for (const Blending blending : {Blending::ZBuffer, Blending::Blend})
      for (const ColorDepth color : {ColorDepth::Rgba8, ColorDepth::Rgba32f}) {
        open(scene);
        settings().blending = blending, settings().color = color;
        technique.compositeOnGpu(false);
        finish();
        ASSERT_FALSE(technique.compositedOnGpu());
        const Image onHost = picture();
        const std::vector<float> depth = technique.composited().depth;
        technique.compositeOnGpu(true);
        for (int turn = 0; turn < 2; ++turn) {  // buffers are used again
          finish();
          ASSERT_TRUE(technique.compositedOnGpu());
          EXPECT_EQ(worst(picture(), onHost), 0) << scene << int(blending) << int(color);
          EXPECT_EQ(technique.composited().depth, depth);
          for (const LocalRank& rank : technique.ranks())
            EXPECT_EQ(rank.facts.bytes, rank.sparse.bytes());
        }
      }
}

TEST_F(ActivePixelTechniqueTest, IsTheSameForAnyNumberOfParts) {
  open("station");
  Image first;
  for (const int parts : {1, 3, 16}) {
    settings().parts = parts;
    finish();
    EXPECT_EQ(technique.ranks().size(), std::size_t(parts));
    if (parts == 1)
      first = picture();
    else
      EXPECT_EQ(worst(picture(), first), 0) << parts;
  }
}

TEST_F(ActivePixelTechniqueTest, BlendsFromFrontToBack) {
  open("planes:count=4,spheres=6,alpha=0.4");
  settings().blending = Blending::Blend;
  settings().color = ColorDepth::Rgba32f;
  finish();
  EXPECT_LT(worst(picture(), technique.reference()), 1e-5);
  settings().color = ColorDepth::None;
  EXPECT_THROW(technique.step(context(), INFINITY), UsageError);
}

TEST_F(ActivePixelTechniqueTest, CountsWhatItsPartsHold) {
  open("station");
  finish();
  std::uint64_t triangles = 0;
  for (const LocalRank& rank : technique.ranks()) {
    triangles += rank.share->triangles;
    const Frame frame = reference::decode(rank.sparse.words, Compositing::ZBuffer, glm::vec4(0));
    std::uint64_t active = 0;
    for (std::size_t i = 0; i < frame.pixelCount(); ++i) active += reference::isActive(frame, i);
    EXPECT_EQ(rank.facts.active, active);
    EXPECT_EQ(std::accumulate(rank.lengths.begin(), rank.lengths.end(), std::uint64_t(0)),
              rank.facts.runs);
    EXPECT_EQ(rank.facts.bytes, rank.sparse.bytes());
  }
  EXPECT_EQ(triangles, technique.view().input.source->whole.triangles);
}

TEST_F(ActivePixelTechniqueTest, WorksInSlicesAndOnlyWhenAsked) {
  open("station");
  int calls = 1;
  while (technique.step(context(), 0).partial) ++calls;
  EXPECT_GE(calls, 9);  // 4 shares taken, 4 compressed, composited, shown
  EXPECT_EQ(technique.pictures(), 1u);
  finish(false);
  EXPECT_EQ(technique.pictures(), 1u);
  ActivePixelWindowParts parts(technique);
  parts.advance();
  EXPECT_FALSE(technique.stale());
}

TEST_F(ActivePixelTechniqueTest, TurnsTheScene) {
  open("station");
  settings().turn = true;
  ActivePixelWindowParts parts(technique);
  const glm::vec3 before = technique.camera()->position;
  parts.advance();
  EXPECT_EQ(technique.camera()->position, before);  // there is no picture yet
  finish();
  ASSERT_TRUE(parts.playing->dueAt());  // without any event
  parts.advance();
  EXPECT_TRUE(technique.stale());
  const glm::vec3 after = technique.camera()->position, target = technique.camera()->target;
  const auto angle = [&](glm::vec3 p) { return std::atan2(p.x - target.x, p.z - target.z); };
  EXPECT_NEAR(std::abs(angle(after) - angle(before)), 2 * 0.01745329, 1e-4);
}

TEST_F(ActivePixelTechniqueTest, OverlaysShowWhatIsActive) {
  open("station");
  finish();
  const Image plain = picture();
  for (const Show show : {Show::Parts, Show::Active, Show::Runs}) {
    settings().show = show;
    finish(false);
    const Image overlay = picture();
    EXPECT_GT(worst(overlay, plain), 0.2);
    for (std::size_t i = 0; i < plain.pixels.size(); ++i)
      ASSERT_EQ(overlay.pixels[i].a > 0, plain.pixels[i].a > 0) << int(show) << " " << i;
  }
  settings().show = Show::Regions;
  finish(false);
  EXPECT_GT(worst(picture(), plain), 0.2);
}

TEST_F(ActivePixelTechniqueTest, TellsOfThePixelUnderTheCursor) {
  open("station");
  finish();
  const glm::ivec2 middle{80, 48};
  const std::optional<PixelReport> report = technique.inspect(middle.x, middle.y);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->columns.size(), 8u);  // part, run, length, RGBA, depth
  ASSERT_TRUE(technique.pick(middle.x, middle.y));
  EXPECT_FALSE(report->rows.empty());
  EXPECT_TRUE(technique.inspect(0, 0)->rows.empty());
  EXPECT_FALSE(technique.pick(0, 0));
  EXPECT_FALSE(technique.inspect(160, 0));
}

TEST_F(ActivePixelTechniqueTest, OpensCompressedImages) {
  const TempFolder folder;
  const Frame frame = test::randomFrame(3, 50, 31, {}, 0.4);
  const SparseImage sparse = reference::encode(frame);
  const std::string file = folder.file("frame.icet");
  writeFile(file, std::string(reinterpret_cast<const char*>(sparse.words.data()), sparse.bytes()));
  ASSERT_TRUE(accepts({file}));
  open(file);
  const auto facts = technique.facts();  // known before anything is drawn
  EXPECT_NE(std::ranges::find(facts, std::pair<std::string, std::string>("image", "50 x 31")),
            facts.end());
  finish();
  EXPECT_EQ(technique.frame().size, glm::ivec2(50, 31));
  EXPECT_EQ(technique.camera(), nullptr);
  // Colors far beyond their alpha come out large.
  EXPECT_LT(worst(picture(), technique.reference()), 5e-3);
  settings().show = Show::Runs;
  finish(false);
}

TEST(ActivePixelSettings, AutoReadsRegionsBackWhereNoBusLiesBetween) {
  EXPECT_EQ(resolveAuto({}, true).mode, Mode::Roi);
  EXPECT_EQ(resolveAuto({}, false).mode, Mode::Gpu);
  EXPECT_EQ(resolveAuto({.mode = Mode::Generic}, true).mode, Mode::Generic);
}

TEST(ActivePixelInput, AreRefusedWhenDamaged) {
  const TempFolder folder;
  SparseImage sparse = reference::encode(test::randomFrame(3, 20, 11, {}, 0.4));
  sparse.words[kHeaderWords] += 1;
  const std::string file = folder.file("bad.icet");
  writeFile(file, std::string(reinterpret_cast<const char*>(sparse.words.data()), sparse.bytes()));
  Progress progress;
  EXPECT_THROW(read({file}, progress), Error);
  EXPECT_THROW(read({"station", "points"}, progress), UsageError);
  EXPECT_FALSE(accepts({folder.write("text.txt", "no image").string()}));
}

}  // namespace
}  // namespace fathom::active_pixel
