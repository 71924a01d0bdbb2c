// SPDX-License-Identifier: BSD-3-Clause
// Merging, compositing and the operations on the CPU: answers known in closed form, and on random
// lists of points and volumes the definition of OpenEXR's "Interpreting Deep Pixels" taken
// literally: split, sort, merge in pairs.
#include "app/engine/deep/operations/operations.h"

#include "app/engine/deep/operations/light_curve.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"
#include "tests/deep/operations/literal_tidy.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

using test::deepImage;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kHalfStep = 1.0f / 2048;  // relative: one rounding to half

DeepImage onePixel(const std::vector<Fragment>& list) {
  DeepImage image = deepImage(test::kPixel, {list});
  for (const Fragment& f : list) image.hasZBack = image.hasZBack || f.zBack > f.z;
  return image;
}
std::vector<Fragment> fragmentsOf(const DeepImage& image) {
  std::vector<Fragment> list;
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) list.push_back(decodeFragment(image, i));
  return list;
}
std::vector<Fragment> edited(const std::vector<std::vector<Fragment>>& inputs,
                             const std::vector<InputEdit>& edits, const MergeEdit& merge = {}) {
  std::vector<DeepImage> images;
  for (const auto& list : inputs) images.push_back(onePixel(list));
  return fragmentsOf(mergeEdited(withEdits(images, edits), merge));
}
std::vector<Fragment> tidied(const std::vector<Fragment>& list) {
  return edited({list}, {}, {.tidy = true});
}
Fragment gray(float value, float alpha, float z, float zBack) {
  return {value, value, value, alpha, z, zBack};
}
Fragment gray(float value, float alpha, float z) { return gray(value, alpha, z, z); }

void expectList(const std::vector<Fragment>& found, const std::vector<Fragment>& expected) {
  constexpr float kStep = 2 * kHalfStep;  // the inputs are halves, and so is what is found
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "fragment " << i);
    EXPECT_EQ(found[i].z, expected[i].z);
    EXPECT_EQ(found[i].zBack, expected[i].zBack);
    EXPECT_NEAR(found[i].a, expected[i].a, kStep * expected[i].a);
    EXPECT_NEAR(found[i].r, expected[i].r, kStep * expected[i].r);
    EXPECT_NEAR(found[i].g, expected[i].g, kStep * expected[i].g);
    EXPECT_NEAR(found[i].b, expected[i].b, kStep * expected[i].b);
  }
}

// ---- The formulas

TEST(Volume, PartsComposeToTheWhole) {
  // Half of three quarters is a half.
  EXPECT_DOUBLE_EQ(partAlpha(0.75, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(partColor(0.75, 0.5), 0.5 / 0.75);
  // Parts compose to the whole.
  for (const double a : {1e-12, 1e-7, 0.1, 0.5, 0.9, 1 - 1e-7, 1.0})
    for (const double x : {1e-6, 0.3, 0.999}) {
      const double front = partAlpha(a, x), back = partAlpha(a, 1 - x);
      EXPECT_NEAR(front + (1 - front) * back, a, 1e-15 + 1e-13 * a);
    }
  // Opaque is opaque in every part.
  EXPECT_EQ(partAlpha(1, 1e-6), 1);
  EXPECT_EQ(partColor(1, 1e-6), 1);
  // Without alpha color is shared by length.
  EXPECT_EQ(partColor(0, 0.25), 0.25);
  // An infinite end has everything.
  EXPECT_EQ(partOf(1, kInf, 1, 5), 0);
  EXPECT_EQ(partOf(1, kInf, 5, kInf), 1);
  EXPECT_EQ(partOf(-kInf, kInf, -kInf, 0), 0.5);
  EXPECT_EQ(partOf(1, 5, 2, 4), 0.5);
}

// ---- Tidy

TEST(Tidy, SplitsVolumesAndMergesWhatCoincides) {
  // Splits a volume at a point inside.
  // Half of 0.75 is 0.5; the front half's color is 0.6 * 0.5 / 0.75.
  expectList(tidied({gray(0.6f, 0.75f, 1, 3), gray(0.25f, 1, 2)}),
             {gray(0.4f, 0.5f, 1, 2), gray(0.25f, 1, 2), gray(0.4f, 0.5f, 2, 3)});
  // Merges where volumes overlap.
  // [0, 2) and [1, 3), both alpha 0.75: 0.5, then 0.5 with 0.5 is 0.75, then 0.5.
  expectList(tidied({gray(0.75f, 0.75f, 0, 2), gray(0, 0.75f, 1, 3)}),
             {gray(0.5f, 0.5f, 0, 1), gray(0.375f, 0.75f, 1, 2), gray(0, 0.5f, 2, 3)});
  // Merges points at one depth.
  expectList(tidied({gray(0.5f, 0.5f, 2), gray(0, 0.5f, 2)}), {gray(0.375f, 0.75f, 2)});
  // Takes the mean of opaque points.
  expectList(tidied({gray(0.9f, 1, 2), gray(0.3f, 1, 2), gray(0, 1, 2)}), {gray(0.4f, 1, 2)});
  // An opaque point hides others at its depth.
  expectList(tidied({gray(0.25f, 0.5f, 2), gray(0.75f, 1, 2)}), {gray(0.75f, 1, 2)});
  // Never merges points with volumes.
  expectList(tidied({gray(0.5f, 0.5f, 2), gray(0.25f, 0.5f, 2, 3)}),
             {gray(0.5f, 0.5f, 2), gray(0.25f, 0.5f, 2, 3)});
  // Color without alpha adds.
  expectList(tidied({gray(0.5f, 0, 0, 2), gray(0.25f, 0, 1, 2)}),
             {gray(0.25f, 0, 0, 1), gray(0.5f, 0, 1, 2)});
  // An opaque volume is opaque from its front on.
  expectList(tidied({gray(0.5f, 1, 0, 4), gray(0.25f, 0.5f, 2)}),
             {gray(0.5f, 1, 0, 2), gray(0.25f, 0.5f, 2), gray(0.5f, 1, 2, 4)});
  // ZBack in front of Z is a point.
  const auto list = tidied({gray(0.5f, 0.5f, 2, 1), gray(0.25f, 0.5f, 1.5f)});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].r, 0.5f);
}

TEST(Tidy, KeepsEveryBitOfWhatIsTidy) {
  const DeepImage points = test::sphereField({61, 35, 9, 1});
  const DeepImage once = mergeEdited(withEdits(std::span(&points, 1)), {.tidy = true});
  EXPECT_TRUE(sameFragments(mergeEdited(withEdits(std::span(&once, 1)), {.tidy = true}), once));
  EXPECT_TRUE(sameFragments(mergeEdited(withEdits(std::span(&points, 1)), {}), points));
}

TEST(Tidy, OfRandomListsIsTidyAndEqualsTheLiteralDefinition) {
  const std::vector<std::vector<Fragment>> lists = test::mixedLists(10000, 5);
  const DeepImage image = deepImage({0, 0, 100, 100}, lists);
  const DeepImage tidy = mergeEdited(withEdits(std::span(&image, 1)), {.tidy = true});
  EXPECT_TRUE(test::isTidy(tidy));
  EXPECT_FALSE(test::isTidy(image));
  const Image found = reference::flatten(tidy, image.dataWindow);
  std::size_t made = 0;
  for (std::size_t p = 0; p < lists.size(); ++p) {
    const std::vector<test::Exact> literal = test::literallyTidy(lists[p]);
    const std::size_t first = tidy.fragmentOffsets[p], end = tidy.fragmentOffsets[p + 1];
    ASSERT_EQ(end - first, literal.size()) << "pixel " << p;
    made += literal.size();
    for (std::size_t i = 0; i < literal.size(); ++i) {
      const Fragment f = decodeFragment(tidy, first + i);
      EXPECT_EQ(f.z, literal[i].z);
      EXPECT_EQ(f.zBack, literal[i].zBack);
      EXPECT_NEAR(f.a, literal[i].a, kHalfStep * literal[i].a + 3e-8);
      EXPECT_NEAR(f.r, literal[i].r, kHalfStep * literal[i].r + 3e-8);
    }
  }
  EXPECT_GT(made, lists.size());
}

TEST(Tidy, InFloatEqualsTheLiteralDefinitionToEightDigits) {
  const std::vector<std::vector<Fragment>> lists = test::mixedLists(2000, 6);
  const DeepImage image = test::floatImage({0, 0, 50, 40}, lists);
  const DeepImage tidy = mergeEdited(withEdits(std::span(&image, 1)), {.tidy = true});
  const Image found = reference::flatten(tidy, image.dataWindow);
  for (std::size_t p = 0; p < lists.size(); ++p) {
    const glm::dvec4 expected = test::over(test::literallyTidy(lists[p]));
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(found.pixels[p][c], expected[c], 4e-7) << "pixel " << p;
  }
}

// ---- Depths

TEST(Depths, AreScaledMovedAndCut) {
  // Scale then offset.
  expectList(edited({{gray(0.5f, 0.5f, 1, 2)}}, {{.zScale = 3, .zOffset = 10}}),
             {gray(0.5f, 0.5f, 13, 16)});
  // An offset input passes behind another.
  expectList(edited({{gray(1, 1, 1)}, {gray(0.5f, 0.5f, 2)}}, {{.zOffset = 4}}),
             {gray(0.5f, 0.5f, 2), gray(1, 1, 5)});
  // The range keeps its ends.
  const InputEdit edit{.nearest = 2, .farthest = 4};
  expectList(edited({{gray(1, 1, 1), gray(1, 1, 2), gray(0.5f, 1, 4), gray(1, 1, 4.5f)}}, {edit}),
             {gray(1, 1, 2), gray(0.5f, 1, 4)});
}

TEST(Depths, VolumesAreCutAtTheRange) {
  const InputEdit edit{.nearest = 1, .farthest = 3};
  // A quarter of alpha 1 - 2^-4 on each side: two quarters are left, 1 - 2^-2.
  expectList(edited({{gray(0.9375f, 0.9375f, 0, 4), gray(0.5f, 0.5f, 3, 5)}}, {edit}),
             {gray(0.75f, 0.75f, 1, 3)});
  // Volumes cut at one front are sorted by back.
  const auto list = edited({{gray(0.5f, 0.5f, 0, 4), gray(0.5f, 0.5f, 0.5f, 3)}}, {{.nearest = 1}});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].zBack, 3);
  EXPECT_EQ(list[1].zBack, 4);
}

// ---- Holding

const InputEdit kOut{.role = Role::HoldOut}, kIn{.role = Role::HoldIn};

TEST(Hold, OutAndInAsWorkedOutByHand) {
  // Holding out multiplies by what the matte lets through.
  expectList(edited({{gray(0.5f, 0.5f, 1), gray(0.8f, 0.8f, 3)}, {gray(0, 0.75f, 2)}}, {{}, kOut}),
             {gray(0.5f, 0.5f, 1), gray(0.2f, 0.2f, 3)});
  // A matte at equal depth is in front.
  expectList(edited({{gray(0.5f, 0.5f, 2)}, {gray(0, 0.5f, 2)}}, {{}, kOut}),
             {gray(0.25f, 0.25f, 2)});
  // An opaque matte leaves nothing behind.
  expectList(edited({{gray(0.5f, 0.5f, 1), gray(1, 1, 3)}, {gray(0, 1, 2)}}, {{}, kOut}),
             {gray(0.5f, 0.5f, 1)});
  // Holding in keeps what the matte covers.
  expectList(edited({{gray(0.5f, 0.5f, 1), gray(0.8f, 0.8f, 3)}, {gray(0, 0.75f, 2)}}, {{}, kIn}),
             {gray(0.3f, 0.3f, 3)});  // half passes what was in front, and nothing is left of that
  // Holding in without a matte in the pixel keeps nothing.
  EXPECT_TRUE(edited({{gray(1, 1, 1)}, {}}, {{}, kIn}).empty());
  // A point behind half a volume sees half of it.
  // Half of alpha 0.75 lets 0.5 through.
  expectList(edited({{gray(0.5f, 1, 2)}, {gray(0, 0.75f, 1, 3)}}, {{}, kOut}),
             {gray(0.25f, 0.5f, 2)});
  // A volume is split at a point of the matte.
  expectList(edited({{gray(0.75f, 0.75f, 1, 3)}, {gray(0, 0.5f, 2)}}, {{}, kOut}),
             {gray(0.5f, 0.5f, 1, 2), gray(0.25f, 0.25f, 2, 3)});
  // Two volumes in one place dim each other.
  // Optical depth u each: (1 - exp(-2u)) / 2 of the light is the volume's own.
  expectList(edited({{gray(0.75f, 0.75f, 1, 3)}, {gray(0, 0.75f, 1, 3)}}, {{}, kOut}),
             {gray(0.46875f, 0.46875f, 1, 3)});
  // Several mattes hold together.
  expectList(edited({{gray(1, 1, 3)}, {gray(0, 0.5f, 1)}, {gray(0, 0.5f, 2)}}, {{}, kOut, kOut}),
             {gray(0.25f, 0.25f, 3)});
  expectList(edited({{gray(1, 1, 3)}, {gray(0, 0.5f, 1)}, {gray(0, 0.5f, 2)}}, {{}, kIn, kIn}),
             {gray(0.75f, 0.75f, 3)});
  // An invisible input does nothing.
  InputEdit off = kOut;
  off.visible = false;
  expectList(edited({{gray(1, 1, 3)}, {gray(0, 0.5f, 1)}}, {{}, off}), {gray(1, 1, 3)});
}

/// Without fragments of one list in one place, which become one when volumes are made tidy.
std::vector<DeepImage> tidyImages(const Rect& window,
                                  const std::vector<std::vector<std::vector<Fragment>>>& lists) {
  std::vector<DeepImage> images;
  for (const auto& one : lists) {
    const DeepImage image = test::floatImage(window, one);
    images.push_back(mergeEdited(withEdits(std::span(&image, 1)), {.tidy = true}));
  }
  return images;
}

TEST(Hold, OutAndInAddUpToTheImage) {
  const std::vector<std::vector<Fragment>> mains = test::mixedLists(400, 7),
                                           mattes = test::mixedLists(400, 8);
  const Rect window{0, 0, 20, 20};
  const std::vector<DeepImage> images = tidyImages(window, {mains, mattes});
  const DeepImage out = mergeEdited(withEdits(images, std::vector<InputEdit>{{}, kOut}), {});
  const DeepImage in = mergeEdited(withEdits(images, std::vector<InputEdit>{{}, kIn}), {});
  const Image whole = reference::flatten(
      mergeEdited(withEdits(std::span(images).first(1)), {.tidy = true}), window, {});
  const Image a = reference::flatten(out, window, {}), b = reference::flatten(in, window, {});
  for (std::size_t p = 0; p < mains.size(); ++p)
    for (int c = 0; c < 4; ++c)
      EXPECT_NEAR(a.pixels[p][c] + b.pixels[p][c], whole.pixels[p][c], 2e-6) << p;
}

/// What shows of two images, each held out by the other.
glm::dvec4 heldBothWays(const std::vector<DeepImage>& images, std::size_t p, const Rect& window,
                        HoldRule rule) {
  glm::dvec4 sum(0);
  for (const bool first : {true, false}) {
    const DeepImage held = mergeEdited(withEdits(images, first ? std::vector<InputEdit>{{}, kOut}
                                                               : std::vector<InputEdit>{kOut, {}}),
                                       {.holdRule = rule});
    sum += glm::dvec4(reference::flatten(held, window, {}).pixels[p]);
  }
  return sum;
}

TEST(Hold, SmokeBehindAHeroIsNotTooBright) {
  std::vector<Fragment> smoke;
  for (int i = 0; i < 20; ++i) smoke.push_back(gray(0.125f, 0.125f, float(i + 2)));
  const std::vector<DeepImage> images{test::floatImage(test::kPixel, {smoke}),
                                      test::floatImage(test::kPixel, {{gray(0.25f, 0.5625f, 1)}})};
  const double smokeAlpha = 1 - std::pow(0.875, 20);
  const glm::dvec4 exact = heldBothWays(images, 0, test::kPixel, HoldRule::Exact);
  EXPECT_NEAR(exact.r, 0.25 + 0.4375 * smokeAlpha, 1e-6);
  EXPECT_NEAR(exact.a, 0.5625 + 0.4375 * smokeAlpha, 1e-6);
  // The other rule stays as it was: each layer is dimmed by itself, and all together too little.
  const glm::dvec4 simple = heldBothWays(images, 0, test::kPixel, HoldRule::Fragments);
  EXPECT_NEAR(simple.a, 0.5625 + 1 - std::pow(1 - 0.125 * 0.4375, 20), 1e-6);
}

TEST(Hold, EachByTheOtherAddsUpToTheMerge) {
  const std::vector<std::vector<Fragment>> mains = test::mixedLists(400, 7),
                                           mattes = test::mixedLists(400, 8);
  const Rect window{0, 0, 20, 20};
  const std::vector<DeepImage> images = tidyImages(window, {mains, mattes});
  Image sum(20, 20);
  for (const auto& edits : {std::vector<InputEdit>{{}, kOut}, std::vector<InputEdit>{kOut, {}}}) {
    const Image held = reference::flatten(mergeEdited(withEdits(images, edits), {}), window, {});
    for (std::size_t p = 0; p < sum.pixels.size(); ++p) sum.pixels[p] += held.pixels[p];
  }
  const Image merged = flattenEdited(withEdits(images), {.tidy = true}, window);
  std::size_t checked = 0;
  for (std::size_t p = 0; p < sum.pixels.size(); ++p) {
    // A point and one at its own depth take from each other; merged they would share the place.
    std::set<float> places;
    bool shared = false;
    for (const Fragment& f : mains[p]) places.insert(f.z);
    for (const Fragment& f : mattes[p]) shared = shared || places.contains(f.z);
    if (shared) continue;
    ++checked;
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(sum.pixels[p][c], merged.pixels[p][c], 2e-6) << p;
  }
  EXPECT_GT(checked, 50u);
}

// ---- The merged image

TEST(DropHidden, EndsWhereTheThresholdIsReached) {
  // Ends at the first opaque fragment.
  expectList(edited({{gray(0.5f, 0.5f, 1), gray(1, 1, 2), gray(1, 1, 3)}}, {}, {.dropHidden = 1}),
             {gray(0.5f, 0.5f, 1), gray(1, 1, 2)});
  // Ends where the threshold is reached.
  const std::vector<Fragment> list{gray(0.5f, 0.5f, 1), gray(0.5f, 0.5f, 2), gray(1, 1, 3)};
  expectList(edited({list}, {}, {.dropHidden = 0.75f}), {list[0], list[1]});
  expectList(edited({list}, {}, {.dropHidden = 0.76f}), list);
}

TEST(Thin, MergesWhatShowsLeast) {
  // Merges the nearest pair by over.
  // Half over half: 0.75; what shows of them is 0.5 and 0.25, so the mean Z is a third of the way.
  expectList(
      edited({{gray(0.5f, 0.5f, 1), gray(0, 0.5f, 4), gray(0.5f, 0.5f, 19)}}, {}, {.maxCount = 2}),
      {gray(0.5f, 0.75f, 2), gray(0.5f, 0.5f, 19)});
  // What does not show costs nothing.
  const std::vector<Fragment> list{gray(0.5f, 1, 1), gray(1, 1, 20), gray(1, 1, 900)};
  const auto left = edited({list}, {}, {.maxCount = 2});
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].z, 1);
  // A volume stays a volume.
  expectList(edited({{gray(0.5f, 0.5f, 1, 2), gray(0.5f, 0.5f, 2, 4)}}, {}, {.maxCount = 1}),
             {gray(0.75f, 0.75f, 1, 4)});
}

TEST(Thin, LeavesShortListsAlone) {
  const std::vector<Fragment> list{gray(0.5f, 0.5f, 1), gray(0.5f, 0.5f, 2)};
  expectList(edited({list}, {}, {.maxCount = 2}), list);
}

TEST(Thin, TellsTheLargestMove) {
  const DeepImage image = onePixel({gray(0.5f, 0.5f, 1), gray(0, 0.5f, 4), gray(0.5f, 0.5f, 19)});
  ThinReport move;
  mergeEdited(withEdits(std::span(&image, 1)), {.maxCount = 2}, &move);
  EXPECT_EQ(move.move, 2);
  move = {};
  mergeEdited(withEdits(std::span(&image, 1)), {.maxCount = 3}, &move);
  EXPECT_EQ(move.move, 0);
}

TEST(Thin, KeepsThePicture) {
  DeepImage image = test::sphereField({61, 35, 30, 3});
  makeIndexed(image);
  for (DeepChannel& c : image.channels)  // float colors: so that rounding does not matter
    if (c.type == ChannelType::Half) c = test::widened(c);
  const Image whole = reference::flatten(image, image.dataWindow);
  for (const int most : {1, 2, 5, 13}) {
    const DeepImage thin = mergeEdited(withEdits(std::span(&image, 1)), {.maxCount = most});
    for (std::size_t p = 0; p < thin.pixelCount(); ++p)
      ASSERT_LE(thin.fragmentOffsets[p + 1] - thin.fragmentOffsets[p], std::size_t(most));
    EXPECT_TRUE(test::isSorted(thin));
    EXPECT_TRUE(test::rounding(reference::flatten(thin, image.dataWindow), whole,
                               test::roundingBound(100, 1)));
  }
}

// ---- Other channels

TEST(Channels, IdsAreTakenFromWhatShowsMost) {
  DeepImage image = onePixel({gray(0.25f, 0.25f, 2), gray(0.5f, 0.5f, 2)});
  makeIndexed(image);
  DeepChannel id{"id", ChannelType::Uint, std::vector<std::byte>(8)};
  const std::uint32_t ids[2] = {7, 9};
  std::memcpy(id.values.data(), ids, 8);
  image.channels.push_back(id);
  const DeepImage tidy = mergeEdited(withEdits(std::span(&image, 1)), {.tidy = true});
  ASSERT_EQ(tidy.fragmentCount(), 1u);
  std::uint32_t found = 0;
  std::memcpy(&found, tidy.channels.back().values.data(), 4);
  EXPECT_EQ(found, 9u);
  EXPECT_NEAR(decodeFragment(tidy, 0).a, 0.625f, kHalfStep);
}

TEST(Channels, EightBitColorsAreHeldOut) {
  DeepImage main, matte;
  for (DeepImage* image : {&main, &matte}) {
    image->dataWindow = image->displayWindow = test::kPixel;
    image->format = FragmentFormat::Rgba8;
    image->words = {0xFF8040C0u, 0x3F800000u};  // opaque at Z 1
    image->fragmentOffsets = {0, 1};
  }
  matte.words[0] = 0x80000000u;  // alpha 128
  const std::vector<DeepImage> images{main, matte};
  const DeepImage held = mergeEdited(withEdits(images, std::vector<InputEdit>{{}, kOut}), {});
  ASSERT_EQ(held.words.size(), 2u);
  EXPECT_EQ(held.words[0], 0x7F8040C0u);
}

TEST(EditedList, TellsWhereFragmentsCameFrom) {
  const std::vector<DeepImage> images{onePixel({gray(0.5f, 0.5f, 3)}), onePixel({gray(1, 1, 2)})};
  const auto list = editedList(withEdits(images), {}, 0, 0);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].input, 1);
  EXPECT_EQ(list[1].input, 0);
  EXPECT_TRUE(editedList(withEdits(images), {}, 5, 0).empty());
}

TEST(MergeEdited, WithoutEditsIsTheMerge) {
  const std::vector<DeepImage> images{test::randomImage({.window = {0, 0, 12, 9}, .seed = 5}),
                                      test::randomImage({.window = {2, 3, 12, 9}, .seed = 6})};
  EXPECT_TRUE(sameFragments(mergeEdited(withEdits(images), {}), reference::merge(images)));
}

constexpr Fragment kRed{1, 0, 0, 1, 2, 2}, kGreen{0, 1, 0, 1, 3, 3};

glm::vec4 flattened(const std::vector<Fragment>& list) {
  return reference::flatten(deepImage(test::kPixel, {list}), test::kPixel).at(0, 0);
}

/// The values of the merged list of one pixel; they identify where each fragment came from.
std::vector<float> mergedReds(const std::vector<Fragment>& front,
                              const std::vector<Fragment>& back) {
  const DeepImage merged =
      reference::merge(deepImage(test::kPixel, {front}), deepImage(test::kPixel, {back}));
  std::vector<float> reds;
  for (const Fragment& f : fragmentsOf(merged)) reds.push_back(f.r);
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
  EXPECT_EQ(flattened({{0, 0, 0.5f, 0.5f, -kInf, -kInf}, {1, 0, 0, 1, kInf, kInf}}),
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
  EXPECT_EQ(mergedReds({gray(1, 1, -3), gray(3, 1, kInf)}, {gray(2, 1, 1e30f), gray(4, 1, kInf)}),
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
  DeepImage a = deepImage(test::kPixel, {{kRed}}), b = deepImage(test::kPixel, {{kGreen}});
  a.displayWindow = {0, 0, 7, 5};
  EXPECT_EQ(reference::merge(a, b).displayWindow, a.displayWindow);
}

TEST(Merge, KeepsEveryBit) {
  const test::RandomImage wanted{.window = {3, -2, 9, 7}};
  const DeepImage a = test::randomImage(wanted), none = deepImage(test::kPixel, {{}});
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
  EXPECT_FALSE(test::isSorted(deepImage(test::kPixel, {{kGreen, kRed}})));
  EXPECT_TRUE(test::isSorted(deepImage(test::kPixel, {{kRed, kGreen}})));
  // Looks at ZBack on equal Z.
  EXPECT_FALSE(test::isSorted(
      deepImage(test::kPixel, {{Fragment{1, 0, 0, 1, 5, 9}, Fragment{1, 0, 0, 1, 5, 7}}})));
}

}  // namespace
}  // namespace fathom::deep
