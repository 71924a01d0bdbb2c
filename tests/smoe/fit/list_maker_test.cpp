// SPDX-License-Identifier: BSD-3-Clause
// Lists of a fit that are made on the device, against those made on the host: in images of one and
// several bands, of views, in regions of a picture; and the means that Adam's epsilons follow.
#include "app/engine/smoe/fit/regions.h"

#include "app/engine/smoe/fit/adam.h"
#include "tests/smoe/fit/pictures.h"
#include "tests/smoe/model/models.h"
#include "tests/support/gpu_test.h"

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

constexpr double kApart = 0.03;  // nats: twice what float32 bounds are widened by

struct HostLists {
  std::vector<std::uint32_t> starts, components, slotTiles, ends, slots, order, bounds;
  std::vector<float> offsets;
  bool operator==(const HostLists&) const = default;
};

HostLists downloaded(const FitRegion& region, std::size_t components) {
  const FitRegion::DeviceLists& lists = region.lists();
  const std::size_t slots = region.slotCount();
  return {lists.starts.download(0, region.tileCount() + 1),
          lists.components.download(0, slots),
          lists.slotTiles.download(0, slots),
          lists.ends.download(0, components + 1),
          lists.slots.download(0, slots),
          lists.order.download(0, components),
          lists.bounds.download(0, (components + FIT_GROUP - 1) / FIT_GROUP),
          lists.offsets.download(0, region.tileCount())};
}

class ListMakerTest : public test::GpuTest {
 protected:
  struct Case {
    int dims, count;
    glm::ivec2 size;
    PixelBox box;
  };
  /// Every tile lists what the host lists at tau, and nothing that it does not list at a little
  /// more; the rest says the same by component.
  void compare(const Case& c, double tau) {
    const Model model = randomModel(11, c.dims, c.count, c.size);
    const int leading = c.dims - 2;
    FitPasses passes(context(), model.components.size(), leading, model.centerFractionBits);
    passes.upload(model.components);
    const ViewCoordinates view{leading ? 1.25 : 0.0, leading == 2 ? -0.5 : 0.0};
    FitRegion region(context(), noise(c.size, 3), c.box, view);
    FitListMaker maker(context());
    maker.make(passes, region, tau);
    const HostLists found = downloaded(region, model.components.size());
    const auto records = reference::recordsOf(model, view);
    isBetween(found, buildComponentLists(records, c.box, tau),
              buildComponentLists(records, c.box, tau + kApart));
    isTurnedRound(found);
    // Again, with the room of the first ones: the same bytes.
    maker.make(passes, region, tau);
    EXPECT_EQ(downloaded(region, model.components.size()), found);
  }
  static std::vector<std::uint32_t> listOf(const std::vector<std::uint32_t>& starts,
                                           const std::vector<std::uint32_t>& components,
                                           std::size_t tile) {
    return {components.begin() + starts[tile], components.begin() + starts[tile + 1]};
  }
  static void isBetween(const HostLists& found, const ComponentLists& few,
                        const ComponentLists& more) {
    ASSERT_EQ(found.starts.size(), few.tileStarts.size());
    ASSERT_EQ(found.starts.back(), found.components.size());
    for (std::size_t tile = 0; tile + 1 < found.starts.size(); ++tile) {
      const auto list = listOf(found.starts, found.components, tile);
      const auto low = listOf(few.tileStarts, few.components, tile);
      const auto high = listOf(more.tileStarts, more.components, tile);
      EXPECT_TRUE(std::includes(list.begin(), list.end(), low.begin(), low.end())) << tile;
      EXPECT_TRUE(std::includes(high.begin(), high.end(), list.begin(), list.end())) << tile;
      EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
      for (std::uint32_t slot = found.starts[tile]; slot < found.starts[tile + 1]; ++slot)
        EXPECT_EQ(found.slotTiles[slot], tile);
      // The host's is that of the whole tile, the device's of its cells.
      EXPECT_LE(found.offsets[tile], few.offsets[tile] + kApart);
      EXPECT_GT(found.offsets[tile], few.offsets[tile] - 20);
    }
  }
  static void isTurnedRound(const HostLists& found) {
    const std::size_t count = found.order.size();
    ASSERT_EQ(found.ends[count], found.slots.size());
    for (std::uint32_t j = 0; j < count; ++j)
      for (std::uint32_t k = found.ends[j]; k < found.ends[j + 1]; ++k) {
        EXPECT_EQ(found.components[found.slots[k]], j);
        if (k > found.ends[j]) {
          EXPECT_LT(found.slots[k - 1], found.slots[k]);
        }
      }
    const auto slotsOf = [&](std::uint32_t j) { return found.ends[j + 1] - found.ends[j]; };
    for (std::size_t i = 1; i < count; ++i) {
      const std::uint32_t before = found.order[i - 1], j = found.order[i];
      EXPECT_TRUE(slotsOf(before) > slotsOf(j) || (slotsOf(before) == slotsOf(j) && before < j));
    }
    for (std::size_t g = 0; g < found.bounds.size(); ++g)
      EXPECT_EQ(found.bounds[g], slotsOf(found.order[g * FIT_GROUP]));
  }
};

TEST_F(ListMakerTest, ImagesHoldWhatTheHostHolds) {
  compare({2, 150, {83, 45}, {{0, 0}, {83, 45}}}, 11);
  compare({2, 1, {9, 7}, {{0, 0}, {9, 7}}}, 8);
}

TEST_F(ListMakerTest, BandsOfATallPictureAreJoined) {
  compare({2, 90, {24, 1300}, {{0, 0}, {24, 1300}}}, 8);
}

TEST_F(ListMakerTest, ViewsAndRegionsHoldWhatTheHostHolds) {
  compare({4, 60, {48, 40}, {{0, 0}, {48, 40}}}, 11);
  compare({3, 40, {40, 48}, {{0, 24}, {40, 48}}}, 12);
}

TEST_F(ListMakerTest, WeightsThatOutgrowTheirRoomAreListed) {
  // Small components, then as many large ones: the lists become several times as long.
  Model model = randomModel(12, 2, 200, {96, 96});
  FitPasses passes(context(), model.components.size(), 0, model.centerFractionBits);
  const PixelBox all{{0, 0}, {96, 96}};
  FitRegion region(context(), noise(all.high, 3), all, {0, 0});
  FitListMaker maker(context());
  passes.upload(model.components);
  maker.make(passes, region, 8);
  const std::size_t before = region.slotCount();
  for (Component& c : model.components) c.w11 /= 3, c.w21 /= 3, c.w22 /= 3;
  passes.upload(model.components);
  maker.make(passes, region, 8);
  EXPECT_GT(region.slotCount(), 2 * before);
  const auto records = reference::recordsOf(model, {});
  isBetween(downloaded(region, 200), buildComponentLists(records, all, 8),
            buildComponentLists(records, all, 8 + kApart));
}

/// Of the gradient in the units of the steps, as fit_adam.comp has them.
TEST_F(ListMakerTest, EpsilonsAreAThousandthOfTheMeanGradient) {
  const glm::ivec2 size{40, 32};
  const Model model = randomModel(13, 2, 150, size);
  FitPasses passes(context(), model.components.size(), 0, model.centerFractionBits);
  passes.upload(model.components);
  FitRegion region(context(), discs(size), {{0, 0}, size}, {0, 0});
  region.setLists(buildComponentLists(reference::recordsOf(model, {}), {{0, 0}, size}, 11));
  FitAdam adam(passes, size);
  adam.add(region);
  const std::vector<float> gradient = adam.downloadGradient();
  std::array<double, 16> sums{};
  for (std::size_t j = 0; j < model.components.size(); ++j) {
    const Component& c = model.components[j];
    const double unit = std::sqrt(double(c.w11) * double(c.w22));
    std::array<double, 16> scale;
    scale.fill(1);
    scale[0] = scale[1] = 1 / unit;
    scale[4] = double(c.w11), scale[5] = unit, scale[6] = double(c.w22);
    for (std::size_t k = 0; k < 16; ++k)
      sums[k] += std::abs(double(gradient[16 * j + k]) * scale[k]);
  }
  adam.measure();
  const AdamState state = adam.state();
  for (std::size_t k = 0; k < 16; ++k) {
    const double expected = k == 3 ? 1e-12 : 1e-3 * sums[k] / double(model.components.size());
    EXPECT_NEAR(double(state.epsilons[k / 4][int(k % 4)]), expected, 1e-4 * expected) << k;
  }
}

}  // namespace
}  // namespace fathom::smoe
