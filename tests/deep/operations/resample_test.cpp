// SPDX-License-Identifier: BSD-3-Clause
// Resampling commutes with compositing, the fast way equals the definition, and geometry is where
// it should be.
#include "app/engine/deep/operations/resample.h"

#include "app/engine/deep/operations/flatten_channels.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/exr/id_filter.h"
#include "tests/deep/operations/literal_tidy.h"

#include <glm/gtc/constants.hpp>

namespace fathom::deep {
namespace {

const Rect kSource{-2, 3, 13, 11};

DeepImage mixedImage() {
  const DeepImage image = test::floatImage(kSource, test::mixedLists(13 * 11, 21));
  return mergeEdited(withEdits(std::span(&image, 1)), {.tidy = true});
}

glm::vec4 flatAt(const Image& flat, const Rect& window, int x, int y) {
  return window.contains(x, y) ? flat.at(x - window.x, y - window.y) : glm::vec4(0);
}

/// The picture of the resampled equals the resampled picture.
void expectCommutes(const DeepImage& image, const Resampling& how, double bound) {
  const Image before = flattenEdited(withEdits(std::span(&image, 1)), {.tidy = false}, kSource);
  const DeepImage out = resampled(image, how);
  const Image after = flattenEdited(withEdits(std::span(&out, 1)), {}, out.dataWindow);
  EXPECT_TRUE(test::isSorted(out));
  double largest = 0;
  for (int y = 0; y < out.dataWindow.height; ++y)
    for (int x = 0; x < out.dataWindow.width; ++x) {
      glm::dvec4 expected(0);
      for (const Tap& tap : tapsAt(how, kSource, x + out.dataWindow.x, y + out.dataWindow.y))
        expected += tap.weight * glm::dvec4(flatAt(before, kSource, tap.x, tap.y));
      const glm::dvec4 d = glm::abs(expected - glm::dvec4(after.at(x, y)));
      largest = std::max({largest, d.r, d.g, d.b, d.a});
    }
  EXPECT_LE(largest, bound);
}

TEST(Resample, CommutesWithCompositing) {
  for (const DeepImage& image : {mixedImage(), test::pointImage(kSource, 23)})
    for (const PixelFilter filter :
         {PixelFilter::Box, PixelFilter::Tent, PixelFilter::Gaussian, PixelFilter::Mitchell}) {
      SCOPED_TRACE(int(filter));
      DeepImage framed = image;
      framed.displayWindow = kSource;
      expectCommutes(framed, resizing(framed, {7, 5}, filter), 1e-5);
      expectCommutes(framed, resizing(framed, {20, 17}, filter), 1e-5);
    }
}

TEST(Resample, TurnedAndPinnedPicturesCommuteToo) {
  DeepImage image = mixedImage();
  image.displayWindow = kSource;
  const double a = glm::pi<double>() / 7;
  const glm::dmat3 turned(std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 2, 1, 1);
  expectCommutes(image, transforming(image, turned, PixelFilter::Tent), 1e-5);
  const glm::dmat3 pinned = cornerPin(kSource, {{{0, 0}, {12, 2}, {9, 15}, {1, 11}}});
  expectCommutes(image, transforming(image, pinned, PixelFilter::Gaussian), 1e-5);
}

/// The light of a pixel's fragments in front of a depth.
glm::dvec4 lightTo(const DeepImage& image, std::size_t pixel, float z) {
  glm::dvec4 sum(0);
  for (std::size_t i = image.fragmentOffsets[pixel]; i < image.fragmentOffsets[pixel + 1]; ++i) {
    const Fragment f = decodeFragment(image, i);
    if (f.z <= z) sum += (1 - sum.a) * glm::dvec4(f.r, f.g, f.b, f.a);
  }
  return sum;
}

TEST(Resample, EqualsTheDefinition) {
  DeepImage image = test::pointImage(kSource, 23);
  image.displayWindow = kSource;
  const Resampling how = resizing(image, {6, 6}, PixelFilter::Tent);
  const DeepImage out = resampled(image, how);
  const Rect& window = out.dataWindow;
  for (int y = window.y; y < window.y + window.height; ++y)
    for (int x = window.x; x < window.x + window.width; ++x)
      for (const float z : {0.5f, 1.0f, 1.5f, 2.25f, 1e9f}) {
        const glm::dvec4 found = lightTo(out, out.pixelIndex(x, y), z);
        glm::dvec4 expected(0);
        for (const Tap& tap : tapsAt(how, kSource, x, y))
          if (kSource.contains(tap.x, tap.y))
            expected += tap.weight * lightTo(image, image.pixelIndex(tap.x, tap.y), z);
        for (int c = 0; c < 4; ++c) EXPECT_NEAR(found[c], expected[c], 1e-5) << x << " " << y;
      }
}

/// An image that fills its frame fills it at any size; one that ends within it fades there.
TEST(Resample, WhatIsOpaqueAtTheEdgeOfTheFrameStaysSo) {
  DeepImage image =
      test::deepImage({0, 0, 6, 4}, std::vector<std::vector<Fragment>>(24, {{1, 1, 1, 1, 2, 2}}));
  for (const glm::ivec2 size : {glm::ivec2(6, 4), {3, 2}, {13, 9}, {4, 7}})
    for (const PixelFilter filter :
         {PixelFilter::Box, PixelFilter::Tent, PixelFilter::Gaussian, PixelFilter::Mitchell}) {
      image.displayWindow = image.dataWindow;
      const DeepImage out = resampled(image, resizing(image, size, filter));
      EXPECT_EQ(out.dataWindow, (Rect{0, 0, size.x, size.y}));
      for (std::size_t p = 0; p < out.pixelCount(); ++p)
        EXPECT_NEAR(lightTo(out, p, 3).a, 1, 1e-6) << p;
      image.displayWindow = {-2, 0, 8, 4};  // the left edge is within it
      const DeepImage part = resampled(image, resizing(image, size, filter));
      if (filter == PixelFilter::Box) continue;
      EXPECT_LT(lightTo(part, 0, 3).a, 0.999) << size.x;
      EXPECT_NEAR(lightTo(part, std::size_t(part.dataWindow.width) - 1, 3).a, 1, 1e-6) << size.x;
    }
}

TEST(Resample, ThinnedStaysWithinTheBound) {
  DeepImage image = test::pointImage(kSource, 23);
  image.displayWindow = kSource;
  Resampling how = resizing(image, {6, 6}, PixelFilter::Tent);
  const std::size_t whole = resampled(image, how).fragmentCount();
  how.thinError = 1.0 / 64;
  ThinReport report;
  const DeepImage thin = resampled(image, how, &report);
  EXPECT_LE(report.error, 1.0 / 64);
  EXPECT_LT(thin.fragmentCount(), whole);
}

TEST(Resample, ShiftByWholePixelsKeepsEveryBit) {
  DeepImage image = test::pointImage(kSource, 23);
  image.displayWindow = kSource;
  const DeepImage out = resampled(
      image, transforming(image, glm::dmat3(1, 0, 0, 0, 1, 0, 5, -2, 1), PixelFilter::Tent));
  for (int y = kSource.y; y < kSource.bottom(); ++y)
    for (int x = kSource.x; x < kSource.right(); ++x)
      EXPECT_EQ(out.list(x + 5, y - 2).size(), image.list(x, y).size());
}

TEST(Resample, CornersGoWhereTheyArePinned) {
  const glm::dmat3 m = cornerPin({0, 0, 100, 50}, {{{10, 20}, {90, 5}, {120, 70}, {0, 60}}});
  const glm::dvec3 p = m * glm::dvec3(100, 50, 1);
  EXPECT_NEAR(p.x / p.z, 120, 1e-9);
  EXPECT_NEAR(p.y / p.z, 70, 1e-9);
  EXPECT_NE(messageOf([] {
              cornerPin({0, 0, 4, 4}, {{{0, 0}, {1, 1}, {2, 2}, {3, 3}}});
            }),
            "no error");
}

TEST(FlattenChannels, EveryChannelAndDepthByItsRule) {
  DeepImage image = test::floatImage(
      {0, 0, 1, 1}, {{{0.25f, 0, 0, 0.25f, 1, 1}, {0.5f, 0, 0, 0.5f, 3, 3}, {0, 1, 0, 1, 5, 5}}});
  DeepChannel ids{"id", ChannelType::Uint, std::vector<std::byte>(12)};
  for (std::uint32_t i = 0; i < 3; ++i) std::memcpy(ids.values.data() + 4 * i, &i, 4);
  image.channels.push_back(ids);
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
  const FlatPlan plan{
      {"A", "G", "R", "id"},
      {FlatDepth::Front, FlatDepth::Back, FlatDepth::Mean, FlatDepth::AlphaWeighted},
      true};
  std::map<std::string, double> found;
  for (const DeepChannel& c : flattenChannels(image, {}, plan)) {
    float number = 0;
    std::uint32_t id = 0;
    std::memcpy(&number, c.values.data(), 4), std::memcpy(&id, c.values.data(), 4);
    found[c.name] = c.type == ChannelType::Uint ? id : double(number);
  }
  EXPECT_NEAR(found["R"], 0.25 + 0.75 * 0.5, 1e-6);
  EXPECT_NEAR(found["G"], 0.375, 1e-6);
  EXPECT_NEAR(found["A"], 1, 1e-6);
  EXPECT_EQ(found["id"], 1);  // 0.25, 0.375, 0.375: of equal ones the first
  EXPECT_EQ(found["front.Z"], 1);
  EXPECT_EQ(found["back.Z"], 5);
  EXPECT_NEAR(found["mean.Z"], 3, 1e-6);
  EXPECT_NEAR(found["alpha-weighted.Z"], 0.25 + 0.375 * 3 + 0.375 * 5, 1e-6);
}

TEST(IdFilter, PatternsMatchAsShellsDo) {
  EXPECT_TRUE(matchesPattern("tree_12", "tree*"));
  EXPECT_TRUE(matchesPattern("set/tree", "*/tr?e"));
  EXPECT_TRUE(matchesPattern("aXbXc", "a*X*c"));
  EXPECT_FALSE(matchesPattern("tree", "tre"));
  EXPECT_FALSE(matchesPattern("tree", "?"));
  EXPECT_TRUE(matchesPattern("", "*"));
}

}  // namespace
}  // namespace fathom::deep
