// SPDX-License-Identifier: BSD-3-Clause
// Lists built on the GPU against those of the float64 reference: the same components but for those
// on the very threshold, ascending, with masks and certificates that agree.
#include "app/engine/gpu/timings.h"
#include "app/engine/smoe/decode/decoder.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"

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

/// Calls visit(tile, its number, row by row) for the tiles of a window.
template <class Visit>
void forEachTile(glm::ivec2 size, int tile, const Visit& visit) {
  const glm::ivec2 tiles = (size + tile - 1) / tile;
  for (int i = 0; i < tiles.x * tiles.y; ++i)
    visit(glm::ivec2(i % tiles.x, i / tiles.x), std::size_t(i));
}

class ListsTest : public test::GpuTest {
 protected:
  std::unique_ptr<Decoder> built(const Model& model, const ViewWindow& window,
                                 const DecodeOptions& options) {
    auto decoder = std::make_unique<Decoder>(context());
    decoder->setModel(model);
    decoder->build(window, options, kForever);
    return decoder;
  }
};

DecodeOptions optionsOf(int bits, int tile = 16, Relevance relevance = Relevance::Bounded) {
  return {.relevance = relevance, .bits = bits, .tilePixels = tile};
}

TEST_F(ListsTest, HoldWhatTheReferenceHolds) {
  for (const Case& c : cases())
    for (const int tile : {8, 16, 32}) {
      const auto decoder = built(c.model, c.window, optionsOf(8, tile));
      const std::vector<Record> records = reference::recordsOf(c.model, c.window.at);
      const reference::Grid grid{c.window.size, c.window.corner, c.window.step};
      const double tau = reference::thresholdFor(8);
      const auto fewer = reference::boundedLists(records, grid, tile, tau - kSlack);
      const auto more = reference::boundedLists(records, grid, tile, tau + kSlack);
      std::size_t total = 0;
      forEachTile(c.window.size, tile, [&](glm::ivec2 at, std::size_t i) {
        const auto found = componentsOf(decoder->downloadList(at));
        total += found.size();
        ASSERT_TRUE(std::is_sorted(found.begin(), found.end())) << c.name;
        ASSERT_TRUE(contains(found, fewer.lists[i])) << c.name << " " << tile << " " << i;
        ASSERT_TRUE(contains(more.lists[i], found)) << c.name << " " << tile << " " << i;
      });
      EXPECT_EQ(total, decoder->facts().entries);
      EXPECT_DOUBLE_EQ(double(total) / double(fewer.lists.size()), decoder->facts().kpb);
    }
}

TEST_F(ListsTest, MarkTheCellsThatTheReferenceMarks) {
  for (const Case& c : cases())
    for (const int tile : {8, 16, 32}) {
      const auto decoder = built(c.model, c.window, optionsOf(10, tile));
      const auto wanted = reference::boundedLists(reference::recordsOf(c.model, c.window.at),
                                                  {c.window.size, c.window.corner, c.window.step},
                                                  tile, reference::thresholdFor(10));
      std::size_t entries = 0, different = 0;
      forEachTile(c.window.size, tile, [&](glm::ivec2 tileAt, std::size_t i) {
        for (const Decoder::Entry& entry : decoder->downloadList(tileAt)) {
          const auto& list = wanted.lists[i];
          const auto at = std::lower_bound(list.begin(), list.end(), entry.component);
          const bool known = at != list.end() && *at == entry.component;
          different += !known || wanted.masks[i][std::size_t(at - list.begin())] != entry.mask;
          ++entries;
        }
      });
      // Slack lets in what lies on the threshold: a percent or so of the entries.
      EXPECT_LE(double(different), 0.03 * double(entries) + 2) << c.name << " " << tile;
    }
}

TEST_F(ListsTest, CertifyNoLessThanTheReferenceAndLittleMore) {
  for (const Case& c : cases()) {
    const auto decoder = built(c.model, c.window, optionsOf(8));
    const auto wanted = reference::boundedLists(reference::recordsOf(c.model, c.window.at),
                                                {c.window.size, c.window.corner, c.window.step}, 16,
                                                reference::thresholdFor(8));
    // On the threshold one side may keep what the other drops: twice what one such adds.
    const double one = 3 * std::exp(-reference::thresholdFor(8));
    forEachTile(c.window.size, 16, [&](glm::ivec2 at, std::size_t i) {
      EXPECT_GE(decoder->certificate(at), 0.9 * wanted.maskedCertificate[i] - one);
      EXPECT_LE(decoder->certificate(at),
                1.25 * wanted.maskedCertificate[i] + one + decoder->facts().maxRounding)
          << c.name;
    });
  }
}

TEST_F(ListsTest, WindowRuleTakesCentersInTheEnlargedTile) {
  const glm::ivec2 size{100, 90};
  const Model model = randomModel(7, 2, 400, size);
  for (const int border : {16, 32, 64})
    for (const int tile : {8, 16, 32}) {
      DecodeOptions options = optionsOf(10, tile, Relevance::Window);
      options.windowBorder = border;
      const auto decoder = built(model, {size}, options);
      forEachTile(size, tile, [&](glm::ivec2 at, std::size_t) {
        const glm::dvec2 low = glm::dvec2(at * tile) - double(border);
        const glm::dvec2 high = glm::dvec2(glm::min((at + 1) * tile, size)) + double(border);
        std::vector<std::uint32_t> wanted;
        for (std::uint32_t j = 0; j < model.components.size(); ++j) {
          const glm::dvec2 center = exact(model.components[j], model).center;
          if (center.x >= low.x && center.y >= low.y && center.x < high.x && center.y < high.y)
            wanted.push_back(j);
        }
        ASSERT_EQ(wanted, componentsOf(decoder->downloadList(at))) << border << " " << tile;
      });
    }
}

TEST_F(ListsTest, BudgetKeepsEveryCertificateBelowTheLimit) {
  const Model model = randomModel(8, 2, 2000, {220, 200});
  for (const int bits : {8, 10, 12, 14})
    for (const int tile : {8, 16, 32}) {
      const auto decoder = built(model, {{220, 200}}, optionsOf(bits, tile, Relevance::Budget));
      EXPECT_LE(decoder->facts().maxErrorBound,
                std::ldexp(1.0, -bits - 1) + decoder->facts().maxRounding)
          << bits << " " << tile;
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

TEST_F(ListsTest, OfExpectedSizesAreThoseThatAreMeasured) {
  const Model model = randomModel(11, 2, 1500, {300, 200});
  for (const Relevance rule : {Relevance::Bounded, Relevance::Budget, Relevance::Window}) {
    const DecodeOptions options{.relevance = rule};
    Decoder measured(context()), expected(context());
    for (Decoder* decoder : {&measured, &expected}) decoder->setModel(model);
    expected.build({{150, 140}, {20, 20}}, options, kForever);
    const ViewWindow moved{{150, 140}, {24.5, 18}};
    measured.build(moved, options, kForever);
    const gpu::WorkCounts before = gpu::workCounts();
    expected.build(moved, options, kForever, Decoder::Lists::Expected);
    EXPECT_EQ((gpu::workCounts() - before).synchronizations(), 0u);
    ASSERT_TRUE(expected.listsKnown(true));
    ASSERT_TRUE(expected.listsUpToDate());
    EXPECT_EQ(measured.facts().entries, expected.facts().entries);
    EXPECT_EQ(measured.facts().maxErrorBound, expected.facts().maxErrorBound);
    for (int y = 0; y < 9; ++y)
      EXPECT_EQ(componentsOf(measured.downloadList({3, y})),
                componentsOf(expected.downloadList({3, y})));
  }
}

TEST_F(ListsTest, ThatOutgrowTheirRoomSaySo) {
  Model model = randomModel(12, 2, 2000, {80, 80});
  model.width = model.height = 600;
  Decoder decoder(context());
  decoder.setModel(model);
  decoder.build({{80, 80}, {500, 500}}, {}, kForever);
  decoder.build({{80, 80}, {0, 0}}, {}, kForever, Decoder::Lists::Expected);
  ASSERT_TRUE(decoder.listsKnown(true));
  ASSERT_FALSE(decoder.listsUpToDate());
  decoder.build({{80, 80}, {0, 0}}, {}, kForever, Decoder::Lists::Expected);  // measures
  ASSERT_TRUE(decoder.listsKnown(false));
  EXPECT_TRUE(decoder.listsUpToDate());
  EXPECT_EQ(built(model, {{80, 80}, {0, 0}}, {})->facts().entries, decoder.facts().entries);
}

// A long list beside thousands of short ones: buffers hold what there is, not the longest of all.
TEST_F(ListsTest, OfUnevenModelsTakeLittleRoom) {
  Model model = randomModel(13, 2, 6000, {60, 60});
  model.width = model.height = 1024;
  Decoder decoder(context());
  decoder.setModel(model);
  context().memory().setBlockLimit(1 << 20);
  decoder.build({{1024, 1024}}, {}, kForever);
  EXPECT_EQ(decoder.facts().emptyTiles, 0u);
  EXPECT_GT(decoder.facts().longest, 300u);
  // Far from all components a few decide; were bars there weak, thousands would.
  EXPECT_LT(decoder.downloadList({50, 50}).size(), 100u);
}

TEST_F(ListsTest, MasksSkipMoreThanHalfOfTheWork) {
  const auto decoder = built(randomModel(9, 2, 3000, {200, 200}), {{200, 200}}, optionsOf(8));
  double evaluations = 0;
  forEachTile({200, 200}, 16, [&](glm::ivec2 at, std::size_t) {
    for (const Decoder::Entry& entry : decoder->downloadList(at))
      for (int half = 0; half < 8; ++half) evaluations += (entry.mask >> (2 * half) & 3) != 0;
  });
  evaluations /= 8 * 13 * 13;
  EXPECT_NEAR(evaluations, decoder->facts().evaluationsPerSample, 1e-9);
  EXPECT_LT(evaluations, 0.6 * decoder->facts().kpb);
}

}  // namespace
}  // namespace fathom::smoe
