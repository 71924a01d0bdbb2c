// SPDX-License-Identifier: BSD-3-Clause
// Deep files go back and forth between Fathom and oiiotool without a changed fragment.
#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "tests/support/synthetic_deep.h"

namespace fathom {
namespace {

/// Runs oiiotool and returns what it prints; a failure fails the test.
std::string oiiotool(const std::string& arguments) {
  const std::string command = std::string(FATHOM_OIIOTOOL) + " " + arguments + " 2>&1";
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  for (char buffer[4096]; std::fgets(buffer, sizeof buffer, pipe);) output += buffer;
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << output;
  return output;
}

/// The number behind `label` in oiiotool's statistics.
std::uint64_t numberAfter(const std::string& output, const std::string& label) {
  const std::size_t at = output.find(label);
  if (at == std::string::npos) return ~std::uint64_t(0);
  std::istringstream rest(output.substr(output.find(':', at) + 1));
  std::uint64_t number = 0;
  rest >> number;
  return number;
}

struct Variant {
  const char* name;
  DeepWriteOptions options;
  bool withZBack;
};

class Oiiotool : public testing::TestWithParam<Variant> {
 protected:
  Oiiotool() : image_(test::sphereField({75, 50, 9, 11, GetParam().withZBack})) {
    writeDeepExr(ours_, image_, GetParam().options);
  }
  TempFolder folder_;
  std::filesystem::path ours_ = folder_ / "ours.exr", theirs_ = folder_ / "theirs.exr";
  DeepImage image_;
};

TEST_P(Oiiotool, CountsOurFragments) {
  const std::string output = oiiotool("--info -v --stats " + ours_.string());
  EXPECT_EQ(numberAfter(output, "Total deep samples in all pixels"), image_.fragmentCount());
  EXPECT_EQ(numberAfter(output, "Max deep samples in any pixel"),
            DeepExrReader(ours_).totals().maxPerPixel);
}

TEST_P(Oiiotool, CopiesOurFragments) {
  oiiotool(ours_.string() + " -o " + theirs_.string());
  // It widens half to float: the values are the same, the type is not.
  std::vector<DeepImage> both;
  both.push_back(image_);
  both.push_back(readDeepExr(theirs_));
  unify(both);
  EXPECT_TRUE(sameFragments(both[0], both[1]));
}

TEST_P(Oiiotool, SeesNoDifferenceInOurCopyOfItsFile) {
  oiiotool(ours_.string() + " -o " + theirs_.string());
  const auto copy = folder_ / "copy.exr";
  writeDeepExr(copy, readDeepExr(theirs_), GetParam().options);
  oiiotool(theirs_.string() + " " + copy.string() + " --diff");
}

DeepWriteOptions written(DeepCompression compression, bool tiled) {
  return {.compression = compression, .tiled = tiled};
}
std::string variantName(const testing::TestParamInfo<Variant>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Files, Oiiotool,
    testing::Values(Variant{"None", written(DeepCompression::None, false), false},
                    Variant{"Rle", written(DeepCompression::Rle, false), false},
                    Variant{"Zips", written(DeepCompression::Zips, false), false},
                    Variant{"ZipsVolumes", written(DeepCompression::Zips, false), true},
                    Variant{"NoneTiled", written(DeepCompression::None, true), false},
                    Variant{"RleTiled", written(DeepCompression::Rle, true), false},
                    Variant{"ZipsTiled", written(DeepCompression::Zips, true), true}),
    variantName);

TEST(OiiotoolFlat, ReadsOurPictures) {
  const TempFolder folder;
  Image image(40, 30);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = glm::vec4(float(i % 7), float(i % 11), float(i % 13), 16) / 16.0f;
  writePicture(folder / "a.exr", image, {.asFloat = true});
  oiiotool((folder / "a.exr").string() + " -o " + (folder / "b.exr").string());
  const Image back = readPicture(folder / "b.exr").image;
  EXPECT_TRUE(back.pixels == image.pixels);
}

}  // namespace
}  // namespace fathom
