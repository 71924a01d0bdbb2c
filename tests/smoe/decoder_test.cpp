// SPDX-License-Identifier: BSD-3-Clause
// The GPU decoder against float64: full and bounded lists, every mode, tile and boundary size.
#include "app/techniques/smoe/decoder.h"

#include "app/techniques/smoe/reference.h"
#include "tests/smoe/models.h"
#include "tests/support/gpu_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace fathom::smoe {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

class DecoderTest : public test::GpuTest {
 protected:
  Decoder& decoder() {
    if (!decoder_) decoder_ = std::make_unique<Decoder>(context());
    return *decoder_;
  }

 private:
  std::unique_ptr<Decoder> decoder_;
};

DecodeOptions allComponents() {
  DecodeOptions options;
  options.relevance = Relevance::Window;
  options.windowBorder = 100000;
  return options;
}

std::vector<glm::vec4> decoded(Decoder& decoder, const Model& model, const ViewWindow& window,
                               const DecodeOptions& options) {
  decoder.setModel(model);
  decoder.build(window, options, kForever);
  return decoder.downloadRaw(window);
}

double largestError(const std::vector<glm::vec4>& found, const std::vector<glm::dvec3>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double error = std::abs(double(found[i][c]) - expected[i][c]);
      if (!(error <= largest)) largest = error;
    }
  return largest;
}

std::vector<glm::dvec3> expected(const Model& model, const ViewWindow& window) {
  const std::vector<Record> records = reference::recordsOf(model, window.at);
  return reference::decode(records, {window.size, window.corner, window.step});
}

TEST_F(DecoderTest, SumsAllComponentsAsFloat64Does) {
  const Model model = randomModel(1, 2, 100, {70, 50});
  const ViewWindow window{{70, 50}};
  const auto found = decoded(decoder(), model, window, allComponents());
  EXPECT_LT(largestError(found, expected(model, window)), 5e-6);
}

TEST_F(DecoderTest, BoundedListsStayBelowHalfAStep) {
  const Model model = randomModel(2, 2, 600, {150, 130});
  const ViewWindow window{{150, 130}};
  const auto truth = expected(model, window);
  for (const int bits : {8, 10, 12, 14})
    for (const int tile : {8, 16, 32})
      for (const Relevance relevance : {Relevance::Bounded, Relevance::Budget}) {
        DecodeOptions options;
        options.bits = bits, options.tilePixels = tile, options.relevance = relevance;
        const auto found = decoded(decoder(), model, window, options);
        const double error = largestError(found, truth);
        EXPECT_LT(error, std::ldexp(1.0, -bits - 1)) << bits << " " << tile;
        EXPECT_LE(error, decoder().facts().maxErrorBound + 5e-6);
        EXPECT_EQ(0u, decoder().facts().emptyTiles);
      }
}

}  // namespace
}  // namespace fathom::smoe
