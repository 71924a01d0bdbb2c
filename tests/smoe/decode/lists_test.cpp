// SPDX-License-Identifier: BSD-3-Clause
// Lists built on the GPU against those of the float64 reference: the same components but for those
// on the very threshold, ascending, with masks and certificates that agree.
#include "app/techniques/smoe/decode/lists.h"
#include "app/techniques/smoe/decode/decoder.h"
#include "app/techniques/smoe/model/reference.h"
#include "tests/smoe/model/models.h"
#include "tests/support/gpu_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::smoe {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kSlack = 0.02;  // nats around the threshold in which both answers are right

struct Case {
  const char* name;
  Model model;
  ViewWindow window;
};

std::vector<Case> cases() {
  return {{"small", randomModel(1, 2, 30, {17, 5}), {{17, 5}}},
          {"dense", randomModel(2, 2, 900, {130, 70}), {{130, 70}}},
          {"large", randomModel(3, 2, 250, {600, 530}), {{600, 530}}},
          {"zoomed in", randomModel(4, 2, 200, {90, 90}), {{80, 96}, {20.5, 11.25}, 0.21}},
          {"zoomed out", randomModel(5, 2, 200, {300, 200}), {{70, 60}, {-50, -40}, 5}},
          {"view", randomModel(6, 4, 300, {90, 80}), {{90, 80}, {0, 0}, 1, 1, {1.5, -2.25}}}};
}

std::vector<std::uint32_t> componentsOf(const std::vector<Decoder::Entry>& list) {
  std::vector<std::uint32_t> components;
  for (const Decoder::Entry& entry : list) components.push_back(entry.component);
  return components;
}

bool contains(const std::vector<std::uint32_t>& list, const std::vector<std::uint32_t>& part) {
  return std::includes(list.begin(), list.end(), part.begin(), part.end());
}

class ListsTest : public test::GpuTest {};

TEST_F(ListsTest, HoldWhatTheReferenceHolds) {
  for (const Case& c : cases())
    for (const int tile : {8, 16, 32}) {
      DecodeOptions options;
      options.bits = 8, options.tilePixels = tile;
      Decoder decoder(context());
      decoder.setModel(c.model);
      decoder.build(c.window, options, kForever);

      const std::vector<Record> records = reference::recordsOf(c.model, c.window.at);
      const reference::Grid grid{c.window.size, c.window.corner, c.window.step};
      const double tau = reference::thresholdFor(8);
      const auto fewer = reference::boundedLists(records, grid, tile, tau - kSlack);
      const auto more = reference::boundedLists(records, grid, tile, tau + kSlack);
      const glm::ivec2 tiles = (c.window.size + tile - 1) / tile;
      std::size_t total = 0;
      for (int y = 0; y < tiles.y; ++y)
        for (int x = 0; x < tiles.x; ++x) {
          const auto i = std::size_t(y) * std::size_t(tiles.x) + std::size_t(x);
          const auto found = componentsOf(decoder.downloadList({x, y}));
          total += found.size();
          ASSERT_TRUE(std::is_sorted(found.begin(), found.end())) << c.name;
          ASSERT_TRUE(contains(found, fewer.lists[i])) << c.name << " " << tile << " " << i;
          ASSERT_TRUE(contains(more.lists[i], found)) << c.name << " " << tile << " " << i;
        }
      EXPECT_EQ(total, decoder.facts().entries);
      EXPECT_DOUBLE_EQ(double(total) / double(tiles.x * tiles.y), decoder.facts().kpb);
    }
}

TEST_F(ListsTest, MarkTheCellsThatTheReferenceMarks) {
  for (const Case& c : cases())
    for (const int tile : {8, 16, 32}) {
      DecodeOptions options;
      options.bits = 10, options.tilePixels = tile;
      Decoder decoder(context());
      decoder.setModel(c.model);
      decoder.build(c.window, options, kForever);
      const std::vector<Record> records = reference::recordsOf(c.model, c.window.at);
      const auto wanted =
          reference::boundedLists(records, {c.window.size, c.window.corner, c.window.step}, tile,
                                  reference::thresholdFor(10));
      const glm::ivec2 tiles = (c.window.size + tile - 1) / tile;
      std::size_t entries = 0, different = 0;
      for (int y = 0; y < tiles.y; ++y)
        for (int x = 0; x < tiles.x; ++x) {
          const auto i = std::size_t(y) * std::size_t(tiles.x) + std::size_t(x);
          const std::vector<Decoder::Entry> found = decoder.downloadList({x, y});
          entries += found.size();
          for (std::size_t k = 0; k < found.size(); ++k) {
            const auto at = std::lower_bound(wanted.lists[i].begin(), wanted.lists[i].end(),
                                             found[k].component);
            const bool known = at != wanted.lists[i].end() && *at == found[k].component;
            different += !known || wanted.masks[i][std::size_t(at - wanted.lists[i].begin())] !=
                                       found[k].mask;
          }
        }
      // Slack lets in what lies on the threshold: a percent or so of the entries.
      EXPECT_LE(double(different), 0.03 * double(entries) + 2) << c.name << " " << tile;
    }
}

TEST_F(ListsTest, CertifyNoLessThanTheReferenceAndLittleMore) {
  for (const Case& c : cases()) {
    DecodeOptions options;
    options.bits = 8;
    Decoder decoder(context());
    decoder.setModel(c.model);
    decoder.build(c.window, options, kForever);
    const std::vector<Record> records = reference::recordsOf(c.model, c.window.at);
    const auto wanted = reference::boundedLists(
        records, {c.window.size, c.window.corner, c.window.step}, 16, reference::thresholdFor(8));
    const glm::ivec2 tiles = (c.window.size + 15) / 16;
    for (int y = 0; y < tiles.y; ++y)
      for (int x = 0; x < tiles.x; ++x) {
        const auto i = std::size_t(y) * std::size_t(tiles.x) + std::size_t(x);
        // On the threshold one side may keep what the other drops: twice what one such adds.
        const double one = 3 * std::exp(-reference::thresholdFor(8));
        EXPECT_GE(decoder.certificate({x, y}), 0.9 * wanted.maskedCertificate[i] - one);
        EXPECT_LE(decoder.certificate({x, y}), 1.25 * wanted.maskedCertificate[i] + one) << c.name;
      }
  }
}

TEST_F(ListsTest, WindowRuleTakesCentersInTheEnlargedTile) {
  const Model model = randomModel(7, 2, 400, {100, 90});
  for (const int border : {16, 32, 64})
    for (const int tile : {8, 16, 32}) {
      DecodeOptions options;
      options.relevance = Relevance::Window;
      options.windowBorder = border, options.tilePixels = tile;
      Decoder decoder(context());
      decoder.setModel(model);
      decoder.build({{100, 90}}, options, kForever);
      const glm::ivec2 tiles = (glm::ivec2(100, 90) + tile - 1) / tile;
      for (int y = 0; y < tiles.y; ++y)
        for (int x = 0; x < tiles.x; ++x) {
          const glm::dvec2 low = glm::dvec2(x * tile, y * tile) - double(border);
          const glm::dvec2 high =
              glm::dvec2(std::min((x + 1) * tile, 100), std::min((y + 1) * tile, 90)) +
              double(border);
          std::vector<std::uint32_t> wanted;
          for (std::uint32_t j = 0; j < model.components.size(); ++j) {
            const glm::dvec2 center = exact(model.components[j], model).center;
            if (center.x >= low.x && center.y >= low.y && center.x < high.x && center.y < high.y)
              wanted.push_back(j);
          }
          ASSERT_EQ(wanted, componentsOf(decoder.downloadList({x, y}))) << border << " " << tile;
        }
    }
}

TEST_F(ListsTest, BudgetKeepsEveryCertificateBelowTheLimit) {
  const Model model = randomModel(8, 2, 2000, {220, 200});
  for (const int bits : {8, 10, 12, 14})
    for (const int tile : {8, 16, 32}) {
      DecodeOptions options;
      options.relevance = Relevance::Budget;
      options.bits = bits, options.tilePixels = tile;
      Decoder decoder(context());
      decoder.setModel(model);
      decoder.build({{220, 200}}, options, kForever);
      EXPECT_LE(decoder.facts().maxErrorBound, std::ldexp(1.0, -bits - 1)) << bits << " " << tile;
    }
}

TEST_F(ListsTest, BandsOfAnyHeightHoldTheSameLists) {
  const Model model = randomModel(10, 2, 1500, {150, 400});
  const ViewWindow window{{150, 400}};
  const DecodeOptions options;
  Decoder whole(context()), banded(context());
  for (Decoder* decoder : {&whole, &banded}) decoder->setModel(model);
  whole.build(window, options, kForever);
  context().memory().setBlockLimit(60'000);
  banded.build(window, options, kForever);
  EXPECT_GT(banded.bands().size(), whole.bands().size());
  EXPECT_EQ(whole.facts().entries, banded.facts().entries);
  EXPECT_EQ(whole.facts().maxErrorBound, banded.facts().maxErrorBound);
  EXPECT_EQ(whole.facts().evaluationsPerSample, banded.facts().evaluationsPerSample);
  for (int y = 0; y < 25; ++y)
    EXPECT_EQ(componentsOf(whole.downloadList({4, y})), componentsOf(banded.downloadList({4, y})));
}

TEST_F(ListsTest, MasksSkipMoreThanHalfOfTheWork) {
  const Model model = randomModel(9, 2, 3000, {200, 200});
  DecodeOptions options;
  options.bits = 8;
  Decoder decoder(context());
  decoder.setModel(model);
  decoder.build({{200, 200}}, options, kForever);
  double evaluations = 0;
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 13; ++x)
      for (const Decoder::Entry& entry : decoder.downloadList({x, y}))
        for (int half = 0; half < 8; ++half) evaluations += (entry.mask >> (2 * half) & 3) != 0;
  evaluations /= 8 * 13 * 13;
  EXPECT_NEAR(evaluations, decoder.facts().evaluationsPerSample, 1e-9);
  EXPECT_LT(evaluations, 0.6 * decoder.facts().kpb);
}

}  // namespace
}  // namespace fathom::smoe
