// SPDX-License-Identifier: BSD-3-Clause
// Merging and flattening beside oiiotool. Two things differ there: it takes the mean of three equal
// alphas for the transmittance, which may move the last bit of a float; and it merges fragments
// that coincide into one, where we keep both, the first in front.
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tolerance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace fathom::deep {
namespace {

using test::Outcome;
using test::sphereField;

class OiiotoolMerge : public testing::Test {
 protected:
  OiiotoolMerge() {
    writeDeepExr(folder_ / "a.exr", first_);
    writeDeepExr(folder_ / "b.exr", second_);
  }
  /// Both flattened, ours first; `depth` is half or float.
  std::pair<Image, Image> flattened(const std::string& depth) {
    std::vector<std::string> flatten{"deep", "flatten", a_, b_, "-o", folder_.file("ours.exr")};
    if (depth == "float") flatten.push_back("--float");
    const Outcome ours = test::runFathom(flatten);
    EXPECT_EQ(ours.code, 0) << ours.err;
    const Outcome theirs =
        test::runProgram({FATHOM_OIIOTOOL, a_, b_, "--deepmerge", "--flatten", "--ch", "R,G,B,A",
                          "-d", depth, "-o", folder_.file("theirs.exr")});
    EXPECT_EQ(theirs.code, 0) << theirs.err << theirs.out;
    return {readPicture(folder_ / "ours.exr").image, readPicture(folder_ / "theirs.exr").image};
  }
  /// Two fragments of this pixel, of any file, have the same Z.
  bool hasCoincident(std::size_t pixel) const {
    std::vector<std::uint32_t> depths;
    for (const DeepImage* image : {&first_, &second_})
      for (std::size_t i = image->fragmentOffsets[pixel]; i < image->fragmentOffsets[pixel + 1];
           ++i)
        depths.push_back(image->words[4 * i + 2]);
    std::sort(depths.begin(), depths.end());
    return std::adjacent_find(depths.begin(), depths.end()) != depths.end();
  }

  static constexpr int kWidth = 320, kHeight = 180;
  const DeepImage first_ = sphereField({kWidth, kHeight, 12, 1});
  const DeepImage second_ = sphereField({kWidth, kHeight, 12, 2});
  test::TempFolder folder_;
  const std::string a_ = folder_.file("a.exr"), b_ = folder_.file("b.exr");
};

TEST_F(OiiotoolMerge, FlattensTheSameFloatsWhereNothingCoincides) {
  const auto [ours, theirs] = flattened("float");
  ASSERT_EQ(ours.pixels.size(), theirs.pixels.size());
  const float bound = test::roundingBound(3 * 80, 1);  // up to 80 fragments, three steps each
  std::size_t beyond = 0;
  for (std::size_t p = 0; p < ours.pixels.size(); ++p) {
    float most = 0;
    for (int c = 0; c < 4; ++c)
      most = std::max(most, std::abs(ours.pixels[p][c] - theirs.pixels[p][c]));
    if (most <= bound) continue;
    ++beyond;
    EXPECT_TRUE(hasCoincident(p)) << "pixel " << p << " differs by " << most;
  }
  EXPECT_LE(beyond, ours.pixels.size() / 10000);
}

TEST_F(OiiotoolMerge, FlattensTheSameHalfFloats) {
  const auto [ours, theirs] = flattened("half");
  ASSERT_EQ(ours.pixels.size(), theirs.pixels.size());
  std::size_t differing = 0;
  for (std::size_t p = 0; p < ours.pixels.size(); ++p) {
    bool equal = true;
    for (int c = 0; c < 4; ++c) {
      const float a = ours.pixels[p][c], b = theirs.pixels[p][c];
      equal = equal && a == b;
      // Where the last bit of a float decides the rounding, the halves are neighbors.
      EXPECT_LE(std::abs(a - b), std::max(a, b) / 1024);
    }
    differing += !equal;
  }
  EXPECT_LE(differing, ours.pixels.size() * 3 / 10000);
}

TEST_F(OiiotoolMerge, CountsTheSameFragments) {
  const Outcome ours = test::runFathom({"deep", "merge", a_, b_, "-o", folder_.file("ours.exr")});
  ASSERT_EQ(ours.code, 0) << ours.err;
  const Outcome theirs =
      test::runProgram({FATHOM_OIIOTOOL, "--info", "-v", "--stats", folder_.file("ours.exr")});
  ASSERT_EQ(theirs.code, 0) << theirs.err;
  const std::string label = "Total deep samples in all pixels: ";
  const std::size_t at = theirs.out.find(label);
  ASSERT_NE(at, std::string::npos) << theirs.out;
  EXPECT_EQ(std::stoul(theirs.out.substr(at + label.size())),
            first_.fragmentCount() + second_.fragmentCount());
}

}  // namespace
}  // namespace fathom::deep
