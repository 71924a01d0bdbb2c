// SPDX-License-Identifier: BSD-3-Clause
// Export beside the picture: the files that the commands would write, and nothing after an error or
// when it is cancelled. And files: truncated as flam3 does, alpha divided out.
#include "app/engine/flame/export_queue.h"

#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/picture_files.h"
#include "tests/flame/genomes.h"
#include "tests/support/gpu_test.h"

namespace fathom::flame {
namespace {

class FlameExport : public fathom::test::GpuTest {
 protected:
  void open(const std::string& xml) { timeline_.adopt(parseGenomes(xml, "x.flame").genomes, 0); }
  /// Slices of no time, as a busy window has them.
  void run(const ExportChoice& choice) {
    job_.start(timeline_, Settings{}, 1, choice);
    while (job_.step(context(), 0)) EXPECT_LE(job_.progress(), 1);
  }
  ExportEnd end() { return job_.takeEnd().value_or(ExportEnd{}); }
  std::string drawn(const Genome& genome, double quality, const PictureOptions& options) {
    Rendering rendering(context());
    const Settings settings{.quality = int(quality), .transparent = options.transparent};
    rendering.start(genome, settings, 1);
    rendering.step(std::numeric_limits<double>::infinity());
    const std::string file = folder_.file("drawn.png");
    writeFlame(file, rendering.displayed().downloadImage(), rendering.light().downloadImage(),
               options);
    return readText(file);
  }

  TempFolder folder_;
  Timeline timeline_;
  ExportQueue job_;
};

TEST_F(FlameExport, APictureHasTheBytesOfOneDrawnAtOnce) {
  open(test::triangle());
  const PictureOptions options{true, 16, false};
  run({folder_.file("a.png"), {90, 60}, 7, options.bits, options.asFloat, options.transparent});
  const ExportEnd end = this->end();
  EXPECT_EQ(end.message, "Wrote " + folder_.file("a.png"));
  EXPECT_FALSE(end.failed);
  EXPECT_EQ(readText(folder_.file("a.png")),
            drawn(framed(timeline_.shown(), {90, 60}), 7, options));
}

TEST_F(FlameExport, AFilmIsItsFramesAndLaterEditsChangeNothing) {
  const auto keyframe = [](const char* time, const char* x) {
    return test::flameXml("<xform weight='1' linear='1' coefs='0.5 0 0 0.5 " + std::string(x) +
                              " 0'/><xform weight='1' linear='1' coefs='0.5 0 0 0.5 0 0.5'/>",
                          "size='24 16' quality='3' estimator_radius='0' palette='1' time='" +
                              std::string(time) + "'");
  };
  open("<x>" + keyframe("0", "0.2") + keyframe("3", "0.9") + "</x>");
  job_.start(timeline_, Settings{}, 1, {folder_.file("f.%02d.png"), {24, 16}, 2});
  Genome edited = timeline_.shown();
  edited.brightness = 0;
  timeline_.setShown(edited);
  while (job_.step(context(), 0)) {
  }
  EXPECT_FALSE(end().failed);
  for (const char* name : {"f.00.png", "f.01.png", "f.02.png"})
    EXPECT_NE(readText(folder_.file(name)), "") << name;
  EXPECT_EQ(folder_.names().size(), 3u);
  EXPECT_NE(readText(folder_.file("f.00.png")), readText(folder_.file("f.02.png")));
}

TEST_F(FlameExport, WhatCannotBeWrittenIsSaidAndCancellingLeavesNothing) {
  open(test::triangle());
  run({folder_.file("film.mp4"), {8, 6}, 1});
  EXPECT_TRUE(end().failed);  // one flame is no film
  run({folder_.file("no/where.png"), {8, 6}, 1});
  const ExportEnd end = this->end();
  EXPECT_TRUE(end.failed);
  EXPECT_THAT(end.message, HasSubstr("where.png"));
  job_.start(timeline_, Settings{}, 1, {folder_.file("b.png"), {300, 200}, 500});
  EXPECT_TRUE(job_.step(context(), 0));
  EXPECT_LT(job_.progress(), 1);
  job_.cancel();
  while (job_.step(context(), 0)) {
  }
  EXPECT_FALSE(job_.running());
  EXPECT_TRUE(folder_.names().empty());
}

// ---- Memory

class FlameMemory : public FlameExport {
 protected:
  static constexpr auto kLast = Rendering::Pictures::Last;
  static constexpr std::int64_t kMiB = 1 << 20;
  ~FlameMemory() override { context().memory().setBudget(budget_); }
  const std::int64_t budget_ = context().memory().budget();
  /// Its bytes displayed, and how many bands they were drawn in.
  std::pair<std::vector<std::uint8_t>, double> drawnWithin(std::int64_t budget,
                                                           const Genome& genome) {
    context().memory().setBudget(budget);
    Rendering rendering(context());
    rendering.start(genome, {}, 5, kLast);
    while (!rendering.sample(200)) EXPECT_LE(rendering.samples(), rendering.samplesWanted());
    rendering.toneMapLast();
    return {levels8(rendering.displayed().downloadImage(), false),
            rendering.samplesWanted() / samplesFor(genome, {})};
  }
};

TEST_F(FlameMemory, BandsHaveTheBytesOfAllRowsAtOnce) {
  const std::string xml = test::triangle();
  for (const auto& [radius, supersample] : {std::pair(0, 3), {9, 3}, {30, 3}, {9, 1}}) {
    Genome genome =
        framed(parseGenomes(xml, "x").genomes.at(0), {supersample == 1 ? 900 : 220, 940});
    genome.supersample = supersample, genome.quality = 2, genome.estimatorRadius = radius;
    const auto [whole, one] = drawnWithin(budget_, genome);
    const auto [banded, several] = drawnWithin(276 * kMiB, genome);
    EXPECT_EQ(one, 1);
    EXPECT_GE(several, 3);
    EXPECT_TRUE(whole == banded) << radius;
  }
}

TEST_F(FlameMemory, APosterIsSmallerThanItsHistogram) {
  open(test::triangle());
  Genome poster = framed(timeline_.shown(), {7680, 4320});
  poster.supersample = 3;
  const Rendering rendering(context());
  context().memory().setBudget(8192 * kMiB);
  EXPECT_EQ(rendering.memoryFor(poster, {}), "2.0 GiB");
  context().memory().setBudget(65536 * kMiB);
  EXPECT_EQ(rendering.memoryFor(poster, {}), "5.2 GiB") << "where there is plenty";
}

TEST_F(FlameMemory, WhatDoesNotFitIsRefusedBeforeItBegins) {
  open(test::triangle());
  const Genome poster = framed(timeline_.shown(), {7680, 4320});
  Rendering rendering(context());
  const std::int64_t total = context().memory().totalBytes();
  context().memory().setBudget(1024 * kMiB);
  try {
    rendering.start(poster, {}, 1, kLast);
    ADD_FAILURE() << "it began";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("7680 x 4320 pixels"));
    EXPECT_THAT(error.what(), HasSubstr("this GPU allows 1.0 GiB in all"));
  }
  EXPECT_EQ(context().memory().totalBytes(), total);
}

// ---- What waits

class FlameExportQueue : public FlameExport {
 protected:
  /// As a window that starts: what is left is taken up.
  void restart() {
    queue_ = std::make_unique<ExportQueue>(folder_.path() / "kept");
    queue_->adopt();
  }
  void add(const ExportChoice& choice) { queue_->start(timeline_, Settings{}, 1, choice); }
  void finish() {
    while (queue_->step(context(), 0)) queue_->takeEnd();
    queue_->takeEnd();
  }
  std::size_t kept() const {
    std::error_code none;
    using Iterator = std::filesystem::directory_iterator;
    return std::size_t(std::distance(Iterator(folder_.path() / "kept", none), Iterator()));
  }

  std::unique_ptr<ExportQueue> queue_;
};

TEST_F(FlameExportQueue, OutlivesTheWindow) {
  open(test::triangle());
  restart();
  const PictureOptions options{true, 16, false};
  add({folder_.file("a.png"), {300, 200}, 500});
  add({folder_.file("two words.png"), {90, 60}, 7, 16, false, true});
  add({folder_.file("c.exr"), {0, 0}, 3});
  EXPECT_TRUE(queue_->step(context(), 0));
  EXPECT_EQ(queue_->waiting(), 2u);
  EXPECT_EQ(kept(), 3u);
  const Genome asked = timeline_.shown();
  timeline_.adopt(parseGenomes(test::flameXml(test::kXform), "other").genomes, 0);
  restart();
  EXPECT_EQ(queue_->waiting(), 3u);
  EXPECT_EQ(queue_->file(), folder_.file("c.exr")) << "something is to be written";
  EXPECT_TRUE(queue_->step(context(), 0));
  queue_->cancel();  // the first; the others go on
  EXPECT_EQ(kept(), 2u);
  finish();
  EXPECT_FALSE(std::filesystem::exists(folder_.file("a.png")));
  EXPECT_EQ(readText(folder_.file("two words.png")), drawn(framed(asked, {90, 60}), 7, options));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("c.exr")));
  EXPECT_EQ(kept(), 0u);
  restart();
  EXPECT_FALSE(queue_->running());
}

TEST_F(FlameExportQueue, TwoDoNotWriteOneFile) {
  const std::string xml = test::triangle();
  open("<x>" + std::string(xml).replace(xml.find("size="), 0, "time='0' ") +
       std::string(xml).replace(xml.find("size="), 0, "time='3' ") + "</x>");
  restart();
  const auto refused = [&](const char* file) {
    add({folder_.file(file), {24, 16}, 2});
    const auto end = queue_->takeEnd();
    EXPECT_THAT(end.value_or(ExportEnd{"an export that writes it"}).message,
                HasSubstr("an export that writes it"));
    return end.has_value();
  };
  EXPECT_FALSE(refused("a.png"));
  EXPECT_TRUE(refused("a.png")) << "one that waits";
  EXPECT_TRUE(queue_->step(context(), 0));
  EXPECT_TRUE(refused("./a.png")) << "the one that is drawn";
  EXPECT_FALSE(refused("f.%02d.png"));
  EXPECT_TRUE(refused("f.%02d.png")) << "a film";
  EXPECT_FALSE(refused("f.png"));
  EXPECT_EQ(queue_->waiting(), 2u);
  finish();
  EXPECT_FALSE(refused("a.png")) << "it is written";
  finish();
}

TEST_F(FlameExportQueue, FilmsKeepTheFramesThatAreThere) {
  const std::string xml = test::triangle();
  open("<x>" + std::string(xml).replace(xml.find("size="), 0, "time='0' ") +
       std::string(xml).replace(xml.find("size="), 0, "time='3' brightness='9' ") + "</x>");
  restart();
  add({folder_.file("f.%d.png"), {24, 16}, 2});
  const std::string first = folder_.write("f.0.png", "was there").string();
  std::filesystem::last_write_time(
      first, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(9));
  restart();
  finish();
  EXPECT_EQ(readText(first), "was there");
  EXPECT_THAT(readText(folder_.file("f.1.png")), HasSubstr("PNG"));
  EXPECT_THAT(readText(folder_.file("f.2.png")), HasSubstr("PNG"));
}

TEST_F(FlameExportQueue, WhatIsNoneIsSaidAndLeftAlone) {
  open(test::triangle());
  folder_.write("kept/2147483000-0001.flame", "<flame");
  restart();
  EXPECT_FALSE(queue_->running());
  EXPECT_THAT(queue_->takeEnd().value().message, HasSubstr("2147483000-0001.flame"));
  EXPECT_EQ(kept(), 1u);
}

// ---- Bytes and names of files

Image onePixel(glm::vec4 value) { return Image(1, 1, value); }

TEST(FlameFiles, LevelsAreCutNotRounded) {
  EXPECT_THAT(levels8(onePixel({0.99f, 254.999f, 300, 0.5f}), false), ElementsAre(0, 254, 255));
  EXPECT_THAT(levels16(onePixel({0.999f, 255, -3, 0.5f}), false), ElementsAre(255, 65280, 0));
}

TEST(FlameFiles, TransparentOnesAreDividedByAlpha) {
  EXPECT_THAT(levels8(onePixel({50, 127.9f, 200, 0.5f}), true), ElementsAre(100, 255, 255, 127));
  EXPECT_THAT(levels8(onePixel({50, 50, 50, 0}), true), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(levels16(onePixel({50, 0, 0, 1}), true), ElementsAre(12800, 0, 0, 65535));
}

}  // namespace
}  // namespace fathom::flame
