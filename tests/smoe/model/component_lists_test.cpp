// SPDX-License-Identifier: BSD-3-Clause
// Lists of a fit, their transpose, and moving components by them.
#include "app/engine/smoe/model/component_lists.h"
#include "app/engine/smoe/fit/relocate.h"
#include "app/engine/smoe/model/reference.h"
#include "tests/smoe/model/models.h"

#include <gtest/gtest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

TEST(ComponentLists, HoldWhatTheReferenceHolds) {
  for (const int count : {1, 30, 400}) {
    const Model model = randomModel(3, 2, count, {83, 45});
    const auto records = reference::recordsOf(model, {});
    const ComponentLists lists = buildComponentLists(records, {{0, 0}, {83, 45}}, 11);
    const auto expected = reference::boundedLists(records, {{83, 45}, {0, 0}, 1}, 8, 11);
    ASSERT_EQ(lists.tileStarts.size(), expected.lists.size() + 1);
    for (std::size_t tile = 0; tile < expected.lists.size(); ++tile)
      EXPECT_EQ(std::vector<std::uint32_t>(lists.components.begin() + lists.tileStarts[tile],
                                           lists.components.begin() + lists.tileStarts[tile + 1]),
                expected.lists[tile])
          << "tile " << tile << " of " << count << " components";
  }
}

TEST(ComponentLists, TransposeListsEachSlotOnce) {
  const Model model = randomModel(4, 2, 90, {64, 40});
  const ComponentLists lists =
      buildComponentLists(reference::recordsOf(model, {}), {{0, 0}, {64, 40}}, 11);
  std::vector<std::uint32_t> seen(lists.slotCount(), 0);
  for (std::uint32_t j = 0; j < 90; ++j)
    for (std::uint32_t k = lists.componentEnds[j]; k < lists.componentEnds[j + 1]; ++k) {
      EXPECT_EQ(lists.components[lists.slots[k]], j);
      ++seen[lists.slots[k]];
    }
  EXPECT_EQ(seen, std::vector<std::uint32_t>(lists.slotCount(), 1));
  for (std::size_t i = 0; i < 90; ++i) {
    const std::uint32_t j = lists.order[i];
    EXPECT_LE(lists.componentEnds[j + 1] - lists.componentEnds[j], lists.bounds[i / 64]);
  }
}

TEST(ComponentLists, RegionsOfAPictureHoldWhatTheWholeHolds) {
  const Model model = randomModel(5, 2, 60, {48, 48});
  const auto records = reference::recordsOf(model, {});
  const ComponentLists whole = buildComponentLists(records, {{0, 0}, {48, 48}}, 11);
  const ComponentLists lower = buildComponentLists(records, {{0, 24}, {48, 48}}, 11);
  EXPECT_EQ(std::vector<std::uint32_t>(whole.components.begin() + whole.tileStarts[18],
                                       whole.components.end()),
            lower.components);
}

TEST(Split, HalvesLieBesideEachOtherAndKeepTheExpertsSlope) {
  const Model model = randomModel(9, 2, 5, {64, 64});
  for (const Record& r : reference::recordsOf(model, {})) {
    const Halves halves = split(r, {0, 1, {0.2, -0.1}, {0.5, 0.3, 1.4}});
    EXPECT_NEAR(glm::distance((halves.first.center + halves.second.center) / 2.0, r.center), 0,
                1e-9);
    // The covariance's determinant falls by 0.75^2.
    EXPECT_NEAR(halves.first.w11 * halves.first.w22, r.w11 * r.w22 / 0.75, 1e-9);
    for (const Record& half : {halves.first, halves.second})
      for (std::size_t k = 0; k < 3; ++k) {
        // H W before and after; and the expert of a half at its center is the old expert there.
        const auto slope = [&](const Record& of) {
          return glm::dvec2(of.h[k].x * of.w11 + of.h[k].y * of.w21, of.h[k].y * of.w22);
        };
        EXPECT_NEAR(slope(half).x, slope(r).x, 1e-9);
        EXPECT_NEAR(slope(half).y, slope(r).y, 1e-9);
        EXPECT_NEAR(half.color[int(k)],
                    r.color[int(k)] + glm::dot(slope(r), half.center - r.center), 1e-9);
      }
  }
}

TEST(Relocate, MovesTheLeastUsefulToTheWorst) {
  Model model = randomModel(10, 2, 4, {64, 64});
  const std::vector<Component> before = model.components;
  const std::vector<ComponentWorth> worth{{5, 1}, {0.1, 0.2}, {9, 30, {}, {1, 0, 0.1}}, {8, 2}};
  EXPECT_EQ(relocate(model.components, model, worth, 1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(model.components[0], before[0]);
  EXPECT_EQ(model.components[3], before[3]);
  const Record first = exact(model.components[2], model),
               second = exact(model.components[1], model);
  const glm::dvec2 old = exact(before[2], model).center;
  EXPECT_NEAR(glm::distance((first.center + second.center) / 2.0, old), 0, 1e-5);
}

TEST(Relocate, LeavesAllWhereNothingIsToBeGained) {
  Model model = randomModel(10, 2, 3, {64, 64});
  const std::vector<Component> before = model.components;
  const std::vector<ComponentWorth> worth{{5, 1}, {4, 2}, {9, 3}};
  EXPECT_TRUE(relocate(model.components, model, worth, 3).empty());
  EXPECT_EQ(model.components, before);
}

/// Three components like the first, their sizes by these factors of W.
Model alike(int dims, const std::vector<float>& narrower) {
  Model model = randomModel(10, dims, 4, {64, 64});
  for (std::size_t j = 1; j < 4; ++j) {
    Component& c = model.components[j] = model.components[0];
    c.w11 *= narrower[j - 1], c.w21 *= narrower[j - 1], c.w22 *= narrower[j - 1];
  }
  return model;
}

TEST(Relocate, SplitsTheSmallerOfTwoWithAlikeBlame) {
  const std::vector<ComponentWorth> worth{
      {0.1, 0.2}, {9, 30, {}, {1, 0, 0.1}}, {9, 28, {}, {1, 0, 0.1}}, {8, 2}};
  Model picture = alike(2, {1, 2, 1});
  EXPECT_EQ(relocate(picture.components, picture, worth, 1), (std::vector<std::uint32_t>{0, 2}));
  // Where components are crowded it is as with views.
  Model crowded = alike(2, {1, 2, 1});
  crowded.width = crowded.height = 16;
  EXPECT_EQ(relocate(crowded.components, crowded, worth, 1), (std::vector<std::uint32_t>{0, 1}));
  // Of much more blame, the larger one; and of views always.
  Model equal = alike(2, {1, 1.05f, 1});
  EXPECT_EQ(relocate(equal.components, equal, worth, 1), (std::vector<std::uint32_t>{0, 1}));
  Model views = alike(4, {1, 2, 1});
  EXPECT_EQ(relocate(views.components, views, worth, 1), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Relocate, PassesOverASmallOneThatHasLittleToGain) {
  Model model = alike(2, {100, 1, 1});
  const std::vector<ComponentWorth> worth{
      {2, 1}, {9, 3, {}, {1, 0, 0.1}}, {9, 30, {}, {1, 0, 0.1}}, {8, 2}};
  EXPECT_EQ(relocate(model.components, model, worth, 1), (std::vector<std::uint32_t>{0, 2}));
}

}  // namespace
}  // namespace fathom::smoe
