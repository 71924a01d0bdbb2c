// SPDX-License-Identifier: BSD-3-Clause
// Flat pictures go to files and come back; what is broken is refused in one line.
#include "app/engine/io/picture.h"
#include "app/engine/core/random.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "tests/support/synthetic_deep.h"
#include "tests/support/system.h"

#include <half.h>
#include <tiffio.h>
#include <webp/encode.h>

namespace fathom {
namespace {

/// Whether a picture as stored holds these values, each divided by `most`.
template <class Values>
void expectValues(const Image& image, glm::ivec2 size, int channels, const Values& values,
                  float most) {
  ASSERT_EQ(glm::ivec2(image.width, image.height), size);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(image.pixels[i / std::size_t(channels)][int(i % std::size_t(channels))],
              float(values[i]) / most)
        << i;
}

/// Values of many sizes, premultiplied, alpha from 0 to 1.
Image gradient(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float a = float(x) / float(std::max(1, width - 1));
      image.at(x, y) = {a * 0.5f, a * float(y) / float(height), a * 0.25f, a};
    }
  return image;
}

class FlatExr : public FolderTest {};

TEST_F(FlatExr, FloatRoundTripIsExact) {
  writeFlatExr(folder / "a.exr", gradient(17, 9), {.asFloat = true});
  EXPECT_TRUE(test::rounding(readPicture(folder / "a.exr").image, gradient(17, 9), 0));
}

TEST_F(FlatExr, HalfRoundTripRoundsOnce) {
  Image expected = gradient(17, 9);
  writeFlatExr(folder / "a.exr", expected);
  for (glm::vec4& pixel : expected.pixels)
    for (int c = 0; c < 4; ++c) pixel[c] = half(pixel[c]);
  EXPECT_TRUE(test::rounding(readPicture(folder / "a.exr").image, expected, 0));
}

TEST_F(FlatExr, KeepsWindowsAspectAndDepth) {
  const std::vector<float> depth{1, 2, 3, 4, 5, INFINITY};
  const FlatExrOptions options{.dataWindow = {-3, 10, 3, 2},
                               .displayWindow = {0, 0, 20, 20},
                               .pixelAspect = 2,
                               .depth = depth};
  writeFlatExr(folder / "a.exr", gradient(3, 2), options);
  const Picture picture = readPicture(folder / "a.exr");
  EXPECT_EQ(picture.dataWindow, options.dataWindow);
  EXPECT_EQ(picture.displayWindow, options.displayWindow);
  EXPECT_EQ(picture.pixelAspect, 2.0f);
  EXPECT_EQ(picture.depth, depth);
}

TEST_F(FlatExr, WithoutAlphaReadsOpaque) {
  writeFlatExr(folder / "a.exr", gradient(4, 2), {.withAlpha = false});
  const Picture picture = readPicture(folder / "a.exr");
  EXPECT_FALSE(picture.hasAlpha);
  EXPECT_EQ(picture.image.at(0, 0).w, 1.0f);
}

TEST_F(FlatExr, TruncationIsOneLine) {
  writeFlatExr(folder / "a.exr", gradient(40, 40));
  const std::string bytes = readText(folder / "a.exr");
  const std::string header = ": expected a whole header, found the end of the file",
                    pixels = ": expected an intact EXR, found a damaged one";
  const std::pair<std::size_t, std::string> cuts[] = {
      {8, header}, {100, header}, {bytes.size() / 2, pixels}, {bytes.size() - 1, pixels}};
  for (const auto& [length, expected] : cuts) {
    const auto file = folder.write("cut.exr", bytes.substr(0, length));
    EXPECT_THAT(messageOf([&] { readPicture(file); }), StartsWith(file.string() + expected))
        << length;
  }
}

TEST_F(FlatExr, HugeWindowIsRefused) {
  writeFlatExr(folder / "a.exr", gradient(40, 40));
  std::string bytes = readText(folder / "a.exr");
  const std::string name = std::string("dataWindow") + '\0' + "box2i" + '\0';
  const std::int32_t huge = 400000;
  std::memcpy(bytes.data() + bytes.find(name) + name.size() + 12, &huge, 4);
  const auto file = folder.write("huge.exr", bytes);
  EXPECT_NE(messageOf([&] { readPicture(file); }), "no error");
}

TEST_F(FlatExr, DeepFileIsNotAPicture) {
  writeDeepExr(folder / "deep.exr", test::sphereField({4, 4, 2, 1, false}));
  EXPECT_EQ(messageOf([&] { readPicture(folder / "deep.exr"); }),
            (folder / "deep.exr").string() +
                ": expected a PNG, PPM, PGM, JPEG, WebP, TIFF, HDR or flat EXR, found a deep EXR");
}

class Png : public FolderTest {};

TEST_F(Png, StoresSrgbOverBlack) {
  Image image(1, 1, {0.2140411f, 1.5f, -1.0f, 0.5f});
  writePng(folder / "a.png", image);
  const Picture picture = readPictureAsStored(folder / "a.png");
  EXPECT_FALSE(picture.hasAlpha);
  EXPECT_EQ(byteOf(picture.image.at(0, 0).x), 127);
  EXPECT_EQ(byteOf(picture.image.at(0, 0).y), 255);
  EXPECT_EQ(byteOf(picture.image.at(0, 0).z), 0);
}

TEST_F(Png, StraightAlphaDividesColor) {
  writePng(folder / "a.png", Image(1, 1, {0.25f, 0, 0, 0.5f}), PngAlpha::Straight);
  const Picture picture = readPictureAsStored(folder / "a.png");
  EXPECT_TRUE(picture.hasAlpha);
  EXPECT_EQ(byteOf(picture.image.at(0, 0).x), byteOf(srgbFromLinear(0.5f)));
  EXPECT_EQ(byteOf(picture.image.at(0, 0).w), 128);
}

TEST_F(Png, ReadsAsLinearPremultiplied) {
  const std::array<std::uint8_t, 4> red{255, 0, 0, 51};
  writePngBytes(folder / "a.png", 1, 1, 4, red);
  EXPECT_EQ(readPicture(folder / "a.png").image.at(0, 0), glm::vec4(0.2f, 0, 0, 0.2f));
}

TEST_F(Png, EveryByteRoundTrips) {
  std::vector<std::uint8_t> bytes(256 * 3);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::uint8_t(i / 3);
  writePngBytes(folder / "a.png", 256, 1, 3, bytes);
  writePng(folder / "b.png", readPicture(folder / "a.png").image);
  const Image back = readPictureAsStored(folder / "b.png").image;
  for (int x = 0; x < 256; ++x) EXPECT_EQ(byteOf(back.at(x, 0).x), x);
}

TEST(Tiff, HoldsSixteenBitsWithStraightAlpha) {
  const TempFolder folder;
  const Image image(3, 2, {0.2f, 0.05f, 0.4f, 0.5f});
  for (const PngAlpha alpha : {PngAlpha::OverBlack, PngAlpha::Straight}) {
    const bool straight = alpha == PngAlpha::Straight;
    writePicture(folder / "a.tif", image, {}, alpha);
    const Picture picture = readPictureAsStored(folder / "a.tif");
    EXPECT_EQ(picture.hasAlpha, straight);
    ASSERT_EQ(picture.image.width, 3);
    const glm::vec4 found = picture.image.at(2, 1), color = image.pixels[0] * (straight ? 2.0f : 1);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(found[c], srgbFromLinear(color[c]), 0.51 / 65535);
    EXPECT_NEAR(found.a, straight ? 0.5 : 1, 0.51 / 65535);
  }
}

TEST(Dpx, HoldsTenBitsBigEndian) {
  const TempFolder folder;
  Image image(2, 1, {1, 0.2140411f, 0, 1});
  writePicture(folder / "a.dpx", image);
  const std::string file = readText(folder / "a.dpx");
  ASSERT_EQ(file.size(), 2048u + 8);
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value << 8 | static_cast<unsigned char>(file[at + i]);
    return value;
  };
  EXPECT_EQ(file.substr(0, 4), "SDPX");
  EXPECT_EQ(word(772), 2u);
  EXPECT_EQ(word(776), 1u);
  for (const std::size_t at : {2048u, 2052u}) EXPECT_EQ(word(at), 1023u << 22 | 511u << 12);
}

/// Two spaces by their primaries; those of Rec. 709 by a usual name; a view with a curve.
constexpr const char* kConfig = R"(ocio_profile_version: 2
roles: {default: lin_rec709, scene_linear: lin_rec709}
displays:
  Monitor:
    - !<View> {name: Half, colorspace: half}
active_displays: []
active_views: []
colorspaces:
  - !<ColorSpace> {name: lin_rec709, family: "", isdata: false}
  - !<ColorSpace> {name: half, from_scene_reference: !<MatrixTransform> {matrix: [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1]}}
  - !<ColorSpace> {name: swapped, from_scene_reference: !<MatrixTransform> {matrix: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]}}
)";

class OutputColors : public testing::Test {
 protected:
  void SetUp() override {
    test::setVariable("OCIO", folder_.write("config.ocio", kConfig).string());
  }
  void TearDown() override {
    setOutputColor({});
    test::removeVariable("OCIO");
  }
  /// What is written and read again, as stored.
  glm::vec4 written(const std::string& name, glm::vec4 color, const FlatExrOptions& options = {}) {
    writePicture(folder_ / name, Image(2, 2, color), options);
    return readPictureAsStored(folder_ / name).image.at(1, 1);
  }
  static FlatExrOptions ap1() {
    const std::array<float, 8> primaries{0.713f, 0.293f, 0.165f,   0.83f,
                                         0.128f, 0.044f, 0.32168f, 0.33767f};
    Attribute attribute{"chromaticities", "chromaticities", std::vector<std::byte>(32)};
    std::memcpy(attribute.value.data(), primaries.data(), 32);
    return {.asFloat = true,
            .attributes = std::make_shared<const Attributes>(Attributes{attribute})};
  }
  TempFolder folder_;
};

TEST_F(OutputColors, OfOtherPrimariesAreThoseOfRec709) {
  // (0.5, 0.2, 0.1) of AP1 as Rec. 709, by the matrix that ACES publishes (Bradford).
  const glm::vec3 exact(1.7050510f * 0.5f - 0.6217921f * 0.2f - 0.0832589f * 0.1f,
                        -0.1302564f * 0.5f + 1.1408047f * 0.2f - 0.0105483f * 0.1f,
                        -0.0240034f * 0.5f - 0.1289690f * 0.2f + 1.1529724f * 0.1f);
  const glm::vec4 png = written("a.png", {0.5f, 0.2f, 0.1f, 1}, ap1());
  const glm::vec4 tiff = written("a.tif", {0.5f, 0.2f, 0.1f, 1}, ap1());
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(byteOf(png[c]), byteOf(srgbFromLinear(exact[c])));
    EXPECT_NEAR(tiff[c], srgbFromLinear(exact[c]), 2.0 / 65535);
  }
  const glm::vec4 exr = written("a.exr", {0.5f, 0.2f, 0.1f, 1}, ap1());  // has its primaries
  EXPECT_EQ(exr, glm::vec4(0.5f, 0.2f, 0.1f, 1));
}

TEST_F(OutputColors, AreThoseOfTheDisplayOrSpaceThatIsSet) {
  setOutputColor({"Monitor", "Half", ""});
  EXPECT_NEAR(written("a.tif", {0.5f, 0.25f, 1, 1}).b, 0.5, 1.0 / 65535);
  EXPECT_NEAR(written("a.png", {0.5f, 0.25f, 1, 1}).r, 0.25, 0.51 / 255);
  setOutputColor({"", "", "swapped"});
  FlatExrOptions options = ap1();
  const glm::vec4 premultiplied = written("a.exr", {0.25f, 0, 0.5f, 0.5f});
  EXPECT_EQ(premultiplied, glm::vec4(0.5f, 0, 0.25f, 0.5f));
  written("b.exr", {0.5f, 0.2f, 0.1f, 1}, options);
  EXPECT_FALSE(findAttribute(readAttributes(folder_ / "b.exr").at(0), "chromaticities"));
  EXPECT_THAT(messageOf([] { setOutputColor({"", "", "none such"}); }), HasSubstr("none such"));
  EXPECT_THAT(messageOf([] { setOutputColor({"Beamer", "", ""}); }), HasSubstr("color transform"));
}

/// Also just above and below where a byte begins.
TEST_F(Png, BytesAreThoseOfTheCurve) {
  Image image(1 << 14, 4);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const float light = std::bit_cast<float>(std::uint32_t(i * 0x3F90));  // from 0 to above 1
    image.pixels[i] = {light, std::nextafter(linearFromSrgb((float(i % 256) + 0.5f) / 255), 0.0f),
                       linearFromSrgb((float(i % 256) + 0.5f) / 255), 1};
  }
  image.pixels[7] = {-1, NAN, INFINITY, 1};
  const std::vector<std::uint8_t> bytes = pictureValues(image, 1, PngAlpha::OverBlack);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    ASSERT_EQ(bytes[i], byteOf(srgbFromLinear(image.pixels[i / 3][int(i % 3)]))) << i;
}

TEST_F(Png, NoiseComesBack) {
  Random random(3);
  for (const int channels : {1, 3, 4}) {
    std::vector<std::uint8_t> bytes(std::size_t(37 * 21 * channels));
    for (std::uint8_t& byte : bytes) byte = std::uint8_t(random.below(256));
    writePngBytes(folder / "noise.png", 37, 21, channels, bytes);
    const Picture picture = readPictureAsStored(folder / "noise.png");
    for (std::size_t i = 0; i < picture.image.pixels.size(); ++i)
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(byteOf(picture.image.pixels[i][c]),
                  bytes[std::size_t(channels) * i + std::size_t(channels == 1 ? 0 : c)]);
  }
}

TEST_F(Png, TruncationIsOneLine) {
  writePng(folder / "a.png", gradient(64, 64));
  const std::string bytes = readText(folder / "a.png");
  const auto file = folder.write("cut.png", bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(messageOf([&] { readPicture(file); }),
              StartsWith(file.string() + ": expected an intact PNG, found: "));
}

TEST_F(Png, SizeThatTheFileCannotHoldIsRefused) {
  writePng(folder / "a.png", gradient(4, 4));
  std::string bytes = readText(folder / "a.png");
  bytes[16] = bytes[20] = 0;
  bytes[17] = bytes[21] = 0;
  bytes[18] = bytes[22] = 0x3f;  // 16128 x 16128
  const auto file = folder.write("huge.png", bytes);
  EXPECT_THAT(messageOf([&] { readPicture(file); }), HasSubstr("expected a size that fits"));
}

class ImageFile : public FolderTest {};

TEST_F(ImageFile, KindComesFromTheContents) {
  writePng(folder / "a.exr", gradient(4, 4));
  writeFlatExr(folder / "b.png", gradient(4, 4));
  writeDeepExr(folder / "c.jpg", test::sphereField({4, 4, 2, 1, false}));
  EXPECT_EQ(kindOf(folder / "a.exr"), FileKind::Png);
  EXPECT_EQ(kindOf(folder / "b.png"), FileKind::FlatExr);
  EXPECT_EQ(kindOf(folder / "c.jpg"), FileKind::DeepExr);
  EXPECT_EQ(kindOf(folder.write("d.png", "v 0 0 0\n")), FileKind::Unknown);
}

TEST_F(ImageFile, OtherContentsAreNamed) {
  const auto file = folder.write("a.png", "GIF8\x01");
  EXPECT_EQ(messageOf([&] { readPicture(file); }),
            file.string() +
                ": expected a PNG, PPM, PGM, JPEG, WebP, TIFF, HDR or flat EXR, found a file "
                "starting 47 49 46 38");
  const auto text = folder.write("b.png", "hello");
  EXPECT_THAT(messageOf([&] { readPicture(text); }), testing::EndsWith("found a text file"));
}

TEST_F(ImageFile, RadianceHdrIsReadAsLight) {
  std::string text = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n";
  for (const int byte : {128, 64, 0, 129, 128, 128, 128, 133})  // mantissas and exponent + 128
    text += char(byte);
  const auto file = folder.write("a.hdr", text);
  EXPECT_EQ(kindOf(file), FileKind::Hdr);
  const Picture picture = readPicture(file);
  ASSERT_EQ(picture.image.width, 2);
  EXPECT_EQ(picture.image.at(0, 0), glm::vec4(1, 0.5f, 0, 1));
  EXPECT_EQ(picture.image.at(1, 0), glm::vec4(16, 16, 16, 1));
  EXPECT_EQ(picture.encoding, Encoding::Linear);
}

const std::string kHdrHeader = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n";

TEST_F(ImageFile, PackedRadianceHdrIsUnpacked) {
  std::string text = kHdrHeader + "-Y 1 +X 8\n";
  for (const int byte : {2, 2, 0, 8,              // a packed scanline of 8
                         128 + 8, 64,             // red: eight times
                         3, 1, 2, 3, 128 + 5, 4,  // green: three by themselves, a run
                         128 + 8, 0, 128 + 8, 136})
    text += char(byte);
  const Picture picture = readPicture(folder.write("a.hdr", text));
  ASSERT_EQ(picture.image.pixels.size(), 8u);
  EXPECT_EQ(picture.image.at(1, 0), glm::vec4(64, 2, 0, 1));
  EXPECT_EQ(picture.image.at(7, 0), glm::vec4(64, 4, 0, 1));
}

TEST_F(ImageFile, DamagedRadianceHdrEndsInOneLine) {
  const std::string runs = std::string("\x02\x02\x00\x08", 4);
  for (const std::string& rest :
       {"-Y 1 +X 8\n" + runs,                            // ends within a scanline
        "-Y 1 +X 8\n" + runs + std::string(40, '\0'),    // runs of nothing
        "-Y 1 +X 8\n" + runs + std::string(40, '\xff'),  // runs beyond the scanline
        "-Y 1 +X 8\n" + std::string("\x02\x02\x00\x09", 4) + std::string(40, '\x01'),
        std::string("-Y 0 +X 9\n"), std::string("-Y 9 +X 0\n"), std::string("-Y -1 +X 9\n"),
        std::string("+Y 1 +X 9\n"), std::string("-Y 16000 +X 16000\n"),
        std::string("-Y 99999999999 +X 9\n"), std::string()}) {
    const auto file = folder.write("a.hdr", kHdrHeader + rest);
    EXPECT_THAT(messageOf([&] { readPicture(file); }), StartsWith(file.string() + ": expected "))
        << rest;
  }
}

TEST_F(ImageFile, SizesThatDoNotFitTheFileAreRefusedFromTheHeader) {
  // 16000 x 16000: of a JPEG with nothing behind its header, and of a WebP of one color.
  const std::string jpeg("\xff\xd8\xff\xc0\x00\x0b\x08\x3e\x80\x3e\x80\x01\x01\x11\x00\xff\xd9",
                         17);
  const std::string webp("RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2f\x7f\xfe\x9f\x0f\0", 26);
  for (const auto& [name, bytes] : {std::pair("a.jpg", jpeg), std::pair("a.webp", webp)}) {
    const auto file = folder.write(name, bytes);
    EXPECT_THAT(messageOf([&] { readPicture(file); }), HasSubstr("a size that fits"));
  }
}

TEST_F(ImageFile, AHeaderIsReadWithoutThePixels) {
  writePng(folder / "a.png", gradient(64, 48), PngAlpha::Straight);
  const std::string bytes = readText(folder / "a.png");
  const Picture header = readPictureHeader(folder.write("cut.png", bytes.substr(0, 60)));
  EXPECT_EQ(header.dataWindow, (Rect{0, 0, 64, 48}));
  EXPECT_TRUE(header.hasAlpha);
  EXPECT_TRUE(header.image.pixels.empty());
}

TEST_F(ImageFile, DamagedJpegIsOneLine) {
  const auto file = folder.write("a.jpg", std::string("\xff\xd8\xff\xe0", 4) + "nothing more");
  EXPECT_EQ(kindOf(file), FileKind::Jpeg);
  EXPECT_THAT(messageOf([&] { readPicture(file); }),
              StartsWith(file.string() + ": expected an intact JPEG, found: "));
}

/// 3 x 2 pixels, as these bytes say, with and without alpha.
std::string tiffOf(const TempFolder& folder, int samples, int bits, bool tiled) {
  const std::string file = folder.file("a.tif");
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 2);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
  if (samples % 2 == 0) {
    const std::uint16_t extra = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
  }
  const auto value = [&](int i) { return (i * 37 % 256) / 255.0; };
  std::vector<std::uint8_t> bytes;
  const int columns = tiled ? 16 : 3, rows = tiled ? 16 : 2;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      for (int c = 0; c < samples; ++c) {
        const double v = x < 3 && y < 2 ? value((y * 3 + x) * samples + c) : 0;
        std::uint8_t raw[4];
        const float real = float(v);
        const auto word = std::uint16_t(std::lround(v * 65535));
        raw[0] = std::uint8_t(std::lround(v * 255));
        if (bits == 16) std::memcpy(raw, &word, 2);
        if (bits == 32) std::memcpy(raw, &real, 4);
        bytes.insert(bytes.end(), raw, raw + bits / 8);
      }
  if (tiled) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
    TIFFWriteTile(tiff, bytes.data(), 0, 0, 0, 0);
  } else {
    for (std::uint32_t y = 0; y < 2; ++y)
      TIFFWriteScanline(tiff, bytes.data() + y * bytes.size() / 2, y, 0);
  }
  TIFFClose(tiff);
  return file;
}

TEST_F(ImageFile, TiffsOfEveryDepthAreReadWithoutRounding) {
  for (const int samples : {1, 2, 3, 4})
    for (const int bits : {8, 16, 32})
      for (const bool tiled : {false, true}) {
        const std::string file = tiffOf(folder, samples, bits, tiled);
        ASSERT_EQ(kindOf(file), FileKind::Tiff);
        const Picture picture = readPictureAsStored(file);
        ASSERT_EQ(picture.image.width, 3);
        ASSERT_EQ(picture.image.height, 2);
        EXPECT_EQ(picture.hasAlpha, samples % 2 == 0);
        EXPECT_EQ(picture.encoding, bits == 32 ? Encoding::Linear : Encoding::Srgb);
        for (int i = 0; i < 6; ++i) {
          const auto expected = [&](int c) { return (i * samples + c) * 37 % 256 / 255.0; };
          const glm::vec4 p = picture.image.at(i % 3, i / 3);
          EXPECT_NEAR(p.r, expected(0), 1e-6);
          EXPECT_NEAR(p.b, expected(samples < 3 ? 0 : 2), 1e-6);
          EXPECT_NEAR(p.a, samples % 2 ? 1 : expected(samples - 1), 1e-6);
        }
      }
}

TEST_F(ImageFile, DamagedTiffsAreOneLine) {
  const std::string bytes = readText(tiffOf(folder, 3, 8, false));
  for (std::size_t length = 5; length < bytes.size(); length += 7) {
    const auto file = folder.write("cut.tif", bytes.substr(0, length));
    try {
      readPicture(file);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(file.string() + ": expected"), 0u) << error.what();
    }
  }
  std::string large = bytes;  // width and height, tags 256 and 257: more than the bytes can hold
  for (std::size_t i = 8; i + 12 <= large.size(); ++i)
    if ((large[i] == 0 || large[i] == 1) && large[i + 1] == 1 && large[i + 2] == 3 &&
        large[i + 3] == 0)
      large[i + 8] = '\xff', large[i + 9] = 0x3f;
  const auto file = folder.write("large.tif", large);
  EXPECT_THAT(messageOf([&] { readPicture(file); }), HasSubstr("expected a size that fits"));
}

TEST_F(ImageFile, AWebpIsReadAsItWasWritten) {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 5 * 4 * 4; ++i) rgba.push_back(std::uint8_t(i % 4 == 3 ? 255 - i : i * 31));
  std::uint8_t* out = nullptr;
  const std::size_t size = WebPEncodeLosslessRGBA(rgba.data(), 5, 4, 20, &out);
  const std::string bytes(reinterpret_cast<const char*>(out), size);
  WebPFree(out);
  const auto file = folder.write("a.webp", bytes);
  EXPECT_EQ(kindOf(file), FileKind::Webp);
  const Picture picture = readPictureAsStored(file);
  EXPECT_TRUE(picture.hasAlpha);
  expectValues(picture.image, {5, 4}, 4, rgba, 255);
  const auto cut = folder.write("cut.webp", bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(messageOf([&] { readPicture(cut); }), HasSubstr("cut.webp: expected an intact WebP"));
}

TEST_F(ImageFile, APgmIsGray) {
  const auto file = folder.write("a.pgm", std::string("P5 2 1 65535\n\x80\x00\xff\xff", 17));
  EXPECT_EQ(kindOf(file), FileKind::Pgm);
  const Picture picture = readPictureAsStored(file);
  EXPECT_NEAR(picture.image.pixels[0].g, 32768 / 65535.0, 1e-7);
  EXPECT_EQ(picture.image.pixels[1], glm::vec4(1));
}

TEST_F(ImageFile, UnknownEndingIsAUsageError) {
  EXPECT_THROW(writePicture("a.bmp", gradient(4, 4)), UsageError);
}

TEST_F(ImageFile, MissingFileIsOneLine) {
  EXPECT_EQ(messageOf([] { readPicture("/nowhere/a.png"); }), "/nowhere/a.png: no such file");
}

TEST(Srgb, KnownValues) {
  EXPECT_EQ(srgbFromLinear(0.0f), 0.0f);
  EXPECT_EQ(srgbFromLinear(1.0f), 1.0f);
  EXPECT_NEAR(srgbFromLinear(0.5f), 0.7353570f, 1e-6);
  EXPECT_NEAR(linearFromSrgb(0.5f), 0.2140411f, 1e-6);
  EXPECT_EQ(srgbFromLinear(NAN), 0.0f);
}

TEST(Ppm, BytesComeBack) {
  const TempFolder folder;
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 7 * 5 * 3; ++i) bytes.push_back(std::uint8_t(i * 37));
  const std::string file = folder.file("a.ppm");
  writePpm(file, 7, 5, bytes);
  EXPECT_EQ(kindOf(file), FileKind::Ppm);
  const Picture picture = readPictureAsStored(file);
  expectValues(picture.image, {7, 5}, 3, bytes, 255);
  EXPECT_LT(readPicture(file).image.pixels[1].r, picture.image.pixels[1].r);  // linear
}

TEST(Ppm, HeadersMayHoldComments) {
  const TempFolder folder;
  const auto file = folder.write("a.ppm", "P6 # made by hand\n# twice\n1 1 255\nabc");
  EXPECT_EQ(readPictureAsStored(file).image.pixels[0].b, 'c' / 255.0f);
}

TEST(Ppm, BrokenOnesAreRefused) {
  const TempFolder folder;
  for (const char* text :
       {"P6", "P6 2 2 255\nabc", "P6 0 2 255\n", "P6 99999999 99999999 255\nabc",
        "P6 1 1 1023\nabcdef", "P6 1 1 65535\nabcde", "P5 2 1 255\na", "P6 x 1 255\nabc"})
    EXPECT_THROW(readPicture(folder.write("a.ppm", text)), Error) << text;
}

TEST(Png16, ComesBackWithAllOfItsBits) {
  const TempFolder folder;
  for (const int channels : {3, 4}) {
    std::vector<std::uint16_t> words;
    for (int i = 0; i < 9 * 6 * channels; ++i) words.push_back(std::uint16_t(i * 1543));
    const std::string file = folder.file("a.png");
    writePng16(file, 9, 6, channels, words);
    const Picture picture = readPictureAsStored(file);
    EXPECT_EQ(picture.hasAlpha, channels == 4);
    expectValues(picture.image, {9, 6}, channels, words, 65535);
  }
}

/// Readers differ in what they forgive; the end of a PNG is always the same twelve bytes.
TEST(Png16, FilesEndAsTheStandardSays) {
  const TempFolder folder;
  const std::string file = folder.file("a.png");
  const std::string end("\0\0\0\0IEND\xae\x42\x60\x82", 12);
  writePng16(file, 1, 1, 3, std::vector<std::uint16_t>{1, 2, 3});
  EXPECT_EQ(readText(file).substr(readText(file).size() - 12), end);
  writePngBytes(file, 1, 1, 3, std::vector<std::uint8_t>{1, 2, 3});
  EXPECT_EQ(readText(file).substr(readText(file).size() - 12), end);
}

TEST(PngBytes, NoiseAndGradientsComeBack) {
  const TempFolder folder;
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
    expectValues(readPictureAsStored(file).image, {31, 40}, channels, bytes, 255);
  }
}

}  // namespace
}  // namespace fathom
