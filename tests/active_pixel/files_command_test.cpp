// SPDX-License-Identifier: BSD-3-Clause
// fathom active-pixel encode | decode, and from where composite sees a scene, run as a user would.
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom::active_pixel {
namespace {

class FilesCommand : public testing::Test {
 protected:
  /// Top row first: a bright spot near the upper left corner, a band below, nothing elsewhere.
  std::string exr() {
    Image image(40, 30);
    std::vector<float> z(1200, std::numeric_limits<float>::infinity());
    const auto set = [&](int x, int y, float depth, glm::vec4 color) {
      image.at(x, y) = color;
      z[std::size_t(y) * 40 + std::size_t(x)] = depth;
    };
    set(2, 1, 3.75f, {0.25f, 0.5f, 1, 1});
    for (int x = 10; x < 30; ++x) set(x, 20, 20.1f + float(x), {float(x) / 40, 0, 0.125f, 1});
    z[0] = 5;  // but without alpha: nothing
    writeFlatExr(folder_.file("in.exr"), image, {.asFloat = true, .depth = z});
    return folder_.file("in.exr");
  }
  Outcome encode(std::vector<std::string> more, const std::string& in) {
    more.insert(more.begin(), {"active-pixel", "encode", in, "-o", folder_.file("a.icet")});
    return runFathom(more);
  }
  TempFolder folder_;
};

TEST_F(FilesCommand, EncodeReportsWhatItWrote) {
  const Outcome outcome = encode({"--json", "-"}, exr());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto result = nlohmann::json::parse(outcome.out)["result"];
  EXPECT_EQ(result["active"], 21);
  EXPECT_EQ(result["runs"], 2);
  EXPECT_EQ(result["bytes"], 28 + 21 * 8 + 3 * 8);
  EXPECT_EQ(result["far"], 64);
  EXPECT_DOUBLE_EQ(double(result["ratio"]), 220.0 / 9600);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "a.icet"), 220u);
}

TEST_F(FilesCommand, RowsBeginAtTheBottomInTheFile) {
  ASSERT_EQ(encode({}, exr()).code, 0);
  const SparseImage image = readIcet(folder_ / "a.icet");
  EXPECT_EQ(image.words[7], 9u * 40 + 10);  // the band: row 20 from the top is row 9
  EXPECT_EQ(image.words[8], 20u);
  const Frame frame = reference::decode(image.words, Compositing::ZBuffer, glm::vec4(0));
  EXPECT_EQ(frame.depth[28 * 40 + 2], 3.75f / 64);
}

TEST_F(FilesCommand, DecodeBringsColorAndZBack) {
  for (const char* const mode : {"gpu", "generic"}) {
    const std::string in = exr();
    EXPECT_EQ(encode({"--color", "rgba32f", "--mode", mode}, in).out,
              "Z of depth 0 and 1: --depth-range 0,64\n");
    EXPECT_THAT(
        runFathom({"active-pixel", "decode", folder_.file("a.icet"), "-o", folder_.file("out.exr")})
            .err,
        HasSubstr("Z is written from 0 to 1; --depth-range"));
    outputOf({"active-pixel", "decode", folder_.file("a.icet"), "--depth-range", "0,64", "--mode",
              mode, "-o", folder_.file("out.exr")});
    const Picture before = readPicture(in), after = readPicture(folder_ / "out.exr");
    EXPECT_EQ(after.image.pixels, before.image.pixels);
    EXPECT_TRUE(std::isinf(after.depth[0]));
    for (std::size_t i = 1; i < before.depth.size(); ++i)
      EXPECT_EQ(after.depth[i], before.depth[i]) << i;
  }
}

TEST_F(FilesCommand, MethodsAndModesWriteTheSameFile) {
  const std::string in = exr();
  std::string first;
  for (const std::vector<std::string>& way :
       std::vector<std::vector<std::string>>{{}, {"--method", "five-step"}, {"--mode", "roi"}}) {
    ASSERT_EQ(encode(way, in).code, 0);
    const std::string bytes = readText(folder_ / "a.icet");
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

TEST_F(FilesCommand, PicturesWithAlphaEncodeForBlending) {
  Image image(8, 8);
  image.at(3, 2) = glm::vec4(0.2f, 0.1f, 0, 0.5f);
  writePng(folder_ / "in.png", image, PngAlpha::Straight);
  const Outcome outcome = encode({"--compositing", "blend", "--json", "-"}, folder_.file("in.png"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["result"]["active"], 1);
  outputOf({"active-pixel", "decode", folder_.file("a.icet"), "-o", folder_.file("out.png")});
  EXPECT_GT(readPicture(folder_ / "out.png").image.at(3, 2).r, 0.1f);
}

TEST_F(FilesCommand, WhatIsMissingIsSaidInOneLine) {
  writeFlatExr(folder_ / "flat.exr", Image(4, 4, glm::vec4(1)));
  Outcome outcome = encode({}, folder_.file("flat.exr"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("flat.exr: expected a Z channel, found none"));
  outcome = encode({"--compositing", "blend", "--color", "none"}, exr());
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  outcome = encode({"--depth-range", "9,3"}, exr());
  EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST_F(FilesCommand, PicturesLargerThanTexturesAreRefused) {
  const int width = 1 << 20;
  const Format format{Color::Rgba8, Depth::Float32, Compositing::ZBuffer};
  writeIcet(folder_ / "wide.icet", reference::encode(Frame(format, width, 1)).words);
  const std::string error = refusalOf({"active-pixel", "decode", folder_.file("wide.icet"),
                                       "--mode", "gpu", "-o", folder_.file("out.exr")});
  // The GPU's limit stands twice.
  const std::string before = "wide.icet: expected at most ",
                    after = " pixels, as textures of this ";
  const std::size_t start = error.find(before), end = error.find(after);
  ASSERT_TRUE(start < end && end != std::string::npos) << error;
  const std::string limits = error.substr(start + before.size(), end - start - before.size());
  const std::string one = limits.substr(0, limits.find(' '));
  EXPECT_GE(std::stoi(one), 16384);  // what OpenGL 4.5 guarantees
  EXPECT_EQ(limits, one + " x " + one);
  EXPECT_EQ(error.substr(end + after.size()), "GPU, found 1048576 x 1\n");
}

TEST_F(FilesCommand, DamagedFilesAreRefusedAndNothingIsWritten) {
  ASSERT_EQ(encode({}, exr()).code, 0);
  std::string bytes = readText(folder_ / "a.icet");
  bytes[33] = 7;  // a run that is too long
  folder_.write("bad.icet", bytes);
  EXPECT_THAT(refusalOf({"active-pixel", "decode", folder_.file("bad.icet"), "-o",
                         folder_.file("out.exr")}),
              HasSubstr("bad.icet: expected"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.exr"));
}

/// Where a picture of a scene has anything: first and last column and row.
glm::ivec4 boundsOf(const std::string& file) {
  const Image image = readPicture(file).image;
  glm::ivec4 bounds(image.width, image.height, -1, -1);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y).a > 0)
        bounds = {std::min(bounds.x, x), std::min(bounds.y, y), std::max(bounds.z, x),
                  std::max(bounds.w, y)};
  return bounds;
}

TEST_F(FilesCommand, ScenesAreSeenFromWhereTheFlagsSay) {
  // 5 m away and 90 degrees high, 100 pixels show 10 m: a board 2 m wide and 1 m high.
  const std::string scene =
      folder_.write("board.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n").string();
  const auto seen = [&](std::vector<std::string> command, const std::string& up) {
    command.insert(command.end(),
                   {scene, "--size", "100x100", "--eye", "0,0,5", "--target", "0,0,0", "--up", up,
                    "--fov", "90", "-o", folder_.file("b.exr")});
    outputOf(command);
    return boundsOf(folder_.file("b.exr"));
  };
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"active-pixel", "composite"}, {"deep", "flatten"}}) {
    EXPECT_EQ(seen(command, "0,1,0"), glm::ivec4(50, 40, 69, 49)) << command[0];
    EXPECT_EQ(seen(command, "0,-1,0"), glm::ivec4(30, 50, 49, 59)) << command[0];
  }
  EXPECT_THAT(refusalOf({"active-pixel", "composite", scene, "--eye", "1,2"}, 2),
              HasSubstr("--eye: expected three numbers"));
}

TEST_F(FilesCommand, EachFrameIsWrittenUnderItsNumber) {
  outputOf({"active-pixel", "composite", "planes", "--size", "24x16", "--frames", "2", "-o",
            folder_.file("turn.%02d.png")});
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_.path()))
    files += file.path().filename().string().starts_with("turn.0");
  EXPECT_EQ(files, 2);
}

TEST_F(FilesCommand, CompositeSaysThatTheNearestPixelLeavesOutTranslucentSurfaces) {
  for (const std::string compositing : {"z-buffer", "blend"}) {
    const Outcome outcome =
        runFathom({"active-pixel", "composite", "planes:count=2,spheres=1,alpha=0.25", "--size",
                   "24x16", "--compositing", compositing, "-o", folder_.file("a.png")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("alpha below 0.5 is left out") == std::string::npos,
              compositing == "blend");
  }
}

}  // namespace
}  // namespace fathom::active_pixel
