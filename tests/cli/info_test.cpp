// SPDX-License-Identifier: BSD-3-Clause
// fathom info: the device, and what files hold.
#include "app/engine/io/exr/deep_exr.h"
#include "tests/support/program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace fathom {
namespace {

using nlohmann::json;

TEST(Info, WithoutFileNamesTheDeviceAndItsLimits) {
  const json root = jsonOf({"info"});
  EXPECT_EQ(root["result"]["renderer"], root["device"]["renderer"]);
  EXPECT_GE(root["result"]["storage block"].get<std::int64_t>(), 1 << 24);
  EXPECT_GE(root["result"]["shared memory"].get<std::int64_t>(), 32768);
}

TEST(Info, ReportsWithoutADeviceAndWithoutPaths) {
  const std::string out =
      outputOf({"info", "--report", "--json", "-"},
               {.environment = {"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json", "DISPLAY",
                                "WAYLAND_DISPLAY", "FATHOM_SHADERS=/secret/place"}});
  const json result = json::parse(out)["result"];
  EXPECT_EQ(result["fathom"], FATHOM_VERSION);
  EXPECT_THAT(result["environment"].get<std::string>(), HasSubstr("FATHOM_SHADERS"));
  EXPECT_THAT(result["device"].get<std::string>(), HasSubstr("OpenGL 4.5"));
  EXPECT_THAT(out, Not(HasSubstr("secret")));
  EXPECT_THAT(runFathom({"info", "--report"}).out, HasSubstr("renderer"));
}

TEST(Info, TheDeviceAskedForIsWhatDriversAreTold) {
  EXPECT_THAT(runFathom({"info", "--report"}).out, Not(HasSubstr("FATHOM_DEVICE")));
  EXPECT_THAT(runFathom({"info", "--report", "--device", "1"}).out, HasSubstr("FATHOM_DEVICE"));
  EXPECT_THAT(runFathom({"info", "--device", "99"}).err, HasSubstr("0 to 31"));
}

TEST(Info, FindsShadersByARelativePath) {
  RunOptions options{.environment = {"FATHOM_SHADERS=shaders"}, .folder = sourcePath("")};
  outputOf({"bench", "gpu.scan", "--quick", "--check"}, options);
  options.environment = {"FATHOM_SHADERS=docs"};
  const Outcome none = runFathom({"bench", "gpu.scan", "--quick", "--check"}, options);
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("shaders: expected the folder at one of"));
}

TEST(Info, OfADeepFileCountsItsFragments) {
  const TempFolder folder;
  DeepImage image;
  image.dataWindow = {-2, 3, 2, 1};
  image.displayWindow = {0, 0, 8, 8};
  image.channels = {{"A", ChannelType::Half, {}}, {"Z", ChannelType::Float, {}}};
  image.fragmentOffsets = {0, 1, 3};
  const std::uint32_t one = 0x3f800000u, half = 0x3c000000u;
  image.words = {0, half, one, one, 0, half, one, one, 0, half, one + 1, one + 1};
  writeDeepExr(folder.file("a.exr"), image);
  const json result = jsonOf({"info", folder.file("a.exr")})["result"];
  EXPECT_EQ(result["fragments"], 3);
  EXPECT_EQ(result["most in a pixel"], 2);
  EXPECT_EQ(result["data window"], "2x1 at -2,3");
  EXPECT_EQ(result["type"], "deepscanline");
  EXPECT_EQ(result["channels"], "A half, Z float");
}

TEST(Info, OfWhatNothingReadsNamesAllThatIsRead) {
  const TempFolder folder;
  for (const auto& [contents, found] :
       {std::pair("", "found an empty file"), std::pair("hello", "found a text file")}) {
    std::ofstream(folder.file("a.xyz")) << contents;
    const Outcome outcome = runFathom({"info", folder.file("a.xyz")});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr(found));
    for (const char* ending : {".exr", ".fdp", ".png", ".gltf", ".smoe", ".flame"})
      EXPECT_THAT(outcome.err, HasSubstr(ending));
  }
}

TEST(Info, OfASceneCountsTriangles) {
  EXPECT_GT(jsonOf({"info", "atrium"})["result"]["triangles"].get<int>(), 200000);
}

}  // namespace
}  // namespace fathom
