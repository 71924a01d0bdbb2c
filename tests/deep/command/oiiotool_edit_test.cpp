// SPDX-License-Identifier: BSD-3-Clause
// Operations beside oiiotool, where it is right: volumes that overlap, fragments that coincide, and
// what opaque ones hide. Its answers that differ from OpenEXR's definition are held here too, so
// that the documentation stays true: a point inside a volume, and holding out by partial alpha.
#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "tests/deep/deep_images.h"
#include "tests/deep/operations/literal_tidy.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace fathom::deep {
namespace {

using test::Outcome;

class OiiotoolEdit : public testing::Test {
 protected:
  void write(const DeepImage& first, const DeepImage& second) {
    writeDeepExr(a_, first);
    writeDeepExr(b_, second);
  }
  void writePixel(const std::vector<Fragment>& first, const std::vector<Fragment>& second) {
    write(test::floatImage({0, 0, 1, 1}, {first}), test::floatImage({0, 0, 1, 1}, {second}));
  }
  Image ours(const std::vector<std::string>& flags = {}) {
    std::vector<std::string> flatten{"deep", "flatten", a_, b_, "--float", "-o", out_};
    flatten.insert(flatten.end(), flags.begin(), flags.end());
    const Outcome outcome = test::runFathom(flatten);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return readPicture(out_).image;
  }
  Image theirs(const std::string& operation = "--deepmerge") {
    const Outcome outcome = test::runProgram({FATHOM_OIIOTOOL, a_, b_, operation, "--flatten",
                                              "--ch", "R,G,B,A", "-d", "float", "-o", out_});
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    return readPicture(out_).image;
  }
  /// Theirs looks at a list only where both images have one: elsewhere it is over by Z.
  void expectAlikeWhereBothAre(const DeepImage& first, const DeepImage& second, float bound) {
    write(first, second);
    const Image mine = ours(), other = theirs();
    ASSERT_EQ(mine.pixels.size(), other.pixels.size());
    std::size_t compared = 0;
    for (std::size_t p = 0; p < mine.pixels.size(); ++p) {
      if (first.fragmentOffsets[p] == first.fragmentOffsets[p + 1] ||
          second.fragmentOffsets[p] == second.fragmentOffsets[p + 1])
        continue;
      ++compared;
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(mine.pixels[p][c], other.pixels[p][c], bound) << "pixel " << p;
    }
    EXPECT_GT(compared, mine.pixels.size() / 2);
  }
  std::size_t mergedCount(const std::vector<std::string>& flags) {
    std::vector<std::string> merge{"deep", "merge", a_, b_, "-o", out_};
    merge.insert(merge.end(), flags.begin(), flags.end());
    const Outcome outcome = test::runFathom(merge);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return readDeepExr(out_).fragmentCount();
  }

  test::TempFolder folder_;
  const std::string a_ = folder_.file("a.exr"), b_ = folder_.file("b.exr"),
                    out_ = folder_.file("out.exr");
};

DeepImage asFloat(DeepImage image) {
  makeIndexed(image);
  for (DeepChannel& channel : image.channels)
    if (channel.type == ChannelType::Half) channel = test::widened(channel);
  return image;
}

TEST_F(OiiotoolEdit, FlattensOverlappingVolumesAlike) {
  // Theirs rounds the pieces to float; ours does not.
  expectAlikeWhereBothAre(asFloat(test::sphereField({80, 45, 6, 1, true})),
                          asFloat(test::sphereField({80, 45, 6, 2, true})), 2e-5f);
}

TEST_F(OiiotoolEdit, FlattensOverlappingHalfVolumesAlike) {
  // Theirs rounds the pieces to half; ours, on the GPU, does not.
  expectAlikeWhereBothAre(test::sphereField({80, 45, 6, 1, true}),
                          test::sphereField({80, 45, 6, 2, true}), 1.0f / 512);
}

TEST_F(OiiotoolEdit, MergesCoincidentFragmentsAndDropsHiddenOnesAlike) {
  DeepImage first = test::sphereField({80, 45, 12, 1}), second = test::sphereField({80, 45, 12, 2});
  // A coarse grid of depths: many coincide between the images, none within one.
  for (DeepImage* image : {&first, &second}) {
    for (std::size_t p = 0; p < image->pixelCount(); ++p)
      for (std::size_t i = image->fragmentOffsets[p]; i < image->fragmentOffsets[p + 1]; ++i) {
        const float z = float(i - image->fragmentOffsets[p]) * (image == &first ? 2 : 3);
        std::memcpy(&image->words[4 * i + 2], &z, 4);
        std::memcpy(&image->words[4 * i + 3], &z, 4);
      }
    *image = asFloat(std::move(*image));
  }
  write(first, second);
  EXPECT_TRUE(test::rounding(ours({"--tidy", "on"}), theirs(), test::roundingBound(300, 1)));
  const Outcome outcome =
      test::runProgram({FATHOM_OIIOTOOL, a_, b_, "--deepmerge", "-o", folder_.file("merged.exr")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::size_t count = readDeepExr(folder_ / "merged.exr").fragmentCount();
  EXPECT_EQ(mergedCount({"--tidy", "on", "--drop-hidden", "1"}), count);
  EXPECT_LT(count, first.fragmentCount() + second.fragmentCount());
}

TEST_F(OiiotoolEdit, APointInsideAVolumeIsSeenThroughItsFrontHalf) {
  writePixel({{1, 0, 0, 0.75f, 1, 3}}, {{0, 0.5f, 0, 0.5f, 2, 2}});
  const glm::vec4 right = ours().at(0, 0), other = theirs().at(0, 0);
  // Half of the volume has alpha 0.5: 0.5 of the point is seen, and 0.25 of the back half.
  EXPECT_NEAR(right.g, 0.25f, 1e-6f);
  EXPECT_NEAR(other.g, 0.125f, 1e-6f);  // behind all of it
}

TEST_F(OiiotoolEdit, HoldingOutKnowsPartialAlpha) {
  writePixel({{1, 1, 1, 1, 2, 2}}, {{0, 0, 0, 0.75f, 1, 1}});
  EXPECT_NEAR(ours({"--roles", "add,hold-out"}).at(0, 0).a, 0.25f, 1e-6f);
  EXPECT_NEAR(theirs("--deepholdout").at(0, 0).a, 1, 1e-6f);  // all or nothing
}

}  // namespace
}  // namespace fathom::deep
