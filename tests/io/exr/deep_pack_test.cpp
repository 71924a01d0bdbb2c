// SPDX-License-Identifier: BSD-3-Clause
// Packed deep images: every bit of every kind of channel comes back, in bands and through files;
// the bytes are those of docs/reference/fdp.md (fdp_reader.c reads them by that page alone); and
// what is damaged is refused.
#include "app/engine/io/exr/deep_codec.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/random.h"
#include "app/engine/io/deflate.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/system/machine.h"
#include "tests/support/synthetic_deep.h"

namespace fathom {
namespace {

/// Spheres with an ID per fragment, a float and a half that hold any bits, and their own alpha.
DeepImage manyChannels(int width, int height, bool withZBack) {
  DeepImage image = test::sphereField({width, height, 5, 9, withZBack});
  makeIndexed(image);
  Random random(4);
  const auto add = [&](const char* name, ChannelType type,
                       const std::function<std::uint32_t()>& next) {
    DeepChannel channel{name, type, {}};
    channel.values.resize(image.fragmentCount() * bytesPerValue(type));
    for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
      const std::uint32_t bits = next();
      std::memcpy(channel.values.data() + i * bytesPerValue(type), &bits, bytesPerValue(type));
    }
    image.channels.push_back(std::move(channel));
  };
  const auto any = [&] { return random.below(65536) << 16 | random.below(65536); };
  add("any", ChannelType::Float, any);
  add("anyHalf", ChannelType::Half, any);
  add("id", ChannelType::Uint, [&] { return 0x9E3779B9u * random.below(40); });
  add("ids", ChannelType::Uint, any);
  add("over.A", ChannelType::Float, [&] { return random.below(2) ? 0x3F800000u : any(); });
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
  return image;
}

/// A tilted surface with noise for coverage, and two colors.
DeepImage noisySurface(int width, int height) {
  DeepImage image = test::sphereField({width, height, 1, 5});
  std::iota(image.fragmentOffsets.begin(), image.fragmentOffsets.end(), std::size_t(0));
  image.words.clear();
  Random random(3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float alpha = random.uniform(0.05f, 1.0f);
      const auto z = std::bit_cast<std::uint32_t>(2 + 0.011f * float(x) + 0.023f * float(y));
      image.words.insert(image.words.end(),
                         {glm::packHalf2x16(glm::vec2(0.9f, 0.3f) * alpha),
                          glm::packHalf2x16(glm::vec2(0.2f, 1.0f) * alpha), z, z});
    }
  return image;
}

std::vector<DeepImage> images() {
  std::vector<DeepImage> all;
  for (const auto& [width, height] : {std::pair(1, 1), {37, 5}, {16, 16}, {61, 35}})
    for (const bool volumes : {false, true}) {
      all.push_back(test::sphereField({width, height, 7, 3, volumes}));
      all.push_back(manyChannels(width, height, volumes));
    }
  DeepImage deep = test::sphereField({3, 2, 900, 5});  // lists longer than symbols count
  all.push_back(deep);
  all.push_back(noisySurface(64, 64));  // quick numbers, of planes that are joined
  DeepImage empty = test::sphereField({40, 33, 1, 5});
  empty.words.clear();
  std::fill(empty.fragmentOffsets.begin(), empty.fragmentOffsets.end(), 0);
  all.push_back(empty);
  return all;
}

DeepReadOptions asStored(const std::string& part = {}) { return {.part = part, .asStored = true}; }

class DeepPack : public FolderTest {};

TEST_F(DeepPack, EveryBitComesBack) {
  for (const DeepImage& image : images()) {
    writeDeepExr(folder / "a.fdp", image);
    EXPECT_TRUE(looksLikeDeepExr(folder / "a.fdp"));
    const DeepImage back = readDeepExr(folder / "a.fdp", asStored());
    EXPECT_TRUE(sameFragments(back, image)) << image.dataWindow.width;
    EXPECT_EQ(describeExr(folder / "a.fdp").totals[0]->fragmentCount, image.fragmentCount());
  }
}

TEST_F(DeepPack, RowsAreReadByThemselvesAndInBandsTheFileIsTheSame) {
  const DeepImage image = manyChannels(29, 53, true);
  writeDeepExr(folder / "a.fdp", image);
  DeepExrReader reader(folder / "a.fdp", asStored());
  EXPECT_EQ(reader.rowStep(), deep_pack::kBlockRows);
  for (const auto& [first, last] : {std::pair(0, 1), {15, 17}, {20, 21}, {50, 53}}) {
    const DeepImage rows = reader.readRows(first, last);
    const std::size_t before = image.fragmentOffsets[image.pixelIndex(0, first)];
    ASSERT_EQ(rows.fragmentCount(),
              image.fragmentOffsets[image.pixelIndex(28, last - 1) + 1] - before);
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
      const std::vector<std::byte>& found = rows.channels[c].values;
      EXPECT_TRUE(std::equal(found.begin(), found.end(),
                             image.channels[c].values.begin() +
                                 std::ptrdiff_t(before * bytesPerValue(image.channels[c].type))))
          << image.channels[c].name;
    }
  }
  DeepExrWriter out(folder / "b.fdp", reader.emptyImage());
  for (int y = 0; y < 53; y += 32) out.writeRows(reader.readRows(y, std::min(53, y + 32)));
  out.finish();
  EXPECT_EQ(readText(folder / "a.fdp"), readText(folder / "b.fdp"));
}

TEST_F(DeepPack, HeadersOfEveryPartStayAsTheyWere) {
  std::vector<DeepImage> parts{test::sphereField({23, 17, 5, 1}), manyChannels(9, 20, true)};
  for (int part = 0; part < 2; ++part)
    parts[std::size_t(part)].attributes = std::make_shared<const Attributes>(
        Attributes{attributeOf("name", std::string(part ? "b" : "a")),
                   attributeOf("owner", std::string("me")), attributeOf("of us", 2.5f)});
  const DeepWriteOptions tiles{.compression = DeepCompression::Rle, .tiled = true, .tileSize = 16};
  const auto through = [&](const char* from, const char* to, const DeepWriteOptions& how) {
    std::vector<DeepImage> images;
    for (const char* part : {"0", "1"})
      images.push_back(readDeepExr(folder / from, asStored(part)));
    DeepExrWriter out(folder / to, images, how);
    for (int part = 0; part < 2; ++part) out.writeRows(images[std::size_t(part)], part);
    out.finish();
  };
  DeepExrWriter first(folder / "a.exr", parts, tiles);
  for (int part = 0; part < 2; ++part) first.writeRows(parts[std::size_t(part)], part);
  first.finish();
  const DeepWriteOptions same{.asStored = true};
  through("a.exr", "b.fdp", same);
  through("b.fdp", "c.exr", same);
  EXPECT_EQ(readAttributes(folder / "b.fdp"), readAttributes(folder / "a.exr"));
  EXPECT_EQ(readText(folder / "c.exr"), readText(folder / "a.exr"));
}

/// The page describes these bytes: other ones need another number in the file's first four.
TEST_F(DeepPack, TheBytesStayTheSame) {
  writeDeepExr(folder / "a.fdp", manyChannels(21, 19, true));
  const std::string bytes = readText(folder / "a.fdp");
  EXPECT_EQ(fmt::format("{} {:x}", bytes.size(), crc32(std::as_bytes(std::span(bytes)))),
            "44653 20e56df8");
}

/// docs/reference/fdp_reader.c shares nothing with the program.
class FdpReader : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(std::system(fmt::format("cc -std=c99 -O1 -o {} {}", program_,
                                      sourcePath("docs/reference/fdp_reader.c").string())
                              .c_str()),
              0);
  }
  int run() const {
    return std::system(
        fmt::format("{} {} {} 2>/dev/null", program_, folder_.file("a.fdp"), folder_.file("b.exr"))
            .c_str());
  }
  TempFolder folder_;
  std::string program_ = folder_.file("fdp_reader");
};

TEST_F(FdpReader, WritesThePlainFile) {
  for (const DeepImage& image : images()) {
    writeDeepExr(folder_ / "a.fdp", image);
    writeDeepExr(folder_ / "a.exr", image, {.compression = DeepCompression::None});
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(readText(folder_ / "b.exr"), readText(folder_ / "a.exr"));
  }
}

TEST_F(FdpReader, ReadsSeveralPartsAndRefusesDamage) {
  const std::vector<DeepImage> parts{test::sphereField({23, 17, 5, 1}), manyChannels(9, 20, true)};
  std::vector<DeepImage> headers = parts;
  for (int part = 0; part < 2; ++part)
    headers[std::size_t(part)].attributes = std::make_shared<const Attributes>(
        Attributes{attributeOf("name", std::string(part ? "b" : "a"))});
  DeepExrWriter out(folder_ / "a.fdp", headers);
  for (int part = 0; part < 2; ++part) out.writeRows(parts[std::size_t(part)], part);
  out.finish();
  ASSERT_EQ(run(), 0);
  for (const char* part : {"0", "1"})
    EXPECT_TRUE(sameFragments(readDeepExr(folder_ / "b.exr", asStored(part)),
                              parts[std::size_t(part[0] - '0')]));
  const std::string whole = readText(folder_ / "a.fdp");
  Random random(6);
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    std::string bytes = whole;
    for (int k = 0; k < 3; ++k)
      bytes[random.below(std::uint32_t(bytes.size()))] = char(random.below(256));
    folder_.write("a.fdp", bytes);
    const int status = run();
    EXPECT_TRUE(status == 0 || status == 1 << 8) << i;  // exit code 1
    refused += status != 0;
  }
  EXPECT_GT(refused, 50);  // a channel may be called anything, and raw bits are as good as others
}

/// Other damage in each round of --gtest_shuffle --gtest_repeat=167, which are a million blocks.
TEST_F(DeepPack, DamagedBytesAreRefusedOrRead) {
  Random random(8 + std::uint32_t(::testing::UnitTest::GetInstance()->random_seed()));
  for (const DeepImage& image :
       {manyChannels(12, 9, false), manyChannels(12, 9, true), noisySurface(12, 9)}) {
    const auto planes = deep_planes::planesOf(image.channels);
    std::vector<std::int32_t> running;
    std::vector<std::byte> rows;
    for (int y = 0; y < 9; ++y) {
      const std::size_t* at = image.fragmentOffsets.data() + image.pixelIndex(0, y);
      for (int x = 0; x < 12; ++x) running.push_back(std::int32_t(at[x + 1] - at[0]));
      std::vector<std::byte> row((at[12] - at[0]) * deep_planes::fragmentBytes(planes));
      deep_planes::unpackWords(planes, image, image.words.data() + 4 * at[0], at[12] - at[0], row);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    const deep_pack::BlockCounts counts{12, 9, running};
    const std::vector<std::byte> packedCounts = deep_pack::packCounts(counts),
                                 packed = deep_pack::packPlanes(image.channels, counts, rows);
    // The first raw bit, behind the symbols: noise is stored in numbers without models.
    EXPECT_EQ((packed[4 + load<std::uint32_t>(packed.data())] & std::byte(1)) == std::byte(1),
              image.channels.size() == 5);
    int refused = 0;
    constexpr int kTries = 2000;
    for (int i = 0; i < kTries; ++i) {
      std::vector<std::byte> bad = i % 3 ? packed : packedCounts;
      for (std::uint32_t change = 1 + random.below(3); change > 0; --change)
        bad[random.below(std::uint32_t(bad.size()))] ^= std::byte(1 << random.below(8));
      if (i % 7 == 0) bad.resize(random.below(std::uint32_t(bad.size())));
      std::vector<std::int32_t> foundCounts(running.size());
      std::vector<std::byte> found(rows.size());
      refused += i % 3 ? !deep_pack::unpackPlanes(image.channels, counts, bad, found)
                       : !deep_pack::unpackCounts(bad, 12, foundCounts);
    }
    EXPECT_GT(refused, kTries / 4);  // raw bits are as good as others
  }
}

/// A tilted surface is forecast by its slopes, light by coverage, and what remains is the noise of
/// coverage: 11 bits of the 26 that may be used.
TEST_F(DeepPack, SurfacesAndColorsThatFollowCoverageCostLittle) {
  writeDeepExr(folder / "a.fdp", noisySurface(64, 64));
  EXPECT_LT(fs::file_size(folder / "a.fdp"), 64 * 64 * 26u / 8);
  EXPECT_TRUE(sameFragments(readDeepExr(folder / "a.fdp", asStored()), noisySurface(64, 64)));
}

TEST_F(DeepPack, AnotherVersionIsRefusedInOneLine) {
  writeDeepExr(folder / "a.fdp", test::sphereField({5, 5, 1, 5}));
  std::string bytes = readText(folder / "a.fdp");
  for (const char version : {1, 2, 4}) {
    bytes[3] = version;
    const std::string file = folder.write("b.fdp", bytes).string();
    EXPECT_EQ(
        messageOf([&] { readDeepExr(file); }),
        file + ": expected an EXR file, found a packed deep image of another version of Fathom");
  }
}

/// As much as can be in few bytes: the same fragments everywhere, and none.
TEST_F(DeepPack, EvenImagesStayWithinWhatTheirBytesMayClaim) {
  for (const std::size_t each : {std::size_t(0), std::size_t(1), std::size_t(40)}) {
    DeepImage image = test::sphereField({each ? 1000 : 60000, 40, 1, 5});
    for (std::size_t p = 0; p < image.fragmentOffsets.size(); ++p)
      image.fragmentOffsets[p] = each * p;
    image.words.assign(image.fragmentCount() * 4, 0x3F800000);
    writeDeepExr(folder / "a.fdp", image);
    EXPECT_TRUE(sameFragments(readDeepExr(folder / "a.fdp", asStored()), image)) << each;
  }
}

TEST_F(DeepPack, AWindowBeyondWhatTheFileCanHoldTakesNoMemory) {
  writeDeepExr(folder / "a.fdp", test::sphereField({61, 35, 7, 3}));
  std::string bytes = readText(folder / "a.fdp");
  const std::size_t window = bytes.find("dataWindow") + std::strlen("dataWindow") + 1 +
                             std::strlen("box2i") + 1 + sizeof(std::int32_t);
  for (const int width : {1 << 16, 1 << 20, 1 << 24, 1 << 28, INT32_MAX}) {
    const std::int32_t right = width - 1;
    std::memcpy(bytes.data() + window + 2 * sizeof right, &right, sizeof right);
    const std::string file = folder.write("b.fdp", bytes).string();
    const auto refused = [&](const auto& action) {
      EXPECT_EQ(messageOf(action).rfind(file + ": expected ", 0), 0u) << width;
    };
    refused([&] { readDeepExr(file); });
    refused([&] { describeExr(file); });
  }
  EXPECT_LT(system::peakMemoryBytes(), std::uint64_t(1) << 30);
}

TEST_F(DeepPack, AFileThatIsCutOffNamesItself) {
  writeDeepExr(folder / "a.fdp", test::sphereField({23, 37, 5, 1}));
  const std::string whole = readText(folder / "a.fdp");
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 100) {
    const std::string file = folder.write("b.fdp", whole.substr(0, length)).string();
    EXPECT_EQ(messageOf([&] { readDeepExr(file); }).rfind(file + ": ", 0), 0u) << length;
  }
}

}  // namespace
}  // namespace fathom
