// SPDX-License-Identifier: BSD-3-Clause
// Closed-form answers of the reference: single splats, planes, lists and their nodes.
#include "app/engine/dof/splats/reference.h"

#include "app/engine/dof/splats/point_lists.h"
#include "app/engine/dof/variants/deep_slices.h"
#include "tests/dof/pictures.h"

namespace fathom::dof {
namespace {

using test::lensWith;

/// A picture of one splat per pixel whose center pixel alone is white.
Image pointAt(float z, int side = 33) {
  Image picture(side, side, glm::vec4(0, 0, 0, z));
  picture.at(side / 2, side / 2) = {1, 1, 1, z};
  return picture;
}

Image blurred(const Image& picture, const Lens& lens, Operator op) {
  return reference::blur(test::splatsOf(picture, lens), op, {});
}

TEST(DofReference, APointInFocusStaysAPoint) {
  const Image out = blurred(pointAt(5), lensWith(10, 5, 16), Operator::Over);
  EXPECT_EQ(out.at(16, 16).g, 1);
  EXPECT_EQ(out.at(15, 16).g, 0);
}

/// r = 4 at z = 10: a disc of 49 pixels that share the light.
TEST(DofReference, APointOutOfFocusIsADiscOfItsArea) {
  const Image out = blurred(pointAt(10), lensWith(8, 5, 16), Operator::Coverage);
  int lit = 0;
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 33; ++x) {
      const bool inside = (x - 16) * (x - 16) + (y - 16) * (y - 16) <= 16;
      lit += out.at(x, y).g > 0;
      if (!inside) {
        EXPECT_EQ(out.at(x, y).g, 0);
      }
    }
  EXPECT_GE(lit, 45);  // the last splats of a full pixel find no room
  EXPECT_LE(lit, 49);
}

/// Behind an opaque front surface of one half-plane, "over" lets 1/e through, coverage nothing.
TEST(DofReference, CoverageHidesWhatOverLetsThrough) {
  SplatList list{{48, 48}, {}};
  for (int layer = 0; layer < 2; ++layer)
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 48; ++x)
        list.splats.push_back(
            {{x, y}, layer ? 20.0f : 2.0f, 16, 1, layer ? glm::vec3(1) : glm::vec3(0), 1, 4});
  const double covered = reference::blur(list, Operator::Coverage, {}).at(24, 24).g;
  const double over = reference::blur(list, Operator::Over, {}).at(24, 24).g;
  EXPECT_NEAR(covered, 0, 0.03);  // 49 splats of 1/(16 pi): 0.975
  // (1/e (1 - 1/e)) / (1 - 1/e^2)
  EXPECT_NEAR(over, 0.269, 0.02);
}

/// What an opaque splat of its own pixel hides takes half of its share of what is left, and more
/// only where those that are seen leave something.
TEST(DofReference, CoverageFillsWithWhatIsHidden) {
  const auto blurredOf = [](float behind) {
    const SplatList list{{1, 1},
                         {{{0, 0}, 1, 0, 0.4f, {1, 0, 0}, 1, 0},
                          {{0, 0}, 2, 0, 0.4f, {0, 1, 0}, 1, 0, true},
                          {{0, 0}, 3, 0, behind, {0, 0, 1}, 1, 0}}};
    return reference::blur(list, Operator::Coverage, {}).at(0, 0);
  };
  const glm::vec4 full = blurredOf(0.6f);  // 0.4 and 0.4 * 0.6 / 2; what is seen takes the rest
  EXPECT_NEAR(full.r, 0.4, 1e-6);
  EXPECT_NEAR(full.g, 0.12, 1e-6);
  EXPECT_NEAR(full.b, 0.48, 1e-6);
  const glm::vec4 gap = blurredOf(0.3f);  // 0.18 are left, 0.28 of what is hidden wait
  EXPECT_NEAR(gap.g, 0.3, 1e-6);
  EXPECT_NEAR(gap.b, 0.3, 1e-6);
}

/// A dark wall stands behind the edge of a front, and the sun behind the wall: in the gap that the
/// front leaves there is the wall.
TEST(DofReference, WhatStandsByHidesWhatLiesBehindIt) {
  const SplatList list{{1, 1},
                       {{{0, 0}, 1, 0, 0.8f, {1, 0, 0}, 1, 0},
                        {{0, 0}, 2, 0, 0.5f, {0, 1, 0}, 1, 0, true},
                        {{0, 0}, 3, 0, 1, {0, 0, 1}, 1, 0, true}}};
  const glm::vec4 out = reference::blur(list, Operator::Coverage, {}).at(0, 0);
  EXPECT_NEAR(out.r, 0.8, 1e-6);
  EXPECT_NEAR(out.g, 0.2, 1e-6);
  EXPECT_NEAR(out.b, 0, 1e-6);
}

/// Red fills the cell of the lens through which the pixel sees it; so does what lies behind it
/// through another one, and only what lies behind in the same one is hidden.
TEST(DofReference, LensCellsHideWhatIsSeenThroughTheSamePartOfTheLens) {
  SplatList list{{1, 1}, {}};
  const auto add = [&](glm::ivec2 pixel, float z, glm::vec3 color) {
    list.splats.push_back({pixel, z, 72, 1000, color, 1, 8});
  };
  add({2, 2}, 1, {1, 0, 0}), add({-2, -2}, 2, {0, 1, 0}), add({2, 2}, 3, {0, 0, 1});
  const glm::vec4 out = reference::blur(list, Operator::LensCells, {.smooth = true}).at(0, 0);
  EXPECT_NEAR(out.r, 0.5, 1e-6);
  EXPECT_NEAR(out.g, 0.5, 1e-6);
  EXPECT_EQ(out.b, 0);
  // Nearer than the focus, the same pixel lies beyond the other side of the lens.
  for (Splat& s : list.splats) s.r = s.z < 3 ? 8.0f : -8.0f;
  EXPECT_EQ(reference::blur(list, Operator::LensCells, {.smooth = true}).at(0, 0).b, 0);
  list.splats[1].pixel = {2, -2};
  EXPECT_NEAR(reference::blur(list, Operator::LensCells, {.smooth = true}).at(0, 0).b, 1 / 3.0,
              1e-3);
}

/// With a map of the aperture, too, what is in focus fills every part of the lens.
TEST(DofReference, LensCellsLetNothingThroughASharpSurface) {
  const Settings settings{.blades = Blades::Five};
  const ApertureMap map(apertureOf(settings, nullptr));
  for (const float r : {0.0f, 0.1f, 0.3f}) {
    const SplatList list{
        {1, 1}, {{{0, 0}, 1, 1, 1, {1, 0, 0}, 1, r}, {{0, 0}, 2, 100, 1000, {0, 1, 0}, 1, 8}}};
    const glm::vec4 out =
        reference::blur(list, Operator::LensCells, {.smooth = true, .map = &map}).at(0, 0);
    EXPECT_NEAR(out.r, 1, 1e-6) << r;
    EXPECT_NEAR(out.g, 0, 1e-6) << r;
  }
}

/// Where a front closes but for an error of its sum, nothing of what is hidden is added to it.
TEST(DofReference, ACrackOfAFrontStaysClosed) {
  const auto blueOf = [](float front) {
    const SplatList list{
        {1, 1},
        {{{0, 0}, 1, 0, front, {1, 0, 0}, 1, 0}, {{0, 0}, 9, 0, 0.5f, {0, 0, 50}, 1, 0, true}}};
    return reference::blur(list, Operator::Coverage, {}).at(0, 0).b / 50;
  };
  EXPECT_NEAR(blueOf(0.8f), 0.2, 1e-6);  // a gap: all that is left
  // A crack: a quarter of what is left (half of the share of a half), over all that is covered.
  EXPECT_NEAR(blueOf(0.98f), 0.005 / 0.985, 1e-6);
}

TEST(DofReference, SlabsAddWithinASurface) {
  const SplatList list{{1, 1},
                       {{{0, 0}, 1, 4 / 3.14159f, 1, {1, 0, 0}, 1, 1},
                        {{0, 0}, 1.001f, 4 / 3.14159f, 1, {1, 0, 0}, 1, 1},
                        {{0, 0}, 9, 0, 1, {0, 1, 0}, 1, 0}}};
  const Image out = reference::blur(list, Operator::Slabs, {});
  EXPECT_NEAR(out.at(0, 0).r, 0.5, 1e-3);
  EXPECT_NEAR(out.at(0, 0).g, 0.5, 1e-3);
}

TEST(DofReference, GatherKeepsAUniformPicture) {
  const Image plane(24, 24, glm::vec4(0.3f, 0.6f, 0.9f, 12));
  const Image out = reference::gather(plane, lensWith(9, 5, 16));
  EXPECT_NEAR(out.at(12, 12).g, 0.6, 1e-6);
}

/// Ties by an ordered dither: the center of light of a blurred plane's point stays (with row-major
/// ties it moves by 0.14 r).
TEST(DofReference, APlaneDoesNotMove) {
  for (const double r : {8.0, 16.0}) {
    glm::dvec3 sum(0);
    const int side = 80, middle = 40;
    // All places within a tile, as one picture each would need: the same by linearity of "over" in
    // the colors.
    for (int k = 0; k < 16; ++k) {
      Image picture(side, side, glm::vec4(0, 0, 0, 10));
      const glm::ivec2 at(middle + k % 4 * 5 % 16, middle + k / 4 * 5 % 16);
      picture.at(at.x, at.y).g = 1;
      const Image out = blurred(picture, lensWith(2 * r, 5, 16), Operator::Over);
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
          sum += double(out.at(x, y).g) * glm::dvec3(x - at.x, y - at.y, 1);
    }
    EXPECT_LT(std::hypot(sum.x / sum.z, sum.y / sum.z), 0.06) << r;
  }
}

TEST(DofReference, NodesDecodeToWhatWasEncoded) {
  for (const int kind : {DOF_NODE_A_FLOAT, DOF_NODE_A_INT, DOF_NODE_B}) {
    const Splat splat{{3, 300}, 7, 4, 1, {0.5f, 0.25f, 65504}, 1, 2};
    const Node node = decodeNode(encodeNode(splat, {4, 15}, kind), kind);
    EXPECT_EQ(node.offset, glm::ivec2(-61, 60));
    EXPECT_EQ(node.color, glm::dvec3(splat.color));
    EXPECT_EQ(node.r2, 4);
    EXPECT_NEAR(node.alpha, 1 / (3.14159265358979 * 4), 5e-5);
  }
}

// n = 255 + 60 floor(r) + N(r2) entries touch an inner tile when all radii are r.
TEST(DofReference, ListsHoldWhatTouchesTheTile) {
  SplatList list{{48, 48}, {}};
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 48; ++x) list.splats.push_back({{x, y}, 1, 16, 1, {1, 1, 1}, 1, 4});
  const NodeLists lists = reference::nodeLists(list, DOF_NODE_A_FLOAT);
  EXPECT_EQ(lists.tileBegin[5] - lists.tileBegin[4], 544u);
}

/// The largest difference between shares of light and the exact areas that disc and pixel have in
/// common, as a part of all light.
double worstShare(double r) {
  const int reach = int(r) + 2;
  double worst = 0;
  for (int y = 0; y <= reach; ++y)
    for (int x = y; x <= reach; ++x) {
      const double area = test::discInPixel(r, x, y, 400);
      const double share = discShare(r, double(x) * x + double(y) * y) / discSum(r);
      worst = std::max(worst, std::abs(share - area / (3.14159265358979 * r * r)));
    }
  return worst;
}

TEST(SmoothDiscs, SharesAreAreasOfThePixels) {
  for (const double r : {0.3, 0.5, 0.7, 1.0, 1.7, 2.8, 5.5, 12.3})
    EXPECT_LT(worstShare(r), 0.08 / std::max(1.0, r * r)) << r;
}

/// What tables of sums are for: the light of a disc is 1 at any radius, on the processor and with
/// the device's interpolation between radii.
TEST(SmoothDiscs, KeepTheirLight) {
  const std::vector<float>& sums = ApertureMap::discSums();
  for (int i = 0; i < 2000; ++i) {
    const double r = 0.3 * std::pow(200 / 0.3, i / 1999.0), at = r * DOF_DISC_STEPS;
    if (r < 3) {  // summed there, not looked up
      double sum = discShare(r, 0);
      for (const int d2 : {1, 2, 4, 8, 9}) sum += 4 * discShare(r, d2);
      for (const int d2 : {5, 10}) sum += 8 * discShare(r, d2);
      EXPECT_NEAR(sum, discSum(r), 1e-9) << r;
      continue;
    }
    const auto k = std::size_t(at);
    const double table = k + 1 < sums.size() ? sums[k] + (at - double(k)) * (sums[k + 1] - sums[k])
                                             : 3.14159265358979 * r * r;
    EXPECT_NEAR(discSum(r) / table, 1, 1e-3) << r;
  }
}

/// Apertures of every shape that no cat's eye cuts, at 200 radii: all light of a splat arrives.
/// Those that are cut: DofPipeline.WhatIsCutIsMadeUpForAt200Radii.
TEST(SmoothDiscs, MappedAperturesKeepTheirLight) {
  std::vector<Settings> lenses(6);
  lenses[0].blades = Blades::Five, lenses[0].bladeRotation = 11;
  lenses[1].blades = Blades::Six, lenses[1].bladeRoundness = 0.5f;
  lenses[2].sphericalAberration = 0.8f;
  lenses[3].squeeze = 2;
  lenses[4].swirl = 0.4f;
  const auto bokeh = std::make_shared<Image>(8, 8, glm::vec4(0));  // lenses[5]: a picture
  for (int i = 0; i < 40; ++i)
    bokeh->pixels[std::size_t(i * 13 % 64)] = glm::vec4(float(i % 3 + 1));
  const glm::dvec2 field(0.75, -1 / 3.0);
  for (std::size_t lens = 0; lens < lenses.size(); ++lens) {
    const ApertureMap map(apertureOf(lenses[lens], lens == 5 ? bokeh : nullptr));
    double worst = 0, at = 0;
    for (int i = 0; i < 200; ++i) {
      const double r = (i % 2 ? -0.3 : 0.3) * std::pow(200 / 0.3, i / 199.0);
      // Up to there the device sums shares with swirl.
      if (map.aperture().varies() && std::abs(r) <= DOF_EXACT_RADIUS) continue;
      const double off = std::abs(map.sumOfShares(r, {0, 0}, field) - 1);
      if (off > worst) worst = off, at = r;
    }
    EXPECT_LT(worst, 1e-3) << "lens " << lens << " at " << at;
  }
}

/// What is sharp keeps its light with all faults at once, too: a channel that is displaced by half
/// a pixel lies in two of them, and the cat's eye takes neither.
TEST(SmoothDiscs, FaultsAtOnceLoseNoLightOfWhatIsSharp) {
  const Settings settings{.catsEye = 0.6f, .swirl = 0.4f, .squeeze = 1.6f};
  Aperture aperture = apertureOf(settings);
  aperture.axialRed = 0.3, aperture.axialBlue = -0.3;
  aperture.lateralRed = 0.005, aperture.lateralBlue = -0.005;
  const ApertureMap map(aperture);
  const ImageFrame frame{{0, 0}, 140};
  for (int i = 0; i <= 100; ++i)
    for (const double r : {-0.6, -0.3, 0.0, 0.1, 0.3, 0.6, 1.0}) {
      const glm::dvec3 light = map.lightOf(r, glm::dvec2(0.01 * i * 110, -0.01 * i * 60), frame);
      for (int c = 0; c < 3; ++c) {
        EXPECT_GT(light[c], 0.1) << i << " " << r << " " << c;
        EXPECT_LT(light[c], 2) << i << " " << r << " " << c;
      }
    }
}

TEST(SmoothDiscs, GrowWithoutAStep) {
  // The center of a disc that is just leaving its pixel changes most: 3 % over 1/100 px.
  for (double r = 0.5; r < 6; r += 0.01)
    for (int x = 0; x < 8; ++x) {
      const double now = discShare(r, x * x) / discSum(r);
      const double then = discShare(r + 0.01, x * x) / discSum(r + 0.01);
      EXPECT_LT(std::abs(then - now), 0.03) << r << " at " << x;
    }
}

/// Half of the blur where the mask says so, none where it is 0; nothing else changes.
TEST(DofReference, AFocusMaskScalesRadii) {
  Image picture(5, 3, glm::vec4(1, 1, 1, 9));
  FocusMask mask{5, 3, std::vector<float>(15, 1.0f)};
  mask.values[6] = 0.5f, mask.values[7] = 0;
  const Lens lens = lensWith(9, 5, 16);
  const SplatList plain = test::splatsOf(picture, lens),
                  masked = test::splatsOf(picture, lens, &mask);
  const float r = float(lens.cocRadius(9));
  ASSERT_GT(r, 2);
  for (std::size_t i = 0; i < plain.splats.size(); ++i) {
    const Splat& s = masked.splats[i];
    EXPECT_FLOAT_EQ(s.r, r * mask.at(s.pixel.x, s.pixel.y));
    EXPECT_FLOAT_EQ(s.r2, throughHalf(s.r * s.r));
    EXPECT_EQ(s.color, plain.splats[i].color);
  }
}

/// Points take their alpha from their own depth on, volumes what lies in front, where they overlap
/// too; nothing passes behind the front of an opaque volume: by hand.
TEST(DofHoldOuts, KnotsPassWhatIsLeftInFront) {
  DeepImage image;
  image.dataWindow = {0, 0, 2, 1};
  for (const auto& [alpha, z, zBack] : {std::tuple(0.25f, 2.0f, 2.0f),
                                        {0.75f, 4.0f, 6.0f},
                                        {0.5f, 5.0f, 9.0f},
                                        {1.0f, 12.0f, 14.0f}})
    image.words.insert(image.words.end(), {0u, glm::packHalf2x16({0, alpha}),
                                           glm::floatBitsToUint(z), glm::floatBitsToUint(zBack)});
  image.fragmentOffsets = {0, 0, 4};
  for (const char* name : {"A", "B", "G", "R"})
    image.channels.push_back({name, ChannelType::Half, {}});
  std::vector<glm::vec4> knots;
  addKnots(image, 0, knots);
  EXPECT_EQ(knots, (std::vector<glm::vec4>{{0, 1, 0, INFINITY}}));
  knots.clear();
  addKnots(image, 1, knots);
  const auto passing = [&](double z) {
    std::size_t at = 0;
    while (knots[at].w <= z) ++at;
    const glm::dvec4 last = knots[at];
    return last.y * std::exp(-last.z * (z - last.x));
  };
  EXPECT_EQ(passing(1.99), 1);
  EXPECT_FLOAT_EQ(float(passing(2)), 0.75f);
  EXPECT_FLOAT_EQ(float(passing(4)), 0.75f);
  EXPECT_FLOAT_EQ(float(passing(5)), 0.75f * 0.5f);
  EXPECT_FLOAT_EQ(float(passing(6)), 0.75f * 0.25f * std::pow(0.5f, 0.25f));
  EXPECT_FLOAT_EQ(float(passing(9)), 0.75f * 0.25f * 0.5f);
  EXPECT_FLOAT_EQ(float(passing(12)), 0.75f * 0.25f * 0.5f);
  EXPECT_EQ(passing(12.001), 0);
}

/// As few as there are surfaces, else as short as can be; the background is one by itself.
TEST(DofSlices, AreAsShortAsTheyCanBe) {
  using Ends = std::vector<std::uint32_t>;
  EXPECT_EQ(sliceEnds(std::vector<float>{2, 2, 2, 5, 5, INFINITY}, 16), (Ends{3, 5, 6}));
  EXPECT_EQ(sliceEnds(std::vector<float>{1, 1.1f, 4, 4.1f, 4.2f, 90, INFINITY}, 4),
            (Ends{2, 5, 6, 7}));
  EXPECT_EQ(sliceEnds(std::vector<float>{1, 2, 3, INFINITY, INFINITY}, 2), (Ends{3, 5}));
  EXPECT_EQ(sliceEnds({}, 2), Ends{});
}

/// A mask of another size lies over the frame as it is: linear where it grows, means where it
/// shrinks, its border beyond it.
TEST(DofReference, AFocusMaskLiesOverTheFrame) {
  const FocusMask two{2, 1, {0, 1}};
  const FocusMask wide = two.over({8, 3});
  for (int x = 0; x < 8; ++x)
    EXPECT_NEAR(wide.at(x, 2), std::clamp((x + 0.5) / 4 - 0.5, 0.0, 1.0), 1e-6) << x;
  FocusMask fine{64, 2, std::vector<float>(128)};
  for (int i = 0; i < 128; ++i) fine.values[std::size_t(i)] = float(i % 2);
  const FocusMask coarse = fine.over({4, 1});
  for (const int x : {1, 2}) EXPECT_NEAR(coarse.at(x, 0), 0.5, 0.02);
  const FocusMask framed = two.with(2, Edges::Extend);
  EXPECT_EQ(framed.values, (std::vector<float>{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0,
                                               1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
}

}  // namespace
}  // namespace fathom::dof
