// SPDX-License-Identifier: BSD-3-Clause
// Closed-form answers of merging and compositing on the CPU.
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"

namespace fathom::deep {
namespace {

using test::deepImage;

constexpr Rect kPixel{0, 0, 1, 1};
constexpr Fragment kRed{1, 0, 0, 1, 2, 2}, kGreen{0, 1, 0, 1, 3, 3};

/// A gray point of this value and alpha at depth z.
Fragment gray(float value, float alpha, float z) { return {value, value, value, alpha, z, z}; }

glm::vec4 flattened(const std::vector<Fragment>& list) {
  return reference::flatten(deepImage(kPixel, {list}), kPixel).at(0, 0);
}

/// The values of the merged list of one pixel; they identify where each fragment came from.
std::vector<float> mergedReds(const std::vector<Fragment>& front,
                              const std::vector<Fragment>& back) {
  const DeepImage merged = reference::merge(deepImage(kPixel, {front}), deepImage(kPixel, {back}));
  std::vector<float> reds;
  for (std::size_t i = 0; i < merged.fragmentCount(); ++i)
    reds.push_back(decodeFragment(merged, i).r);
  return reds;
}

TEST(Flatten, IsOverFrontToBack) {
  // Nearer of two opaque fragments hides the other.
  EXPECT_EQ(flattened({kRed, kGreen}), glm::vec4(1, 0, 0, 1));
  // Half over half covers three quarters.
  EXPECT_EQ(flattened({{0.5f, 0, 0, 0.5f, 1, 1}, {0, 0.5f, 0, 0.5f, 2, 2}}),
            glm::vec4(0.5f, 0.25f, 0, 0.75f));
  // Color without alpha adds.
  EXPECT_EQ(flattened({{0.5f, 0, 0, 0, 1, 1}, {0, 1, 0, 1, 2, 2}}), glm::vec4(0.5f, 1, 0, 1));
  // Nothing is zero.
  EXPECT_EQ(flattened({}), glm::vec4(0));
  // Depth does not matter once the order is known.
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(flattened({{0, 0, 0.5f, 0.5f, -inf, -inf}, {1, 0, 0, 1, inf, inf}}),
            glm::vec4(0.5f, 0, 0.5f, 1));
}

TEST(Flatten, OutsideTheDataWindowIsZero) {
  const DeepImage image = deepImage({4, 4, 1, 1}, {{kRed}});
  const Image picture = reference::flatten(image, {3, 4, 3, 1});
  EXPECT_EQ(picture.at(0, 0), glm::vec4(0));
  EXPECT_EQ(picture.at(1, 0), glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(picture.at(2, 0), glm::vec4(0));
}

TEST(Merge, OrdersByDepthAndKeepsFrontFirst) {
  // Orders by depth.
  EXPECT_EQ(mergedReds({gray(1, 1, 2), gray(3, 1, 6)}, {gray(2, 1, 4), gray(4, 1, 8)}),
            (std::vector<float>{1, 2, 3, 4}));
  // Keeps front first on equal Z.
  EXPECT_EQ(mergedReds({gray(1, 1, 5), gray(2, 1, 5)}, {gray(3, 1, 5), gray(4, 1, 5)}),
            (std::vector<float>{1, 2, 3, 4}));
  // Takes negative zero as zero.
  EXPECT_EQ(mergedReds({gray(1, 1, 0.0f)}, {gray(2, 1, -0.0f)}), (std::vector<float>{1, 2}));
  EXPECT_EQ(mergedReds({gray(1, 1, -0.0f)}, {gray(2, 1, 0.0f)}), (std::vector<float>{1, 2}));
  // Orders equal Z by ZBack.
  EXPECT_EQ(mergedReds({{1, 0, 0, 1, 5, 9}}, {{2, 0, 0, 1, 5, 7}}), (std::vector<float>{2, 1}));
  // Negative depth is in front and infinity behind.
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(mergedReds({gray(1, 1, -3), gray(3, 1, inf)}, {gray(2, 1, 1e30f), gray(4, 1, inf)}),
            (std::vector<float>{1, 2, 3, 4}));
}

TEST(Merge, UnitesDataWindows) {
  const DeepImage a = deepImage({0, 0, 2, 1}, {{kRed}, {kRed}});
  const DeepImage b = deepImage({1, -1, 1, 2}, {{kGreen}, {kGreen}});
  const DeepImage merged = reference::merge(a, b);
  EXPECT_EQ(merged.dataWindow, (Rect{0, -1, 2, 2}));
  EXPECT_EQ(merged.fragmentOffsets, (std::vector<std::size_t>{0, 0, 1, 2, 4}));
}

TEST(Merge, KeepsTheFirstDisplayWindow) {
  DeepImage a = deepImage(kPixel, {{kRed}}), b = deepImage(kPixel, {{kGreen}});
  a.displayWindow = {0, 0, 7, 5};
  EXPECT_EQ(reference::merge(a, b).displayWindow, a.displayWindow);
}

TEST(Merge, KeepsEveryBit) {
  const test::RandomImage wanted{.window = {3, -2, 9, 7}};
  const DeepImage a = test::randomImage(wanted), none = deepImage(kPixel, {{}});
  EXPECT_TRUE(sameFragments(reference::merge(a, none), a));
  EXPECT_TRUE(sameFragments(reference::merge(none, a), a));
}

TEST(Merge, OfManyIsTheFoldFromTheLeft) {
  std::vector<DeepImage> images;
  for (std::uint32_t i = 0; i < 4; ++i)
    images.push_back(
        test::randomImage({.window = {0, 0, 5, 4}, .seed = i, .counts = test::boundaryCounts(i)}));
  const DeepImage folded = reference::merge(
      reference::merge(reference::merge(images[0], images[1]), images[2]), images[3]);
  EXPECT_TRUE(sameFragments(reference::merge(images), folded));
}

TEST(Merge, GivesSortedLists) {
  const DeepImage a = test::randomImage({.window = {0, 0, 12, 9}, .seed = 5});
  const DeepImage b = test::randomImage({.window = {2, 3, 12, 9}, .seed = 6});
  EXPECT_TRUE(test::isSorted(reference::merge(a, b)));
}

TEST(IsSorted, LooksAtZThenAtZBack) {
  // Sees a list that is not.
  EXPECT_FALSE(test::isSorted(deepImage(kPixel, {{kGreen, kRed}})));
  EXPECT_TRUE(test::isSorted(deepImage(kPixel, {{kRed, kGreen}})));
  // Looks at ZBack on equal Z.
  EXPECT_FALSE(test::isSorted(
      deepImage(kPixel, {{Fragment{1, 0, 0, 1, 5, 9}, Fragment{1, 0, 0, 1, 5, 7}}})));
}

}  // namespace
}  // namespace fathom::deep
