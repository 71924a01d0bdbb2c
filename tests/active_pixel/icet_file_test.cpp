// SPDX-License-Identifier: BSD-3-Clause
// Files of sparse images: whole, damaged in every way that the reader knows, and at random. And the
// way between Z and depth.
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "tests/active_pixel/frames.h"

namespace fathom::active_pixel {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class IcetFiles : public ::testing::Test {
 protected:
  std::string messageOf(const std::string& name) {
    return test::messageOf([&] { readIcet(folder_ / name); });
  }
  std::string bytes() const {
    const SparseImage image = reference::encode(test::drawn({".##.", "..##", "#..#"}));
    return {reinterpret_cast<const char*>(image.words.data()), image.bytes()};
  }
  TempFolder folder_;
};

TEST_F(IcetFiles, AreReadAsTheyWereWritten) {
  for (const Format& format : test::allFormats()) {
    SCOPED_TRACE(test::formatName(format));
    const SparseImage image = reference::encode(test::randomFrame(1, 37, 21, format, 0.4));
    writeIcet(folder_ / "a.icet", image.words);
    EXPECT_EQ(std::filesystem::file_size(folder_ / "a.icet"), image.bytes());
    EXPECT_EQ(readIcet(folder_ / "a.icet"), image);
    EXPECT_EQ(compositingOf(image.words), format.compositing);
  }
}

TEST_F(IcetFiles, AreKnownByTheirFirstWordOrTheirName) {
  folder_.write("a.bin", bytes());
  folder_.write("b.icet", "nothing of the kind");
  folder_.write("c.bin", "abc");
  EXPECT_TRUE(isIcetFile(folder_.file("a.bin")));
  EXPECT_TRUE(isIcetFile(folder_.file("b.icet")));
  EXPECT_FALSE(isIcetFile(folder_.file("c.bin")));
  EXPECT_FALSE(isIcetFile(folder_.file("missing.icet")));
  EXPECT_FALSE(isIcetFile("station"));
}

TEST_F(IcetFiles, ThatAreDamagedAreRefusedInOneLineThatNamesThem) {
  const std::string whole = bytes();
  folder_.write("odd.icet", whole + "x");
  EXPECT_EQ(messageOf("odd.icet"),
            folder_.file("odd.icet") + ": expected whole words of 4 bytes, found 101 bytes");
  folder_.write("short.icet", whole.substr(0, 20));
  EXPECT_THAT(messageOf("short.icet"), HasSubstr("a header of 28 bytes, found 20"));
  folder_.write("empty.icet", "");
  EXPECT_THAT(messageOf("empty.icet"), HasSubstr("found 0 bytes"));
  folder_.write("more.icet", whole + "abcd");
  EXPECT_THAT(messageOf("more.icet"), HasSubstr("expected 100 bytes"));
  EXPECT_THAT(messageOf("missing.icet"), HasSubstr("missing.icet: no such file"));
  EXPECT_THAT(messageOf(""), HasSubstr("found a folder"));
}

TEST_F(IcetFiles, ThatBreakOffAnywhereAreRefused) {
  const std::string whole = bytes();
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THROW(parseIcet(std::as_bytes(std::span(whole.data(), length)), "cut"), Error) << length;
}

/// Without this an image of 36 bytes takes 4 GB.
TEST_F(IcetFiles, OfAFewBytesAreNotAsLargeAsMemory) {
  std::vector<std::uint32_t> words = reference::encode(test::drawn({"...."})).words;
  ASSERT_EQ(words.size(), 9u);  // a header and one run of nothing
  const auto empty = [&](std::uint32_t width, std::uint32_t height) {
    words[3] = width, words[4] = height, words[5] = words[7] = width * height;
    return std::as_bytes(std::span(words));
  };
  EXPECT_EQ(parseIcet(empty(7680, 4320), "8k.icet").words, words);
  EXPECT_EQ(test::messageOf([&] { parseIcet(empty(16000, 16000), "large.icet"); }),
            "large.icet: expected a size that fits 36 bytes, found 16000 x 16000");
}

TEST(Range, ThatLosesNothingIsAPowerOfTwoBeyondAllZ) {
  const auto farOf = [](std::vector<float> z) { return losslessRange(z).far; };
  EXPECT_EQ(farOf({}), 1);
  EXPECT_EQ(farOf({0.25f, 0.999f, kInfinity}), 1);
  EXPECT_EQ(farOf({1.0f}), 2);
  EXPECT_EQ(farOf({-7, 37.25f, std::nanf("")}), 64);
  EXPECT_EQ(farOf({64.0f}), 128);
}

TEST(Range, BringsEveryZBack) {
  std::vector<float> z{0.0f, 1e-20f, 0.1f, 1.0f, 37.2501f, 1e9f, -5.5f};
  const DepthRange range = losslessRange(z);
  for (const float value : z) {
    EXPECT_LT(range.depthOf(value), 1.0f);
    EXPECT_EQ(range.zOf(range.depthOf(value)), value);
  }
  EXPECT_EQ(range.depthOf(kInfinity), 1.0f);
  EXPECT_EQ(range.depthOf(std::nanf("")), 1.0f);
  EXPECT_EQ(range.zOf(1.0f), kInfinity);
}

TEST(Range, KeepsWhatIsNearerThanFarBelowOne) {
  const DepthRange range{2, 10};
  EXPECT_FLOAT_EQ(range.depthOf(4), 0.25f);
  EXPECT_EQ(range.depthOf(10), 1.0f);
  EXPECT_LT(range.depthOf(std::nextafter(10.0f, 0.0f)), 1.0f);
  EXPECT_FLOAT_EQ(range.zOf(0.25f), 4.0f);
}

TEST(Range, IsReadFromText) {
  EXPECT_EQ(parseDepthRange("0.5,64")->far, 64);
  EXPECT_EQ(parseDepthRange("-1,1e3")->near, -1);
  for (const char* text : {"", "1", "1,", ",1", "2,1", "1,1", "0,inf", "nan,1", "0,1x", "a,b"})
    EXPECT_FALSE(parseDepthRange(text)) << text;
}

}  // namespace
}  // namespace fathom::active_pixel
