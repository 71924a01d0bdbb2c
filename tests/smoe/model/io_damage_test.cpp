// SPDX-License-Identifier: BSD-3-Clause
// One test per rule of the model file: what is refused, and in which words.
#include "app/engine/core/error.h"
#include "app/engine/smoe/model/file.h"
#include "tests/smoe/model/model_files.h"
#include "tests/smoe/model/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fathom::smoe {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int kCount = 6;
constexpr glm::ivec2 kSize{32, 24};

/// What reading it says; empty when it was read.
std::string messageFor(const std::string& file) {
  Progress progress;
  try {
    readModel(std::as_bytes(std::span(file)), "bad.smoe", progress);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
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
void expectInvalid(int dims, const Change& change, const std::string& message) {
  Model model = goodModel(dims);
  change(model.components[2]);
  try {
    validate(model, "bad.smoe");
    ADD_FAILURE() << "valid; expected: " << message;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("bad.smoe: component 2: " + message));
  }
}

TEST(GoodFiles, AreRead) {
  for (const int dims : {2, 3, 4}) EXPECT_EQ("", messageFor(record(dims).bytes()));
  EXPECT_EQ("", messageFor(quantizedFile().bytes()));
  for (const char* covariance : {"full", "upper", "selection"})
    EXPECT_EQ("", messageFor(mixture(covariance).bytes()));
}

// The container.

TEST(Container, MagicIsExpected) {
  std::string file = record().bytes();
  file[7] = '2';
  expectRefused(file, fmt::format("expected a model file (it begins with SMOEMDL1), found another "
                                  "kind or {} bytes only",
                                  file.size()));
  expectRefused(std::string("SMOEMDL"),
                "expected a model file (it begins with SMOEMDL1), found another kind or 7 bytes "
                "only");
  expectRefused(std::string(),
                "expected a model file (it begins with SMOEMDL1), found another "
                "kind or 0 bytes only");
}

TEST(Container, HeaderLengthIsFromOneByteToOneMebibyte) {
  std::string file = record().bytes();
  for (const std::uint32_t length : {0u, (1u << 20) + 1, 0xffffffffu}) {
    std::memcpy(file.data() + 8, &length, sizeof length);
    expectRefused(file, fmt::format("expected a header of 1 to 1048576 bytes, found {}", length));
  }
}

TEST(Container, HeaderIsComplete) {
  const std::string file = record().bytes();
  const std::string cut = file.substr(0, 100);
  EXPECT_THAT(messageFor(cut), HasSubstr("bytes, found 100 bytes in all"));
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
  EXPECT_THAT(messageFor(file), testing::MatchesRegex("bad.smoe: expected a payload with CRC "
                                                      "[0-9a-f]+, found [0-9a-f]+: it is damaged"));
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

TEST(Header, NamesEachKeyOnce) {
  expectEdited(record(), "\"version\": 1", "\"version\": 1, \"dims\": 2",
               "expected each key once, found \"dims\" twice");
}

TEST(Header, HasNoUnknownKeys) {
  expectEdited(record(), "\"version\": 1", "\"version\": 1, \"colour space\": 3",
               "expected no key \"colour space\", found 3");
  // Known ones only where they mean something.
  expectEdited(record(), "\"version\": 1", "\"version\": 1, \"frames\": 3",
               "expected no key \"frames\", found 3");
  expectEdited(record(), "\"version\": 1", "\"version\": 1, \"covariance\": \"full\"",
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
        EXPECT_NE("", messageFor(record(dims)
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
               "\"colour\": expected \"srgb\" or \"linear\" or \"ycbcr709\" or \"gray\", found "
               "\"hsv\"");
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
    const std::size_t at = parts.json.find("\"crc32\": \"") + 10;
    parts.json.replace(at, 8, bad);
    // Not by bytes(), which would mend it.
    std::string file = record().bytes();
    FileParts kept = parts;
    kept.json.replace(kept.json.find("crc32"), 5, "CRC32");
    std::string bytes = kept.bytes();
    bytes.replace(bytes.find("CRC32"), 5, "crc32");
    EXPECT_THAT(messageFor(bytes),
                StartsWith("bad.smoe: header: \"crc32\": expected 8 hexadecimal digits, found "));
  }
}

// Quantized fields.

TEST(QuantizedFields, AreAsManyAsTheRecordHas) {
  EXPECT_THAT(messageFor(quantizedFile().edit("\"fields\": [", "\"fields\": [{}, ").bytes()),
              StartsWith("bad.smoe: header: \"fields\": expected a list of 15 objects, found "));
}

TEST(QuantizedFields, StandInTheOrderOfTheRecord) {
  expectEdited(quantizedFile(), "\"name\": \"cy\"", "\"name\": \"cz\"",
               "\"fields\" 1: \"name\": expected \"cy\", found \"cz\"");
}

TEST(QuantizedFields, HaveTheMapOfTheirKind) {
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
  expectInvalid(
      3, [](Component& c) { c.leadW11 = 0; }, "Wt: expected a positive number, found 0");
  expectInvalid(
      4, [](Component& c) { c.leadW11 = -1; }, "Wa11: expected a positive number, found -1");
  expectInvalid(
      4, [](Component& c) { c.leadW22 = 0; }, "Wa22: expected a positive number, found 0");
}

TEST(Values, SigmaIsAtLeastATwentiethOfAPixel) {
  expectInvalid(
      2, [](Component& c) { c.w11 = 1, c.w21 = 0, c.w22 = 20.1f; },
      "sigma of W along the short axis: expected a number from 0.05 to 160, found "
      "0.0497512");
  expectInvalid(
      2, [](Component& c) { c.w11 = 1, c.w21 = 21, c.w22 = 1; }, "sigma of W along the short axis");
}

TEST(Values, SigmaIsAtMostFourDiagonals) {
  expectInvalid(
      2, [](Component& c) { c.w11 = 1, c.w21 = 0, c.w22 = 1 / 161.0f; },
      "sigma of W along the long axis: expected a number from 0.05 to 160, found 161");
}

TEST(Values, ConditionIsAtMostTenToTheEighth) {
  Model model = goodModel(2);
  model.width = model.height = 16384;
  model.centerFractionBits = 15;
  for (Component& c : model.components) c.w11 = c.w22 = 0.1f, c.w21 = 0;
  validate(model, "bad.smoe");
  model.components[3].w11 = 10, model.components[3].w22 = 1 / 1001.0f;
  try {
    validate(model, "bad.smoe");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("component 3: condition of R_XX: expected at most 1e8, "
                                        "found 1.002"));
  }
  // With leading coordinates the whole of R_XX counts.
  for (const int dims : {3, 4})
    expectInvalid(
        dims, [](Component& c) { c.leadW11 = 1e5f; }, "condition of R_XX: expected");
}

TEST(Values, CIsWithin200OfTheMedian) {
  Model model = goodModel(2);
  for (Component& component : model.components) component.c = 7;
  model.components[2].c = 207;
  validate(model, "good.smoe");
  expectInvalid(
      2, [](Component& component) { component.c = -1000; },
      "c, from the median: expected a number from -200 to 200, found -99");
}

TEST(Values, ColorsAreFromMinusFourToFive) {
  expectInvalid(
      2, [](Component& c) { c.color[1] = 5.1f; },
      "muY2: expected a number from -4 to 5, found 5.1");
  expectInvalid(
      2, [](Component& c) { c.color[2] = -4.1f; },
      "muY3: expected a number from -4 to 5, found -4.1");
}

TEST(Values, SlopesAreAtMostSixteen) {
  expectInvalid(
      2, [](Component& c) { c.h[0][0] = 12, c.h[0][1] = 12; },
      "|H1|: expected a number from 0 to 16, found 16.97");
  expectInvalid(
      3, [](Component& c) { c.leadH[1][0] = -17; },
      "|Ht2|: expected a number from 0 to 16, found 17");
  expectInvalid(
      4, [](Component& c) { c.leadH[2][1] = 17; },
      "|Ha3|: expected a number from 0 to 16, found 17");
}

TEST(Values, MotionIsAtMost64) {
  expectInvalid(
      3, [](Component& c) { c.m[1][0] = 65; }, "M2: expected a number from -64 to 64, found 65");
  expectInvalid(
      4, [](Component& c) { c.m[0][1] = -65; }, "M12: expected a number from -64 to 64, found -65");
}

TEST(Values, CentersLieAtMostOnePictureOutside) {
  expectInvalid(
      2, [](Component& c) { c.cx = 65 << 20; }, "cx: expected a number from -32 to 64, found 65");
  expectInvalid(
      2, [](Component& c) { c.cy = -25 * (1 << 20); },
      "cy: expected a number from -24 to 48, found -25");
}

TEST(Values, OfAModelWithoutComponentsAreRefused) {
  Model model = goodModel(2);
  model.components.clear();
  EXPECT_THROW(validate(model, "bad.smoe"), Error);
}

// Mixtures.

TEST(Mixtures, PriorsArePositive) {
  expectRefused(mixture().setFloat(0, kCount, 3, 0),
                "component 3: pi: expected a positive number, found 0");
  EXPECT_THAT(messageFor(mixture().setFloat(0, kCount, 3, NAN).bytes()),
              HasSubstr("component 3: pi: expected a positive number, found nan"));
}

TEST(Mixtures, PriorsAddUpToOne) {
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

TEST(Mixtures, CovariancesAreSymmetric) {
  EXPECT_THAT(messageFor(mixture("full").setFloat(7, kCount, 1, 3).bytes()),
              testing::MatchesRegex("bad.smoe: component 1: covariance.1..0.: expected its mirror "
                                    "3, found .*"));
}

TEST(Mixtures, CovariancesArePositiveDefinite) {
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
