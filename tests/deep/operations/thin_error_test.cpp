// SPDX-License-Identifier: BSD-3-Clause
// Thinning within a bound: the bound is held at every depth by an evaluation of its own, hardly any
// list is longer than the shortest that exists (by dynamic programming), and IDs keep what they
// show.
#include "app/engine/core/bytes.h"
#include "app/engine/deep/operations/operations.h"
#include "tests/deep/operations/literal_tidy.h"

#include <random>

namespace fathom::deep {
namespace {

std::vector<Fragment> listOf(const DeepImage& image, std::size_t p = 0) {
  std::vector<Fragment> list;
  for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i)
    list.push_back(decodeFragment(image, i));
  return list;
}

/// Alpha and light in front of z, of what lies at z too; volumes in part.
glm::dvec4 inFrontOf(const std::vector<Fragment>& list, double z) {
  glm::dvec4 sum(0);
  for (const Fragment& f : list) {
    if (f.z > z) continue;
    glm::dvec4 color(f.r, f.g, f.b, f.a);
    if (f.zBack > z) {
      const double x = (z - f.z) / (f.zBack - f.z), a = f.a < 1 ? 1 - std::pow(1 - f.a, x) : 1;
      color *= f.a > 0 ? a / f.a : x;
    }
    sum += (1 - sum.a) * color;
  }
  return sum;
}

double largestError(const std::vector<Fragment>& a, const std::vector<Fragment>& b) {
  std::vector<double> places;
  for (const auto* list : {&a, &b})
    for (const Fragment& f : *list)
      for (int i = 0; i <= 16; ++i) places.push_back(f.z + (f.zBack - f.z) * i / 16.0);
  double largest = 0;
  for (const double z : places) {
    const glm::dvec4 d = glm::abs(inFrontOf(a, z) - inFrontOf(b, z));
    largest = std::max({largest, d.r, d.g, d.b, d.a});
  }
  return largest;
}

/// The fewest constants behind a first one of 0 that stay within the bound: over all ways to cut
/// the list into runs.
std::size_t optimum(const std::vector<Fragment>& list, double bound) {
  std::vector<glm::dvec4> shown{glm::dvec4(0)};
  for (const Fragment& f : list)
    shown.push_back(shown.back() + (1 - shown.back().a) * glm::dvec4(f.r, f.g, f.b, f.a));
  const std::size_t n = shown.size();
  std::vector<std::size_t> fewest(n + 1, SIZE_MAX / 2);
  fewest[0] = 0;
  for (std::size_t end = 1; end <= n; ++end)
    for (std::size_t first = 0; first < end; ++first) {
      glm::dvec4 low = shown[first], high = low;
      for (std::size_t i = first; i < end; ++i)
        low = glm::min(low, shown[i]), high = glm::max(high, shown[i]);
      const glm::dvec4 span = high - low;
      const double widest = std::max({span.r, span.g, span.b, span.a});
      const double farthest = std::max({high.r, high.g, high.b, high.a});
      const bool fits = first == 0 ? farthest <= bound : widest <= 2 * bound;
      if (fits) fewest[end] = std::min(fewest[end], fewest[first] + (first > 0));
    }
  return fewest[n];
}

std::vector<Fragment> randomPoints(std::mt19937& random, std::size_t count) {
  std::uniform_real_distribution<float> alpha(0, 0.25f), color(0, 1);
  std::vector<Fragment> list;
  for (std::size_t i = 0; i < count; ++i) {
    const float a = alpha(random);
    list.push_back(
        {a * color(random), a * color(random), a * color(random), a, float(i), float(i)});
  }
  return list;
}

TEST(ThinError, HoldsTheBoundAtEveryDepthAndSaysTheError) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const DeepImage image = test::deepImage(test::kPixel, {randomPoints(random, 40)});
    for (const double bound : {1.0 / 16, 1.0 / 512}) {
      ThinReport report;
      const DeepImage thin =
          mergeEdited(withEdits(std::span(&image, 1)), {.thinError = bound}, &report);
      const double error = largestError(listOf(image), listOf(thin));
      EXPECT_LE(report.error, bound);
      EXPECT_NEAR(error, report.error, 1e-6);
      EXPECT_LE(report.flatError, report.error);
    }
  }
}

TEST(ThinError, IsNearTheShortestListThereIs) {
  std::mt19937 random(5);
  std::size_t found = 0, best = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 1 + std::size_t(trial) % 24;
    const DeepImage image = test::deepImage(test::kPixel, {randomPoints(random, count)});
    const double bound = trial % 2 ? 1.0 / 32 : 1.0 / 512;
    found += mergeEdited(withEdits(std::span(&image, 1)), {.thinError = bound}).fragmentCount();
    best += optimum(listOf(image), bound);
  }
  EXPECT_GE(found, best);
  EXPECT_LE(double(found), 1.1 * double(best));
}

/// What a list shows in front of z lies within the bound of what the other shows in front of some
/// depth that near.
double distanceNear(const std::vector<Fragment>& thin, const std::vector<Fragment>& whole, double z,
                    double part) {
  double least = 1e9;
  std::vector<double> places{z};
  for (const Fragment& f : whole)
    for (const double at : {double(f.z), std::nextafter(double(f.z), 0.0)})
      if (std::abs(at - z) <= 2 * part * std::abs(z)) places.push_back(at);
  for (const double at : places) {
    const glm::dvec4 d = glm::abs(inFrontOf(thin, z) - inFrontOf(whole, at));
    least = std::min(least, std::max({d.r, d.g, d.b, d.a}));
  }
  return least;
}

TEST(ThinError, PointsOfOneSurfaceBecomeOneWithinTheirPartOfTheDepth) {
  std::mt19937 random(13);
  constexpr double kPart = 1.0 / 256, kBound = 1.0 / 512;
  std::size_t plain = 0, found = 0;
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<Fragment> list = randomPoints(random, 24);
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i].z = list[i].zBack = float(100 + 10 * int(i / 8) + 0.06 * double(i % 8));
    const DeepImage image = test::deepImage(test::kPixel, {list});
    plain += mergeEdited(withEdits(std::span(&image, 1)), {.thinError = kBound}).fragmentCount();
    ThinReport report;
    const DeepImage thin = mergeEdited(withEdits(std::span(&image, 1)),
                                       {.thinError = kBound, .thinDepth = kPart}, &report);
    found += thin.fragmentCount();
    EXPECT_LE(report.error, kBound);
    EXPECT_LE(report.depth, kPart);
    EXPECT_GT(report.depth, 0);
    const std::vector<Fragment> whole = listOf(image), shorter = listOf(thin);
    EXPECT_NEAR(inFrontOf(shorter, 1e9).a, inFrontOf(whole, 1e9).a, kBound + 1e-6);
    for (const Fragment& f : whole)
      EXPECT_LE(distanceNear(shorter, whole, f.z, kPart), kBound + 1e-6) << f.z;
  }
  EXPECT_LE(found, std::size_t(40 * 3));  // three surfaces
  EXPECT_GE(plain, 4 * found);
}

TEST(ThinError, VolumesStayWithinTheBoundInside) {
  std::size_t before = 0, after = 0;
  for (const auto& list : test::mixedLists(150, 11)) {
    const DeepImage image = test::floatImage(test::kPixel, {list});
    const DeepImage tidy = mergeEdited(withEdits(std::span(&image, 1)), {.tidy = true});
    ThinReport report;
    const DeepImage thin =
        mergeEdited(withEdits(std::span(&image, 1)), {.thinError = 0.05}, &report);
    EXPECT_LE(report.error, 0.05);
    EXPECT_LE(largestError(listOf(tidy), listOf(thin)),
              report.error + 2e-5);  // tidy is stored as float
    before += tidy.fragmentCount(), after += thin.fragmentCount();
  }
  EXPECT_LT(after, before);
}

TEST(ThinError, RelativeBoundsAreOfThePixelsWhole) {
  std::mt19937 random(7);
  std::vector<Fragment> faint = randomPoints(random, 30);
  for (Fragment& f : faint) f.r /= 64, f.g /= 64, f.b /= 64, f.a /= 64;
  const DeepImage image = test::deepImage(test::kPixel, {faint});
  const auto count = [&](bool relative) {
    return mergeEdited(withEdits(std::span(&image, 1)),
                       {.thinError = 1.0 / 16, .thinRelative = relative})
        .fragmentCount();
  };
  EXPECT_LE(count(false), 1u);
  EXPECT_GT(count(true), 5u);
}

TEST(ThinError, FragmentsOfDifferentIdsStayApart) {
  std::mt19937 random(9);
  DeepImage image = test::deepImage(test::kPixel, {randomPoints(random, 40)});
  makeIndexed(image);
  DeepChannel ids{"id", ChannelType::Uint, std::vector<std::byte>(40 * 4)};
  for (std::size_t i = 0; i < 40; ++i) store(ids.values.data() + 4 * i, std::uint32_t(i / 6 % 3));
  image.channels.push_back(ids);
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
  const DeepImage thin = mergeEdited(withEdits(std::span(&image, 1)), {.thinError = 1.0 / 16});
  EXPECT_LT(thin.fragmentCount(), 30u);
  const auto coverage = [](const DeepImage& of) {
    std::map<std::uint32_t, double> covered;
    double left = 1;
    const auto id = std::ranges::find(of.channels, "id", &DeepChannel::name);
    for (std::size_t i = 0; i < of.fragmentCount(); ++i) {
      const double a = decodeFragment(of, i).a;
      covered[load<std::uint32_t>(id->values.data() + 4 * i)] += left * a;
      left *= 1 - a;
    }
    return covered;
  };
  const auto before = coverage(image), after = coverage(thin);
  ASSERT_EQ(after.size(), before.size());
  for (const auto& [id, covered] : before) EXPECT_NEAR(after.at(id), covered, 2e-3) << id;
}

}  // namespace
}  // namespace fathom::deep
