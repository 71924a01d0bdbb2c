// SPDX-License-Identifier: BSD-3-Clause
// Sparse images with answers known beforehand: IceT's layout word by word, what counts as active,
// the edges of runs, regions, the checks of damaged images, which pixel wins, and what overlays
// count.
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/active_pixel/image/runs.h"
#include "app/engine/core/random.h"
#include "tests/active_pixel/frames.h"

namespace fathom::active_pixel::reference {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const Format kRgba8{}, kDepthOnly{Color::None, Depth::Float32, Compositing::ZBuffer},
    kBlend8{Color::Rgba8, Depth::None, Compositing::Blend},
    kBlend32{Color::Rgba32f, Depth::None, Compositing::Blend};

/// All pairs (inactive, active) of an image, in order.
Words pairsOf(const SparseImage& image, const Format& format) {
  Words pairs;
  for (std::size_t at = kHeaderWords; at < image.words.size();) {
    pairs.insert(pairs.end(), {image.words[at], image.words[at + 1]});
    at += 2 + image.words[at + 1] * std::size_t(format.payloadBytes()) / 4;
  }
  return pairs;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(SparseImage, MatchesTheWordsOfTheSpecification) {
  const Frame frame = test::drawn({".##.", "..##", "#..#"});
  const auto color = [](std::uint32_t pixel) {
    return (pixel + 3) << 24 | (pixel + 2) << 16 | (pixel + 1) << 8 | pixel;
  };
  const auto depth = [](int pixel) { return bits(float(pixel + 1) / 256); };
  const Words expected{0x004D6000, 0xC001,   0xD001,    4,        3,        12,       100,
                       1,          2,        color(1),  depth(1), color(2), depth(2), 3,
                       3,          color(6), depth(6),  color(7), depth(7), color(8), depth(8),
                       2,          1,        color(11), depth(11)};
  EXPECT_TRUE(test::exact(encode(frame).words, expected));
}

TEST(SparseImage, DeclaredBytesFollowPayloadAndRuns) {
  const std::vector<std::size_t> expected{100, 172, 148, 76, 76, 148};  // 28 + 6 P + 3 * 8
  for (std::size_t i = 0; i < test::allFormats().size(); ++i) {
    const SparseImage image = encode(test::drawn({".##...###..#"}, test::allFormats()[i]));
    EXPECT_EQ(image.bytes(), expected[i]) << test::formatName(test::allFormats()[i]);
    EXPECT_EQ(image.words[6], expected[i]);
  }
}

TEST(SparseImage, EdgesHaveCanonicalPairs) {
  const std::pair<std::string, Words> rows[] = {{".", {1, 0}},
                                                {"#", {0, 1}},
                                                {".....", {5, 0}},
                                                {"#####", {0, 5}},
                                                {"#....", {0, 1, 4, 0}},
                                                {"....#", {4, 1}},
                                                {".####", {1, 4}},
                                                {"####.", {0, 4, 1, 0}},
                                                {"#.#.#", {0, 1, 1, 1, 1, 1}},
                                                {".#.#.", {1, 1, 1, 1, 1, 0}}};
  for (const auto& [row, pairs] : rows) {
    const SparseImage image = encode(test::drawn({row}));
    EXPECT_EQ(pairsOf(image, kRgba8), pairs) << row;
    const auto active = std::size_t(std::count(row.begin(), row.end(), '#'));
    EXPECT_EQ(image.bytes(), 28 + 8 * active + 4 * pairs.size()) << row;
    check(image.words, Compositing::ZBuffer, "edge");
  }
}

TEST(SparseImage, RunsGoOnAcrossRows) {
  EXPECT_EQ(pairsOf(encode(test::drawn({"..#", "##.", ".#."})), kRgba8), (Words{2, 3, 2, 1, 1, 0}));
}

TEST(SparseImage, WithoutPixelsIsAHeader) {
  const SparseImage image = encode(Frame(kRgba8, 0, 5));
  EXPECT_EQ(image.bytes(), 28u);
  EXPECT_EQ(check(image.words, Compositing::ZBuffer, "empty").active, 0u);
}

TEST(Active, IsDepthBelowOne) {
  const float inactive[] = {1.0f, 1.5f, kInfinity, std::numeric_limits<float>::quiet_NaN()};
  const float active[] = {0.0f, -0.0f, -2.0f, -kInfinity, 1e-40f, 0x1.fffffep-1f};
  Frame frame(kDepthOnly, 1, 1);
  for (const float depth : inactive) {
    frame.depth[0] = depth;
    EXPECT_FALSE(isActive(frame, 0)) << depth;
  }
  for (const float depth : active) {
    frame.depth[0] = depth;
    EXPECT_TRUE(isActive(frame, 0)) << depth;
  }
}

TEST(Active, IsAnyAlphaButZeroWhenBlending) {
  Frame frame(kBlend32, 1, 1);
  for (const float alpha : {0.0f, -0.0f}) {
    frame.setColor(0, {1, 1, 1, alpha});
    EXPECT_FALSE(isActive(frame, 0));
  }
  for (const float alpha : {1e-40f, -1.0f, kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    frame.setColor(0, {0, 0, 0, alpha});
    EXPECT_TRUE(isActive(frame, 0)) << alpha;
  }
  Frame bytes(kBlend8, 1, 1);
  EXPECT_FALSE(isActive(bytes, 0));
  bytes.colorAt(0)[3] = std::byte(1);
  EXPECT_TRUE(isActive(bytes, 0));
}

TEST(Buffer, HasRoomForTheWorstImage) {
  EXPECT_EQ(bufferBytes(kRgba8, 1920, 1080), 16'588'836u);
  EXPECT_EQ(bufferBytes(kDepthOnly, 1920, 1080), 12'441'636u);
  EXPECT_EQ(bufferBytes(kRgba8, 7680, 4320), 265'420'836u);
  EXPECT_EQ(bufferBytes({Color::Rgba32f, Depth::Float32, Compositing::ZBuffer}, 7680, 4320),
            663'552'036u);
  for (const Format& format : test::allFormats()) {
    const SparseImage worst = encode(test::drawn({"#.#.#.#.#.#.#"}, format));
    EXPECT_LE(worst.bytes(), bufferBytes(format, 13, 1));
  }
}

TEST(Buffer, BeyondWhatIceTCountsIsRefused) {
  EXPECT_THROW(bufferBytes(kRgba8, 16384, 16384), Error);
  EXPECT_THROW(bufferBytes({Color::Rgba32f, Depth::Float32, Compositing::ZBuffer}, 15360, 8640),
               Error);
  EXPECT_THROW(bufferBytes(kRgba8, INT32_MAX, INT32_MAX), Error);
}

class Formats : public ::testing::TestWithParam<Format> {};

TEST_P(Formats, DecodingGivesActivePixelsBackAndBackgroundElsewhere) {
  const glm::vec4 background(0.2f, 0.4f, 0.6f, 0.0f);
  for (int seed = 1; seed <= 30; ++seed) {
    const Frame frame = test::randomFrame(std::uint64_t(seed), 1 + seed * 3 % 37, 1 + seed * 7 % 23,
                                          GetParam(), 0.1 * (seed % 11), test::Pattern(seed % 3));
    const Frame back = decode(encode(frame).words, GetParam().compositing, background);
    const Frame empty(GetParam(), frame.width, frame.height, background);
    const auto bytes = std::size_t(GetParam().colorBytes());
    for (std::size_t i = 0; i < frame.pixelCount(); ++i) {
      const Frame& from = isActive(frame, i) ? frame : empty;
      EXPECT_TRUE(std::equal(from.colorAt(i), from.colorAt(i) + bytes, back.colorAt(i)));
      if (!frame.depth.empty()) {
        EXPECT_EQ(bits(from.depth[i]), bits(back.depth[i]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SparseImage, Formats, ::testing::ValuesIn(test::allFormats()),
                         [](const auto& test) { return test::formatName(test.param); });

TEST(Facts, CountActivePixelsRunsAndBytes) {
  const SparseFacts facts =
      check(encode(test::drawn({".##...###..#"})).words, Compositing::ZBuffer, "facts");
  EXPECT_EQ(facts.active, 6u);
  EXPECT_EQ(facts.runs, 3u);
  EXPECT_EQ(facts.bytes, 100u);
  EXPECT_DOUBLE_EQ(facts.ratio, 100.0 / 96.0);
  EXPECT_EQ(facts.width, 12);
}

TEST(Placed, RegionShowsItsTexelsAndNothingElse) {
  const Frame frame = test::drawn({"####", "####", "####"});
  const SparseImage image = encode(frame, 5, 4, {{1, 1, 2, 2}, {3, 0, 2, 2}});
  EXPECT_EQ(pairsOf(image, kRgba8), (Words{3, 2, 3, 2, 10, 0}));
  const Frame tile = decode(image.words, Compositing::ZBuffer, glm::vec4(0));
  EXPECT_EQ(tile.depth[3], frame.depth[5]);   // lower left corner
  EXPECT_EQ(tile.depth[9], frame.depth[10]);  // upper right corner
}

TEST(Placed, EmptyRegionIsOneInactiveRun) {
  const Frame frame = test::drawn({"##", "##"});
  EXPECT_EQ(pairsOf(encode(frame, 6, 7, {}), kRgba8), (Words{42, 0}));
}

TEST(Placed, WhatLiesOutsideIsCutOffAlike) {
  Random random(5);
  const Frame frame = test::randomFrame(1, 9, 7, kRgba8, 0.7);
  const auto corner = [&] { return int(random.below(12)) - 4; };
  for (int i = 0; i < 200; ++i) {
    const int width = int(random.below(9)), height = int(random.below(9));
    const Placement placement{{corner(), corner(), width, height},
                              {corner(), corner(), width, height}};
    const Placement cut = clipped(placement, 8, 6, 9, 7);
    EXPECT_EQ(encode(frame, 8, 6, placement), encode(frame, 8, 6, cut));
    EXPECT_GE(cut.source.x, 0);
    EXPECT_GE(cut.target.y, 0);
    EXPECT_TRUE(cut.source.empty() || cut.source.x + cut.source.width <= 9);
    EXPECT_TRUE(cut.target.empty() || cut.target.y + cut.target.height <= 6);
  }
}

using Damage = std::pair<void (*)(Words&), const char*>;

TEST(SparseImage, DamageIsRefusedInOneLine) {
  const Damage rows[] = {
      {[](Words& w) { w.clear(); }, "found 0 bytes"},
      {[](Words& w) { w.resize(6); }, "a header of 28 bytes"},
      {[](Words& w) { w[0] = 0x004D5000; }, "0x004D5000"},
      {[](Words& w) { w[1] = 0xC004; }, "0xC004"},
      {[](Words& w) { w[2] = 0; }, "depth format"},
      {[](Words& w) { w[2] = 0xD000; }, "without depth"},
      {[](Words& w) { w[3] = 0x80000000; }, "below 2^31"},
      {[](Words& w) { w[3] = w[4] = 0x7FFFFFFF; }, "as far as IceT counts"},
      {[](Words& w) { w[5] = 11; }, "room for 12 pixels"},
      {[](Words& w) { w[6] += 4; }, "104 bytes"},
      {[](Words& w) { w[6] -= 8; }, "92 bytes"},
      {[](Words& w) { w.insert(w.begin() + 7, 10, 0u), w[6] += 40; }, "at most 132"},
      {[](Words& w) { w[8] = 9; }, "9 active pixels"},
      {[](Words& w) { w[7] = 0xFFFFFFFF; }, "12 pixels in all"},  // wraps around
      {[](Words& w) { w[21] = 1; }, "found 11"},
      {[](Words& w) { w.push_back(0), w[6] += 4; }, "two words"}};
  for (const auto& [damage, said] : rows) {
    Words words = encode(test::drawn({".##.", "..##", "#..#"})).words;
    damage(words);
    EXPECT_THAT(messageOf([&] { check(words, Compositing::ZBuffer, "a.icet"); }),
                AllOf(StartsWith("a.icet: expected "), HasSubstr(said), Not(HasSubstr("\n"))));
  }
}

TEST(SparseImage, MayHaveSplitRuns) {
  const SparseImage whole = encode(test::drawn({"..###"}));
  Words split(whole.words.begin(), whole.words.begin() + 7);
  split.insert(split.end(), {1, 0, 1, 1});
  split.insert(split.end(), whole.words.begin() + 9, whole.words.begin() + 11);
  split.insert(split.end(), {0, 2});
  split.insert(split.end(), whole.words.begin() + 11, whole.words.end());
  split[6] = std::uint32_t(split.size() * 4);
  EXPECT_EQ(check(split, Compositing::ZBuffer, "split").active, 3u);
  EXPECT_EQ(encode(decode(split, Compositing::ZBuffer, glm::vec4(0))), whole);
}

TEST(Composite, NearerPixelWinsAndTiesGoToTheLater) {
  Frame a = test::drawn({"####."}), b = test::drawn({"###.."});
  a.depth = {0.25f, 0.5f, 0.5f, 0.9f, 1.0f};
  b.depth = {0.5f, 0.25f, 0.5f, 1.0f, 1.0f};
  for (std::size_t i = 0; i < 5; ++i) a.setColor(i, {1, 0, 0, 1}), b.setColor(i, {0, 0, 1, 1});
  const Frame both = composite(a, b);
  EXPECT_EQ(both.depth, (std::vector<float>{0.25f, 0.25f, 0.5f, 0.9f, 1.0f}));
  const float red[] = {1, 0, 0, 1};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(both.colorOf(i).r, red[i]) << i;
}

TEST(Composite, BlendsPremultipliedColorsFrontToBack) {
  Frame front(kBlend32, 3, 1), back(kBlend32, 3, 1);
  front.setColor(0, {0.25f, 0, 0, 0.5f});
  back.setColor(0, {0, 0.5f, 0, 0.5f});
  back.setColor(1, {0, 0, 1, 1});
  const Frame both = composite(front, back);
  EXPECT_EQ(both.colorOf(0), glm::vec4(0.25f, 0.25f, 0, 0.75f));
  EXPECT_EQ(both.colorOf(1), glm::vec4(0, 0, 1, 1));
  EXPECT_EQ(both.colorOf(2), glm::vec4(0));
}

TEST(Composite, RoundsBlendedBytesDown) {
  Frame front(kBlend8, 1, 1), back(kBlend8, 1, 1);
  front.setColor(0, glm::vec4(10, 20, 30, 100) / 255.0f);
  back.setColor(0, glm::vec4(200, 100, 1, 255) / 255.0f);
  const Frame both = composite(front, back);
  // 10 + 200 * 155 / 255 = 10 + 121.57
  const std::vector<std::byte> expected{std::byte(131), std::byte(80), std::byte(30),
                                        std::byte(255)};
  EXPECT_EQ(both.color, expected);
}

TEST(Composite, OfManyFoldsInOrder) {
  std::vector<Frame> frames(3, test::drawn({"#"}));
  for (std::size_t i = 0; i < 3; ++i) frames[i].setColor(0, glm::vec4(float(i) / 255));
  EXPECT_EQ(compositeAll(frames).colorAt(0)[0], std::byte(2));
}

}  // namespace
}  // namespace fathom::active_pixel::reference

namespace fathom::active_pixel {
namespace {

using Codes = std::vector<std::uint32_t>;

TEST(Overlay, CountsPartsPerPixel) {
  const SparseImage a = reference::encode(test::drawn({".##.", "#..."}));
  const SparseImage b = reference::encode(test::drawn({"..##", "#..#"}));
  EXPECT_EQ(activeCounts(std::vector<SparseWords>{a.words, b.words}),
            (Codes{0, 1, 2, 1, 2, 0, 0, 1}));
}

TEST(Overlay, NumbersTheRunsInFront) {
  Frame near = test::drawn({".##.", "#..."}), far = test::drawn({"####", "####"});
  for (float& d : near.depth) d = d < 1 ? 0.2f : d;
  for (float& d : far.depth) d = 0.5f;
  const SparseImage a = reference::encode(near), b = reference::encode(far);
  const Codes expected{1, 1, 1, 1, 2, 1, 1, 1};
  EXPECT_EQ(frontRuns(std::vector<SparseWords>{a.words, b.words}, Compositing::ZBuffer, {}),
            expected);
  EXPECT_EQ(frontRuns(std::vector<SparseWords>{b.words, a.words}, Compositing::ZBuffer, {}),
            expected);
}

TEST(Overlay, FollowsTheOrderWhenBlending) {
  const Format format{Color::Rgba32f, Depth::None, Compositing::Blend};
  const SparseImage a = reference::encode(test::drawn({"#.#."}, format));
  const SparseImage b = reference::encode(test::drawn({"####"}, format));
  const std::vector<SparseWords> images{a.words, b.words};
  EXPECT_EQ(frontRuns(images, Compositing::Blend, std::vector<int>{0, 1}), (Codes{1, 1, 2, 1}));
  EXPECT_EQ(frontRuns(images, Compositing::Blend, std::vector<int>{1, 0}), (Codes{1, 1, 1, 1}));
}

TEST(Overlay, SortsRunsByLength) {
  const SparseImage image = reference::encode(test::drawn({"#.##.###.#####.#"}));
  RunLengths expected{};
  expected[0] = 2, expected[1] = 2, expected[2] = 1;
  EXPECT_EQ(runLengths(image.words), expected);
  EXPECT_EQ(runLengths(reference::encode(test::drawn({"...."})).words), RunLengths{});
}

TEST(Overlay, FindsAPixelsPayload) {
  const Frame frame = test::drawn({".##.", "..#."});
  const SparseImage image = reference::encode(frame);
  for (std::size_t pixel = 0; pixel < frame.pixelCount(); ++pixel) {
    const FoundPixel found = findPixel(image.words, pixel);
    ASSERT_EQ(found.payload != nullptr, reference::isActive(frame, pixel)) << pixel;
    if (!found.payload) continue;
    EXPECT_EQ(std::bit_cast<float>(found.payload[1]), frame.depth[pixel]);
    EXPECT_EQ(found.run, pixel < 4 ? 0u : 1u);
    EXPECT_EQ(found.runLength, pixel < 4 ? 2u : 1u);
  }
}

}  // namespace
}  // namespace fathom::active_pixel
