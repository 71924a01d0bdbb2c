// SPDX-License-Identifier: BSD-3-Clause
// fathom compare: measures with known answers, bounds, and what it refuses.
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

/// A gray EXR in float, so that its values are exactly these.
std::string grayExr(const TempFolder& folder, const std::string& name, float value, int side = 16) {
  writeFlatExr(folder.file(name), Image(side, side, glm::vec4(value, value, value, 1)),
               {.asFloat = true, .withAlpha = false});
  return folder.file(name);
}

std::string deepExr(const TempFolder& folder, const std::string& name, int fragmentCount,
                    std::uint32_t firstWord) {
  DeepImage image;
  image.dataWindow = image.displayWindow = {0, 0, 1, 1};
  image.channels = {{"A", ChannelType::Half, {}},
                    {"B", ChannelType::Half, {}},
                    {"G", ChannelType::Half, {}},
                    {"R", ChannelType::Half, {}},
                    {"Z", ChannelType::Float, {}}};
  for (int i = 0; i < fragmentCount; ++i) {
    const std::uint32_t z = 0x3f800000u + std::uint32_t(i);  // 1.0 and the next floats
    image.words.insert(image.words.end(), {firstWord, 0x3c000000u, z, z});
  }
  image.fragmentOffsets = {0, std::size_t(fragmentCount)};
  writeDeepExr(folder.file(name), image);
  return folder.file(name);
}

class Compare : public FolderTest {};
class CompareDeep : public FolderTest {};

TEST_F(Compare, FindsNoDifferenceInTheSameFile) {
  const std::string a = grayExr(folder, "a.exr", 0.25f);
  EXPECT_EQ(outputOf({"compare", a, a, "--fail-psnr-below", "200", "--fail-max-above", "0"}),
            "psnr inf dB\nmae 0\nmax 0\nssim 1\n");
}

TEST_F(Compare, MeasuresPngInItsOwnEncoding) {
  const std::vector<std::uint8_t> dark(3 * 16, 51), light(3 * 16, 102);
  writePngBytes(folder.file("a.png"), 4, 4, 3, dark);
  writePngBytes(folder.file("b.png"), 4, 4, 3, light);
  const Outcome outcome = runFathom({"compare", folder.file("a.png"), folder.file("b.png")});
  EXPECT_THAT(outcome.out, HasSubstr("mae 0.2\nmax 0.2\n"));
}

TEST_F(Compare, APictureWithoutAlphaIsComparedOverBlack) {
  const Image half(16, 16, glm::vec4(0.25f, 0.1f, 0.05f, 0.5f));
  writePng(folder.file("black.png"), half, PngAlpha::OverBlack);
  writePng(folder.file("straight.png"), half, PngAlpha::Straight);
  writeFlatExr(folder.file("a.exr"), half, {});
  for (const char* with : {"straight.png", "a.exr"}) {
    const std::string out = outputOf(
        {"compare", folder.file("black.png"), folder.file(with), "--fail-psnr-below", "45"});
    EXPECT_THAT(out, HasSubstr("over black, in linear light, since only " + folder.file(with) +
                               " has alpha"));
  }
}

TEST_F(Compare, SaysThatColorsNobodySeesCount) {
  std::vector<std::uint8_t> clear(4 * 64, 0);
  writePngBytes(folder.file("a.png"), 8, 8, 4, clear);
  for (std::size_t i = 0; i < 12; i += 4) clear[i] = 255;  // red without alpha
  writePngBytes(folder.file("b.png"), 8, 8, 4, clear);
  const std::string out = outputOf({"compare", folder.file("a.png"), folder.file("b.png")});
  EXPECT_THAT(out, HasSubstr("3 pixels differ in color where both have alpha 0"));
  EXPECT_THAT(out, HasSubstr("alpha-max 0"));
}

TEST_F(Compare, MeasuresLinearLightAgainstAPngAsSrgb) {
  const std::vector<std::uint8_t> gray(3 * 256, 188);  // linear 0.5029
  writePngBytes(folder.file("a.png"), 16, 16, 3, gray);
  const std::string linear = grayExr(folder, "b.exr", 0.5f);
  for (const bool swapped : {false, true}) {
    const nlohmann::json result = jsonOf({"compare", swapped ? linear : folder.file("a.png"),
                                          swapped ? folder.file("a.png") : linear})["result"];
    EXPECT_NEAR(result["max"].get<double>(), 188 / 255.0 - 0.735357, 1e-4);
  }
}

/// Half and a quarter: 12.04 dB, and 0.25 at most.
TEST_F(Compare, BoundsGiveExitCode3) {
  const std::string a = grayExr(folder, "a.exr", 0.5f), b = grayExr(folder, "b.exr", 0.25f);
  outputOf({"compare", a, b, "--fail-psnr-below", "12"});
  EXPECT_EQ(runFathom({"compare", a, b, "--fail-psnr-below", "12.1"}).code, 3);
  outputOf({"compare", a, b, "--fail-max-above", "0.26"});
  EXPECT_EQ(runFathom({"compare", a, b, "--fail-max-above", "0.24"}).code, 3);
}

TEST_F(Compare, ColorsBeyondOneCountWhereAskedFor) {
  const std::string a = grayExr(folder, "a.exr", 3), b = grayExr(folder, "b.exr", 30);
  EXPECT_THAT(outputOf({"compare", a, b, "--fail-max-above", "0"}),
              HasSubstr("max 0\nssim 1\nmax-unclipped 27\n"));
  EXPECT_EQ(runFathom({"compare", a, b, "--fail-max-above", "26", "--all-values"}).code, 3);
  outputOf({"compare", a, b, "--fail-max-above", "27", "--all-values"});
}

/// A flat EXR with Z and a number of its own in one more channel.
std::string withChannels(const TempFolder& folder, const std::string& name, float depth,
                         const std::string& other, std::uint32_t id) {
  DeepImage like;
  like.dataWindow = like.displayWindow = {0, 0, 1, 1};
  std::vector<DeepChannel> channels;
  for (const char* color : {"B", "G", "R", "Z"}) {
    const float value = *color == 'Z' ? depth : 0.5f;
    channels.push_back({color, ChannelType::Float, std::vector<std::byte>(4)});
    std::memcpy(channels.back().values.data(), &value, 4);
  }
  channels.push_back({other, ChannelType::Uint, std::vector<std::byte>(4)});
  std::memcpy(channels.back().values.data(), &id, 4);
  FlatChannelWriter out(folder.file(name), like, channels);
  out.writeRows(channels, 1);
  out.finish();
  return folder.file(name);
}

TEST_F(Compare, DepthAndOtherChannelsAreMeasuredOrNamed) {
  const std::string a = withChannels(folder, "a.exr", 2, "id", 7),
                    far = withChannels(folder, "far.exr", 5, "id", 8),
                    other = withChannels(folder, "other.exr", 2, "number", 7);
  EXPECT_THAT(outputOf({"compare", a, far, "--fail-max-above", "0"}),
              HasSubstr("max-depth 3\nmax-other inf\npsnr inf dB\n"));
  EXPECT_EQ(runFathom({"compare", a, far, "--fail-max-above", "3", "--all-values"}).code, 3);
  outputOf({"compare", a, a, "--fail-max-above", "0", "--all-values"});
  const Outcome outcome = runFathom({"compare", a, other, "--fail-max-above", "9", "--all-values"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("only in " + a + ": id\nonly in " + other + ": number\n"));
}

TEST_F(Compare, FramesThatEitherLacksAreErrors) {
  for (const int frame : {1, 2, 3}) grayExr(folder, fmt::format("a.{}.exr", frame), 0.5f);
  for (const int frame : {1, 3}) grayExr(folder, fmt::format("b.{}.exr", frame), 0.5f);
  const std::string a = folder.file("a.#.exr"), b = folder.file("b.#.exr");
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
    EXPECT_THAT(refusalOf({"compare", first, second}), HasSubstr("b.2.exr: no such file"));
    EXPECT_THAT(outputOf({"compare", first, second, "--frames", "1-3x2"}),
                HasSubstr("frame 3 psnr inf dB"));
  }
}

TEST_F(Compare, RefusesPicturesOfDifferentSize) {
  EXPECT_THAT(
      refusalOf({"compare", grayExr(folder, "a.exr", 0, 16), grayExr(folder, "b.exr", 0, 17)}),
      HasSubstr("found 17x17"));
}

TEST_F(Compare, WritesADifferenceWhoseLargestValueIsWhite) {
  const std::string a = grayExr(folder, "a.exr", 0.5f), b = grayExr(folder, "b.exr", 0.25f);
  outputOf({"compare", a, b, "-o", folder.file("d.png")});
  const std::optional picture = readPictureAsStored(folder.file("d.png"));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->image.at(3, 3).r, 1.0f);
}

TEST_F(CompareDeep, FindsNoDifferenceInTheSameFile) {
  const std::string a = deepExr(folder, "a.exr", 3, 0);
  const std::string out = outputOf({"compare", a, a, "--fail-max-above", "0"});
  EXPECT_THAT(out, HasSubstr("fragments-a 3\n"));
  EXPECT_THAT(out, HasSubstr("identical yes\n"));
}

TEST_F(CompareDeep, FailsOnAnotherColorAndAnotherNumberOfFragments) {
  const std::string a = deepExr(folder, "a.exr", 3, 0);
  Outcome outcome =
      runFathom({"compare", a, deepExr(folder, "b.exr", 3, 0x3800), "--fail-max-above", "0.4"});
  EXPECT_EQ(outcome.code, 3);  // half 0x3800 is 0.5
  EXPECT_THAT(outcome.out, HasSubstr("different-fragments 3\nmax-color 0.5\n"));
  outcome = runFathom({"compare", a, deepExr(folder, "c.exr", 2, 0), "--fail-max-above", "9"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("pixels-with-other-count 1\n"));
}

/// Parts "left" and "right" of one fragment at these depths; a depth of 0: no such part.
std::string stereoExr(const TempFolder& folder, const std::string& name, float left, float right) {
  std::vector<DeepImage> parts;
  for (const auto& [view, depth] : {std::pair("left", left), std::pair("right", right)}) {
    if (depth == 0) continue;
    DeepImage& image = parts.emplace_back();
    image.dataWindow = image.displayWindow = {0, 0, 1, 1};
    image.channels = {{"A", ChannelType::Half, {}}, {"Z", ChannelType::Float, {}}};
    image.words = {0, 0x3c000000u, std::bit_cast<std::uint32_t>(depth),
                   std::bit_cast<std::uint32_t>(depth)};
    image.fragmentOffsets = {0, 1};
    image.attributes =
        std::make_shared<const Attributes>(Attributes{attributeOf("name", std::string(view))});
  }
  DeepExrWriter out(folder.file(name), parts);
  for (std::size_t i = 0; i < parts.size(); ++i) out.writeRows(parts[i], int(i));
  out.finish();
  return folder.file(name);
}

TEST_F(CompareDeep, ComparesAllPartsByName) {
  const std::string a = stereoExr(folder, "a.exr", 1, 2), b = stereoExr(folder, "b.exr", 1, 5),
                    mono = stereoExr(folder, "mono.exr", 1, 0);
  Outcome outcome = runFathom({"compare", a, b, "--fail-max-above", "2"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("part left identical yes\n"));
  EXPECT_THAT(outcome.out, HasSubstr("part right max-depth 3\n"));
  outputOf({"compare", a, b, "--fail-max-above", "3"});
  outputOf({"compare", a + "#left", b + "#left", "--fail-max-above", "0"});
  outputOf({"compare", a + "#left", mono, "--fail-max-above", "0"});
  EXPECT_THAT(outputOf({"compare", deepExr(folder, "nameless.exr", 1, 0), a}),
              HasSubstr("only in " + a + ": part right\n"));
  EXPECT_THAT(refusalOf({"compare", a, b + "#up"}), HasSubstr("a part \"up\""));
  for (const auto& [first, second] : {std::pair(a, mono), std::pair(mono, a)}) {
    outcome = runFathom({"compare", first, second, "--fail-max-above", "9"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.out, HasSubstr("only in " + a + ": part right\n"));
  }
}

TEST_F(CompareDeep, RefusesAFlatPartner) {
  EXPECT_THAT(refusalOf({"compare", deepExr(folder, "a.exr", 3, 0), grayExr(folder, "b.exr", 0)}),
              HasSubstr("deep"));
}

}  // namespace
}  // namespace fathom
