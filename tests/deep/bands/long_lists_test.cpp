// SPDX-License-Identifier: BSD-3-Clause
// One pixel with more fragments than the loops of a software renderer go through, beside an empty
// one: every layout, method and operation gives the whole list, and the picture that a sum in
// closed form says.
#include "app/engine/core/deep_image.h"
#include "app/engine/deep/engine.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

namespace fathom::deep {
namespace {

using List = std::vector<Fragment>;

constexpr float kThin = 0x1p-13f;  // alpha of one of many

/// `count` points at first, first + 2, ...; a half holds their color.
List pointsFrom(int first, int count, float alpha, const glm::vec3& color) {
  const glm::vec3 c = color * alpha;
  List list;
  for (int i = 0; i < count; ++i) {
    const float z = float(first + 2 * i);
    list.push_back({c.r, c.g, c.b, alpha, z, z});
  }
  return list;
}

/// Volumes that each begin and end in all others, of one color: alpha is all that their order and
/// overlaps decide, and R is 0.75 of it.
List nested(int first, int count) {
  List list;
  for (int i = 0; i < count; ++i) {
    const float z = float(first + 2 * i), alpha = 0x1p-11f;
    list.push_back({0.75f * alpha, 0, 0, alpha, z, z + 5000});
  }
  return list;
}

/// What `count` points of two colors in turn show of the first, and behind all.
struct InTurn {
  InTurn(int count, double alpha)
      : behind(std::pow(1 - alpha, count)),
        first(alpha * (1 - behind) / (1 - (1 - alpha) * (1 - alpha))),
        second(first * (1 - alpha)) {}
  double behind, first, second;
};

class DeepLongLists : public test::GpuTest {
 protected:
  void open(const std::vector<List>& lists) {
    std::vector<DeepImage> images;
    std::vector<std::string> names;
    for (const List& list : lists) {
      DeepImage& image = images.emplace_back(test::deepImage({0, 0, 2, 1}, {list, {}}));
      image.hasZBack = std::ranges::any_of(list, [](const Fragment& f) { return f.zBack > f.z; });
      names.push_back(fmt::format("{}.exr", names.size()));
    }
    technique_.adopt(loaded(std::move(images), names));
  }
  Settings& settings() { return technique_.settingsStruct(); }
  DeepImage merged() {
    DeepImage all;
    technique_.bandMerger(context()).merge(progress_, [&](DeepImage&& band) { all = band; });
    EXPECT_EQ(all.list(1, 0).size(), 0u);
    EXPECT_TRUE(test::isSorted(all));
    return all;
  }
  /// Flattened by a command, and as the window shows it.
  void expectPicture(const glm::dvec4& wanted, double bound = 1e-6) {
    Image flat;
    technique_.bandMerger(context()).flatten(progress_, [&](Image&& rows) { flat = rows; });
    settings().show = Show::Picture;
    technique_.restart();
    technique_.step(context(), INFINITY);
    const Image shown = technique_.frame().picture->downloadImage();
    for (const Image* picture : std::initializer_list<const Image*>{&flat, &shown}) {
      for (int c = 0; c < 4; ++c)
        EXPECT_NEAR(picture->at(0, 0)[c], wanted[c], bound)
            << "channel " << c << (picture == &flat ? ", flattened" : ", shown");
      EXPECT_EQ(picture->at(1, 0), glm::vec4(0));
    }
  }

  Progress progress_;
  DeepEngine technique_;
};

class DeepLongListsIn : public DeepLongLists, public testing::WithParamInterface<Layout> {};

TEST_P(DeepLongListsIn, OfPoints) {
  const int half = 50000;
  open({pointsFrom(0, half, kThin, {1, 0, 0}), pointsFrom(1, half, kThin, {0, 1, 0})});
  const InTurn sum(2 * half, kThin);
  // Each method merges in half of the layouts and composites in the others.
  settings().layout = GetParam();
  const auto methodOf = [](bool other) {
    return other == (int(GetParam()) % 2 == 0) ? Method::Stepwise : Method::RegisterBlock;
  };
  settings().method = methodOf(false);
  const DeepImage all = merged();
  ASSERT_EQ(all.fragmentCount(), std::size_t(2 * half));
  for (const std::size_t i : {0, 1, 32768, 65535, 65536, 99999})
    EXPECT_EQ(decodeFragment(all, i).z, float(i));
  settings().method = methodOf(true);
  expectPicture({sum.first, sum.second, 0, 1 - sum.behind});
  EXPECT_EQ(technique_.counts(context()), (std::vector<std::uint32_t>{100000, 0}));
}

TEST_P(DeepLongListsIn, OfNestedVolumes) {
  const int half = 200;
  open({nested(0, half), nested(1, half), {{0, 0, 1, 1, 9000, 9000}}});
  const double passes = std::pow(1 - 0x1p-11, 2 * half);
  settings().layout = GetParam();
  expectPicture({0.75 * (1 - passes), 0, passes, 1});
  settings().tidy = Tidy::On;
  const DeepImage tidied = merged();
  EXPECT_TRUE(test::isTidy(tidied));
  EXPECT_EQ(tidied.fragmentCount(), std::size_t(4 * half));  // 4 half places, a point behind
  EXPECT_NEAR(reference::flatten(tidied, {0, 0, 1, 1}).at(0, 0).b, passes, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Layouts, DeepLongListsIn, testing::ValuesIn(test::kLayouts),
                         test::layoutName);

TEST_F(DeepLongLists, OfTwoThousandNestedVolumes) {
  open({nested(0, 1000), nested(1, 1000)});
  const double alpha = 1 - std::pow(1 - 0x1p-11, 2000);
  expectPicture({0.75 * alpha, 0, 0, alpha});
}

/// At the border of what a loop goes through; below it sums of so many are in float.
TEST_F(DeepLongLists, OfEveryLengthAroundTheLimit) {
  for (const int count : {65500, 65534, 65535, 65536, 65537}) {
    open({pointsFrom(0, count, kThin, {1, 0, 0})});
    const double alpha = 1 - std::pow(1 - double(kThin), count);
    SCOPED_TRACE(count);
    expectPicture({alpha, 0, 0, alpha}, 2e-5);
    EXPECT_EQ(merged().fragmentCount(), std::size_t(count));
  }
}

TEST_F(DeepLongLists, OfManyInputsHoweverTheyAreMerged) {
  const int count = 18000;
  std::vector<List> lists;
  for (int i = 0; i < 4; ++i) lists.push_back(pointsFrom(2 * i * count, count, kThin, {1, 0, 0}));
  open(lists);
  const double alpha = 1 - std::pow(1 - double(kThin), 4 * count);
  const auto isWhole = [&](const char* what) {
    SCOPED_TRACE(what);
    EXPECT_EQ(merged().fragmentCount(), std::size_t(4 * count));
    expectPicture({alpha, 0, 0, alpha});
  };
  for (const Strategy strategy : {Strategy::Pairwise, Strategy::KWay}) {
    settings() = {};
    settings().strategy = strategy;
    isWhole("strategy");
  }
  settings().saveMerged = true, settings().earlyOut = EarlyOut::Off;
  settings().slots = Slots::Raster;
  isWhole("saved in raster order");
  settings().layout = Layout::LinkedList, settings().links = Links::Push;
  isWhole("back to front");
}

TEST_F(DeepLongLists, ThatAreHeld) {
  const int count = 20000;
  open({pointsFrom(1, count, kThin, {1, 0, 0}), pointsFrom(0, count, kThin, {0, 0, 0})});
  const InTurn sum(2 * count, kThin);
  const double whole = 1 - std::pow(1 - double(kThin), count);
  settings().roles = "add,hold-out";
  expectPicture({sum.second, 0, 0, sum.second}, 1e-5);
  settings().roles = "add,hold-in";
  expectPicture({whole - sum.second, 0, 0, whole - sum.second}, 1e-5);
}

TEST_F(DeepLongLists, ThatAreThinnedCutAndPeeled) {
  for (const int count : {1000, 100000}) {
    const float each = count > 1000 ? kThin : 0x1p-8f;
    open({pointsFrom(0, count, each, {1, 0, 0})});
    settings() = {};
    settings().thin = 8;
    const DeepImage thin = merged();
    EXPECT_EQ(thin.fragmentCount(), 8u);
    EXPECT_NEAR(reference::flatten(thin, {0, 0, 1, 1}).at(0, 0).a, 1 - std::pow(1 - each, count),
                1e-3);
  }
  settings() = {};
  settings().dropHidden = 0.9999f;
  EXPECT_NEAR(double(merged().fragmentCount()),
              std::ceil(std::log(1 - 0.9999f) / std::log1p(-double(kThin))), 100);
  settings() = {};
  settings().zOffsets = "0.5", settings().zRanges = "20.5:";
  EXPECT_EQ(merged().fragmentCount(), 99990u);
  settings() = {};
  settings().view.peelNumber = 70000;
  expectPicture({kThin, 0, 0, kThin});
}

}  // namespace
}  // namespace fathom::deep
