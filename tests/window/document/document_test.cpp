// SPDX-License-Identifier: BSD-3-Clause
// Reading on another thread, watching files, and the resolution of pictures in movement.
#include "app/window/document/document.h"
#include "app/window/document/picture_maker.h"
#include "app/window/workspace/file_sets.h"

namespace fathom::viewer {
namespace {

/// The time of the last of so many previews, each of which takes a time by its scale.
double afterPreviews(Resolution& resolution, int count, const std::function<double(double)>& msAt) {
  double ms = 0;
  for (int i = 0; i < count; ++i) {
    ms = msAt(resolution.next());
    resolution.measured(resolution.step(), ms);
  }
  return ms;
}

TEST(Resolution, SlowPicturesGetSmallerUntilTheyAreFastEnough) {
  Resolution resolution(false);
  const auto seconds2 = [](double scale) { return 2000 * scale * scale; };  // in full
  EXPECT_LT(afterPreviews(resolution, 12, seconds2), 200);                  // five per second
}

TEST(Resolution, StaysLargeWhereSmallerPicturesAreNoFaster) {
  Resolution resolution(false);
  afterPreviews(resolution, 30, [](double scale) {
    return 200 + 10 * scale;  // triangles, not pixels, take the time
  });
  EXPECT_GT(resolution.scale(), 0.6);
}

TEST(Resolution, FastPicturesStayInFull) {
  Resolution resolution(false);
  afterPreviews(resolution, 5, [](double scale) {
    EXPECT_EQ(scale, 1.0);
    return 4;
  });
}

// A GPU works behind: what is known when a preview begins is the time of one two before it.
TEST(Resolution, TimesCountForTheirOwnPreview) {
  Resolution resolution(false);
  std::vector<std::pair<std::size_t, double>> begun;
  double smallest = 1;
  for (std::size_t i = 0; i < 40; ++i) {
    const double scale = resolution.next();
    smallest = std::min(smallest, scale);
    begun.emplace_back(resolution.step(), 40 * scale * scale);  // in full: 40 ms
    if (i >= 2) resolution.measured(begun[i - 2].first, begun[i - 2].second);
  }
  EXPECT_EQ(smallest, 0.75);  // 22.5 ms, and no slide below
}

TEST(Resolution, AGpuIsExpectedToBeFast) {
  Resolution resolution(false);
  EXPECT_LT(afterPreviews(resolution, 12, [](double scale) { return 150 * scale * scale; }), 30);
}

TEST(Resolution, RestComesAfterThePause) {
  using std::chrono::milliseconds;
  Resolution resolution(true);
  const Resolution::Time start{};
  resolution.moved(start);
  EXPECT_TRUE(resolution.moving(start + milliseconds(140)));
  EXPECT_FALSE(resolution.moving(start + milliseconds(160)));
  ASSERT_TRUE(resolution.restAt());
  resolution.rest();
  EXPECT_FALSE(resolution.restAt());
  EXPECT_EQ(resolution.scale(), 1.0);
}

/// Inputs are read by a function, so what a test changes is global.
std::atomic<bool> mayFinish{true};

const TechniqueEntry& waitingEntry() {
  static const TechniqueEntry entry{
      .info = {"waiting", "", "", "", {}},
      .accepts = [](const std::vector<std::string>&) { return true; },
      .read = [](const std::vector<std::string>& inputs,
                 Progress& progress) -> std::unique_ptr<LoadedInputs> {
        if (inputs[0] == "broken") throw Error("broken: expected sense, found none");
        while (inputs[0] == "slow" && !mayFinish) progress.throwIfCancelled();
        auto loaded = std::make_unique<LoadedInputs>();
        loaded->names = inputs;
        return loaded;
      },
      .settings = nullptr,
      .make = nullptr};
  return entry;
}

class LoaderTest : public ::testing::Test {
 protected:
  void start(const char* input) { loader.start(waitingEntry(), {input}); }
  /// The names of what was read, or nothing.
  std::optional<std::vector<std::string>> read() {
    while (true) {
      const bool last = !loader.loading();
      if (auto loaded = loader.take(errors)) {
        EXPECT_EQ(loaded->entry, &waitingEntry());
        EXPECT_EQ(loaded->inputs->names, loaded->names);
        return loaded->names;
      }
      if (last) return std::nullopt;
      std::this_thread::yield();
    }
  }
  const std::vector<std::string> quick{"quick"};
  Loader loader;
  std::vector<std::string> errors;
};

TEST_F(LoaderTest, HandsOverWhatWasReadOnce) {
  start("quick");
  EXPECT_TRUE(loader.loading());
  EXPECT_EQ(read(), quick);
  EXPECT_FALSE(loader.loading());
  EXPECT_FALSE(loader.take(errors));
  EXPECT_TRUE(errors.empty());
}

TEST_F(LoaderTest, FailureIsAnError) {
  start("broken");
  EXPECT_FALSE(read());
  EXPECT_EQ(errors, std::vector<std::string>{"broken: expected sense, found none"});
}

TEST_F(LoaderTest, AnotherRequestCancelsTheFirst) {
  mayFinish = false;
  start("slow");
  start("quick");
  EXPECT_EQ(read(), quick);
  mayFinish = true;
  EXPECT_TRUE(errors.empty());
}

TEST_F(LoaderTest, CancelledReadingVanishes) {
  mayFinish = false;
  start("slow");
  loader.cancel();
  EXPECT_FALSE(loader.loading());
  EXPECT_EQ(loader.progress(), nullptr);
  mayFinish = true;
  start("quick");  // jobs end in their order
  EXPECT_EQ(read(), quick);
  EXPECT_FALSE(loader.take(errors));
  EXPECT_TRUE(errors.empty());
}

TEST(FileWatch, SeesAChangeOnceItRests) {
  const TempFolder folder;
  const std::string file = folder.file("watched");
  folder.write("watched", "one");
  FileWatch watch;
  watch.watch({file, "atrium"});
  EXPECT_FALSE(watch.changed());
  folder.write("watched", "another");
  int seen = 0;
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(FileWatch::kInterval / 2);
    seen += watch.changed();
  }
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace fathom::viewer
