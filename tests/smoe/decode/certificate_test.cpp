// SPDX-License-Identifier: BSD-3-Clause
// No tile's error exceeds its certificate, arithmetic included: against float64 over all
// components, with thin, tilted and heavy ones, zoomed in and out. FATHOM_CERTIFIED_TILES=1000000
// takes as many tiles instead of some thousand.
#include "app/engine/core/random.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/model/reference.h"
#include "tests/smoe/model/models.h"
#include "tests/support/gpu_test.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

namespace fathom::smoe {
namespace {

constexpr int kModels = 20, kTilesEach = 300;
constexpr double kForever = std::numeric_limits<double>::infinity();

/// Some of its components are made long and thin, some heavy; how many follows the number.
Model difficultModel(int number) {
  Model model = randomModel(std::uint64_t(100 + number), 2, 40 + 12 * number, {160, 120});
  Random random{std::uint64_t(number)};
  for (Component& c : model.components) {
    if (random.uniform() < 0.04f * float(number % 10)) {
      const float thin = random.uniform(2, 12), along = random.uniform(0.01f, 0.1f);
      const float tilt = random.uniform(-1, 1);
      c.w11 = along, c.w22 = thin, c.w21 = tilt * thin;
    }
    if (number % 4 == 3) c.c += random.uniform(-60, 60);
    for (float& color : c.color) color += number % 5 == 4 ? random.uniform(-1, 1) : 0;
  }
  return model;
}

ViewWindow windowOf(int turn, Random& random) {
  ViewWindow window;
  window.size = {8 * 20, 8 * 15};
  if (turn % 3 == 1) window.step = double(random.uniform(0.02f, 0.9f));
  if (turn % 3 == 2) window.step = double(random.uniform(1.1f, 2.0f));
  window.corner = {double(random.uniform(-5, 20)), double(random.uniform(-5, 20))};
  if (turn == 0) window.step = 1, window.corner = {0, 0};
  return window;
}

class CertificateTest : public test::GpuTest {
 protected:
  struct Found {
    std::size_t tiles = 0, above = 0;
    double largestShare = 0;
  };
  void compareTiles(Decoder& decoder, const Model& model, const ViewWindow& window,
                    const DecodeOptions& options, Found& found) {
    decoder.build(window, options, kForever);
    const std::vector<glm::vec4> colors = decoder.downloadRaw(window);
    const auto truth = reference::decode(reference::recordsOf(model, {}),
                                         {window.size, window.corner, window.step});
    const int side = options.tilePixels;
    const glm::ivec2 tiles = (window.size + side - 1) / side;
    std::vector<double> errors(std::size_t(tiles.x) * std::size_t(tiles.y), 0.0);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const int x = int(i) % window.size.x / side, y = int(i) / window.size.x / side;
      double& error = errors[std::size_t(y * tiles.x + x)];
      for (int k = 0; k < 3; ++k)
        error = std::max(error, std::abs(double(colors[i][k]) - truth[i][k]));
    }
    const std::vector<double> certificates = decoder.certificates();
    ASSERT_EQ(certificates.size(), errors.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
      found.above += errors[i] > certificates[i];
      found.largestShare = std::max(found.largestShare, errors[i] / certificates[i]);
    }
    found.tiles += errors.size();
  }
};

TEST_F(CertificateTest, IsNeverBelowTheError) {
  const char* wanted = std::getenv("FATHOM_CERTIFIED_TILES");
  const std::size_t each = wanted ? std::size_t(std::atoll(wanted)) / kModels : kTilesEach;
  std::size_t tiles = 0;
  double largest = 0;
  for (int number = 0; number < kModels; ++number) {
    const Model model = difficultModel(number);
    Decoder decoder(context());
    decoder.setModel(model);
    Random random{std::uint64_t(7 + number)};
    Found found;
    for (int turn = 0; found.tiles < each; ++turn) {
      DecodeOptions options;
      options.tilePixels = 8;
      options.bits = 8 + 2 * ((number + turn) % 4);
      options.relevance = (number + turn) % 2 ? Relevance::Budget : Relevance::Bounded;
      compareTiles(decoder, model, windowOf(turn + (wanted ? 0 : number), random), options, found);
    }
    EXPECT_EQ(found.above, 0u) << "model " << number << " of " << found.tiles << " tiles";
    tiles += found.tiles, largest = std::max(largest, found.largestShare);
  }
  RecordProperty("tiles", std::to_string(tiles));
  RecordProperty("largest_share", std::to_string(largest));
  if (wanted) std::printf("%zu tiles, error at most %.3f of the certificate\n", tiles, largest);
}

TEST_F(CertificateTest, ArithmeticIsAPartOfItThatExactListsHaveToo) {
  Model model = difficultModel(5);
  Decoder decoder(context());
  decoder.setModel(model);
  DecodeOptions options;
  options.bits = 14;
  decoder.build({{160, 120}}, options, kForever);
  EXPECT_GT(decoder.facts().maxRounding, 1e-6);
  EXPECT_GE(decoder.facts().maxErrorBound, decoder.facts().maxRounding);
  // Asking again adds nothing.
  const double before = decoder.facts().maxErrorBound;
  decoder.certificate({0, 0});
  decoder.downloadRaw({{160, 120}});
  EXPECT_EQ(decoder.facts().maxErrorBound, before);
}

}  // namespace
}  // namespace fathom::smoe
