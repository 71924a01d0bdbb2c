// SPDX-License-Identifier: BSD-3-Clause
// What commands write: whole files or none, and --json in the shape that scripts rely on.
#include "app/cli/streams.h"

#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom {
namespace {

const std::vector<std::string> kFlatten = {"deep", "flatten", "planes", "--size", "64x64", "-o"};

std::vector<std::string> flattenTo(const std::string& file) {
  std::vector<std::string> arguments = kFlatten;
  arguments.push_back(file);
  return arguments;
}

class Output : public FolderTest {};

TEST_F(Output, AppearsAloneInItsFolder) {
  outputOf(flattenTo(folder.file("a.exr")));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.exr"});
}

TEST_F(Output, ReplacesAnOlderFile) {
  std::ofstream(folder.file("a.png")) << "old";
  outputOf(flattenTo(folder.file("a.png")));
  EXPECT_EQ(readText(folder.file("a.png")).substr(1, 3), "PNG");
}

TEST_F(Output, OfNothingOnStandardInputLeavesNoTemporaryFolder) {
  const Outcome outcome =
      test::runProgram({"sh", "-c", "exec \"$0\" deep flatten - -o - </dev/null", FATHOM_PROGRAM},
                       {.environment = {"TMPDIR=" + folder.path().string()}});
  EXPECT_EQ(outcome.err, "fathom: standard input: expected a file, found nothing\n");
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Output, ThatNobodyReadsLeavesNoTemporaryFolder) {
  const Outcome outcome = test::runProgram(
      {"bash", "-c", "\"$0\" deep merge planes:count=2 -o - | true; exit ${PIPESTATUS[0]}",
       FATHOM_PROGRAM},
      {.environment = {"TMPDIR=" + folder.path().string()}});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("fathom: standard output: expected"));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Output, ToAFolderOrWhereNoFileGoesIsRefused) {
  // To a folder is refused.
  std::filesystem::create_directory(folder.path() / "a.exr");
  EXPECT_EQ(runFathom(flattenTo(folder.file("a.exr"))).code, 1);
  // To a folder that takes no files is refused.
  const Outcome outcome = runFathom(flattenTo("/proc/a.exr"));  // not even root may
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err.rfind("fathom: /proc/a.exr: expected", 0), 0u) << outcome.err;
}

TEST_F(Output, OnAFullDiskLeavesTheOldFile) {
  for (const char* name : {"a.exr", "a.png"}) {
    std::ofstream(folder.file(name)) << "old";
    EXPECT_THAT(refusalOf(flattenTo(folder.file(name)), {.fileSizeLimit = 500}),
                HasSubstr(folder.file(name)));
    EXPECT_EQ(readText(folder.file(name)), "old");
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.exr", "a.png"}));
}

TEST_F(Output, ThatIsAnInputIsRefused) {
  for (const std::string frame : {"1", "2"})
    outputOf({"deep", "capture", "planes", "--size", "16x9", "-o", folder.file(frame + ".exr")});
  const std::string one = folder.file("1.exr"), link = folder.file("link.exr"),
                    pattern = folder.file("%d.exr"), before = readText(one);
  std::filesystem::create_symlink(one, link);
  const std::vector<std::vector<std::string>> commands{
      {"deep", "flatten", one, "-o", one},
      {"deep", "merge", folder.file("2.exr"), one, "-o", link},
      {"deep", "grade", pattern, "--gain", "2", "-o", pattern},
      {"deep", "grade", pattern, "--frames", "1", "--frame-offsets", "1", "-o", pattern},
      {"dof", "render", one, "--deep", link, "-o", folder.file("blurred.exr")},
      {"compare", one, folder.file("2.exr"), "-o", one}};
  for (const std::vector<std::string>& command : commands)
    EXPECT_THAT(refusalOf(command, 2), HasSubstr(": expected another file than the inputs"));
  EXPECT_TRUE(readText(one) == before);
}

TEST(StandardOutput, ThatIsFullIsAnError) {
  const Outcome outcome =
      test::runProgram({"/bin/sh", "-c", "exec \"$0\" --help > /dev/full", FATHOM_PROGRAM});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("standard output"));
}

TEST(Interrupt, LeavesNoTemporaryFileAndExits130) {
  for (const bool hangUp : {false, true}) {
    const TempFolder folder;
    std::ofstream(folder.file("a.exr")) << "old";
    const RunOptions interrupted{.interruptAfterMs = 1200, .hangUp = hangUp};
    const std::string out = folder.file("a.exr");
    EXPECT_EQ(
        runFathom({"deep", "capture", "hairball", "--size", "3000x3000", "-o", out}, interrupted)
            .code,
        130);
    EXPECT_EQ(readText(folder.file("a.exr")), "old");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.exr"});
  }
}

TEST(Interrupt, IsHeededWhileStandardInputSaysNothing) {
  const TempFolder folder;
  ASSERT_EQ(std::system(("mkfifo " + folder.file("pipe")).c_str()), 0);
  const Outcome outcome = test::runProgram(
      {"/bin/sh", "-c", "exec \"$0\" deep flatten - -o a.exr <>pipe", FATHOM_PROGRAM},
      {.interruptAfterMs = 1000, .folder = folder.path()});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"pipe"});
}

TEST(Limits, EndACommandInOneLine) {
  const TempFolder folder;
  const std::string picture = folder.write("a.ppm", "P6 2 2 255\nabcdefghijkl").string();
  EXPECT_EQ(refusalOf({"info", picture, "--max-pixels", "3"}),
            "fathom: " + picture + ": expected at most 3 pixels (--max-pixels), found 2x2\n");
  const std::string large =
      folder.write("b.ppm", "P5 4000 4000 255\n" + std::string(16'000'000, 'x')).string();
#ifndef __SANITIZE_ADDRESS__  // which sets no limit
  EXPECT_THAT(refusalOf({"compare", large, large, "--max-memory", "100"}), HasSubstr("memory"));
  EXPECT_EQ(refusalOf({"deep", "flatten", "planes", "--size", "16x9", "--max-memory", "100", "-o",
                       folder.file("a.png")}),
            "fathom: --max-memory: expected at least 256 MiB, which a renderer needs by itself, "
            "found 100\n");
#endif
  EXPECT_THAT(refusalOf({"deep", "capture", "hairball", "--size", "3000x3000", "-o",
                         folder.file("a.exr"), "--max-wall", "1"}),
              HasSubstr("--max-wall"));
  EXPECT_EQ(folder.names().size(), 2u);
}

}  // namespace
}  // namespace fathom

namespace fathom::commands {
namespace {

TEST(ProgressText, SaysPercentRateAndTimeLeftWhereTheyAreKnown) {
  // Has percent rate and time left.
  EXPECT_EQ(progressText("read", 2e6, 8e6, 2), "read 25 %, 1.0 M/s, 6 s left");
  // Waits for a rate that means something.
  EXPECT_EQ(progressText("read", 1, 4, 0.1), "read 25 %");
  // Without total has only time.
  EXPECT_EQ(progressText("read", 5, 0, 3), "read, 3 s");
}

using nlohmann::json;

TEST(Json, OfACommandHasTheShapeOfTheContract) {
  const TempFolder folder;
  const json root = jsonOf({"deep", "flatten", "planes", "--size", "64x32", "--layout", "bia",
                            "--block-size", "8", "-o", folder.file("a.exr")});
  EXPECT_EQ(root["fathom"], FATHOM_VERSION);
  EXPECT_EQ(root["command"], "deep flatten");
  EXPECT_TRUE(root["device"]["renderer"].is_string());
  EXPECT_TRUE(root["device"]["software"].is_boolean());
  EXPECT_EQ(root["size"], json::parse("[64, 32]"));
  EXPECT_EQ(root["settings"]["layout"], "bia");
  EXPECT_EQ(root["settings"]["block-size"], 8);
  ASSERT_FALSE(root["passes"].empty());
  double gpuMs = 0;
  for (const json& pass : root["passes"]) {
    EXPECT_TRUE(pass["name"].is_string());
    gpuMs += pass["gpu_ms"].get<double>();
    EXPECT_LT(pass["cpu_ms"].get<double>(), root["wall_ms"].get<double>());
    EXPECT_GE(pass["count"].get<int>(), 1);
  }
  EXPECT_GT(gpuMs, 0);
  EXPECT_LT(gpuMs, root["wall_ms"].get<double>());  // passes run one after the other
  EXPECT_GT(root["compile_ms"].get<double>(), 0);   // of those passes
  EXPECT_FALSE(root["phases_ms"].empty());
  EXPECT_GT(root["result"]["fragments_in"].get<long>(), 0);
}

TEST(Json, GoesToAFileAndLeavesStandardOutputToTheResult) {
  const TempFolder folder;
  EXPECT_THAT(outputOf({"info", "planes", "--json", folder.file("a.json")}),
              HasSubstr("triangles"));
  EXPECT_GT(json::parse(readText(folder.file("a.json")))["result"]["triangles"].get<long>(), 0);
}

TEST(Json, ToAMissingFolderIsAnError) {
  EXPECT_EQ(runFathom({"info", "planes", "--json", "/nonexistent/folder/a.json"}).code, 1);
}

TEST(Passes, ArePrintedAsATable) {
  const TempFolder folder;
  const Outcome outcome = runFathom(
      {"deep", "flatten", "planes", "--size", "32x32", "-o", folder.file("a.exr"), "--passes"});
  EXPECT_THAT(outcome.out, HasSubstr("GPU ms"));
  EXPECT_THAT(outcome.out, HasSubstr("\nsum "));
  EXPECT_THAT(outcome.out, HasSubstr("\nwall "));
}

}  // namespace
}  // namespace fathom::commands
