// SPDX-License-Identifier: BSD-3-Clause
// Recording from the Timings panel with real clicks: the number of pictures, the suggested file,
// and stopping halfway.
#include "tests/window/screen.h"

#include <nlohmann/json.hpp>

namespace fathom::viewer {
namespace {

using nlohmann::json;

class RecorderTest : public ScreenTest {
 protected:
  void start(const char* scene = "spin") { screen.start({scene, "--open-panel", "timings"}); }
  void setPictures(const std::string& count) {
    screen.clickOn("record:pictures");
    screen.key("ctrl+a");
    screen.type(count);
    screen.key("Return");
    screen.settle();
  }
  /// Clicks Record and accepts the suggested name.
  void record() {
    screen.clickOn("record:start");
    screen.place("browser:path");
    screen.settle();
    screen.clickOn("browser:ok");
  }
  /// What is written about so many pictures.
  json recorded(const std::string& count) {
    setPictures(count);
    record();
    if (!written("timings.json")) return {};
    return json::parse(readText(folder / "timings.json"));
  }
};

TEST_F(RecorderTest, RecordsTheGivenNumberOfPictures) {
  start();
  const json file = recorded("7");
  ASSERT_TRUE(file.contains("trials")) << screen.errors();
  EXPECT_EQ(file["schema"], "fathom.bench/1");
  ASSERT_EQ(file["trials"].size(), 2u);
  const json& picture = file["trials"][0];
  EXPECT_EQ(picture["bench"], "view.fake");
  EXPECT_EQ(picture["workload"], "spin");
  EXPECT_EQ(picture["label"], "picture");
  EXPECT_EQ(picture["gpu_ms"]["n"], 7);
  EXPECT_EQ(picture["wall_ms"]["n"], 7);
  EXPECT_EQ(picture["checked"], "exact");
  EXPECT_EQ(file["trials"][1]["label"], "pass: make test picture");
  EXPECT_TRUE(screen.comes("record:start"));
  EXPECT_FALSE(screen.has("message:error"));
}

/// Four slices of 20 ms, each of which is shown.
TEST_F(RecorderTest, AddsUpTheSlicesOfAPicture) {
  start("spin-in-slices");
  const json file = recorded("3");
  ASSERT_TRUE(file.contains("trials")) << screen.errors();
  for (const json& trial : file["trials"]) {
    EXPECT_EQ(trial["gpu_ms"]["n"], 3);
    EXPECT_GE(trial["gpu_ms"]["min"].get<double>(), 80) << trial["label"];
  }
  EXPECT_GE(file["trials"][0]["wall_ms"]["min"].get<double>(), 80);
}

TEST_F(RecorderTest, ANameInCsvIsATable) {
  start();
  setPictures("2");
  screen.clickOn("record:start");
  screen.answerFile("t2.csv");
  ASSERT_TRUE(written("t2.csv"));
  EXPECT_TRUE(readText(folder / "t2.csv").starts_with("bench,")) << screen.errors();
}

/// No work is lost for it.
TEST_F(RecorderTest, AFileThatCannotBeWrittenIsToldBeforeTheWork) {
  start();
  screen.clickOn("record:start");
  screen.answerFile(folder.file("nowhere/t.json"));
  EXPECT_TRUE(screen.comes("browser:problem"));
  EXPECT_FALSE(screen.has("record:stop"));
}

TEST_F(RecorderTest, StoppedItWritesNothing) {
  start();
  setPictures("100000");
  record();
  screen.clickOn("record:stop");
  screen.place("record:start");
  EXPECT_FALSE(screen.has("record:stop"));
  EXPECT_FALSE(std::filesystem::exists(folder / "timings.json"));
  EXPECT_FALSE(screen.has("message:error"));
}

}  // namespace
}  // namespace fathom::viewer
