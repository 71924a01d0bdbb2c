// SPDX-License-Identifier: BSD-3-Clause
// Films as they are edited and played, without a window and without a GPU: keyframes, playhead,
// history, which kept frames still hold, which frame is due when.
#include "app/engine/flame/timeline.h"

#include "app/engine/core/player.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/film.h"

namespace fathom::flame {
namespace {

/// One linear xform, moved to the right by `offset`.
Genome genome(double time, double offset) {
  Genome g;
  g.name = "at " + std::to_string(int(time));
  g.time = time;
  g.size = {64, 48};
  g.palette.fill({float(offset), 0.5f, 0.5f, 1});
  Xform xform;
  xform.weight = 1;
  xform.coefs.c = offset;
  xform.variations.push_back({0, 1, {}});
  g.xforms.push_back(xform);
  return g;
}

std::vector<Genome> keyframes() { return {genome(0, 0), genome(20, 1), genome(50, 0.4)}; }

Timeline timelineOf(std::vector<Genome> genomes) {
  Timeline timeline;
  timeline.adopt(std::move(genomes));
  return timeline;
}

std::vector<double> timesOf(const Timeline& timeline) {
  std::vector<double> times;
  for (const Genome& g : timeline.genomes()) times.push_back(g.time);
  return times;
}

double offsetOf(const Genome& g) { return g.xforms.at(0).coefs.c; }

/// Of a film of three keyframes.
class FilmTimeline : public testing::Test {
 protected:
  Timeline timeline = timelineOf(keyframes());
};

// ---- Playhead

TEST_F(FilmTimeline, ThePlayheadPicksKeyframesAndMomentsBetween) {
  ASSERT_TRUE(timeline.moves());
  EXPECT_TRUE(timeline.onKeyframe());
  timeline.setTime(5);
  EXPECT_FALSE(timeline.onKeyframe());
  EXPECT_EQ(timeline.current(), 0u);
  EXPECT_DOUBLE_EQ(offsetOf(timeline.shown()), 0.25);
  timeline.setTime(20);
  EXPECT_TRUE(timeline.onKeyframe());
  EXPECT_EQ(timeline.current(), 1u);
  EXPECT_EQ(timeline.timeBefore(), 0);
  EXPECT_EQ(timeline.timeAfter(), 50);
}

TEST_F(FilmTimeline, OutsideOfTheFilmItsEndsAreSeen) {
  timeline.setTime(80);
  EXPECT_EQ(timeline.shown(), timeline.genomes()[2]);
  timeline.setTime(-3);
  EXPECT_EQ(timeline.shown(), timeline.genomes()[0]);
  EXPECT_EQ(timeline.current(), 0u);
}

TEST(Timeline, GenomesWithoutTimesOrOfOtherSizesDoNotMove) {
  EXPECT_FALSE(timelineOf({genome(0, 0)}).moves());
  EXPECT_FALSE(timelineOf({genome(0, 0), genome(0, 1)}).moves());
  EXPECT_FALSE(timelineOf({genome(3, 0), genome(1, 1)}).moves());
  std::vector<Genome> sizes = keyframes();
  sizes[1].size.x = 65;
  Timeline timeline = timelineOf(sizes);
  EXPECT_FALSE(timeline.moves());
  EXPECT_EQ(timeline.motion(), nullptr);
  timeline.select(2);  // each stands for itself
  EXPECT_EQ(timeline.shown(), sizes[2]);
}

// ---- The playhead as settings

TEST_F(FilmTimeline, FollowEveryMovement) {
  timeline.setTime(5);
  EXPECT_EQ(timeline.playhead().time, 5);
  timeline.select(2);
  EXPECT_EQ(timeline.playhead().time, 50);
  timeline.removeKeyframe(1);
  EXPECT_EQ(timeline.playhead().time, float(timeline.time()));
  Timeline stills = timelineOf({genome(0, 0), genome(0, 1)});
  stills.select(1);
  EXPECT_EQ(stills.playhead().flame, 2);
}

TEST_F(FilmTimeline, AreFollowedOnlyWhenAsked) {
  timeline.playhead().time = 30;
  EXPECT_EQ(timeline.time(), 0);
  EXPECT_TRUE(timeline.follow());
  EXPECT_EQ(timeline.time(), 30);
  timeline.playhead().time = 99;  // no later than the end
  EXPECT_TRUE(timeline.follow());
  EXPECT_EQ(timeline.time(), 50);
  EXPECT_EQ(timeline.playhead().time, 50);
}

TEST_F(FilmTimeline, AFlameThatIsNotThereChangesNothing) {
  timeline.playhead().flame = 3;
  EXPECT_TRUE(timeline.follow());
  EXPECT_EQ(timeline.current(), 2u);
  timeline.playhead().flame = 4;
  EXPECT_FALSE(timeline.follow());
  EXPECT_EQ(timeline.playhead().flame, 3);
  EXPECT_EQ(timeline.current(), 2u);
}

TEST_F(FilmTimeline, OfASessionNameBothFlameAndTime) {
  timeline.playhead() = {2, 35};
  EXPECT_TRUE(timeline.follow());
  EXPECT_EQ(timeline.time(), 35);
}

// ---- Edits

TEST_F(FilmTimeline, AnAddedKeyframeIsWhatWasSeen) {
  EXPECT_FALSE(timeline.addKeyframe());  // there is one
  timeline.setTime(35);
  const Genome seen = timeline.shown();
  ASSERT_TRUE(timeline.addKeyframe());
  EXPECT_EQ(timesOf(timeline), (std::vector<double>{0, 20, 35, 50}));
  EXPECT_EQ(timeline.current(), 2u);
  EXPECT_EQ(timeline.shown(), seen);
  EXPECT_FALSE(timeline.addKeyframe());
}

TEST(Timeline, AStillBecomesAFilmBehindAndBeforeIt) {
  Timeline timeline = timelineOf({genome(10, 0.5)});
  timeline.setTime(40);
  ASSERT_TRUE(timeline.addKeyframe());
  timeline.setTime(2);
  ASSERT_TRUE(timeline.addKeyframe());
  EXPECT_EQ(timesOf(timeline), (std::vector<double>{2, 10, 40}));
  EXPECT_TRUE(timeline.moves());
  EXPECT_EQ(timeline.current(), 0u);
}

TEST_F(FilmTimeline, MovedKeyframesStayBetweenTheirNeighbors) {
  timeline.select(1);
  EXPECT_TRUE(timeline.moveKeyframe(1, 30.4, true));
  EXPECT_EQ(timeline.genomes()[1].time, 30);
  EXPECT_EQ(timeline.time(), 30);  // the playhead goes with it
  EXPECT_TRUE(timeline.moveKeyframe(1, 900, true));
  EXPECT_EQ(timeline.genomes()[1].time, 49);
  EXPECT_TRUE(timeline.moveKeyframe(1, -900, true));
  EXPECT_EQ(timeline.genomes()[1].time, 1);
  EXPECT_TRUE(timeline.moveKeyframe(1, 7.25, false));
  EXPECT_EQ(timeline.genomes()[1].time, 7.25);
  EXPECT_TRUE(timeline.moveKeyframe(1, -900, false));
  EXPECT_GT(timeline.genomes()[1].time, 0);
  EXPECT_LT(timeline.genomes()[1].time, 0.1);
  EXPECT_TRUE(timeline.moveKeyframe(2, 70, true));
  EXPECT_TRUE(timeline.moves());
}

TEST(Timeline, NoWholeFrameIsFreeBetweenNeighborsAFrameApart) {
  Timeline timeline = timelineOf({genome(0, 0), genome(0.5, 1), genome(1, 0)});
  EXPECT_FALSE(timeline.moveKeyframe(1, 3, true));
  EXPECT_EQ(timeline.genomes()[1].time, 0.5);
}

TEST_F(FilmTimeline, TheLastKeyframeStays) {
  timeline.setTime(35);
  EXPECT_TRUE(timeline.removeKeyframe(0));
  EXPECT_EQ(timesOf(timeline), (std::vector<double>{20, 50}));
  EXPECT_EQ(timeline.current(), 0u);
  EXPECT_FALSE(timeline.onKeyframe());
  EXPECT_TRUE(timeline.removeKeyframe(1));
  EXPECT_FALSE(timeline.moves());
  EXPECT_EQ(timeline.time(), 20);
  EXPECT_FALSE(timeline.removeKeyframe(0));
}

TEST_F(FilmTimeline, CopiesLieHalfwayOrBehindTheEnd) {
  ASSERT_TRUE(timeline.duplicateKeyframe(0));
  ASSERT_TRUE(timeline.duplicateKeyframe(3));
  EXPECT_EQ(timesOf(timeline), (std::vector<double>{0, 10, 20, 50, 80}));
  EXPECT_EQ(offsetOf(timeline.genomes()[4]), 0.4);
  EXPECT_EQ(timeline.time(), 80);
  Timeline close = timelineOf({genome(0, 0), genome(1, 1)});
  EXPECT_FALSE(close.duplicateKeyframe(0));
}

TEST_F(FilmTimeline, OneSizeHoldsForAllKeyframes) {
  Genome wide = timeline.shown();
  wide.size = {128, 96};
  timeline.setShown(wide);
  EXPECT_TRUE(timeline.moves());
  EXPECT_EQ(timeline.genomes()[2].size, glm::ivec2(128, 96));
  EXPECT_EQ(timeline.genomes()[2].scale, 2 * genome(0, 0).scale);  // the framing stays
}

TEST(Timeline, EqualDistancesMakeKeyframes) {
  Timeline timeline = timelineOf({genome(0, 0), genome(0, 1), genome(0, 0.4)});
  timeline.spread(15);
  EXPECT_EQ(timesOf(timeline), (std::vector<double>{0, 15, 30}));
  EXPECT_TRUE(timeline.moves());
}

/// A film of another kind: nothing but a turning offset.
class Turning : public Motion {
 public:
  Genome shapeAt(double time) const override { return genome(time, std::sin(time)); }
  Palette paletteAt(double time) const override { return shapeAt(time).palette; }
  Genome extent(double first, double) const override { return at(first); }
  double firstTime() const override { return -0.5; }
  double lastTime() const override { return 29.5; }
  bool moves() const override { return true; }
  std::vector<MovingGenome> curves(double, double) const override { return {}; }
};

TEST(Timeline, OtherFilmsAreSeenButNotEdited) {
  Timeline timeline;
  timeline.adopt(std::make_shared<const Turning>(), Turning().at(-0.5));
  EXPECT_TRUE(timeline.moves());
  EXPECT_FALSE(timeline.editable());
  timeline.setTime(7);
  EXPECT_DOUBLE_EQ(offsetOf(timeline.shown()), std::sin(7.0));
  EXPECT_FALSE(timeline.addKeyframe());
  timeline.setShown(genome(7, 5));
  EXPECT_DOUBLE_EQ(offsetOf(timeline.shown()), std::sin(7.0));
  EXPECT_NE(timeline.fingerprint(7, 0), timeline.fingerprint(8, 0));
  Editor editor(timeline);
  editor.reset();
  editor.change(genome(7, 5));
  EXPECT_FALSE(editor.unsaved());
}

TEST(Timeline, FramesOfAnotherFilmBecomeKeyframes) {
  Timeline timeline;
  timeline.adopt(std::make_shared<const Turning>(), Turning().at(-0.5));
  timeline.freeze(10);
  EXPECT_EQ(timesOf(timeline), (std::vector<double>{0, 10, 20, 29}));
  EXPECT_TRUE(timeline.editable());
  EXPECT_DOUBLE_EQ(offsetOf(timeline.genomes()[2]), std::sin(20.0));
}

// ---- History

class FilmEditor : public ::testing::Test {
 protected:
  FilmEditor() { timeline.adopt(keyframes()), editor.reset(); }
  void rest() { editor.advance(); }

  Timeline timeline;
  Editor editor{timeline};
};

TEST_F(FilmEditor, ADragOfAKeyframeIsOneStep) {
  for (const double to : {22.0, 25.0, 31.0}) {
    editor.edit([&](Timeline& t) { t.moveKeyframe(1, to, true); });
    editor.widgetHeld(true);
    rest();
  }
  rest();  // let go
  EXPECT_TRUE(editor.unsaved());
  editor.undo();
  EXPECT_EQ(timeline.genomes(), keyframes());
  EXPECT_FALSE(editor.undoTime());
  EXPECT_FALSE(editor.unsaved());
  editor.redo();
  EXPECT_EQ(timeline.genomes()[1].time, 31);
}

TEST_F(FilmEditor, UndoGoesToWhereTheEditWas) {
  timeline.setTime(35);
  editor.edit([](Timeline& t) { t.addKeyframe(); });
  rest();
  timeline.select(0);
  Genome g = timeline.shown();
  g.gamma = 2;
  editor.change(g);
  rest();
  timeline.setTime(50);
  editor.undo();
  EXPECT_EQ(timeline.time(), 0);
  editor.undo();
  EXPECT_EQ(timeline.time(), 35);
  EXPECT_EQ(timeline.genomes(), keyframes());
  editor.redo();
  EXPECT_TRUE(timeline.onKeyframe());
  EXPECT_EQ(timeline.genomes().size(), 4u);
}

TEST_F(FilmEditor, AnEditBetweenKeyframesMakesOneInOneStep) {
  timeline.setTime(10);
  Genome g = timeline.shown();
  g.brightness = 9;
  editor.change(g);
  rest();
  EXPECT_EQ(timesOf(timeline), (std::vector<double>{0, 10, 20, 50}));
  EXPECT_EQ(timeline.shown().brightness, 9);
  editor.undo();
  EXPECT_EQ(timeline.genomes(), keyframes());
}

TEST_F(FilmEditor, SavedIsWhatWasSaved) {
  editor.edit([](Timeline& t) { t.removeKeyframe(1); });
  rest();
  editor.markSaved();
  EXPECT_FALSE(editor.unsaved());
  editor.undo();
  EXPECT_TRUE(editor.unsaved());
  editor.redo();
  EXPECT_FALSE(editor.unsaved());
}

// ---- Frames that are kept

/// The film with more gamma in one keyframe.
Timeline brightened(std::vector<Genome> list, std::size_t keyframe) {
  list[keyframe].gamma = 2;
  return timelineOf(std::move(list));
}

/// Frames 0..49 whose fingerprint an edit changes.
std::set<int> touched(const Timeline& before, const Timeline& after, double halfShutter = 0) {
  std::set<int> frames;
  for (int frame = 0; frame < 50; ++frame)
    if (before.fingerprint(frame, halfShutter) != after.fingerprint(frame, halfShutter))
      frames.insert(frame);
  return frames;
}

TEST(Fingerprints, AnEditTouchesTheSegmentsOfItsKeyframe) {
  const Timeline before = timelineOf(keyframes());
  Timeline after = timelineOf(keyframes());
  Genome g = after.genomes()[2];
  g.gamma = 2;
  after.setAt(2, g);
  const std::set<int> frames = touched(before, after);
  EXPECT_EQ(frames.size(), 30u);  // 20..49; at 20 the segments meet
  EXPECT_FALSE(frames.contains(19));
  EXPECT_TRUE(frames.contains(21));
  g.gamma = before.genomes()[2].gamma;
  after.setAt(2, g);
  EXPECT_TRUE(touched(before, after).empty());  // taken back, it is known again
}

TEST(Fingerprints, NamesTouchNothing) {
  const Timeline before = timelineOf(keyframes());
  Timeline after = timelineOf(keyframes());
  Genome g = after.genomes()[1];
  g.name = "another";
  after.setAt(1, g);
  EXPECT_TRUE(touched(before, after).empty());
}

TEST(Fingerprints, SmoothSegmentsLookBeyondTheirEnds) {
  std::vector<Genome> list = {genome(0, 0), genome(10, 1), genome(20, 2), genome(30, 3),
                              genome(50, 4)};
  list[1].interpolation = Interpolation::Smooth;
  const std::set<int> frames = touched(timelineOf(list), brightened(list, 3));
  EXPECT_TRUE(frames.contains(15));  // smooth, and this is the keyframe behind its end
  EXPECT_FALSE(frames.contains(5));
  EXPECT_TRUE(frames.contains(45));
}

TEST(Fingerprints, AnOpenShutterReachesIntoTheNextSegment) {
  const Timeline before = timelineOf(keyframes()), after = brightened(keyframes(), 2);
  EXPECT_FALSE(touched(before, after, 0.5).contains(19));
  EXPECT_TRUE(touched(before, after, 1.5).contains(19));
}

SmallFrame frameOf(std::uint64_t key, std::size_t bytes = 100) {
  return {key, {5, 5}, std::vector<std::uint8_t>(bytes)};
}

TEST(FrameCache, FindsOnlyWhatStillHolds) {
  FrameCache cache(1000);
  cache.put(3, frameOf(7), 0, {0, 9});
  EXPECT_NE(cache.find(3, 7), nullptr);
  EXPECT_EQ(cache.find(3, 8), nullptr);
  EXPECT_EQ(cache.find(4, 7), nullptr);
  cache.put(3, frameOf(8), 0, {0, 9});
  EXPECT_EQ(cache.bytes(), 100u);
  EXPECT_EQ(cache.find(3, 7), nullptr);
}

TEST(FrameCache, TheNextMissingFrameIsTheOnePlayedFirst) {
  FrameCache cache(10000);
  const auto keyOf = [](int) { return std::uint64_t(1); };
  const FrameRange range{0, 9};
  for (const int frame : {4, 5, 6, 7, 8, 9}) cache.put(frame, frameOf(1), 4, range);
  EXPECT_EQ(cache.missing(4, range, keyOf), 0);  // around the end
  EXPECT_EQ(cache.missing(2, range, keyOf), 2);
  for (const int frame : {0, 1, 2, 3}) cache.put(frame, frameOf(1), 4, range);
  EXPECT_EQ(cache.missing(4, range, keyOf), std::nullopt);
  EXPECT_EQ(cache.missing(4, range, [](int f) { return std::uint64_t(f == 7 ? 2 : 1); }), 7);
}

TEST(FrameCache, WhatIsPlayedLastGoesFirst) {
  FrameCache cache(400);
  const auto keyOf = [](int) { return std::uint64_t(1); };
  const FrameRange range{0, 9};
  for (int frame = 0; frame < 6; ++frame) cache.put(frame, frameOf(1), 2, range);
  EXPECT_EQ(cache.bytes(), 400u);
  for (const int frame : {2, 3, 4, 5}) EXPECT_TRUE(cache.has(frame)) << frame;
  // What there is no memory for is not asked for: it would never come to rest.
  EXPECT_EQ(cache.missing(2, range, keyOf), std::nullopt);
  EXPECT_EQ(cache.missing(3, range, keyOf), 6);
}

TEST(FrameCache, ALoopEndsBeforeItBeginsAgain) {
  EXPECT_EQ(framesBetween(0, 20, true), (FrameRange{0, 19}));
  EXPECT_EQ(framesBetween(0, 20, false), (FrameRange{0, 20}));
  EXPECT_EQ(framesBetween(-0.5, 29.5, true), (FrameRange{0, 29}));
  EXPECT_EQ(framesBetween(-0.5, 29.5, false), (FrameRange{0, 29}));
  EXPECT_EQ(framesBetween(0.25, 0.5, true), (FrameRange{1, 1}));
}

// ---- Playing

class PlayerTest : public ::testing::Test {
 protected:
  static Player::Clock::time_point at(double seconds) {
    return Player::Clock::time_point() + std::chrono::duration_cast<Player::Clock::duration>(
                                             std::chrono::duration<double>(seconds));
  }
  PlayerTest() { player.frameRate = 10; }
  Player player;
  const FrameRange range{5, 24};
};

TEST_F(PlayerTest, FramesFollowTheClockAndLateOnesAreLeftOut) {
  player.start(7, range, at(1));
  EXPECT_EQ(player.frameAt(at(1), range), 7);
  EXPECT_EQ(player.frameAt(at(1.09), range), 7);
  EXPECT_EQ(player.frameAt(at(1.1), range), 8);
  EXPECT_EQ(player.frameAt(at(1.55), range), 12);
  EXPECT_NEAR(std::chrono::duration<double>(player.nextAt(at(1.55)) - at(1)).count(), 0.6, 1e-6);
}

TEST_F(PlayerTest, LoopsBeginAgain) {
  player.start(23, range, at(0));
  EXPECT_EQ(player.frameAt(at(0.1), range), 24);
  EXPECT_EQ(player.frameAt(at(0.2), range), 5);
  EXPECT_EQ(player.frameAt(at(0.2 + 40 * 2.0), range), 5);
  EXPECT_FALSE(player.ended(at(1e4), range));
}

TEST_F(PlayerTest, WithoutALoopTheLastFrameStays) {
  player.loop = false;
  player.start(23, range, at(0));
  EXPECT_EQ(player.frameAt(at(5), range), 24);
  EXPECT_FALSE(player.ended(at(0.15), range));
  EXPECT_TRUE(player.ended(at(0.2), range));
  player.start(24, range, at(0));  // from the end: once more
  EXPECT_EQ(player.frameAt(at(0), range), 5);
}

TEST_F(PlayerTest, AnotherRateGoesOnFromTheFrameOfNow) {
  player.start(5, range, at(0));
  player.resume(at(0.5), range);
  player.frameRate = 20;
  EXPECT_EQ(player.frameAt(at(0.5), range), 10);
  EXPECT_EQ(player.frameAt(at(0.75), range), 15);
}

// ---- Ruler and quick pictures

TEST(Ruler, PlacesAndTimesBelongTogether) {
  Ruler ruler;
  ruler.fit(0, 50);
  ruler.place(100, 700);
  EXPECT_GT(ruler.xAt(0), 100);
  EXPECT_LT(ruler.xAt(50), 790);  // room to go on
  EXPECT_NEAR(ruler.timeAt(ruler.xAt(12.5)), 12.5, 1e-3);
  const double under = ruler.timeAt(300);
  ruler.zoomAt(300, 3);
  EXPECT_NEAR(ruler.timeAt(300), under, 1e-9);
  ruler.show(1000);
  EXPECT_LT(ruler.xAt(1000), 800);
  EXPECT_GT(ruler.xAt(1000), 100);
}

TEST(Ruler, MarksStandAtRoundNumbers) {
  Ruler ruler;
  ruler.fit(0, 100);
  ruler.place(0, 1000);
  EXPECT_EQ(ruler.step(5), 1);
  EXPECT_EQ(ruler.step(17), 2);
  EXPECT_EQ(ruler.step(40), 5);
  EXPECT_EQ(ruler.step(60), 10);
  EXPECT_EQ(ruler.step(120), 20);
}

TEST(Preview, IsSmallAndStillUnlessTheShutterIsOpen) {
  std::vector<Genome> list = keyframes();
  for (Genome& g : list) g.size = {1600, 1200}, g.quality = 500, g.temporalFilterWidth = 1;
  const Timeline timeline = timelineOf(list);
  const Genome still = Exposure(timeline.motion(), 10, {}, PreviewQuality{}).middle();
  EXPECT_EQ(still.size, glm::ivec2(1600, 1200));
  EXPECT_EQ(still.quality, 500);
  EXPECT_EQ(still.temporalFilterWidth, 0);
  const Genome quick = Exposure(timeline.motion(), 10, {}, PreviewQuality{400, 6, true}).middle();
  EXPECT_EQ(quick.size, glm::ivec2(400, 300));
  EXPECT_EQ(quick.quality, 6);
  EXPECT_EQ(quick.temporalFilterWidth, 1);
}

}  // namespace
}  // namespace fathom::flame
