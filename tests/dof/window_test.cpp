// SPDX-License-Identifier: BSD-3-Clause
// What the window has of depth of field, without its widgets: keys of a pull, their gestures, undo
// and file, playing by the clock; the sweep over all variants.
#include "app/engine/core/stages.h"
#include "app/window/dof/parts.h"
#include "app/window/dof/pull.h"
#include "app/window/dof/variants_page.h"
#include "tests/dof/pictures.h"
#include "tests/support/gpu_test.h"

namespace fathom::dof {
namespace {

using Lane = FocusTrack::Lane;
using Keys = FocusPull::Keys;

TEST(DofPull, KeysAreSetDeletedAndUndone) {
  FocusTrack track;
  EXPECT_FALSE(track.savable());
  track.setKey(Lane::Focus, 3);
  track.goTo(20);
  track.setKey(Lane::Focus, 5);
  track.setKey(Lane::FNumber, 2.8);
  EXPECT_EQ(track.pull().focus, (Keys{{1, 3}, {20, 5}}));
  track.setKey(Lane::Focus, 6);  // another value of the same key
  EXPECT_EQ(track.pull().focus, (Keys{{1, 3}, {20, 6}}));
  track.setKey(Lane::Focus, 0);  // no distance
  EXPECT_EQ(track.pull().focus, (Keys{{1, 3}, {20, 6}}));
  track.deleteKeys();
  EXPECT_EQ(track.pull(), (FocusPull{{{1, 3}}, {}}));
  track.undo(), track.undo();
  EXPECT_EQ(track.pull().focus, (Keys{{1, 3}, {20, 5}}));
  EXPECT_FALSE(track.pull().fNumber.empty());
  track.redo();
  EXPECT_EQ(track.pull().focus, (Keys{{1, 3}, {20, 6}}));
}

/// A drag or a slider that moves is one step, and keys that a dragged one passes stay.
TEST(DofPull, AGestureIsOneStep) {
  FocusTrack track;
  FocusPull pull{{{1, 3}, {10, 4}, {20, 5}}, {}};
  track.open(pull, "a.json");
  EXPECT_EQ(track.first(), 1);
  EXPECT_EQ(track.last(), 20);
  for (const int to : {2, 9, 10, 11, 15}) track.dragKey(Lane::Focus, 1, to);
  track.endDrag();
  EXPECT_EQ(track.pull().focus, (Keys{{10, 4}, {15, 3}, {20, 5}}));
  track.undo();
  EXPECT_EQ(track.pull(), pull);
  EXPECT_FALSE(track.undoTime());
  EXPECT_FALSE(track.unsaved());
  FocusTrack::Clock::time_point now{};
  track.goTo(10);
  for (const double value : {4.1, 4.2, 4.3}) {
    track.follow(Lane::Focus, value, now);
    now += std::chrono::milliseconds(30);
  }
  now += std::chrono::seconds(5);
  track.follow(Lane::Focus, 7, now);
  track.undo();
  EXPECT_EQ(track.pull().focus[1].second, 4.3);
  track.undo();
  EXPECT_EQ(track.pull(), pull);
}

TEST(DofPull, AFileReadsBackAsThePull) {
  const TempFolder folder;
  FocusTrack track;
  const FocusPull pull{{{1, 3.25}, {48, double(5.2f)}}, {{12, double(1.4f)}}};
  track.open(pull, {});
  EXPECT_THROW(track.save(folder.file("pull.txt")), Error);
  track.save(folder.file("pull.json"));
  EXPECT_FALSE(track.unsaved());
  EXPECT_TRUE(looksLikePull(folder.file("pull.json")));
  const FocusPull back = parsePull(folder.file("pull.json"));
  EXPECT_EQ(track.file(), folder.file("pull.json"));
  ASSERT_EQ(back.focus.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(float(back.focus[i].second), float(pull.focus[i].second));
  EXPECT_EQ(float(back.fNumber.at(0).second), 1.4f);
  track.deleteKeys();
  EXPECT_TRUE(track.unsaved());
  FocusTrack other;  // on another device
  other.restore(track.keep());
  EXPECT_EQ(other.pull(), track.pull());
  EXPECT_TRUE(other.undoTime());
}

/// Played by the clock, 24 frames per second: what is not drawn in time is passed over, and the end
/// is followed by the beginning.
TEST(DofPull, PlaysByTheClock) {
  FocusTrack track;
  track.setRange(1, 10);
  track.goTo(8);
  track.play(true);
  const auto begun = FocusTrack::Clock::now();
  const auto after = [&](int ms, bool drawn = true) {
    track.advance(begun + std::chrono::milliseconds(ms), drawn);
    return track.frame();
  };
  EXPECT_EQ(after(21), 8);
  EXPECT_EQ(after(62), 9);
  EXPECT_EQ(after(104, false), 9);  // the last one is not drawn yet
  EXPECT_EQ(after(146), 1);
  EXPECT_TRUE(track.dueAt());
  track.goTo(3);
  EXPECT_FALSE(track.isPlaying());
  EXPECT_EQ(after(900), 3);
}

/// Focus moves to the depth under a click, within a moment.
class DofWindowTest : public test::GpuTest {};

TEST_F(DofWindowTest, AClickBringsItsDepthIntoFocus) {
  DofEngine engine;
  auto flat = std::make_shared<FlatPicture>();
  flat->image = test::twoDepths(4, 9);
  for (const glm::vec4& p : flat->image.pixels) flat->depth.push_back(p.a);
  auto input = std::make_unique<Input>();
  input->flat = flat;
  engine.adopt(std::move(input));
  engine.settingsStruct().focusDistance = 4;
  ASSERT_FALSE(engine.step(context(), TimeBudget::kUnlimited).partial);
  DofWindowParts parts(engine);
  parts.picker().pick(24, 16);
  const float& focus = engine.settingsStruct().focusDistance;
  for (; focus != 9; parts.advance()) {
    ASSERT_TRUE(focus >= 4 && focus <= 9) << focus;
    ASSERT_TRUE(parts.picker().moving());
    ASSERT_EQ(engine.stale(), focus != 4);
  }
  EXPECT_EQ(focus, 9.0f);
}

class VariantBrowserTest : public test::GpuTest {};

VariantBrowser::Plan smallPlan() {
  VariantBrowser::Plan plan;
  plan.size = {33, 20};
  plan.radius = 4;
  plan.rounds = 1;
  return plan;
}

TEST_F(VariantBrowserTest, GoesThroughAllInSlices) {
  VariantBrowser browser;
  browser.start(smallPlan());
  EXPECT_TRUE(browser.running());
  double before = 0;
  int slices = 0;
  for (; browser.work(context(), 20); ++slices) {
    EXPECT_GE(browser.progress(), before);
    before = browser.progress();
  }
  EXPECT_FALSE(browser.running());
  EXPECT_GT(slices, 20);
  const auto dots = browser.dots(false);
  ASSERT_EQ(dots.size(), 320u);
  for (const VariantBrowser::Dot& dot : dots) {
    EXPECT_EQ(dot.state, VariantSweep::State::Passed) << kSpace.id(kSpace.at(dot.variant));
    EXPECT_GT(dot.ms, 0);
    EXPECT_EQ(dot.early, kSpace.at(dot.variant)[kEarly]);
  }
  const auto sorted = browser.dots(true);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(),
                             [](const auto& a, const auto& b) { return a.ms < b.ms; }));
  EXPECT_TRUE(sorted.front().best);
  EXPECT_EQ(std::count_if(dots.begin(), dots.end(), [](const auto& dot) { return dot.best; }), 1);
  ASSERT_TRUE(browser.best());
  EXPECT_EQ(kSpace.index(*browser.best()), sorted.front().variant);
}

TEST_F(VariantBrowserTest, StoppedItKeepsWhatIsKnown) {
  VariantBrowser browser;
  browser.start(smallPlan());
  for (int i = 0; i < 6; ++i) browser.work(context(), 0);
  browser.stop();
  EXPECT_FALSE(browser.running());
  EXPECT_FALSE(browser.work(context(), 20));
  EXPECT_TRUE(browser.best());
  EXPECT_EQ(browser.dots(true).size(), 320u);
}

TEST_F(VariantBrowserTest, CoverageHasItsOwn) {
  VariantBrowser browser;
  VariantBrowser::Plan plan = smallPlan();
  plan.coverage = true;
  browser.start(plan);
  EXPECT_EQ(browser.sweep().rows().size(), 240u);
  browser.work(context(), 0);  // the workload
  browser.work(context(), 0);  // a check
  for (const auto& row : browser.sweep().rows())
    EXPECT_EQ(kSpace.at(row.variant)[kOrder], kCoverage);
}

}  // namespace
}  // namespace fathom::dof
