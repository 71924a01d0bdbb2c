// SPDX-License-Identifier: BSD-3-Clause
// fathom dof render | variants, run as a user would.
#include "app/io/image_file.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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
  EXPECT_EQ(json["result"]["variant"], "block.peel.a.copy.block.direct.compute.cov.float");
  EXPECT_GE(json["result"]["entries"], 64 * 48);
  EXPECT_GT(json["result"]["mean_list"], 0);
  EXPECT_EQ(readPicture(folder_.file("out.exr")).image.width, 64);
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
