// SPDX-License-Identifier: BSD-3-Clause
// Alpha in model files: a gray model behind the colors' payload, in every encoding, and what is
// wrong with one.
#include "app/engine/core/error.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/reference.h"
#include "tests/smoe/model/model_files.h"
#include "tests/smoe/model/models.h"
#include "tests/support/message.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace fathom::smoe {
namespace {

using test::messageOf;
using testing::HasSubstr;

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

Model readText(const std::string& file) {
  Progress progress;
  return readModel(std::as_bytes(std::span(file)), "test.smoe", progress);
}

TEST(SmoeAlpha, EveryEncodingKeepsIt) {
  const Model model = withAlpha();
  for (int i = 0; i < kEncodings; ++i) {
    const auto encoding = Encoding(i);
    const EncodedModel saved = encode(model, encoding);
    const Model back = readText(textOf(saved.bytes));
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
    const Model again = readText(textOf(encode(back, Encoding::F32).bytes));
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
  EXPECT_EQ(fileBytes(thirty) - fileBytes(ten), 20u * 9 * 4);
  EXPECT_EQ(readText(fileOf(ten)).components, ten.components);
  EXPECT_EQ(readText(fileOf(ten, 12)).components,
            quantized(ten, {12, 12, 12, 12, 12}).components);
  EXPECT_EQ(fileOf(randomModel(1, 2, 5, kAlphaSize)).find("alpha"), std::string::npos);
}

TEST(SmoeAlpha, AWrongOneIsRefused) {
  const std::string file = textOf(encode(withAlpha(5, 4), Encoding::F32).bytes);
  const std::size_t part = file.find("SMOEMDL1", 8);
  ASSERT_NE(part, std::string::npos);
  const auto message = [](const std::string& changed) {
    return messageOf([&] { readText(changed); });
  };
  for (std::size_t cut = part; cut < file.size(); cut += 37)
    EXPECT_THAT(message(file.substr(0, cut)), HasSubstr("and their alpha, found")) << cut;
  std::string damaged = file;
  damaged.back() = char(damaged.back() ^ 1);
  EXPECT_THAT(message(damaged), HasSubstr("test.smoe: alpha: expected a payload with CRC"));
  std::string other = file;
  std::memcpy(other.data() + part, "SMOEMDL2", 8);
  EXPECT_THAT(message(other), HasSubstr("alpha: expected a model file"));

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
  EXPECT_THAT(messageOf([&] { validate(nested, "model"); }), HasSubstr("expected none"));
  Model views = randomModel(1, 4, 5, kAlphaSize);
  views.alpha = grayModel(4, 4);
  EXPECT_THAT(messageOf([&] { validate(views, "model"); }), HasSubstr("expected none"));
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
  EXPECT_THAT(messageOf([&] { readText(with(inner)); }), HasSubstr("expected no alpha of its own"));
  const std::string state = fileOf(*grayModel(2, 3)) + "SMOEFIT1abcdef";
  EXPECT_THAT(messageOf([&] { readText(with(state)); }), HasSubstr("expected nothing behind"));
  EXPECT_TRUE(readText(with(fileOf(*grayModel(2, 3)))).alpha);
}

TEST(SmoeAlpha, AnIndependentDecoderOfPackedFilesAgrees) {
  const test::TempFolder folder;
  const EncodedModel packed = encode(withAlpha(), Encoding::Packed);
  writeEncoded(folder.file("packed.smoe"), packed);
  writeModel(folder.file("plain.smoe"), packed.model);
  const std::string command =
      fmt::format("python3 {}/tests/smoe/model/packed_decoder.py {} {}", FATHOM_SOURCE_DIR,
                  folder.file("packed.smoe"), folder.file("plain.smoe"));
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(SmoeAlpha, TilesHaveIt) {
  const Model tiles = tiled(withAlpha(), 2 * kAlphaSize.x, kAlphaSize.y);
  ASSERT_TRUE(tiles.alpha);
  EXPECT_EQ(tiles.alpha->width, tiles.width);
  EXPECT_GT(tiles.alpha->components.size(), withAlpha().alpha->components.size());
  validate(tiles, "tiles");
}

}  // namespace
}  // namespace fathom::smoe
