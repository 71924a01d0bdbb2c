// SPDX-License-Identifier: BSD-3-Clause
// Fragments as points in space: which are kept, where they stand, and that they are drawn there.
#include "app/engine/deep/view/points.h"
#include "app/engine/deep/lists/arrange_lists.h"

#include "app/engine/deep/engine.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

using Point = std::array<std::uint32_t, DEEP_POINT_WORDS>;

std::vector<Point> sorted(const std::vector<std::uint32_t>& words) {
  std::vector<Point> points(words.size() / DEEP_POINT_WORDS);
  for (std::size_t i = 0; i < points.size(); ++i)
    std::copy_n(words.begin() + std::ptrdiff_t(i * DEEP_POINT_WORDS), DEEP_POINT_WORDS,
                points[i].begin());
  std::sort(points.begin(), points.end());
  return points;
}

// ---- Which fragments, and where

TEST(DeepPoints, AllFragmentsArePointsBelowTheLimit) {
  for (const std::uint64_t count : {0, 1, 63, 64, 65, 1000}) {
    const PointPlan plan = PointPlan::of(count, 1000);
    EXPECT_EQ(plan.every, 1u);
    std::set<std::uint32_t> places;
    for (std::uint64_t i = 0; i < count; ++i) {
      ASSERT_EQ(plan.pointOf(i), std::int64_t(i));
      places.insert(plan.placeOf(std::uint32_t(i)));
    }
    EXPECT_EQ(places.size(), count);
    if (count > 0) {
      EXPECT_EQ(*places.rbegin(), count - 1);
    }
  }
}

TEST(DeepPoints, MoreAreThinnedOutToOneOfEachRun) {
  const PointPlan plan = PointPlan::of(100003, 1000);
  EXPECT_EQ(plan.every, 101u);
  EXPECT_EQ(plan.points, 990u);
  std::set<std::int64_t> points;
  std::set<std::uint64_t> placesInRun;
  for (std::uint64_t i = 0; i < plan.fragments; ++i) {
    const std::int64_t point = plan.pointOf(i);
    if (point < 0) continue;
    EXPECT_EQ(std::uint64_t(point), i / plan.every);
    EXPECT_TRUE(points.insert(point).second);
    placesInRun.insert(i % plan.every);
  }
  EXPECT_EQ(points.size(), plan.points);
  EXPECT_GT(placesInRun.size(), 90u);  // of 101: no pattern that lists of one length could meet
}

TEST(DeepPoints, TheFirstSetThinsAllOutEvenly) {
  const PointPlan plan = PointPlan::of(6400, 6400);
  std::vector<std::uint32_t> first;
  for (std::uint32_t point = 0; point < plan.points; ++point)
    if (plan.placeOf(point) < 100) first.push_back(point);
  ASSERT_EQ(first.size(), 100u);
  for (std::size_t i = 1; i < first.size(); ++i) EXPECT_EQ(first[i] - first[i - 1], 64u);
}

TEST(DeepPoints, StandInTheBoxNearerOnesInFront) {
  const PointSpace space{{10, 20, 200, 100}, 2, 6, 3};
  EXPECT_EQ(space.place({110, 70}, 4), glm::vec3(0, 0, 0));
  EXPECT_EQ(space.place({10, 20}, 2), glm::vec3(-1, 0.5f, 1.5f));
  EXPECT_EQ(space.place({210, 120}, 6), glm::vec3(1, -0.5f, -1.5f));
}

TEST(DeepPoints, TheBoxLeavesOutAFewFarOff) {
  std::vector<float> depths(1000);
  std::iota(depths.begin(), depths.end(), 100.0f);
  EXPECT_EQ(boxRange(depths), (ZRange{100, 1099}));
  depths.push_back(1e8f), depths.push_back(INFINITY), depths.push_back(-INFINITY);
  EXPECT_EQ(boxRange(depths).nearest, 100);
  EXPECT_NEAR(boxRange(depths).farthest, 1099 + 250, 15);
  std::vector<float> one{7}, none;
  EXPECT_LT(boxRange(one).nearest, 7);
  EXPECT_GT(boxRange(one).farthest, 7);
  EXPECT_EQ(boxRange(none), (ZRange{0, 1}));
}

TEST(DeepPoints, TicksAreRound) {
  EXPECT_EQ(axisTicks(0, 10, 5), (std::vector<float>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(axisTicks(-0.12f, 0.21f, 4), (std::vector<float>{-0.1f, 0, 0.1f, 0.2f}));
  EXPECT_TRUE(axisTicks(1, 1, 5).empty());
}

// ---- Collecting

class DeepPointsGpu : public test::GpuTest {
 protected:
  std::vector<std::uint32_t> collected(const DeepImage& image, Layout layout, const Rect& region,
                                       std::uint64_t most) {
    const Settings s{.layout = layout};
    Pipeline pipeline(context());
    FragmentLists lists;
    uploadLists(pipeline, image, {0, 0}, kWindow, shapeOf(s, image.format), lists);
    PointCloud cloud = cloudOf(countPoints(pipeline, lists, region), region, most);
    EXPECT_EQ(collectPoints(pipeline, lists, 3, 0, cloud), cloud.plan.fragments);
    return cloud.words.download();
  }
  std::vector<std::uint32_t> expected(const DeepImage& image, const Rect& region,
                                      std::uint64_t most) {
    PointCloud cloud = cloudOf(fragmentsIn(image, region), region, most);
    std::vector<std::uint32_t> words(cloud.words.count());
    EXPECT_EQ(collectPoints(image, 0, {0, 0}, 3, 0, cloud, words), cloud.plan.fragments);
    return words;
  }
  PointCloud cloudOf(std::uint64_t fragments, const Rect& region, std::uint64_t most) {
    PointCloud cloud;
    cloud.plan = PointPlan::of(fragments, most);
    cloud.region = region;
    cloud.words =
        gpu::Buffer<std::uint32_t>(context(), "points", cloud.plan.points * DEEP_POINT_WORDS);
    cloud.words.clear(0xFFFFFFFFu);
    return cloud;
  }
  static constexpr Rect kWindow{0, 0, 17, 9};
};

TEST_F(DeepPointsGpu, AreTheFragmentsOfTheRegionInEveryLayout) {
  for (const FragmentFormat format : {FragmentFormat::Rgba8, FragmentFormat::Half}) {
    const DeepImage image = test::randomImage(
        {kWindow, format, 1, test::boundaryCounts(1), test::Colors::Premultiplied});
    for (const Rect& region : {kWindow, Rect{3, 2, 9, 5}}) {
      const std::vector<Point> all = sorted(expected(image, region, 1 << 20));
      ASSERT_GT(all.size(), 100u);
      for (const Layout layout :
           {Layout::LinkedList, Layout::Linearized, Layout::Interleaved, Layout::BlockInterleaved,
            Layout::RankInterleaved, Layout::AlignedBlocks}) {
        std::vector<Point> found = sorted(collected(image, layout, region, 1 << 20));
        ASSERT_EQ(found.size(), all.size());
        // A color may round to the neighboring one of 256 steps.
        std::size_t others = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
          others += found[i] != all[i];
          EXPECT_EQ(found[i][0], all[i][0]);
          EXPECT_EQ(found[i][1], all[i][1]);
          EXPECT_EQ(found[i][4], 3u);
        }
        EXPECT_LT(others, all.size() / 50) << int(format) << " " << int(layout);
      }
    }
  }
}

TEST_F(DeepPointsGpu, ThinnedOutTheyAreSomeOfTheFragments) {
  const DeepImage image = test::randomImage(
      {kWindow, FragmentFormat::Half, 1, test::boundaryCounts(1), test::Colors::Premultiplied});
  const std::vector<Point> all = sorted(expected(image, kWindow, 1 << 20));
  const std::vector<Point> some = sorted(collected(image, Layout::Interleaved, kWindow, 100));
  EXPECT_LE(some.size(), 100u);
  EXPECT_GT(some.size(), 50u);
  for (const Point& point : some)
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Point& other) {
      return point[0] == other[0] && point[1] == other[1] && point[2] == other[2];
    }));
}

// ---- Drawing

class DeepPointsTechnique : public test::GpuTest {
 protected:
  void adopt(std::vector<DeepImage> images) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < images.size(); ++i) names.push_back(fmt::format("{}.exr", i));
    technique_.adopt(loaded(std::move(images), names));
    settings_.show = Show::Points;
    technique_.setSize(200, 120);
  }
  Image picture(bool anew = true) {
    if (anew) technique_.restart();
    bool done = !technique_.step(context(), INFINITY).partial;
    for (int calls = 0; !done && calls < 1000; ++calls)
      done = !technique_.step(context(), INFINITY).partial;
    EXPECT_TRUE(done);
    return technique_.frame().picture->downloadImage();
  }
  /// What a new picture says of its points.
  std::string saidOfPoints() {
    picture();
    for (const auto& [name, value] : technique_.facts())
      if (name == "points") return value;
    return {};
  }
  /// The picture where a fragment should be.
  glm::vec4 seenAt(const Image& shown, const PointSpace& space, glm::vec2 pixel, float z) {
    const glm::vec4 clip =
        pointsToClip(*technique_.camera(), space, {200, 120}) * glm::vec4(space.place(pixel, z), 1);
    return shown.at(int((clip.x / clip.w + 1) / 2 * 200), int((1 - clip.y / clip.w) / 2 * 120));
  }
  DeepEngine technique_;
  Settings& settings_ = technique_.settingsStruct();
};

const Fragment kRed{0.5f, 0, 0, 0.5f, 2, 2}, kGreen{0, 0.5f, 0, 0.5f, 3, 3},
    kBlue{0, 0, 1, 1, 5, 5};

TEST_F(DeepPointsTechnique, AreDrawnWhereTheProjectionSays) {
  adopt({test::deepImage({0, 0, 4, 2}, {{kRed}, {}, {}, {kBlue}, {}, {kGreen}, {}, {}})});
  settings_.view.pointSize = 3;
  const PointSpace space{{0, 0, 4, 2}, 2, 5, 2};
  for (const int turn : {0, 1}) {
    if (turn) technique_.camera()->orbit(0.7f, -0.3f);
    const Image shown = picture();
    ASSERT_EQ(glm::ivec2(shown.width, shown.height), glm::ivec2(200, 120));
    EXPECT_EQ(seenAt(shown, space, {0.5f, 0.5f}, 2), glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(seenAt(shown, space, {3.5f, 0.5f}, 5), glm::vec4(0, 0, 1, 1));
    EXPECT_EQ(seenAt(shown, space, {1.5f, 1.5f}, 3), glm::vec4(0, 1, 0, 1));
    EXPECT_LT(seenAt(shown, space, {2.5f, 1.5f}, 3).g, 0.2f);
  }
  settings_.view.peel = "2.5:4";
  const Image sliced = picture(false);
  EXPECT_EQ(seenAt(sliced, space, {1.5f, 1.5f}, 3), glm::vec4(0, 1, 0, 1));
  EXPECT_LT(seenAt(sliced, space, {0.5f, 0.5f}, 2).r, 0.2f);
  EXPECT_LT(seenAt(sliced, space, {3.5f, 0.5f}, 5).b, 0.2f);
}

TEST_F(DeepPointsTechnique, VolumesReachFromZToZBack) {
  DeepImage image = test::deepImage({0, 0, 1, 1}, {{Fragment{0, 0.5f, 0, 0.5f, 2, 4}}});
  image.hasZBack = true;
  image.channels.push_back({"ZBack", ChannelType::Float, {}});
  adopt({std::move(image)});
  technique_.camera()->position = {3, 2, 0.2f};
  const Image shown = picture();
  int green = 0;
  for (const glm::vec4& p : shown.pixels) green += p.g == 1;
  EXPECT_GT(green, 20);  // a point alone has four
}

TEST_F(DeepPointsTechnique, ColorsTellInputAndDepth) {
  adopt(
      {test::deepImage({0, 0, 2, 1}, {{kRed}, {}}), test::deepImage({0, 0, 2, 1}, {{}, {kBlue}})});
  settings_.view.pointSize = 3;
  const PointSpace space{{0, 0, 2, 1}, 2, 5, 2};
  const auto near = [](glm::vec4 a, glm::vec3 b) {
    return glm::length(glm::vec3(a) - b) < 2e-3f;  // half floats
  };
  settings_.view.pointColor = PointColor::Input;
  Image shown = picture();
  EXPECT_TRUE(near(seenAt(shown, space, {0.5f, 0.5f}, 2), inputColors()[0]));
  EXPECT_TRUE(near(seenAt(shown, space, {1.5f, 0.5f}, 5), inputColors()[1]));
  settings_.view.pointColor = PointColor::Depth;
  shown = picture(false);
  EXPECT_TRUE(near(seenAt(shown, space, {0.5f, 0.5f}, 2), scaleColors().front()));
  EXPECT_TRUE(near(seenAt(shown, space, {1.5f, 0.5f}, 5), scaleColors().back()));
  EXPECT_EQ(technique_.legend().size(), scaleColors().size());
}

TEST_F(DeepPointsTechnique, NothingIsCollectedAgainForAnotherCamera) {
  adopt({test::sphereField({61, 35, 9, 1}), test::sphereField({61, 35, 9, 2})});
  const Image first = picture();
  context().timings().clear();
  context().timings().beginFrame();
  technique_.camera()->orbit(0.5f, 0);
  const Image turned = picture();
  context().timings().endFrame();
  context().timings().finish();
  EXPECT_FALSE(test::exact(turned.pixels, first.pixels));
  for (const gpu::PassTiming& pass : context().timings().passes())
    EXPECT_TRUE(pass.count == 0 || pass.name.find("draw") == 0) << pass.name;
}

TEST_F(DeepPointsTechnique, WhatIsLeftOutIsSaid) {
  adopt({test::sphereField({61, 35, 9, 1})});
  settings_.view.pointLimit = 1000;
  EXPECT_THAT(saidOfPoints(), HasSubstr("fragments, one in "));
}

TEST_F(DeepPointsTechnique, FloatColorsHavePointsToo) {
  std::vector<DeepImage> images{test::deepImage({0, 0, 2, 1}, {{kRed}, {kBlue}})};
  makeIndexed(images[0]);
  adopt(std::move(images));
  settings_.view.pointSize = 3;
  const PointSpace space{{0, 0, 2, 1}, 2, 5, 2};
  const Image shown = picture();
  EXPECT_EQ(seenAt(shown, space, {0.5f, 0.5f}, 2), glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(seenAt(shown, space, {1.5f, 0.5f}, 5), glm::vec4(0, 0, 1, 1));
}

/// Points are what would be saved: held out, tidy, cleared of what is hidden; in the lists of the
/// GPU, and in memory where it does not hold the colors.
TEST_F(DeepPointsTechnique, AreWhatOperationsLeave) {
  const Fragment wall{0, 0, 1, 1, 4, 4}, matte{0, 0, 0, 1, 2.5f, 2.5f};
  for (const bool indexed : {false, true}) {
    SCOPED_TRACE(indexed);
    std::vector<DeepImage> images{test::deepImage({0, 0, 2, 1}, {{kRed, wall}, {kGreen, kBlue}}),
                                  test::deepImage({0, 0, 2, 1}, {{matte}, {}})};
    if (indexed)
      for (DeepImage& image : images) makeIndexed(image);
    adopt(std::move(images));
    EXPECT_EQ(saidOfPoints(), "5 fragments");
    settings_.roles = "add,hold-out";
    EXPECT_EQ(saidOfPoints(), "3 fragments");  // the wall is gone, the matte is not seen
    settings_.view.pointColor = PointColor::Input;
    EXPECT_EQ(technique_.legend().size(), 2u);  // each still from its input
    settings_.roles = "add,hold-in";
    EXPECT_EQ(saidOfPoints(), "1 fragments");
    settings_.roles = "";
    settings_.dropHidden = 1;
    EXPECT_EQ(saidOfPoints(), "4 fragments");  // the wall behind the opaque matte
    EXPECT_EQ(technique_.legend().size(), 1u);
    settings_.dropHidden = 0;
    settings_.thin = 1;
    EXPECT_EQ(saidOfPoints(), "2 fragments");
    settings_.thin = 0;
    settings_.zRanges = "3:";
    EXPECT_EQ(saidOfPoints(), "4 fragments");  // red is cut away
    settings_.zRanges = "";
    settings_.view.pointColor = PointColor::Color;
  }
}

/// Volumes that hold each other out become tidy first, all in one list.
TEST_F(DeepPointsTechnique, HeldVolumesAreSplit) {
  std::vector<DeepImage> images{
      test::deepImage({0, 0, 1, 1}, {{Fragment{0, 0.5f, 0, 0.75f, 2, 6}}}),
      test::deepImage({0, 0, 1, 1}, {{Fragment{0, 0, 0, 0.5f, 4, 4}}})};
  for (DeepImage& image : images) {
    image.hasZBack = true;
    image.channels.push_back({"ZBack", ChannelType::Float, {}});
  }
  adopt(std::move(images));
  settings_.roles = "add,hold-out";
  EXPECT_EQ(saidOfPoints(), "2 fragments");
}

TEST_F(DeepPointsTechnique, BandsThatDoNotFitAreCut) {
  adopt({test::sphereField({61, 45, 9, 1}), test::sphereField({61, 45, 9, 2})});
  settings_.dropHidden = 1;
  const std::string whole = saidOfPoints();
  const std::int64_t limit = context().memory().blockLimit();
  adopt({test::sphereField({61, 45, 9, 1}), test::sphereField({61, 45, 9, 2})});
  context().memory().setBlockLimit(64 << 10);
  settings_.view.pointLimit = 1000;
  const std::string cut = saidOfPoints();
  context().memory().setBlockLimit(limit);
  EXPECT_NE(whole, "");
  EXPECT_EQ(cut.substr(cut.find("of ") + 3, whole.size()), whole);
}

TEST_F(DeepPointsTechnique, ThePictureComesBack) {
  adopt({test::sphereField({61, 35, 9, 1}), test::sphereField({61, 35, 9, 2})});
  settings_.show = Show::Picture;
  const Image before = picture();
  settings_.show = Show::Points;
  EXPECT_NE(picture(false).width, before.width);
  settings_.show = Show::Picture;
  EXPECT_TRUE(test::exact(picture(false).pixels, before.pixels));
}

TEST_F(DeepPointsTechnique, ASceneOpensAsPoints) {
  Progress progress;
  settings_.show = Show::Points;
  technique_.setSize(61, 35);
  technique_.adopt(read({"planes:count=32,spheres=8"}, progress));
  technique_.setSize(200, 120);
  const Image shown = picture();
  EXPECT_EQ(shown.width, 200);
  int lit = 0;
  for (const glm::vec4& p : shown.pixels) lit += p.r + p.g + p.b > 0.3f;
  EXPECT_GT(lit, 1000);
}

// ---- Inputs that are hidden, and their order

TEST_F(DeepPointsTechnique, AHiddenInputIsNotMerged) {
  const DeepImage one = test::sphereField({61, 35, 9, 1}),
                  other = test::sphereField({61, 35, 9, 2});
  adopt({one, other});
  settings_.show = Show::Picture;
  std::vector<InputEdit> edits = editsOf(settings_, technique_.opened().count());
  edits[0].visible = false;
  setEdits(settings_, edits);
  const Image hidden = picture();
  technique_.adopt(loaded({other}, {"1.exr"}));  // as adopt() named it
  EXPECT_TRUE(editsOf(settings_, technique_.opened().count())[0].visible);
  EXPECT_TRUE(test::exact(hidden.pixels, picture().pixels));
}

TEST_F(DeepPointsTechnique, WithoutAnyInputThePictureIsEmpty) {
  adopt({test::sphereField({61, 35, 9, 1})});
  settings_.show = Show::Picture;
  std::vector<InputEdit> edits(1);
  edits[0].visible = false;
  setEdits(settings_, edits);
  const Image none = picture();
  for (const glm::vec4& p : none.pixels) ASSERT_EQ(p, glm::vec4(0));
}

TEST_F(DeepPointsTechnique, TheOrderDecidesAtEqualDepth) {
  const Fragment red{0.5f, 0, 0, 0.5f, 2, 2}, green{0, 0.5f, 0, 0.5f, 2, 2};
  adopt({test::deepImage({0, 0, 1, 1}, {{red}}), test::deepImage({0, 0, 1, 1}, {{green}})});
  settings_.show = Show::Picture;
  EXPECT_EQ(picture().at(0, 0), glm::vec4(0.5f, 0.25f, 0, 0.75f));
  setOrder(settings_, std::array<std::size_t, 2>{1, 0});
  EXPECT_EQ(picture(false).at(0, 0), glm::vec4(0.25f, 0.5f, 0, 0.75f));
  EXPECT_EQ(technique_.inspect(0, 0)->marks[0].source, 1);
  EXPECT_EQ(technique_.reference().at(0, 0), glm::vec4(0.25f, 0.5f, 0, 0.75f));
}

}  // namespace
}  // namespace fathom::deep
