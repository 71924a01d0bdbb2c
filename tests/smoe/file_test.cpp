// SPDX-License-Identifier: BSD-3-Clause
// Model files there and back: floats, quantized, mixtures, models with alpha; and that each rule
// which a damaged file breaks is named.
#include "app/engine/smoe/model/file.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "tests/smoe/models.h"

#include <regex>

namespace fathom::smoe {
namespace {

Model read(const std::string& file) {
  Progress progress;
  return readModel(std::as_bytes(std::span(file)), "test.smoe", progress);
}

void expectSameShape(const Model& a, const Model& b) {
  EXPECT_EQ(a.dims, b.dims);
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.views, b.views);
  EXPECT_EQ(a.viewOrigin, b.viewOrigin);
  EXPECT_EQ(a.colorSpace, b.colorSpace);
  EXPECT_EQ(a.centerFractionBits, b.centerFractionBits);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.fit, b.fit);
  EXPECT_EQ(a.psnr, b.psnr);
}

class Dims : public testing::TestWithParam<int> {};

TEST_P(Dims, FloatsComeBackBitForBit) {
  Model model = randomModel(1, GetParam(), 37, {300, 200});
  model.colorSpace = ColorSpace::Ycbcr709;
  model.source = "a \"name\" with quotes, \xc3\xa4";
  model.fit = "by hand";
  model.psnr = 34.567;
  const Model back = read(fileOf(model));
  expectSameShape(model, back);
  EXPECT_EQ(model.components, back.components);
}

TEST_P(Dims, QuantizedFilesHoldWhatQuantizedSays) {
  const Model model = randomModel(2, GetParam(), 41, {300, 200});
  for (const int bits : {4, 7, 12, 16, 24}) {
    const Model back = read(fileOf(model, bits));
    expectSameShape(model, back);
    EXPECT_EQ(quantized(model, {bits, bits, bits, bits, bits}).components, back.components);
  }
}

TEST_P(Dims, FileBytesAreKnownBeforehand) {
  const Model model = randomModel(3, GetParam(), 41, {300, 200});
  EXPECT_EQ(fileOf(model).size(), fileBytes(model, Encoding::F32));
  EXPECT_EQ(fileOf(model, 16).size(), fileBytes(model, Encoding::Archive));
}

/// Steps of 24 bits are finer than a pixel's error can show; four bits are coarse.
TEST_P(Dims, QuantizingErrsByAtMostHalfAStep) {
  const Model model = randomModel(4, GetParam(), 200, {300, 200});
  const Model fine = quantized(model, {24, 24, 24, 24, 24});
  const Model coarse = quantized(model, {10, 10, 10, 10, 10});
  double smallest = 1e9, largest = -1e9;
  for (const Component& component : model.components) {
    smallest = std::min(smallest, double(component.c));
    largest = std::max(largest, double(component.c));
  }
  for (std::size_t j = 0; j < model.components.size(); ++j) {
    const Record r = exact(model.components[j], model);
    EXPECT_NEAR(r.c, exact(coarse.components[j], model).c, (largest - smallest) / 1023 / 2 + 1e-6);
    EXPECT_NEAR(1, exact(fine.components[j], model).w11 / r.w11, 1e-6);
    EXPECT_NEAR(r.w21, exact(fine.components[j], model).w21, 1e-6);
    EXPECT_NEAR(r.center.x, exact(fine.components[j], model).center.x, 4e-5);
    EXPECT_NEAR(r.h[2].y, exact(fine.components[j], model).h[2].y, 1e-6);
  }
}

/// The covariance of other software, in all the selections that the format knows.
TEST_P(Dims, MixturesAreFactoredWhileReading) {
  const glm::ivec2 size{30, 20};
  const std::vector<Gaussian> mixture = randomMixture(5, GetParam(), 25, size);
  const ViewCoordinates a{1.25, -0.5};
  const auto expected = reference::decodeMixture(mixture, GetParam(), {size}, a);
  for (const char* covariance : {"full", "upper", "selection"}) {
    const Model model = read(mixtureFile(mixture, GetParam(), size, covariance, "f64"));
    EXPECT_EQ(fractionBitsFor(size.x, size.y), model.centerFractionBits);
    const auto colors = reference::decode(reference::recordsOf(model, a), {size});
    EXPECT_LT(largestDifference(expected, colors), 1e-5) << covariance;
    const Model narrow = read(mixtureFile(mixture, GetParam(), size, covariance, "f32"));
    const auto rough = reference::decode(reference::recordsOf(narrow, a), {size});
    EXPECT_LT(largestDifference(expected, rough), 1e-3) << covariance;
  }
}

INSTANTIATE_TEST_SUITE_P(ModelFile, Dims, testing::Values(2, 3, 4));

TEST(ModelFile, PriorsAreNormalized) {
  std::vector<Gaussian> mixture = randomMixture(6, 2, 10, {30, 20});
  for (Gaussian& g : mixture) g.prior *= 1.0009;
  const Model model = read(mixtureFile(mixture, 2, {30, 20}, "upper", "f64"));
  EXPECT_NEAR(whiten(randomMixture(6, 2, 10, {30, 20})[0], 2, "test").c,
              double(model.components[0].c), 1e-6);
}

TEST(ModelFile, IsKnownByItsFirstBytes) {
  const TempFolder folder;
  save(folder.file("a.smoe"), randomModel(7, 2, 3, {30, 20}), Encoding::F32);
  folder.write("b.smoe", "SMOEMDL2 and more");
  folder.write("c.smoe", "SMOE");
  EXPECT_TRUE(isModelFile(folder / "a.smoe"));
  EXPECT_FALSE(isModelFile(folder / "b.smoe"));
  EXPECT_FALSE(isModelFile(folder / "c.smoe"));
  EXPECT_FALSE(isModelFile(folder / "none.smoe"));
}

TEST(ModelFile, KeepsTheOldOneWhenTheNewModelIsBroken) {
  const TempFolder folder;
  Model model = randomModel(8, 2, 3, {30, 20});
  save(folder.file("a.smoe"), model, Encoding::F32);
  const std::string before = readText(folder / "a.smoe");
  model.components[1].w22 = -1;
  EXPECT_THROW(save(folder.file("a.smoe"), model, Encoding::F32), Error);
  EXPECT_EQ(before, readText(folder / "a.smoe"));
  EXPECT_EQ(std::vector<std::string>{"a.smoe"}, folder.names());
}

TEST(ModelFile, SaysWhyItCannotBeOpened) {
  Progress progress;
  EXPECT_THROW(readModel(TempFolder() / "none.smoe", progress), Error);
}

TEST(ModelFile, ReportsProgressAndCanBeCancelled) {
  const std::string file = fileOf(randomModel(9, 4, 100, {30, 20}));
  Progress progress;
  readModel(std::as_bytes(std::span(file)), "test.smoe", progress);
  EXPECT_NEAR(1, progress.fraction(), 1e-9);
  progress.cancel();
  EXPECT_THROW(readModel(std::as_bytes(std::span(file)), "test.smoe", progress), Cancelled);
}

/// Measured against the picture before quantization: the errors of a fit and of quantization add
/// up, and beside a fit of 47 dB an error at 70 dB costs 0.02 dB.
TEST(Quantization, OfSixteenBitsKeepsThePicture) {
  const glm::ivec2 size{96, 96};
  const Model model = randomModel(10, 2, 1000, size);
  const auto colors = reference::decode(reference::recordsOf(model, {}), {size});
  const auto psnrOf = [&](const Quantization& bits) {
    const auto other = reference::decode(reference::recordsOf(quantized(model, bits), {}), {size});
    double sum = 0;
    for (std::size_t i = 0; i < colors.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const double d = std::clamp(colors[i][k], 0.0, 1.0) - std::clamp(other[i][k], 0.0, 1.0);
        sum += d * d;
      }
    return -10 * std::log10(sum / double(3 * colors.size()));
  };
  EXPECT_GT(psnrOf(Quantization::archive()), 70);
  EXPECT_GT(psnrOf(Quantization::compact()), 50);
  EXPECT_LT(psnrOf(Quantization::compact()), psnrOf(Quantization::archive()));
}

TEST(Quantization, HoldsOneValueFarFromZero) {
  Model model = randomModel(7, 3, 5, {64, 48});
  for (Component& c : model.components) c.leadCenter[0] = 1e30f;
  for (const Component& c : quantized(model, Quantization::archive()).components)
    EXPECT_EQ(c.leadCenter[0], 1e30f);
}

TEST(Quantization, HoldsAModelOfOneComponent) {
  const Model model = modelOf(std::vector{disc({5, 5}, 3, {0.1, 0.2, 0.3})}, {10, 10});
  EXPECT_EQ(model.components, read(fileOf(model, 8)).components);
}

constexpr glm::ivec2 kAlphaSize{96, 64};

std::shared_ptr<const Model> grayModel(std::uint64_t seed, int count) {
  return std::make_shared<const Model>(asGray(randomModel(seed, 2, count, kAlphaSize)));
}

Model withAlpha(int colors = 60, int alpha = 25) {
  Model model = randomModel(1, 2, colors, kAlphaSize);
  model.alpha = grayModel(2, alpha);
  return model;
}

std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(SmoeAlpha, EveryEncodingKeepsIt) {
  const Model model = withAlpha();
  for (int i = 0; i < kEncodings; ++i) {
    const auto encoding = Encoding(i);
    const EncodedModel saved = encode(model, encoding);
    const Model back = read(textOf(saved.bytes));
    ASSERT_TRUE(back.alpha) << i;
    EXPECT_EQ(back.alpha->colorSpace, ColorSpace::Gray);
    EXPECT_EQ(back.components, saved.model.components) << i;
    EXPECT_EQ(back.alpha->components, saved.model.alpha->components) << i;
    if (encoding == Encoding::F32) {
      EXPECT_EQ(back.alpha->components, model.alpha->components);
    }
    if (encoding != Encoding::Packed) {
      EXPECT_EQ(saved.bytes.size(), fileBytes(model, encoding));
    }
    // A second saving in float32 loses nothing more.
    const Model again = read(textOf(encode(back, Encoding::F32).bytes));
    EXPECT_EQ(again.alpha->components, back.alpha->components) << i;
  }
}

/// Roundings of alpha are those of a picture of its own.
TEST(SmoeAlpha, PackingCostsAboutTheLoss) {
  Model model = withAlpha(100, 150);
  Model gray = *model.alpha;
  gray.psnr = 35;
  model.alpha = std::make_shared<const Model>(gray);
  const EncodedModel packed = encode(model, Encoding::Packed, 0.5);
  const reference::Grid grid{kAlphaSize, {0, 0}, 1};
  const auto before = reference::decode(reference::recordsOf(gray, {}), grid);
  const auto after = reference::decode(reference::recordsOf(*packed.model.alpha, {}), grid);
  double found = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    found += std::pow(before[i].x - after[i].x, 2) / double(before.size());
    ASSERT_EQ(after[i].x, after[i].z);
  }
  const double error = std::pow(10, -3.5) * (std::pow(10, 0.05) - 1);
  EXPECT_LT(found, 2.5 * error);
  EXPECT_GT(found, error / 5);
}

TEST(SmoeAlpha, GrayTakesNineNumbersAndOpaqueFilesSayNothingOfIt) {
  const Model ten = *grayModel(3, 10), thirty = *grayModel(3, 30);
  EXPECT_EQ(fileBytes(thirty, Encoding::F32) - fileBytes(ten, Encoding::F32), 20u * 9 * 4);
  EXPECT_EQ(read(fileOf(ten)).components, ten.components);
  EXPECT_EQ(read(fileOf(ten, 12)).components, quantized(ten, {12, 12, 12, 12, 12}).components);
  EXPECT_EQ(fileOf(randomModel(1, 2, 5, kAlphaSize)).find("alpha"), std::string::npos);
}

TEST(SmoeAlpha, AWrongOneIsRefused) {
  const std::string file = textOf(encode(withAlpha(5, 4), Encoding::F32).bytes);
  const std::size_t part = file.find("SMOEMDL1", 8);
  ASSERT_NE(part, std::string::npos);
  const auto message = [](const std::string& changed) { return messageOf([&] { read(changed); }); };
  for (std::size_t cut = part; cut < file.size(); cut += 37)
    EXPECT_THAT(message(file.substr(0, cut)), HasSubstr("and their alpha, found")) << cut;
  std::string damaged = file;
  damaged.back() = char(damaged.back() ^ 1);
  EXPECT_THAT(message(damaged), HasSubstr("test.smoe: alpha: expected a payload with CRC"));
  std::string other = file;
  std::memcpy(other.data() + part, "SMOEMDL2", 8);
  EXPECT_THAT(message(other), HasSubstr("alpha: expected a .smoe model"));

  Model model = withAlpha(5, 4);
  const auto refused = [&](const Model& alpha) {
    model.alpha = std::make_shared<const Model>(alpha);
    return messageOf([&] { validate(model, "model"); });
  };
  EXPECT_THAT(refused(randomModel(3, 2, 4, kAlphaSize)), HasSubstr("expected a gray image"));
  EXPECT_THAT(refused(asGray(randomModel(3, 2, 4, {95, 64}))), HasSubstr("found 95 x 64"));
  Model nested = *grayModel(3, 4);
  nested.alpha = grayModel(4, 4);
  EXPECT_THAT(refused(nested), HasSubstr("expected a gray image"));
  EXPECT_THAT(messageOf([&] { validate(nested, "model"); }), HasSubstr("expected no alpha"));
  Model views = randomModel(1, 4, 5, kAlphaSize);
  views.alpha = grayModel(4, 4);
  EXPECT_THAT(messageOf([&] { validate(views, "model"); }), HasSubstr("expected no alpha"));
}

/// A part that has a part, or the state of a fit behind it, by hand: validate() never sees them.
TEST(SmoeAlpha, APartHasNothingBehindIt) {
  const std::string inner = textOf(encode(withAlpha(3, 2), Encoding::F32).bytes);
  FileParts outer = FileParts::of(fileOf(randomModel(1, 2, 5, kAlphaSize)));
  const auto with = [&](const std::string& part) {
    FileParts parts = outer;
    parts.edit("\"crc32\"", fmt::format("\"alphaBytes\": {}, \"crc32\"", part.size()));
    return parts.bytes() + part;
  };
  EXPECT_THAT(messageOf([&] { read(with(inner)); }), HasSubstr("expected no alpha of its own"));
  const std::string state = fileOf(*grayModel(2, 3)) + "SMOEFIT1abcdef";
  EXPECT_THAT(messageOf([&] { read(with(state)); }), HasSubstr("expected nothing behind"));
  EXPECT_TRUE(read(with(fileOf(*grayModel(2, 3)))).alpha);
}

/// Written from docs/reference/smoe-file.md, it knows nothing of ours.
TEST(SmoeAlpha, AnIndependentDecoderOfPackedFilesAgrees) {
  const TempFolder folder;
  std::vector<Model> models{withAlpha()};
  for (const int dims : {2, 3, 4})
    models.push_back(randomModel(std::uint64_t(dims), dims, 120, {96, 64}));
  for (const int count : {4100, 16400})  // two blocks of the usual size, nine of half of it
    models.push_back(randomModel(5, 2, count, {320, 240}));
  for (const Model& model : models) {
    const EncodedModel packed = encode(model, Encoding::Packed);
    writeFile(folder.file("packed.smoe"), packed.bytes);
    save(folder.file("plain.smoe"), packed.model, Encoding::F32);
    const std::string command =
        fmt::format("python3 {}/tests/smoe/packed_decoder.py {} {}", FATHOM_SOURCE_DIR,
                    folder.file("packed.smoe"), folder.file("plain.smoe"));
    EXPECT_EQ(std::system(command.c_str()), 0) << model.dims;
  }
}

TEST(SmoeAlpha, TilesHaveIt) {
  const Model tiles = tiled(withAlpha(), 2 * kAlphaSize.x, kAlphaSize.y);
  ASSERT_TRUE(tiles.alpha);
  EXPECT_EQ(tiles.alpha->width, tiles.width);
  EXPECT_GT(tiles.alpha->components.size(), withAlpha().alpha->components.size());
  validate(tiles, "tiles");
}

constexpr int kCount = 6;
constexpr glm::ivec2 kSize{32, 24};

/// What reading it says; "no error" when it was read.
std::string messageFor(const std::string& file) {
  Progress progress;
  return messageOf([&] { readModel(std::as_bytes(std::span(file)), "bad.smoe", progress); });
}

Model goodModel(int dims) { return randomModel(1, dims, kCount, kSize); }
FileParts record(int dims = 2) { return FileParts::of(fileOf(goodModel(dims))); }
FileParts quantizedFile(int bits = 13) { return FileParts::of(fileOf(goodModel(2), bits)); }
FileParts mixture(const std::string& covariance = "upper", int dims = 2) {
  return FileParts::of(
      mixtureFile(randomMixture(1, dims, kCount, kSize), dims, kSize, covariance, "f32"));
}

void expectRefused(const std::string& file, const std::string& message) {
  EXPECT_EQ("bad.smoe: " + message, messageFor(file));
}
void expectRefused(const FileParts& parts, const std::string& message) {
  expectRefused(parts.bytes(), message);
}
/// An edit of the header.
void expectEdited(FileParts parts, const std::string& from, const std::string& to,
                  const std::string& message) {
  expectRefused(parts.edit(from, to), "header: " + message);
}
/// A value that a record of component 2 must not have: set in the model's memory, because
/// validate() sees what the reader sees.
template <class Change>
void expectInvalid(int dims, const std::string& message, const Change& change) {
  Model model = goodModel(dims);
  change(model.components[2]);
  EXPECT_THAT(messageOf([&] { validate(model, "bad.smoe"); }),
              StartsWith("bad.smoe: component 2: " + message));
}

TEST(GoodFiles, AreRead) {
  for (const int dims : {2, 3, 4}) EXPECT_EQ("no error", messageFor(record(dims).bytes()));
  EXPECT_EQ("no error", messageFor(quantizedFile().bytes()));
  for (const char* covariance : {"full", "upper", "selection"})
    EXPECT_EQ("no error", messageFor(mixture(covariance).bytes()));
}

// The container.

TEST(Container, MagicIsExpected) {
  std::string file = record().bytes();
  file[7] = '2';
  for (const std::string& bytes : {file, std::string("SMOEMDL"), std::string()})
    expectRefused(
        bytes,
        fmt::format("expected a .smoe model, found a file of {} bytes that is none", bytes.size()));
}

TEST(Container, HeaderLengthIsFromOneByteToOneMebibyte) {
  std::string file = record().bytes();
  for (const std::uint32_t length : {0u, (1u << 20) + 1, 0xffffffffu}) {
    std::memcpy(file.data() + 8, &length, sizeof length);
    expectRefused(file, fmt::format("expected a header of 1 to 1048576 bytes, found {}", length));
  }
}

TEST(Container, HeaderIsComplete) {
  EXPECT_THAT(messageFor(record().bytes().substr(0, 100)),
              HasSubstr("bytes, found 100 bytes in all"));
}

TEST(Container, ZerosFollowTheHeader) {
  FileParts parts = record();
  while (parts.json.size() % 16 != 0) parts.json += ' ';  // 12 + n: four zeros
  std::string file = parts.bytes();
  file[12 + parts.json.size() + 1] = 'x';
  expectRefused(file, "expected zeros between header and payload, found something else");
}

TEST(Container, PayloadHasTheSizeThatTheHeaderImplies) {
  const std::string file = record().bytes();
  expectRefused(file + '\0', "expected 360 bytes of payload for 6 components, found 361");
  expectRefused(file.substr(0, file.size() - 1),
                "expected 360 bytes of payload for 6 components, found 359");
}

TEST(Container, CountAloneAllocatesNothing) {
  expectRefused(record().edit("\"count\": 6", "\"count\": 4194304"),
                "expected 251658240 bytes of payload for 4194304 components, found 360");
}

TEST(Container, PayloadHasItsCrc) {
  std::string file = record().bytes();
  file.back() = char(file.back() ^ 1);
  // Not MatchesRegex(): GoogleTest's expressions have no sets on Windows.
  static const std::regex damaged(
      "bad.smoe: expected a payload with CRC [0-9a-f]+, found [0-9a-f]+: it is damaged");
  EXPECT_TRUE(std::regex_match(messageFor(file), damaged)) << messageFor(file);
}

// JSON.

TEST(Header, IsJson) {
  FileParts parts = record();
  parts.json.pop_back();
  EXPECT_THAT(messageFor(parts.bytes()), StartsWith("bad.smoe: header: expected JSON, found: "));
  parts.json = "[1]";
  expectRefused(parts, "header: expected a JSON object, found [1]");
}

TEST(Header, IsAtMostSixteenDeep) {
  const std::string deep(16, '['), close(16, ']');
  expectEdited(record(), "\"version\": 1", "\"version\": " + deep + close,
               "expected JSON of at most 16 levels, found more");
  // Fifteen lists within the object are allowed, and merely the wrong kind of version.
  const std::string allowed = deep.substr(1) + close.substr(1);
  expectEdited(record(), "\"version\": 1", "\"version\": " + allowed,
               "\"version\": expected an integer from 1 to 1, found " + allowed);
}

TEST(Header, HasNoUnknownKeysAndEachOnce) {
  const std::string from = "\"version\": 1";
  expectEdited(record(), from, from + ", \"dims\": 2",
               "expected each key once, found \"dims\" twice");
  expectEdited(record(), from, from + ", \"colour space\": 3",
               "expected no key \"colour space\", found 3");
  // Known ones only where they mean something.
  expectEdited(record(), from, from + ", \"frames\": 3", "expected no key \"frames\", found 3");
  expectEdited(record(), from, from + ", \"covariance\": \"full\"",
               "expected no key \"covariance\", found \"full\"");
}

TEST(Header, HasAllItsKeys) {
  for (const char* key : {"format", "version", "dims", "count", "width", "height", "colour",
                          "encoding", "form", "centreFracBits", "crc32"}) {
    FileParts parts = record();
    const std::size_t at = parts.json.find(std::string("\"") + key + "\": ");
    const std::size_t comma = parts.json.find(',', at);
    if (comma == std::string::npos)
      parts.json.erase(at - 2, parts.json.size() - at + 1);  // the last one
    else
      parts.json.erase(at, comma + 2 - at);
    expectRefused(parts, fmt::format("header: expected \"{}\", found no such key", key));
  }
}

TEST(Header, FormatAndVersionAreOurs) {
  expectEdited(record(), "\"smoe\"", "\"smog\"", "\"format\": expected \"smoe\", found \"smog\"");
  expectEdited(record(), "\"version\": 1", "\"version\": 2",
               "\"version\": expected an integer from 1 to 1, found 2");
}

TEST(Header, IntegersAreIntegersInRange) {
  const auto expectInteger = [](const std::string& key, const std::string& good, std::int64_t low,
                                std::int64_t high, int dims = 2) {
    for (const std::string& bad :
         {std::to_string(low - 1), std::to_string(high + 1), std::string("2.5"),
          std::string("\"2\""), std::string("1e400"), std::string("18446744073709551615")})
      if (bad != "1e400")
        expectEdited(record(dims), fmt::format("\"{}\": {}", key, good),
                     fmt::format("\"{}\": {}", key, bad),
                     fmt::format("\"{}\": expected an integer from {} to {}, found {}", key, low,
                                 high, bad));
      else
        EXPECT_NE("no error", messageFor(record(dims)
                                             .edit(fmt::format("\"{}\": {}", key, good),
                                                   fmt::format("\"{}\": {}", key, bad))
                                             .bytes()));
  };
  expectInteger("dims", "2", 2, 4);
  expectInteger("count", "6", 1, 4194304);
  expectInteger("width", "32", 1, 16384);
  expectInteger("height", "24", 1, 16384);
  expectInteger("centreFracBits", "20", 15, 20);
  expectInteger("frames", "10", 1, 100000, 3);
}

TEST(Header, ViewsAreTwoFromOneTo64) {
  const FileParts good = record(4);
  for (const char* bad : {"[9]", "[9,9,9]", "9"})
    expectEdited(good, "\"views\": [9,9]", fmt::format("\"views\": {}", bad),
                 fmt::format("\"views\": expected a list of 2 integers, found {}", bad));
  for (const char* bad : {"[0,9]", "[9,65]", "[9,1.5]"})
    expectEdited(good, "\"views\": [9,9]", fmt::format("\"views\": {}", bad),
                 fmt::format("\"views\": expected each an integer from 1 to 64, found {}", bad));
}

TEST(Header, ViewOriginLiesAmongTheViews) {
  expectRefused(record(4).edit("\"viewOrigin\": [4.0,4.0]", "\"viewOrigin\": [4,8.5]"),
                "viewOrigin: expected a place among 9 views, found 8.5");
  expectEdited(record(4), "\"viewOrigin\": [4.0,4.0]", "\"viewOrigin\": [4,null]",
               "\"viewOrigin\": expected a list of 2 numbers, found [4,null]");
}

TEST(Header, WordsAreKnownWords) {
  expectEdited(record(), "\"srgb\"", "\"hsv\"",
               "\"colour\": expected \"srgb\" or \"linear\" or \"ycbcr709\" or \"gray\" or "
               "\"gray-srgb\" or \"asinh\" or \"gray-asinh\", found \"hsv\"");
  for (const char* peak : {"0", "-1", "1e+40"})
    expectEdited(record(), "\"srgb\"", fmt::format("\"asinh\", \"peak\": {}", peak),
                 fmt::format("\"peak\": expected a number above 0, up to 1e+30, found {}", peak));
  expectEdited(record(), "\"f32\"", "\"f64\"",
               "\"encoding\": expected \"f32\" or \"q\" or \"packed\", found \"f64\"");
  expectEdited(record(), "\"record\"", "1", "\"form\": expected \"record\" or \"gmm\", found 1");
  expectEdited(mixture(), "\"f32\"", "\"q\"",
               "\"encoding\": expected \"f32\" or \"f64\", found \"q\"");
  expectEdited(mixture(), "\"upper\"", "\"lower\"",
               "\"covariance\": expected \"full\" or \"upper\" or \"selection\", found \"lower\"");
}

TEST(Header, FreeTextsAreTextsAndPsnrIsANumber) {
  const std::string from = "\"version\": 1";
  expectEdited(record(), from, from + ", \"source\": 1", "\"source\": expected text, found 1");
  expectEdited(record(), from, from + ", \"fit\": {}", "\"fit\": expected text, found {}");
  expectEdited(record(), from, from + ", \"psnr\": \"40\"",
               "\"psnr\": expected a number, found \"40\"");
}

TEST(Header, CrcIsEightHexadecimalDigits) {
  for (const char* bad : {"0000000", "000000000", "0000000g", "-0000000"}) {
    FileParts parts = record();
    parts.json.replace(parts.json.find("\"crc32\": \"") + 10, 8, bad);
    // Not as bytes() finds it, which would mend it.
    parts.json.replace(parts.json.find("crc32"), 5, "CRC32");
    std::string bytes = parts.bytes();
    bytes.replace(bytes.find("CRC32"), 5, "crc32");
    EXPECT_THAT(messageFor(bytes),
                StartsWith("bad.smoe: header: \"crc32\": expected 8 hexadecimal digits, found "));
  }
}

/// Of packed models; behind each edit the checksum is that of what is there.
TEST(PackedHeader, IsRefusedWithWhatIsWrong) {
  const std::string good = textOf(encode(goodModel(2), Encoding::Packed).bytes);
  const auto message = [&](std::size_t at, int value) {
    std::string bytes = good;
    bytes[at] = char(value);
    const std::uint32_t crc = crc32(std::as_bytes(std::span(bytes)).subspan(12));
    std::memcpy(bytes.data() + 8, &crc, sizeof crc);
    return messageFor(bytes);
  };
  EXPECT_EQ(message(12, good[12]), "no error");
  EXPECT_THAT(message(12, 3), HasSubstr("header: expected 2 to 4 dimensions"));
  EXPECT_THAT(message(12, 7 << 2), HasSubstr("a color space below 7, found kind 28"));
  EXPECT_THAT(message(12, 2 | 3 << 2), HasSubstr("header: "));
  EXPECT_THAT(message(13, 0),
              HasSubstr("header: width: expected an integer from 1 to 16384, found 0"));
  EXPECT_THAT(message(15, 21), HasSubstr("centreFracBits: expected an integer from 15 to 20"));
  EXPECT_THAT(message(16, 0), HasSubstr("count: expected an integer from 1"));
  EXPECT_THAT(message(17, 1), HasSubstr("payload: expected an integer from 75"));
  std::string damaged = good;
  damaged.back() = char(damaged.back() ^ 1);
  EXPECT_THAT(messageFor(damaged), HasSubstr("it is damaged"));
  for (std::size_t cut = 12; cut < good.size(); ++cut)
    EXPECT_NE(messageFor(good.substr(0, cut)), "no error") << cut;
}

// Quantized fields.

TEST(QuantizedFields, AreThoseOfTheRecordInItsOrder) {
  // Are as many as the record has.
  EXPECT_THAT(messageFor(quantizedFile().edit("\"fields\": [", "\"fields\": [{}, ").bytes()),
              StartsWith("bad.smoe: header: \"fields\": expected a list of 15 objects, found "));
  // Stand in the order of the record.
  expectEdited(quantizedFile(), "\"name\": \"cy\"", "\"name\": \"cz\"",
               "\"fields\" 1: \"name\": expected \"cy\", found \"cz\"");
  // Have the map of their kind.
  FileParts parts = quantizedFile();
  const std::size_t at = parts.json.find("\"log\"");
  parts.json.replace(at, 5, "\"exp\"");
  expectRefused(parts, "header: \"fields\" 3: \"map\": expected \"log\", found \"exp\"");
}

TEST(QuantizedFields, HaveFourTo24Bits) {
  for (const char* bad : {"3", "25"}) {
    FileParts parts = quantizedFile();
    const std::size_t at = parts.json.find("\"bits\": 13");
    parts.json.replace(at, 10, fmt::format("\"bits\": {}", bad));
    expectRefused(parts,
                  fmt::format("header: \"fields\" 0: \"bits\": expected an integer from 4 to 24, "
                              "found {}",
                              bad));
  }
}

TEST(QuantizedFields, HaveAMinBelowTheirMax) {
  FileParts parts = quantizedFile();
  const std::size_t from = parts.json.find("\"min\": "), to = parts.json.find(", \"map\"");
  parts.json.replace(from, to - from, "\"min\": 2, \"max\": 2");
  expectRefused(parts, "header: field cx: expected \"min\" below \"max\", found 2 and 2");
  parts = quantizedFile();
  parts.json.replace(from, to - from, "\"min\": -1e308, \"max\": 1e308");
  EXPECT_THAT(messageFor(parts.bytes()), HasSubstr("field cx: expected \"min\" below \"max\""));
}

TEST(QuantizedFields, HaveNoOtherKeys) {
  FileParts parts = quantizedFile();
  parts.json.insert(parts.json.find("\"name\": \"cx\""), "\"unit\": \"px\", ");
  expectRefused(parts, "header: \"fields\" 0: expected no key \"unit\", found \"px\"");
}

/// Six codes of 13 bits leave two bits of the last byte. A code itself cannot be too large.
TEST(QuantizedFields, AreFollowedByZeroBits) {
  FileParts parts = quantizedFile();
  parts.payload[9] = char(std::uint8_t(parts.payload[9]) | 0x80);
  expectRefused(parts, "field cx: expected zeros after the last code, found something else");
}

TEST(QuantizedFields, MustNotOverflow) {
  FileParts parts = quantizedFile();
  const std::size_t name = parts.json.find("\"name\": \"W11\"");
  const std::size_t from = parts.json.find("\"min\": ", name);
  const std::size_t to = parts.json.find(", \"map\"", from);
  parts.json.replace(from, to - from, "\"min\": 1000, \"max\": 2000");
  expectRefused(parts, "component 0: W11: expected a finite number, found inf");
}

// Values of records.

TEST(Values, AreFinite) {
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity()};
  // Every float of every kind of record, by its place in the file; 0 and 1 are fixed point.
  for (const int dims : {2, 3, 4})
    for (std::size_t array = 2; array < (dims == 2 ? 15u : dims == 3 ? 22u : 30u); ++array)
      for (const float value : bad)
        EXPECT_THAT(messageFor(record(dims).setFloat(array, kCount, 4, value).bytes()),
                    testing::ContainsRegex("component 4: .*: expected a finite number, found"))
            << dims << " " << array;
}

TEST(Values, DiagonalsOfWArePositive) {
  for (const std::size_t array : {3u, 5u})
    for (const float value : {0.0f, -1.0f})
      EXPECT_THAT(messageFor(record().setFloat(array, kCount, 4, value).bytes()),
                  HasSubstr("expected a positive number, found"));
  expectInvalid(3, "Wt: expected a positive number, found 0", [](auto& c) { c.leadW11 = 0; });
  expectInvalid(4, "Wa11: expected a positive number, found -1", [](auto& c) { c.leadW11 = -1; });
  expectInvalid(4, "Wa22: expected a positive number, found 0", [](auto& c) { c.leadW22 = 0; });
}

/// Sigma is at least a twentieth of a pixel and at most four diagonals.
TEST(Values, LieInTheirRanges) {
  expectInvalid(
      2, "sigma of W along the short axis: expected a number from 0.05 to 160, found 0.0497512",
      [](auto& c) { c.w11 = 1, c.w21 = 0, c.w22 = 20.1f; });
  expectInvalid(2, "sigma of W along the short axis",
                [](auto& c) { c.w11 = 1, c.w21 = 21, c.w22 = 1; });
  expectInvalid(2, "sigma of W along the long axis: expected a number from 0.05 to 160, found 161",
                [](auto& c) { c.w11 = 1, c.w21 = 0, c.w22 = 1 / 161.0f; });
  expectInvalid(2, "muY2: expected a number from -4 to 5, found 5.1",
                [](auto& c) { c.color[1] = 5.1f; });
  expectInvalid(2, "muY3: expected a number from -4 to 5, found -4.1",
                [](auto& c) { c.color[2] = -4.1f; });
  expectInvalid(2, "|H1|: expected a number from 0 to 16, found 16.97",
                [](auto& c) { c.h[0][0] = 12, c.h[0][1] = 12; });
  expectInvalid(3, "|Ht2|: expected a number from 0 to 16, found 17",
                [](auto& c) { c.leadH[1][0] = -17; });
  expectInvalid(4, "|Ha3|: expected a number from 0 to 16, found 17",
                [](auto& c) { c.leadH[2][1] = 17; });
  expectInvalid(3, "M2: expected a number from -64 to 64, found 65",
                [](auto& c) { c.m[1][0] = 65; });
  expectInvalid(4, "M12: expected a number from -64 to 64, found -65",
                [](auto& c) { c.m[0][1] = -65; });
  // Centers lie at most one picture outside.
  expectInvalid(2, "cx: expected a number from -32 to 64, found 65",
                [](auto& c) { c.cx = 65 << 20; });
  expectInvalid(2, "cy: expected a number from -24 to 48, found -25",
                [](auto& c) { c.cy = -25 * (1 << 20); });
}

TEST(Values, ConditionIsAtMostTenToTheEighth) {
  Model model = goodModel(2);
  model.width = model.height = 16384;
  model.centerFractionBits = 15;
  for (Component& c : model.components) c.w11 = c.w22 = 0.1f, c.w21 = 0;
  validate(model, "bad.smoe");
  model.components[3].w11 = 10, model.components[3].w22 = 1 / 1001.0f;
  EXPECT_THAT(messageOf([&] { validate(model, "bad.smoe"); }),
              HasSubstr("component 3: condition of R_XX: expected at most 1e8, found 1.002"));
  // With leading coordinates the whole of R_XX counts.
  for (const int dims : {3, 4})
    expectInvalid(dims, "condition of R_XX: expected", [](auto& c) { c.leadW11 = 1e5f; });
}

TEST(Values, CIsWithin200OfTheMedian) {
  Model model = goodModel(2);
  for (Component& component : model.components) component.c = 7;
  model.components[2].c = 207;
  validate(model, "good.smoe");
  expectInvalid(2, "c, from the median: expected a number from -200 to 200, found -99",
                [](auto& c) { c.c = -1000; });
}

TEST(Values, OfAModelWithoutComponentsAreRefused) {
  Model model = goodModel(2);
  model.components.clear();
  EXPECT_THROW(validate(model, "bad.smoe"), Error);
}

// Mixtures.

TEST(Mixtures, PriorsArePositiveAndAddUpToOne) {
  expectRefused(mixture().setFloat(0, kCount, 3, 0),
                "component 3: pi: expected a positive number, found 0");
  EXPECT_THAT(messageFor(mixture().setFloat(0, kCount, 3, NAN).bytes()),
              HasSubstr("component 3: pi: expected a positive number, found nan"));
  EXPECT_THAT(messageFor(mixture().setFloat(0, kCount, 3, 0.9f).bytes()),
              StartsWith("bad.smoe: pi: expected a sum of 1 (to 0.001), found 1."));
}

TEST(Mixtures, NumbersAreFinite) {
  expectRefused(mixture().setFloat(2, kCount, 5, INFINITY),
                "component 5: mean[1]: expected a finite number, found inf");
  expectRefused(mixture().setFloat(7, kCount, 5, INFINITY),
                "component 5: covariance[0][1]: expected a finite number, found inf");
  expectRefused(mixture("selection").setFloat(9, kCount, 0, INFINITY),
                "component 0: covariance[2][0]: expected a finite number, found inf");
}

TEST(Mixtures, CovariancesAreSymmetricAndPositiveDefinite) {
  EXPECT_THAT(messageFor(mixture("full").setFloat(7, kCount, 1, 3).bytes()),
              testing::MatchesRegex("bad.smoe: component 1: covariance.1..0.: expected its mirror "
                                    "3, found .*"));
  expectRefused(mixture().setFloat(6, kCount, 2, -1),
                "component 2: expected a positive definite covariance, found one that is not");
}

TEST(Mixtures, FollowTheRulesForRecords) {
  EXPECT_THAT(messageFor(mixture().setFloat(1, kCount, 2, 100).bytes()),
              HasSubstr("component 2: cx: expected a number from -32 to 64, found 100"));
}

TEST(Mixtures, HaveAsManyNumbersAsTheirSelection) {
  const auto numbers = [](const std::string& covariance, int dims) {
    return mixture(covariance, dims).payload.size() / 4 / kCount;
  };
  EXPECT_EQ(31u, numbers("full", 2));
  EXPECT_EQ(21u, numbers("upper", 2));
  EXPECT_EQ(18u, numbers("selection", 2));
  EXPECT_EQ(57u, numbers("full", 4));
  EXPECT_EQ(36u, numbers("upper", 4));
  EXPECT_EQ(33u, numbers("selection", 4));
  for (const char* covariance : {"full", "upper", "selection"}) {
    FileParts parts = mixture(covariance, 4);
    parts.payload += std::string(4, '\0');
    EXPECT_THAT(messageFor(parts.bytes()), HasSubstr("bytes of payload for 6 components, found"));
  }
}

}  // namespace
}  // namespace fathom::smoe
