// SPDX-License-Identifier: BSD-3-Clause
// Bytes of files: truncated as flam3 does, alpha divided out of transparent ones; numbered names.
#include "app/engine/flame/picture_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fathom::flame {
namespace {

using testing::ElementsAre;

Image onePixel(glm::vec4 value) { return Image(1, 1, value); }

TEST(FlameFiles, LevelsAreCutNotRounded) {
  EXPECT_THAT(levels8(onePixel({0.99f, 254.999f, 300, 0.5f}), false), ElementsAre(0, 254, 255));
  EXPECT_THAT(levels16(onePixel({0.999f, 255, -3, 0.5f}), false), ElementsAre(255, 65280, 0));
}

TEST(FlameFiles, TransparentOnesAreDividedByAlpha) {
  EXPECT_THAT(levels8(onePixel({50, 127.9f, 200, 0.5f}), true), ElementsAre(100, 255, 255, 127));
  EXPECT_THAT(levels8(onePixel({50, 50, 50, 0}), true), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(levels16(onePixel({50, 0, 0, 1}), true), ElementsAre(12800, 0, 0, 65535));
}

TEST(FlameFiles, NumberedNames) {
  EXPECT_TRUE(isNumbered("a%d.png"));
  EXPECT_TRUE(isNumbered("/tmp/a-%05d.png"));
  EXPECT_FALSE(isNumbered("/tmp/%d/a.png"));
  EXPECT_FALSE(isNumbered("100%.png"));
  EXPECT_FALSE(isNumbered("a%s.png"));
  EXPECT_EQ(numbered("a%d.png", 7), "a7.png");
  EXPECT_EQ(numbered("/x/a-%05d.png", 7), "/x/a-00007.png");
  EXPECT_EQ(numbered("50%-%d.png", 12), "50%-12.png");
}

}  // namespace
}  // namespace fathom::flame
