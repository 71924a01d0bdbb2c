// SPDX-License-Identifier: BSD-3-Clause
// The study of ranks: lists come out of packed rows as they went in; with all fragments the picture
// is that of one process; flat pictures are off exactly where shares pass through each other, and
// thinning by what was thinned.
#include "app/engine/deep/operations/packed_rows.h"
#include "app/window/deep/ranks.h"
#include "tests/deep/deep_images.h"

namespace fathom::deep {
namespace {

constexpr Rect kArea{0, 0, 24, 10};

PackedInput input(std::uint32_t number, const DeepImage& image) {
  return {number, packRows(image, kArea)};
}

/// One fragment in each pixel: red or green, of this depth.
DeepImage sheet(int color, const std::function<float(int x)>& depth) {
  std::vector<std::vector<Fragment>> lists;
  for (int y = 0; y < kArea.height; ++y)
    for (int x = 0; x < kArea.width; ++x) {
      Fragment f{};
      f.a = 0.5f, f.z = f.zBack = depth(x);
      (color == 0 ? f.r : f.g) = 0.5f;
      lists.push_back({f});
    }
  return test::deepImage(kArea, lists);
}

RankStudy wholeOf(const std::vector<std::vector<PackedInput>>& packed, int thin) {
  RankStudy whole;
  whole.area = kArea;
  addRegion(whole, studyRegion(kArea, packed, thin));
  return whole;
}

TEST(RankStudy, ListsComeOutOfPackedRowsAsTheyWentIn) {
  for (const FragmentFormat format : {FragmentFormat::Half, FragmentFormat::Rgba8}) {
    const DeepImage image = test::randomImage({.window = kArea, .format = format, .seed = 4});
    EXPECT_TRUE(test::sameWords(unpacked(packRows(image, kArea)), image));
  }
}

TEST(RankStudy, FlatPicturesAreOffWhereSharesPassThroughEachOther) {
  // The first is in front on average, and behind in the right third.
  const DeepImage red = sheet(0, [](int x) { return x < 16 ? 1.0f : 4.0f; }),
                  green = sheet(1, [](int) { return 3.0f; });
  const RankStudy whole = wholeOf({{input(0, red)}, {input(1, green)}}, 8);
  const auto ways = compare(whole);
  EXPECT_NEAR(ways[0].largest, 0.25, 1e-6);  // 0.5 in front, 0.25 behind
  EXPECT_NEAR(ways[0].mean, 0.25 * 2 / 4 / 3, 1e-6);
  EXPECT_EQ(ways[0].difference.at(15, 3).r, 0);
  EXPECT_NEAR(ways[0].difference.at(16, 3).r, 0.25, 1e-6);
  EXPECT_NEAR(whole.deep.at(20, 5).g, 0.5, 1e-6);
  EXPECT_NEAR(whole.alone[0].at(20, 5).r, 0.5, 1e-6);
  EXPECT_EQ(whole.alone[0].at(20, 5).g, 0);
  EXPECT_EQ(ways[1].largest, 0);
  EXPECT_EQ(ways[2].largest, 0);  // there is nothing to thin
  EXPECT_EQ(ways[2].bytes, ways[1].bytes);
  // Half of the rows stay where they are: 12 of 24 columns' worth of 10 rows by each rank.
  EXPECT_EQ(ways[0].bytes, std::uint64_t(10 * (24 * 4 + 8)));
}

TEST(RankStudy, ThinnedListsSendLessAndAreOffALittle) {
  const DeepImage a = test::sheetsImage(kArea, FragmentFormat::Half, false),
                  b = sheet(1, [](int) { return 2.002f; });
  const RankStudy whole = wholeOf({{input(0, a)}, {input(1, b)}}, 1);
  const auto ways = compare(whole);
  EXPECT_LT(ways[2].bytes, ways[1].bytes);
  EXPECT_GT(ways[2].largest, 0);
  EXPECT_LT(whole.ranks[0].thinnedFragments, whole.ranks[0].fragments);
  EXPECT_EQ(whole.ranks[0].fragments, a.fragmentCount());
  EXPECT_EQ(whole.ranks[0].rawBytes, 4 * std::uint64_t(kArea.area()) + 16 * a.fragmentCount());
}

TEST(RankStudy, OneRankSendsNothingAndIsRight) {
  const DeepImage image = test::sheetsImage(kArea, FragmentFormat::Half, false);
  const RankStudy whole = wholeOf({{input(0, image)}}, 4);
  const auto ways = compare(whole);
  EXPECT_EQ(ways[0].bytes + ways[1].bytes + ways[2].bytes, 0u);
  EXPECT_LT(ways[0].largest, 1e-6);
}

}  // namespace
}  // namespace fathom::deep
