// SPDX-License-Identifier: BSD-3-Clause
// fathom dof render | variants, run as a user would.
#include "app/io/exr/deep_exr.h"
#include "app/io/image_file.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace fathom::dof {
namespace {

using test::Outcome;
using test::runFathom;

class DofCommand : public testing::Test {
 protected:
  std::string exr(bool withZ) {
    std::vector<float> depth(64 * 48, 8.0f);
    std::fill(depth.begin(), depth.begin() + 1500, 3.0f);
    FlatExrOptions options;
    if (withZ) options.depth = depth;
    writeFlatExr(folder_.file("in.exr"), Image(64, 48, glm::vec4(0.5f)), options);
    return folder_.file("in.exr");
  }
  test::TempFolder folder_;
};

TEST_F(DofCommand, RendersAnExrWithZ) {
  const Outcome outcome = runFathom({"dof", "render", exr(true), "--focus-distance", "8", "-o",
                                     folder_.file("out.exr"), "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["result"]["variant"], "smooth");
  EXPECT_GE(json["result"]["entries"], 64 * 48);
  EXPECT_GT(json["result"]["mean_list"], 0);
  EXPECT_EQ(readPicture(folder_.file("out.exr")).image.width, 64);
}

/// Windows, aspect and alpha stay; without blur, depth of field is `deep flatten`, with volumes
/// too.
TEST_F(DofCommand, WithoutBlurItIsFlattening) {
  DeepImage image = test::sphereField({.width = 40, .height = 30, .withZBack = true});
  image.dataWindow.x = 7, image.dataWindow.y = -3;
  image.displayWindow = {0, 0, 64, 32};
  image.pixelAspect = 2;
  writeDeepExr(folder_.file("deep.exr"), image);
  const Outcome flat = runFathom(
      {"deep", "flatten", folder_.file("deep.exr"), "--float", "-o", folder_.file("flat.exr")});
  ASSERT_EQ(flat.code, 0) << flat.err;
  const Outcome blurred =
      runFathom({"dof", "render", folder_.file("deep.exr"), "--float", "--focal-length", "1",
                 "--f-number", "64", "--mm-per-unit", "1000", "-o", folder_.file("dof.exr")});
  ASSERT_EQ(blurred.code, 0) << blurred.err;
  const Picture a = readPicture(folder_.file("flat.exr")), b = readPicture(folder_.file("dof.exr"));
  EXPECT_EQ(b.dataWindow, image.dataWindow);
  EXPECT_EQ(b.displayWindow, image.displayWindow);
  EXPECT_EQ(b.pixelAspect, 2);
  ASSERT_EQ(a.dataWindow, b.dataWindow);
  for (std::size_t i = 0; i < a.image.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c)
      ASSERT_NEAR(a.image.pixels[i][c], b.image.pixels[i][c], 1e-6f) << i << " " << c;
}

TEST_F(DofCommand, APullIsAFilm) {
  const Outcome outcome = runFathom(
      {"dof", "render", exr(true), "--focus", "3:8@1-3", "-o", folder_.file("f.%03d.png")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image first = readPicture(folder_.file("f.001.png")).image;
  const Image last = readPicture(folder_.file("f.003.png")).image;
  EXPECT_TRUE(std::filesystem::exists(folder_.file("f.002.png")));
  EXPECT_EQ(first.width, last.width);
  EXPECT_EQ(
      runFathom({"dof", "render", exr(true), "--focus", "3:8@1-3", "-o", folder_.file("f.png")})
          .code,
      2);
}

TEST_F(DofCommand, RendersASceneThroughAVariant) {
  const Outcome outcome = runFathom(
      {"dof", "render", "planes:count=1,spheres=8,alpha=1", "--size", "48x32", "--operator", "over",
       "--variant", "block.check.a.inplace.none.l1.load.btf.int", "-o", folder_.file("out.png")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(DofCommand, WithoutZSaysSo) {
  const Outcome outcome = runFathom({"dof", "render", exr(false), "-o", folder_.file("out.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("in.exr: expected a Z channel"), std::string::npos) << outcome.err;
}

TEST_F(DofCommand, ANegativeFNumberIsAWrongCommandLine) {
  const Outcome outcome =
      runFathom({"dof", "render", exr(true), "--f-number", "-2", "-o", folder_.file("out.png")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("f-number"), std::string::npos) << outcome.err;
}

TEST_F(DofCommand, AnUnknownVariantIsAWrongCommandLine) {
  const Outcome outcome =
      runFathom({"dof", "render", exr(true), "--variant", "best", "-o", folder_.file("out.png")});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST_F(DofCommand, LensAsksForAScene) {
  const Outcome outcome =
      runFathom({"dof", "render", exr(true), "--operator", "lens", "-o", folder_.file("out.png")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("expected a scene"), std::string::npos) << outcome.err;
}

TEST_F(DofCommand, ListsAllVariants) {
  const Outcome outcome = runFathom({"dof", "variants"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("chunk: "), std::string::npos);
  const std::string ids = outcome.out.substr(outcome.out.find("\n\n") + 2);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), '\n'), 320);
}

}  // namespace
}  // namespace fathom::dof
