// SPDX-License-Identifier: BSD-3-Clause
// The browser of variants without its widgets: a sweep in slices ends with every variant checked
// and timed; dots are normalized and colored; it can be stopped; sources are compared line by line.
#include "app/window/dof/variant_browser.h"

#include "app/engine/core/error.h"
#include "tests/support/gpu_test.h"

#include <algorithm>

namespace fathom::dof {
namespace {

class VariantBrowserTest : public ::fathom::test::GpuTest {};

VariantBrowser::Plan smallPlan() {
  VariantBrowser::Plan plan;
  plan.size = {33, 20};
  plan.radius = 4;
  plan.rounds = 1;
  return plan;
}

TEST_F(VariantBrowserTest, GoesThroughAllInSlices) {
  VariantBrowser browser;
  browser.start(smallPlan());
  EXPECT_TRUE(browser.running());
  double before = 0;
  while (browser.work(context(), 20)) {
    EXPECT_GE(browser.progress(), before);
    before = browser.progress();
  }
  EXPECT_FALSE(browser.running());
  EXPECT_GT(browser.slices(), 20);
  const auto dots = browser.dots(VariantBrowser::Order::Enumeration);
  ASSERT_EQ(dots.size(), 320u);
  for (const VariantBrowser::Dot& dot : dots) {
    EXPECT_EQ(dot.state, VariantSweep::State::Passed) << kSpace.id(kSpace.at(dot.variant));
    EXPECT_GT(dot.ms, 0);
    EXPECT_EQ(dot.early, kSpace.at(dot.variant)[kEarly]);
  }
  const auto sorted = browser.dots(VariantBrowser::Order::ByTime);
  EXPECT_EQ(sorted.front().height, 0);
  EXPECT_EQ(sorted.back().height, 1);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(),
                             [](const auto& a, const auto& b) { return a.ms < b.ms; }));
  EXPECT_TRUE(sorted.front().best);
  EXPECT_EQ(std::count_if(dots.begin(), dots.end(), [](const auto& dot) { return dot.best; }), 1);
  ASSERT_TRUE(browser.best());
  EXPECT_EQ(kSpace.index(*browser.best()), sorted.front().variant);
  const std::string csv = browser.csv();
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 321);
  EXPECT_EQ(csv.find("waiting"), std::string::npos);
  EXPECT_EQ(csv.find("failed"), std::string::npos);
}

TEST_F(VariantBrowserTest, StoppedItKeepsWhatIsKnown) {
  VariantBrowser browser;
  browser.start(smallPlan());
  for (int i = 0; i < 6; ++i) browser.work(context(), 0);
  browser.stop();
  EXPECT_FALSE(browser.running());
  EXPECT_FALSE(browser.work(context(), 20));
  EXPECT_TRUE(browser.best());
  EXPECT_EQ(browser.dots(VariantBrowser::Order::ByTime).size(), 320u);
}

TEST_F(VariantBrowserTest, CoverageHasItsOwn) {
  VariantBrowser browser;
  VariantBrowser::Plan plan = smallPlan();
  plan.coverage = true;
  browser.start(plan);
  EXPECT_EQ(browser.sweep().rows().size(), 240u);
  browser.work(context(), 0);  // the workload
  browser.work(context(), 0);  // a check
  for (const auto& row : browser.sweep().rows())
    EXPECT_TRUE(kSpace.is(kSpace.at(row.variant), "order", "cov"));
}

TEST(SourceDifference, MarksLinesOfOneSide) {
  EXPECT_EQ(sourceDifference("a\nb\nc\n", "a\nx\nc\nd\n"), "  a\n- b\n+ x\n  c\n+ d\n");
  EXPECT_EQ(sourceDifference("", "a\n"), "+ a\n");
  EXPECT_EQ(sourceDifference("a\n", "a\n"), "  a\n");
}

TEST(SourceDifference, OfTwoVariantsIsWhatTheyChoose) {
  const std::string text =
      sourceDifference(variantSource(kSpace.parse(kDefaultVariant), WarpBackEnd::Emulated),
                       variantSource(kSpace.parse("block.peel.a.copy.block.direct.load.ftb.float"),
                                     WarpBackEnd::Emulated));
  EXPECT_NE(text.find("- #define NODE_ALPHA(j) dofAlpha(NODE_RADIUS2(j))"), std::string::npos);
  EXPECT_NE(text.find("+ #define NODE_ALPHA(j) unpackHalf2x16(NODE_Y(j)).y"), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 450);  // 433; it was 400 before halves were rounded in whole numbers
}

}  // namespace
}  // namespace fathom::dof
