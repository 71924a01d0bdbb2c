// SPDX-License-Identifier: BSD-3-Clause
// Videos of films: what ffmpeg makes of the frames, and that nothing is left when it cannot.
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/random.h"
#include "tests/support/program.h"

namespace fathom::flame {
namespace {

class Video : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<Genome> list;
    for (int i = 0; i < 2; ++i) {
      Genome g = randomGenome(20 + std::uint64_t(i), {49, 32});  // odd
      g.time = 6 * i;
      g.quality = 20, g.temporalSamples = 40;
      list.push_back(std::move(g));
    }
    writeGenomes(genomes_, list);
  }
  Outcome animate(const std::string& name, const RunOptions& options = {}) {
    return runFathom({"flame", "animate", genomes_, "-o", folder_.file(name), "--fps", "12"},
                     options);
  }
  /// The value of an entry of the video stream.
  std::string probe(const std::string& name, const std::string& entry) {
    const Outcome outcome = fathom::test::runProgram(
        {FATHOM_FFPROBE, "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
         "stream=" + entry, "-of", "default=nokey=1:noprint_wrappers=1", folder_.file(name)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out.substr(0, outcome.out.find('\n'));
  }
  void expectNothingLeft(const std::string& name) {
    EXPECT_FALSE(std::filesystem::exists(folder_.file(name)));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
  }
  TempFolder folder_;
  std::string genomes_ = folder_.file("k.flame");
};

TEST_F(Video, HasTheFramesOfTheFilm) {
  const std::pair<const char*, const char*> kinds[] = {
      {"f.mp4", "h264"}, {"f.mkv", "h264"}, {"f.webm", "vp9"}};
  for (const auto& [name, codec] : kinds) {
    const Outcome outcome = animate(name);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("expected even sides, found 49 x 32"));
    EXPECT_EQ(probe(name, "codec_name"), codec);
    EXPECT_EQ(probe(name, "nb_read_frames"), "6");
    EXPECT_EQ(probe(name, "r_frame_rate"), "12/1");
    EXPECT_EQ(probe(name, "width"), "50");
  }
}

TEST_F(Video, MayBeAGif) {
  const Outcome outcome = animate("f.gif");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(probe("f.gif", "codec_name"), "gif");
  EXPECT_EQ(probe("f.gif", "nb_read_frames"), "6");
  EXPECT_EQ(probe("f.gif", "width"), "49");  // no codec wants even sides
}

// The first frame of the video beside the same frame as a picture: lossy, half the colors.
TEST_F(Video, ShowsThePictures) {
  ASSERT_EQ(animate("f.mp4").code, 0);
  ASSERT_EQ(animate("f.%d.ppm").code, 0);
  const Outcome decoded = fathom::test::runProgram(
      {FATHOM_FFMPEG, "-v", "error", "-i", folder_.file("f.mp4"), "-frames:v", "1", "-vf",
       "scale=in_color_matrix=bt709,crop=49:32:0:0:exact=1", "-pix_fmt", "rgb24",
       folder_.file("decoded.ppm")});
  ASSERT_EQ(decoded.code, 0) << decoded.err;
  const std::string found = readText(folder_ / "decoded.ppm"),
                    expected = readText(folder_ / "f.0.ppm");
  constexpr std::size_t kBytes = 49 * 32 * 3;
  ASSERT_GE(found.size(), kBytes);
  ASSERT_GE(expected.size(), kBytes);
  double difference = 0;
  for (std::size_t i = 1; i <= kBytes; ++i)
    difference += std::abs(int(std::uint8_t(found[found.size() - i])) -
                           int(std::uint8_t(expected[expected.size() - i])));
  EXPECT_LT(difference / double(kBytes), 8);
}

TEST_F(Video, LeavesNothingOnAFullDisk) {
  const RunOptions options{.fileSizeLimit = 600};
  const Outcome outcome = animate("f.mp4", options);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 2) << outcome.err;  // one of odd sides
  EXPECT_THAT(outcome.err, HasSubstr("f.mp4: expected ffmpeg to write it, found: "));
  expectNothingLeft("f.mp4");
}

TEST_F(Video, LeavesNothingWhenItIsInterrupted) {
  std::vector<Genome> list = readGenomes(genomes_).genomes;
  list[1].time = 6000;
  writeGenomes(genomes_, list);
  const RunOptions options{.interruptAfterMs = 1500};
  EXPECT_EQ(animate("f.mp4", options).code, 130);
  expectNothingLeft("f.mp4");
}

TEST_F(Video, SaysWhatAFailingFfmpegSays) {
  const std::filesystem::path bin = folder_.path() / "bin";
  std::filesystem::create_directory(bin);
  folder_.write("bin/ffmpeg", "#!/bin/sh\necho 'no such codec' >&2\nexit 1\n");
  std::filesystem::permissions(bin / "ffmpeg", std::filesystem::perms::owner_all);
  const RunOptions options{.environment = {"PATH=" + bin.string() + ":/usr/bin:/bin"}};
  const Outcome outcome = animate("f.mp4", options);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("found: no such codec"));
  std::filesystem::remove_all(bin);
  expectNothingLeft("f.mp4");
}

}  // namespace
}  // namespace fathom::flame
