// SPDX-License-Identifier: BSD-3-Clause
// Deep EXR files: bit-exact round trips in every shape, agreement with OpenEXR's own classes,
// bands, and what is refused.
#include "app/engine/io/exr/deep_exr.h"

#include "app/engine/io/exr/flat_exr.h"
#include "tests/io/exr/openexr_witness.h"
#include "tests/support/synthetic_deep.h"

#include <half.h>

namespace fathom {
namespace {

using test::sphereField;

DeepImage field(int width, int height, bool withZBack = false) {
  return sphereField({width, height, 6, 7, withZBack});
}

/// Values of one channel, given as floats or IDs, in its own type.
DeepChannel plane(const std::string& name, ChannelType type, const std::vector<double>& values) {
  DeepChannel channel{name, type, {}};
  channel.values.resize(values.size() * bytesPerValue(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t bits = 0;
    if (type == ChannelType::Half) bits = half(float(values[i])).bits();
    if (type == ChannelType::Float) bits = std::bit_cast<std::uint32_t>(float(values[i]));
    if (type == ChannelType::Uint) bits = std::uint32_t(values[i]);
    std::memcpy(channel.values.data() + i * bytesPerValue(type), &bits, bytesPerValue(type));
  }
  return channel;
}

/// One row of pixels with `counts` fragments each and the given planes (alphabetical, Z among
/// them).
DeepImage rowOf(const std::vector<std::size_t>& counts, std::vector<DeepChannel> planes) {
  DeepImage image;
  image.format = FragmentFormat::Indexed;
  image.dataWindow = image.displayWindow = {0, 0, int(counts.size()), 1};
  for (const std::size_t count : counts)
    image.fragmentOffsets.push_back(image.fragmentOffsets.back() + count);
  image.words.resize(image.fragmentCount() * 4);
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) image.words[4 * i] = std::uint32_t(i);
  image.channels = std::move(planes);
  return image;
}

DeepChannel halves(const std::string& name, const std::vector<double>& values) {
  return plane(name, ChannelType::Half, values);
}
DeepChannel floats(const std::string& name, const std::vector<double>& values) {
  return plane(name, ChannelType::Float, values);
}

DeepImage throughOpenExr(const DeepImage& image, const DeepReadOptions& options = {}) {
  const TempFolder folder;
  const auto file = folder / "in.exr";
  test::writeWithOpenExr(file, {{image}});
  return readDeepExr(file, options);
}

std::string readMessage(const std::filesystem::path& file, const DeepReadOptions& options = {}) {
  return messageOf([&] { readDeepExr(file, options); });
}

// ---- ---- round trips

struct Shape {
  DeepCompression compression;
  bool tiled;
  int width, height;
};

class DeepRoundTrip : public testing::TestWithParam<Shape> {
 protected:
  DeepWriteOptions options() const {
    return {.compression = GetParam().compression, .tiled = GetParam().tiled, .tileSize = 16};
  }
  TempFolder folder_;
};

TEST_P(DeepRoundTrip, KeepsEveryBitOfPointsAndVolumes) {
  for (const bool volumes : {false, true}) {
    const DeepImage image = field(GetParam().width, GetParam().height, volumes);
    writeDeepExr(folder_ / "a.exr", image, options());
    const DeepImage back = readDeepExr(folder_ / "a.exr");
    EXPECT_EQ(back.hasZBack, volumes);
    EXPECT_TRUE(sameFragments(image, back));
  }
}

TEST_P(DeepRoundTrip, KeepsEveryBitOfOtherChannels) {
  DeepImage image = field(GetParam().width, GetParam().height);
  makeIndexed(image);
  DeepChannel id{"id", ChannelType::Uint, std::vector<std::byte>(image.fragmentCount() * 4)};
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    const auto value = std::uint32_t(i * 2654435761u);
    std::memcpy(id.values.data() + 4 * i, &value, 4);
  }
  image.channels.push_back(id);
  writeDeepExr(folder_ / "a.exr", image, options());
  EXPECT_TRUE(sameFragments(image, readDeepExr(folder_ / "a.exr")));
}

class DeepWitness : public DeepRoundTrip {};

TEST_P(DeepWitness, OpenExrReadsTheSame) {
  DeepImage image = field(GetParam().width, GetParam().height, true);
  writeDeepExr(folder_ / "a.exr", image, options());
  makeIndexed(image);
  EXPECT_TRUE(sameFragments(image, test::readWithOpenExr(folder_ / "a.exr")));
}

/// Every other band is packed elsewhere.
TEST_P(DeepRoundTrip, BandsMakeTheSameFile) {
  const DeepImage image = field(GetParam().width, GetParam().height);
  writeDeepExr(folder_ / "a.exr", image, options());
  DeepExrReader in(folder_ / "a.exr");
  DeepExrWriter out(folder_ / "b.exr", in.emptyImage(), options());
  const DeepExrPacker elsewhere(folder_ / "b.exr", in.emptyImage(), options());
  const int step = out.rowStep();
  for (int y = 0; y < GetParam().height; y += step) {
    const DeepImage rows = in.readRows(y, std::min(y + step, GetParam().height));
    ASSERT_TRUE(elsewhere.fits(rows.dataWindow));
    std::vector<std::byte> packed = elsewhere.pack(rows);
    if (y / step % 2 == 0) {
      EXPECT_THROW(out.storeRows(std::span(packed).first(7)), Error);
      packed[0] ^= std::byte(64);  // other rows
      EXPECT_THROW(out.storeRows(packed), Error);
      packed[0] ^= std::byte(64);
      out.storeRows(packed);
    } else {
      out.writeRows(rows);
    }
  }
  out.finish();
  EXPECT_EQ(readText(folder_ / "a.exr"), readText(folder_ / "b.exr"));
}

std::string nameOf(const testing::TestParamInfo<Shape>& info) {
  const Shape& shape = info.param;
  std::string name;
  for (const auto& [each, compression] : kDeepCompressions)
    if (compression == shape.compression) name = each;
  return fmt::format("{}{}{}x{}", name, shape.tiled ? "Tiled" : "Rows", shape.width, shape.height);
}

INSTANTIATE_TEST_SUITE_P(Zstd, DeepRoundTrip,
                         testing::Values(Shape{DeepCompression::Zstd, false, 17, 9},
                                         Shape{DeepCompression::Zstd, true, 40, 33},
                                         Shape{DeepCompression::Zstd, false, 1, 1}),
                         nameOf);
const auto kOfOpenExr31 = testing::Values(
    Shape{DeepCompression::None, false, 17, 9}, Shape{DeepCompression::Rle, false, 17, 9},
    Shape{DeepCompression::Zips, false, 17, 9}, Shape{DeepCompression::None, true, 17, 9},
    Shape{DeepCompression::Rle, true, 40, 33}, Shape{DeepCompression::Zips, true, 40, 33},
    Shape{DeepCompression::Zips, true, 16, 16}, Shape{DeepCompression::Zips, false, 1, 1},
    Shape{DeepCompression::Zips, false, 1, 40}, Shape{DeepCompression::Zips, false, 200, 1});
INSTANTIATE_TEST_SUITE_P(Shapes, DeepRoundTrip, kOfOpenExr31, nameOf);
INSTANTIATE_TEST_SUITE_P(Shapes, DeepWitness, kOfOpenExr31, nameOf);

class DeepExr : public FolderTest {};

/// Made of zips.exr by `exrmetrics --convert -z zstd` of OpenEXR's main of August 2026.
TEST_F(DeepExr, ZstdOfOpenExrReadsAsZips) {
  const std::filesystem::path files = FATHOM_TEST_FILES "/exr/zstd";
  const DeepImage expected = readDeepExr(files / "zips.exr");
  EXPECT_GT(expected.fragmentCount(), 500u);
  for (const char* name : {"rows.exr", "tiles.exr"})
    EXPECT_TRUE(sameFragments(expected, readDeepExr(files / name))) << name;
}

TEST_F(DeepExr, WindowsMayStartAnywhere) {
  DeepImage image = field(20, 10);
  image.dataWindow.x = -7;
  image.dataWindow.y = -300;
  image.displayWindow = {-1000, 5, 64, 64};
  image.pixelAspect = 2.0f;
  writeDeepExr(folder / "a.exr", image);
  const DeepImage back = readDeepExr(folder / "a.exr");
  EXPECT_EQ(back.dataWindow, image.dataWindow);
  EXPECT_EQ(back.displayWindow, image.displayWindow);
  EXPECT_EQ(back.pixelAspect, 2.0f);
  EXPECT_TRUE(sameFragments(image, back));
}

TEST_F(DeepExr, WithoutFragmentsTheWindowStaysAndIsAPixelAtLeast) {
  DeepImage image = field(5, 4);
  image.fragmentOffsets.assign(21, 0);
  image.words.clear();
  writeDeepExr(folder / "a.exr", image);
  EXPECT_EQ(readDeepExr(folder / "a.exr").fragmentCount(), 0u);
  image.dataWindow = {};
  image.fragmentOffsets = {0};
  writeDeepExr(folder / "a.exr", image);
  EXPECT_EQ(readDeepExr(folder / "a.exr").pixelCount(), 1u);
}

TEST_F(DeepExr, Rgba8IsWrittenAsPremultipliedHalf) {
  DeepImage image;
  image.format = FragmentFormat::Rgba8;
  image.dataWindow = image.displayWindow = {0, 0, 1, 1};
  image.fragmentOffsets = {0, 1};
  image.words = {0x330000FFu, std::bit_cast<std::uint32_t>(3.0f)};  // red 1, alpha 0.2
  writeDeepExr(folder / "a.exr", image);
  const Fragment f = decodeFragment(readDeepExr(folder / "a.exr"), 0);
  EXPECT_EQ(f.r, float(half(0.2f)));
  EXPECT_EQ(f.a, float(half(0.2f)));
  EXPECT_EQ(f.z, 3.0f);
}

TEST_F(DeepExr, SortedImageSaysSo) {
  writeDeepExr(folder / "a.exr", field(5, 4));
  EXPECT_EQ(describeExr(folder / "a.exr").parts[0].state, "sorted");
}

TEST_F(DeepExr, ReplacesAFileOnlyWhenComplete) {
  folder.write("a.exr", "old");
  {
    const DeepImage image = field(5, 4);
    DeepExrWriter out(folder / "a.exr", image);
    out.writeRows(image);
  }
  EXPECT_EQ(readText(folder / "a.exr"), "old");
}

// ---- ---- files that others write

class DeepExrReading : public FolderTest {};

TEST_F(DeepExrReading, ReadsTilesAndOneRowOutOfThem) {
  DeepImage image = field(37, 21);
  makeIndexed(image);
  test::writeWithOpenExr(folder / "a.exr", {{image, "", "", true}});
  const DeepImage row = DeepExrReader(folder / "a.exr").readRows(18, 19);
  EXPECT_EQ(row.dataWindow, (Rect{0, 18, 37, 1}));
  DeepImage all = readDeepExr(folder / "a.exr");
  for (int x = 0; x < 37; ++x) EXPECT_TRUE(std::ranges::equal(row.list(x, 18), all.list(x, 18)));
  makeIndexed(all);
  EXPECT_TRUE(sameFragments(image, all));
}

TEST_F(DeepExrReading, ReadsRunLengthAndBottomUpRows) {
  DeepImage image = field(37, 21);
  makeIndexed(image);
  test::WitnessPart part{image};
  part.rle = part.bottomUp = true;
  test::writeWithOpenExr(folder / "a.exr", {part});
  DeepImage back = readDeepExr(folder / "a.exr");
  makeIndexed(back);
  EXPECT_TRUE(sameFragments(image, back));
}

class MultiPart : public testing::Test {
 protected:
  MultiPart() {
    DeepImage left = field(12, 6), right = field(9, 9);
    makeIndexed(left);
    makeIndexed(right);
    right.displayWindow = left.displayWindow;  // all parts of a file share it
    test::writeWithOpenExr(file_,
                           {{left, "rgba.left", "left"}, {right, "rgba.right", "right", true}});
  }
  int widthOf(const std::string& part) const {
    return readDeepExr(file_, {.part = part}).dataWindow.width;
  }
  TempFolder folder_;
  std::filesystem::path file_ = folder_ / "stereo.exr";
};

TEST_F(MultiPart, PartByNumberNameOrView) {
  EXPECT_EQ(widthOf(""), 12);
  for (const char* part : {"1", "rgba.right", "right"}) EXPECT_EQ(widthOf(part), 9) << part;
}

TEST_F(MultiPart, UnknownPartNamesThoseThereAre) {
  EXPECT_EQ(readMessage(file_, {.part = "middle"}),
            file_.string() + ": expected a part named \"middle\", found rgba.left, rgba.right");
}
TEST_F(MultiPart, DescribesEveryPart) {
  const ExrFileInfo info = describeExr(file_);
  ASSERT_EQ(info.parts.size(), 2u);
  EXPECT_EQ(info.parts[1].type, "deeptile");
  EXPECT_EQ(info.parts[1].view, "right");
  EXPECT_EQ(info.totals[1]->fragmentCount, field(9, 9).fragmentCount());
}

TEST_F(DeepExrReading, HalfDepthIsWidenedAndWrittenAsHalf) {
  const DeepImage image =
      throughOpenExr(rowOf({2}, {halves("A", {0.5, 1}), halves("Z", {0.0999755859375, 3})}));
  EXPECT_EQ(image.format, FragmentFormat::Half);
  EXPECT_EQ(decodeFragment(image, 0).z, 0.0999755859375f);
  writeDeepExr(folder / "out.exr", image);
  EXPECT_EQ(describeExr(folder / "out.exr").parts[0].channels[1].type, ChannelType::Half);
  EXPECT_TRUE(sameFragments(image, readDeepExr(folder / "out.exr")));
}

TEST_F(DeepExrReading, FloatColorIsKept) {
  const DeepImage image =
      throughOpenExr(rowOf({1}, {floats("A", {1}), floats("R", {0.1}), floats("Z", {3})}));
  EXPECT_EQ(image.format, FragmentFormat::Indexed);
  EXPECT_EQ(decodeFragment(image, 0).r, 0.1f);
}

TEST_F(DeepExrReading, MissingBackDepthEqualsDepthAndMissingAlphaIsOpaque) {
  const DeepImage image = throughOpenExr(rowOf({1}, {halves("G", {1}), floats("Z", {3})}));
  EXPECT_FALSE(image.hasZBack);
  EXPECT_EQ(decodeFragment(image, 0).zBack, 3.0f);
  EXPECT_EQ(decodeFragment(image, 0).a, 1.0f);
}

// ---- ---- order and bad values

TEST_F(DeepExrReading, SortsByDepthAndCountsThePixel) {
  const DeepImage image =
      throughOpenExr(rowOf({3, 1}, {halves("A", {0.1, 0.2, 0.3, 0.4}), floats("Z", {3, 1, 2, 9})}));
  EXPECT_EQ(image.repairs.unsortedPixels, 1u);
  EXPECT_EQ(decodeFragment(image, 0).z, 1.0f);
  EXPECT_EQ(decodeFragment(image, 0).a, float(half(0.2f)));
  EXPECT_EQ(decodeFragment(image, 2).z, 3.0f);
}

TEST_F(DeepExrReading, EqualDepthsKeepTheFilesOrder) {
  const DeepImage image =
      throughOpenExr(rowOf({3}, {halves("A", {0.5, 0.25, 0.125}), floats("Z", {2, 1, 1})}));
  EXPECT_EQ(decodeFragment(image, 0).a, 0.25f);
  EXPECT_EQ(decodeFragment(image, 1).a, 0.125f);
}

TEST_F(DeepExrReading, ValuesFollowTheirSortedFragments) {
  const DeepImage image = throughOpenExr(
      rowOf({3}, {floats("Z", {3, 1, 2}), plane("id", ChannelType::Uint, {30, 10, 20})}));
  ASSERT_EQ(image.channels[1].values.size(), 12u);
  std::uint32_t ids[3];
  std::memcpy(ids, image.channels[1].values.data(), 12);
  EXPECT_EQ(ids[0], 10u);
  EXPECT_EQ(ids[2], 30u);
  EXPECT_EQ(image.words[8], 2u);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Sanitizer, NanDepthGoesLast) {
  for (const ChannelType type : {ChannelType::Half, ChannelType::Float}) {
    const DeepImage image =
        throughOpenExr(rowOf({2}, {halves("A", {0.5, 0.25}), plane("Z", type, {kNan, 1})}));
    EXPECT_EQ(image.repairs.nanDepth, 1u);
    EXPECT_EQ(decodeFragment(image, 0).z, 1.0f);
    EXPECT_EQ(decodeFragment(image, 1).z, float(kInfinity));
  }
}

TEST(Sanitizer, InfiniteAndNegativeDepthsStay) {
  const DeepImage image = throughOpenExr(
      rowOf({3}, {halves("A", {1, 1, 1}), floats("Z", {-kInfinity, -2, kInfinity})}));
  EXPECT_EQ(image.repairs.total(), 0u);
  EXPECT_EQ(decodeFragment(image, 0).z, -float(kInfinity));
}

TEST(Sanitizer, NanBackDepthMakesAPoint) {
  const DeepImage image =
      throughOpenExr(rowOf({1}, {halves("A", {1}), floats("Z", {2}), floats("ZBack", {kNan})}));
  EXPECT_EQ(decodeFragment(image, 0).zBack, 2.0f);
  EXPECT_EQ(image.repairs.nanDepth, 1u);
}

TEST(Sanitizer, BadColorBecomesZero) {
  for (const ChannelType type : {ChannelType::Half, ChannelType::Float}) {
    const DeepImage image = throughOpenExr(
        rowOf({3}, {plane("A", type, {1, 1, 1}), plane("R", type, {kNan, -kInfinity, -3}),
                    floats("Z", {1, 2, 3})}));
    EXPECT_EQ(image.repairs.nanColor, 2u);
    EXPECT_EQ(decodeFragment(image, 0).r, 0.0f);
    EXPECT_EQ(decodeFragment(image, 1).r, 0.0f);
    EXPECT_EQ(decodeFragment(image, 2).r, -3.0f);
  }
}

TEST(Sanitizer, AlphaIsClampedAndNanAlphaIsZero) {
  for (const ChannelType type : {ChannelType::Half, ChannelType::Float}) {
    const DeepImage image =
        throughOpenExr(rowOf({4}, {plane("A", type, {1.5, -0.5, kNan, -0.0}),
                                   plane("R", type, {0, 0, 0, 0}), floats("Z", {1, 2, 3, 4})}));
    EXPECT_EQ(image.repairs.alphaOutside, 2u);
    EXPECT_EQ(image.repairs.nanColor, 1u);
    EXPECT_EQ(decodeFragment(image, 0).a, 1.0f);
    EXPECT_EQ(decodeFragment(image, 1).a, 0.0f);
    EXPECT_EQ(decodeFragment(image, 2).a, 0.0f);
  }
}

TEST(Sanitizer, KeepsBadColorWhenAsked) {
  const DeepImage image =
      throughOpenExr(rowOf({1}, {halves("A", {1.5}), halves("R", {kInfinity}), floats("Z", {1})}),
                     {.keepBadValues = true});
  EXPECT_EQ(decodeFragment(image, 0).a, 1.5f);
  EXPECT_EQ(decodeFragment(image, 0).r, float(kInfinity));
}

TEST(Sanitizer, PureEmissionIsLegal) {
  const DeepImage image =
      throughOpenExr(rowOf({1}, {halves("A", {0}), halves("R", {4}), floats("Z", {1})}));
  EXPECT_EQ(image.repairs.total(), 0u);
  EXPECT_EQ(decodeFragment(image, 0).r, 4.0f);
}

// ---- ---- counting and refusing

TEST_F(DeepExrReading, CountsRowsWithoutFragments) {
  const DeepImage image = field(17, 9);
  writeDeepExr(folder / "a.exr", image);
  DeepExrReader reader(folder / "a.exr");
  ASSERT_EQ(reader.rowCounts().size(), 9u);
  for (std::size_t y = 0; y < 9; ++y)
    EXPECT_EQ(reader.rowCounts()[y],
              image.fragmentOffsets[(y + 1) * 17] - image.fragmentOffsets[y * 17]);
  EXPECT_EQ(reader.totals().fragmentCount, image.fragmentCount());
}

TEST_F(DeepExrReading, TotalsNameTheLongestList) {
  test::writeWithOpenExr(
      folder / "in.exr",
      {{rowOf({1, 0, 3}, {halves("A", {1, 1, 1, 1}), floats("Z", {1, 1, 2, 3})})}});
  const DeepTotals totals = DeepExrReader(folder / "in.exr").totals();
  EXPECT_EQ(totals.maxPerPixel, 3u);
  EXPECT_EQ(totals.emptyPixels, 1u);
}

TEST_F(DeepExrReading, RefusesMoreThanTheBudget) {
  writeDeepExr(folder / "a.exr", field(64, 64));
  EXPECT_THAT(readMessage(folder / "a.exr", {.memoryBudget = 100000}),
              HasSubstr("expected a deep image of at most 0.00 GiB"));
}

TEST_F(DeepExrReading, StopsWhenCancelled) {
  writeDeepExr(folder / "a.exr", field(64, 64));
  Progress progress;
  progress.cancel();
  EXPECT_THROW(readDeepExr(folder / "a.exr", {.progress = &progress}), Cancelled);
}

TEST(DeepExrWriter, CancelledWritingLeavesNothingBehind) {
  const TempFolder folder;
  Progress progress;
  progress.cancel();
  EXPECT_THROW(writeDeepExr(folder / "a.exr", field(64, 64), {.progress = &progress}), Cancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(DeepExrReading, ProgressEndsAtTheLastRow) {
  writeDeepExr(folder / "a.exr", field(40, 30));
  Progress progress;
  readDeepExr(folder / "a.exr", {.progress = &progress});
  EXPECT_EQ(progress.done(), 30.0);
  EXPECT_EQ(progress.total(), 30.0);
}

TEST_F(DeepExrReading, FlatFileIsNamedAsSuch) {
  writeFlatExr(folder / "flat.exr", Image(4, 4));
  EXPECT_EQ(readMessage(folder / "flat.exr"),
            (folder / "flat.exr").string() + ": expected a deep EXR, found a flat (scanline) EXR");
}

TEST_F(DeepExrReading, MissingDepthNamesTheChannels) {
  test::writeWithOpenExr(folder / "a.exr", {{rowOf({1}, {halves("A", {1}), halves("R", {1})})}});
  EXPECT_EQ(readMessage(folder / "a.exr"),
            (folder / "a.exr").string() + ": deep part has no \"Z\" channel (found A, R)");
}

TEST_F(DeepExrReading, TheDepthOfALayerIsTakenWhereThereIsNoOther) {
  const DeepImage image = throughOpenExr(
      rowOf({2}, {halves("A", {1, 0.5}), halves("R", {1, 0.25}), floats("beauty.Z", {7, 3})}));
  ASSERT_EQ(image.channels.size(), 3u);
  EXPECT_EQ(image.channels[2].name, "Z");
  EXPECT_EQ(decodeFragment(image, 0).z, 3);
  EXPECT_EQ(decodeFragment(image, 0).r, 0.25f);
  // A position is no depth, and of two nobody knows which.
  for (const char* other : {"P.X", "a.Z"}) {
    std::vector<DeepChannel> planes{halves("A", {1}), halves(other, {1}), halves("P.Z", {1})};
    if (other[0] == 'a') std::swap(planes[1], planes[2]);
    test::writeWithOpenExr(folder / "a.exr", {{rowOf({1}, planes)}});
    EXPECT_THAT(readMessage(folder / "a.exr"), HasSubstr("deep part has no \"Z\""));
  }
}

TEST(DescribeExr, DeepPartWithoutDepthIsDescribedAllTheSame) {
  const TempFolder folder;
  test::writeWithOpenExr(folder / "a.exr", {{rowOf({1}, {halves("A", {1})})}});
  const ExrFileInfo info = describeExr(folder / "a.exr");
  EXPECT_EQ(info.parts[0].channelNames(), "A");
  EXPECT_FALSE(info.totals[0]);
}

TEST(DescribeExr, FlatFileHasNoTotals) {
  const TempFolder folder;
  writeFlatExr(folder / "flat.exr", Image(4, 3));
  const ExrFileInfo info = describeExr(folder / "flat.exr");
  EXPECT_EQ(info.parts[0].type, "scanlineimage");
  EXPECT_EQ(info.parts[0].dataWindow, (Rect{0, 0, 4, 3}));
  EXPECT_FALSE(info.totals[0]);
}

TEST_F(DeepExrReading, MissingFileIsOneLine) {
  EXPECT_EQ(readMessage("/nowhere/a.exr"), "/nowhere/a.exr: no such file");
}

TEST_F(DeepExrReading, OtherFilesAreNotExr) {
  EXPECT_EQ(readMessage(folder.write("a.exr", "\xff\xd8\xff\xe0 and so on")),
            (folder / "a.exr").string() + ": expected an EXR file, found a JPEG image");
}

}  // namespace
}  // namespace fathom
