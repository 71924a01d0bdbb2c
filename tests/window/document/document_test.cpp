// SPDX-License-Identifier: BSD-3-Clause
// Reading on another thread, watching files, and the resolution of pictures in movement.
#include "app/window/document/document.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/window/document/flat_picture.h"
#include "app/window/document/previews.h"
#include "app/window/workspace/file_sets.h"
#include "tests/support/temp_folder.h"

namespace fathom::viewer {
namespace {

TEST(Resolution, SlowPicturesGetSmallerUntilTheyAreFastEnough) {
  Resolution resolution(false);
  double ms = 0;
  for (int i = 0; i < 12; ++i) {
    resolution.moved({});
    const double scale = resolution.next();
    ms = 2000 * scale * scale;  // in full: two seconds
    resolution.measured(resolution.step(), ms);
  }
  EXPECT_LT(ms, 200);  // five pictures per second
}

TEST(Resolution, StaysLargeWhereSmallerPicturesAreNoFaster) {
  Resolution resolution(false);
  for (int i = 0; i < 30; ++i) {
    const double scale = resolution.next();
    resolution.measured(resolution.step(),
                        200 + 10 * scale);  // triangles, not pixels, take the time
  }
  EXPECT_GT(resolution.scale(), 0.6);
}

TEST(Resolution, FastPicturesStayInFull) {
  Resolution resolution(false);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(resolution.next(), 1.0);
    resolution.measured(resolution.step(), 4);
  }
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
  double ms = 0;
  for (int i = 0; i < 12; ++i) {
    const double scale = resolution.next();
    ms = 150 * scale * scale;
    resolution.measured(resolution.step(), ms);
  }
  EXPECT_LT(ms, 30);
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

/// Takes until something has come, or nothing is being read any more.
std::optional<Loader::Loaded> waitFor(Loader& loader, std::vector<std::string>& errors) {
  while (true) {
    const bool last = !loader.loading();
    if (auto loaded = loader.take(errors)) return loaded;
    if (last) return std::nullopt;
    std::this_thread::yield();
  }
}

TEST(Loader, HandsOverWhatWasReadOnce) {
  Loader loader;
  std::vector<std::string> errors;
  loader.start(waitingEntry(), {"quick"});
  EXPECT_TRUE(loader.loading());
  const auto loaded = waitFor(loader, errors);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->entry, &waitingEntry());
  EXPECT_EQ(loaded->names, std::vector<std::string>{"quick"});
  EXPECT_EQ(loaded->inputs->names, std::vector<std::string>{"quick"});
  EXPECT_FALSE(loader.loading());
  EXPECT_FALSE(loader.take(errors));
  EXPECT_TRUE(errors.empty());
}

TEST(Loader, FailureIsAnError) {
  Loader loader;
  std::vector<std::string> errors;
  loader.start(waitingEntry(), {"broken"});
  EXPECT_FALSE(waitFor(loader, errors));
  EXPECT_EQ(errors, std::vector<std::string>{"broken: expected sense, found none"});
}

TEST(Loader, AnotherRequestCancelsTheFirst) {
  mayFinish = false;
  Loader loader;
  std::vector<std::string> errors;
  loader.start(waitingEntry(), {"slow"});
  loader.start(waitingEntry(), {"quick"});
  const auto loaded = waitFor(loader, errors);
  mayFinish = true;
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->names, std::vector<std::string>{"quick"});
  EXPECT_TRUE(errors.empty());
}

TEST(Loader, CancelledReadingVanishes) {
  mayFinish = false;
  Loader loader;
  std::vector<std::string> errors;
  loader.start(waitingEntry(), {"slow"});
  loader.cancel();
  EXPECT_FALSE(loader.loading());
  EXPECT_EQ(loader.progress(), nullptr);
  mayFinish = true;
  loader.start(waitingEntry(), {"quick"});  // jobs end in their order
  const auto loaded = waitFor(loader, errors);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->names, std::vector<std::string>{"quick"});
  EXPECT_FALSE(loader.take(errors));
  EXPECT_TRUE(errors.empty());
}

TEST(FlatPicture, HasThePixelAspectOfItsFile) {
  const test::TempFolder folder;
  FlatExrOptions options;
  options.pixelAspect = 2;
  writeFlatExr(folder.file("wide.exr"), Image(60, 60, glm::vec4(0.5f)), options);
  Progress progress;
  const TechniqueEntry& entry = flatPictureEntry();
  ASSERT_TRUE(entry.accepts({folder.file("wide.exr")}));
  const std::unique_ptr<Engine> picture = entry.make();
  picture->adopt(entry.read({folder.file("wide.exr")}, progress));
  EXPECT_EQ(picture->frame().size, glm::ivec2(60, 60));
  EXPECT_EQ(picture->frame().pixelAspect, 2);
}

TEST(FileWatch, SeesAChangeOnceItRests) {
  const test::TempFolder folder;
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
