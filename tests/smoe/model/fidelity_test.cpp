// SPDX-License-Identifier: BSD-3-Clause
// The two tests of bit depth, at their limits.
#include "app/engine/smoe/fit/quality.h"
#include "tests/smoe/model/models.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::smoe {
namespace {

/// One pixel whose red is wrong by this much.
Fidelity wrongBy(double error) {
  const std::vector<glm::vec4> decoded{{0.5f + float(error), 0.25f, 0.75f, 1}};
  const std::vector<glm::dvec3> exact{{0.5, 0.25, 0.75}};
  return fidelityOf(decoded, exact);
}

TEST(SmoeFidelity, StrictIsHalfAStep) {
  const Fidelity just = wrongBy(std::ldexp(0.99, -11)), over = wrongBy(std::ldexp(1.01, -11));
  EXPECT_EQ(just.strictFails, (std::array<std::size_t, 5>{0, 0, 1, 1, 1}));
  EXPECT_EQ(over.strictFails, (std::array<std::size_t, 5>{0, 1, 1, 1, 1}));
}

TEST(SmoeFidelity, ThePapersTestLetsFourBitsPassAsEight) {
  // A third of the square of 0.1 is below 2^-8.
  const Fidelity found = wrongBy(0.1);
  EXPECT_EQ(found.paperFails[0], 0u);
  EXPECT_EQ(found.strictFails[0], 1u);
}

TEST(SmoeFidelity, ColorsAreClampedAsTheyAreShown) {
  const std::vector<glm::vec4> decoded{{1.5f, -0.5f, 0, 1}};
  const std::vector<glm::dvec3> exact{{1.25, -0.25, 0}};
  EXPECT_EQ(fidelityOf(decoded, exact).maxError, 0);
}

TEST(SmoeFidelity, ANanFailsEveryTest) {
  const std::vector<glm::vec4> decoded{{NAN, 0, 0, 1}};
  const std::vector<glm::dvec3> exact{{0, 0, 0}};
  const Fidelity found = fidelityOf(decoded, exact);
  for (const std::size_t fails : found.strictFails) EXPECT_EQ(fails, 1u);
  for (const std::size_t fails : found.paperFails) EXPECT_EQ(fails, 1u);
}

TEST(SmoeFidelity, SquaresAreTakenWhereTheyLie) {
  const reference::Grid grid{{50, 37}, {3, 4}, 0.5};
  std::vector<glm::vec4> decoded;
  for (int y = 0; y < 37; ++y)
    for (int x = 0; x < 50; ++x) decoded.emplace_back(x, y, 0, 1);
  const Sampled some = sampleSquares(decoded, grid, 6), all = sampleSquares(decoded, grid, 1000);
  EXPECT_EQ(some.grids.size(), 6u);
  EXPECT_EQ(all.decoded.size(), decoded.size());
  std::size_t at = 0;
  for (const reference::Grid& square : some.grids)
    for (int y = 0; y < square.size.y; ++y)
      for (int x = 0; x < square.size.x; ++x, ++at) {
        const glm::dvec2 place = square.corner + glm::dvec2(x, y) * 0.5;
        EXPECT_EQ(glm::dvec2(some.decoded[at].x, some.decoded[at].y),
                  (place - glm::dvec2(3, 4)) / 0.5);
      }
}

TEST(SmoeFidelity, TheReferenceItselfPasses) {
  const Model model = randomModel(4, 2, 40, {40, 30});
  const std::vector<Record> records = reference::recordsOf(model, {});
  const reference::Grid grid{{40, 30}, {0, 0}, 1};
  std::vector<glm::vec4> decoded;
  for (const glm::dvec3& color : reference::decode(records, grid)) decoded.emplace_back(color, 1);
  const Sampled sampled = sampleSquares(decoded, grid, 5);
  const Fidelity found = fidelityOf(sampled, records);
  EXPECT_EQ(found.pixels, sampled.decoded.size());
  EXPECT_EQ(found.strictFails[4], 0u);
  EXPECT_LT(found.maxError, 1e-6);
}

}  // namespace
}  // namespace fathom::smoe
