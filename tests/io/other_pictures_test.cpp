// SPDX-License-Identifier: BSD-3-Clause
// PPM there and back, PNG with 16 bits, and what is said about broken ones.
#include "app/engine/core/error.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "tests/support/temp_folder.h"

namespace fathom {
namespace {

TEST(Ppm, BytesComeBack) {
  const test::TempFolder folder;
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 7 * 5 * 3; ++i) bytes.push_back(std::uint8_t(i * 37));
  const std::string file = folder.file("a.ppm");
  writePpm(file, 7, 5, bytes);
  EXPECT_EQ(kindOf(file), FileKind::Ppm);
  const Picture picture = readPictureAsStored(file);
  ASSERT_EQ(picture.image.width, 7);
  ASSERT_EQ(picture.image.height, 5);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    EXPECT_EQ(picture.image.pixels[i / 3][int(i % 3)], float(bytes[i]) / 255.0f);
  EXPECT_LT(readPicture(file).image.pixels[1].r, picture.image.pixels[1].r);  // linear
}

TEST(Ppm, HeadersMayHoldComments) {
  const test::TempFolder folder;
  const auto file = folder.write("a.ppm", "P6 # made by hand\n# twice\n1 1 255\nabc");
  EXPECT_EQ(readPictureAsStored(file).image.pixels[0].b, 'c' / 255.0f);
}

TEST(Ppm, BrokenOnesAreRefused) {
  const test::TempFolder folder;
  for (const char* text :
       {"P6", "P6 2 2 255\nabc", "P6 0 2 255\n", "P6 99999999 99999999 255\nabc",
        "P6 1 1 1023\nabcdef", "P6 1 1 65535\nabcde", "P5 2 1 255\na", "P6 x 1 255\nabc"})
    EXPECT_THROW(readPicture(folder.write("a.ppm", text)), Error) << text;
}

TEST(Png16, HighBytesAreWhatAnEightBitReaderSees) {
  const test::TempFolder folder;
  for (const int channels : {3, 4}) {
    std::vector<std::uint16_t> words;
    for (int i = 0; i < 9 * 6 * channels; ++i) words.push_back(std::uint16_t(i * 1543));
    const std::string file = folder.file("a.png");
    writePng16(file, 9, 6, channels, words);
    const Picture picture = readPictureAsStored(file);
    ASSERT_EQ(picture.image.width, 9);
    ASSERT_EQ(picture.image.height, 6);
    EXPECT_EQ(picture.hasAlpha, channels == 4);
    for (std::size_t i = 0; i < words.size(); ++i)
      EXPECT_EQ(picture.image.pixels[i / std::size_t(channels)][int(i % std::size_t(channels))],
                float(words[i] >> 8) / 255.0f);
  }
}

/// Readers differ in what they forgive; the end of a PNG is always the same twelve bytes.
TEST(Png16, FilesEndAsTheStandardSays) {
  const test::TempFolder folder;
  const std::string file = folder.file("a.png");
  const std::string end("\0\0\0\0IEND\xae\x42\x60\x82", 12);
  writePng16(file, 1, 1, 3, std::vector<std::uint16_t>{1, 2, 3});
  EXPECT_EQ(test::readText(file).substr(test::readText(file).size() - 12), end);
  writePngBytes(file, 1, 1, 3, std::vector<std::uint8_t>{1, 2, 3});
  EXPECT_EQ(test::readText(file).substr(test::readText(file).size() - 12), end);
}

TEST(PngBytes, NoiseAndGradientsComeBack) {
  const test::TempFolder folder;
  for (const int channels : {3, 4}) {
    std::vector<std::uint8_t> bytes;
    std::uint32_t state = 1;
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 31 * channels; ++x) {
        state = state * 1664525u + 1013904223u;
        bytes.push_back(std::uint8_t(y < 20 ? state >> 24 : std::uint32_t(3 * x + y)));
      }
    const std::string file = folder.file("a.png");
    writePngBytes(file, 31, 40, channels, bytes);
    const Image image = readPictureAsStored(file).image;
    ASSERT_EQ(image.width, 31);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(image.pixels[i / std::size_t(channels)][int(i % std::size_t(channels))],
                float(bytes[i]) / 255.0f);
  }
}

}  // namespace
}  // namespace fathom
