// SPDX-License-Identifier: BSD-3-Clause
// Beside oiiotool. It takes the mean of three equal alphas for the transmittance, which may move
// the last bit of a float, and merges fragments that coincide into one, where we keep both, the
// first in front. Its answers that differ from OpenEXR's definition are held here too, so that the
// documentation stays true: a point inside a volume, and holding out by partial alpha.
#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "tests/deep/operations/literal_tidy.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::deep {
namespace {

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
    const Outcome ours = runFathom(flatten);
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
  TempFolder folder_;
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
  const Outcome ours = runFathom({"deep", "merge", a_, b_, "-o", folder_.file("ours.exr")});
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
    outputOf(flatten);
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
    outputOf(merge);
    return readDeepExr(out_).fragmentCount();
  }

  TempFolder folder_;
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
