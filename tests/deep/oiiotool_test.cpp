// SPDX-License-Identifier: BSD-3-Clause
// Merging and flattening as oiiotool does it: the same half floats in 99.99 % of the pixels. Where
// fragments of two files coincide, oiiotool merges them into one; we keep both, the first in front.
#include "app/io/deep_exr.h"
#include "app/io/image_file.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace fathom::deep {
namespace {

using test::Outcome;
using test::sphereField;

class OiiotoolMerge : public testing::Test {
 protected:
  /// The pixels of `flatten` that differ from oiiotool's in any half of RGBA.
  std::size_t differingPixels(const DeepImage& first, const DeepImage& second) {
    writeDeepExr(folder_ / "a.exr", first);
    writeDeepExr(folder_ / "b.exr", second);
    const Outcome ours = test::runFathom({"deep", "flatten", folder_.file("a.exr"),
                                          folder_.file("b.exr"), "-o", folder_.file("ours.exr")});
    EXPECT_EQ(ours.code, 0) << ours.err;
    const Outcome theirs = test::runProgram(
        {FATHOM_OIIOTOOL, folder_.file("a.exr"), folder_.file("b.exr"), "--deepmerge", "--flatten",
         "--ch", "R,G,B,A", "-d", "half", "-o", folder_.file("theirs.exr")});
    EXPECT_EQ(theirs.code, 0) << theirs.err << theirs.out;
    const Image a = readPicture(folder_ / "ours.exr").image;
    const Image b = readPicture(folder_ / "theirs.exr").image;
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.pixels.size(), b.pixels.size());
    if (a.pixels.size() != b.pixels.size()) return a.pixels.size();
    std::size_t differing = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) differing += a.pixels[i] != b.pixels[i];
    return differing;
  }

  test::TempFolder folder_;
};

TEST_F(OiiotoolMerge, FlattensTheSameHalfFloats) {
  const std::size_t differing =
      differingPixels(sphereField({320, 180, 12, 1}), sphereField({320, 180, 12, 2}));
  EXPECT_LE(differing, 320u * 180 / 10000);
}

TEST_F(OiiotoolMerge, CountsTheSameFragments) {
  const DeepImage first = sphereField({75, 50, 9, 3}), second = sphereField({75, 50, 9, 4});
  writeDeepExr(folder_ / "a.exr", first);
  writeDeepExr(folder_ / "b.exr", second);
  const Outcome ours = test::runFathom({"deep", "merge", folder_.file("a.exr"),
                                        folder_.file("b.exr"), "-o", folder_.file("ours.exr")});
  ASSERT_EQ(ours.code, 0) << ours.err;
  const Outcome theirs =
      test::runProgram({FATHOM_OIIOTOOL, "--info", "-v", "--stats", folder_.file("ours.exr")});
  ASSERT_EQ(theirs.code, 0) << theirs.err;
  const std::string label = "Total deep samples in all pixels: ";
  const std::size_t at = theirs.out.find(label);
  ASSERT_NE(at, std::string::npos) << theirs.out;
  EXPECT_EQ(std::stoul(theirs.out.substr(at + label.size())),
            first.fragmentCount() + second.fragmentCount());
}

}  // namespace
}  // namespace fathom::deep
