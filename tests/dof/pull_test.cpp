// SPDX-License-Identifier: BSD-3-Clause
// A pull that is made in the window: keys, gestures, undo, its file, and playing by the clock.
#include "app/window/dof/focus_track.h"

#include "app/engine/core/error.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <chrono>

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
  track.goToKey(-1);
  EXPECT_EQ(track.frame(), 1);
  track.goToKey(-1);
  EXPECT_EQ(track.frame(), 1);
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
  EXPECT_FALSE(track.canUndo());
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
  const test::TempFolder folder;
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
  EXPECT_TRUE(other.canUndo());
}

/// Played by the clock: what is not drawn in time is passed over, and the end is followed by the
/// beginning.
TEST(DofPull, PlaysByTheClock) {
  FocusTrack track;
  track.setRange(1, 10);
  track.goTo(8);
  track.framesPerSecond = 10;
  track.play(true);
  const auto begun = FocusTrack::Clock::now();
  const auto after = [&](int ms, bool drawn = true) {
    track.advance(begun + std::chrono::milliseconds(ms), drawn);
    return track.frame();
  };
  EXPECT_EQ(after(50), 8);
  EXPECT_EQ(after(150), 9);
  EXPECT_EQ(after(250, false), 9);  // the last one is not drawn yet
  EXPECT_EQ(after(350), 1);
  EXPECT_TRUE(track.dueAt());
  track.goTo(3);
  EXPECT_FALSE(track.isPlaying());
  EXPECT_EQ(after(900), 3);
}

}  // namespace
}  // namespace fathom::dof
