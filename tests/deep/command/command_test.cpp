// SPDX-License-Identifier: BSD-3-Clause
// fathom deep capture | merge | flatten | heatmap | inspect, run as a user would, on files made by
// code: what is written equals the reference, and what cannot be done is reported in one line.
#include "app/engine/core/deep_image.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/picture.h"
#include "tests/deep/command/two_parts.h"
#include "tests/deep/deep_images.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"

#include <nlohmann/json.hpp>

namespace fathom::deep {
namespace {

using nlohmann::json;
using test::sphereField;

class DeepCommand : public testing::Test {
 protected:
  DeepCommand() {
    writeDeepExr(a_, first_);
    writeDeepExr(b_, second_);
  }
  /// fathom deep WORD a.exr b.exr FLAGS
  Outcome run(const std::string& word, const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"deep", word, a_, b_};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return runFathom(arguments);
  }
  void expectMerged(const std::vector<std::string>& flags) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(flags, " ")));
    const std::string out = folder_.file("merged.exr");
    std::vector<std::string> all{"-o", out};
    all.insert(all.end(), flags.begin(), flags.end());
    const Outcome outcome = run("merge", all);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(sameFragments(readDeepExr(out), expected()));
  }
  DeepImage expected() const {
    std::vector<DeepImage> images{first_, second_};
    unify(images);
    return reference::merge(images);
  }
  /// One line on standard error that starts with the file, exit code 1, the old output untouched.
  void expectRefusal(const std::string& word, const std::string& input, const std::string& part) {
    const std::string out = folder_.write("old.exr", "old").string();
    std::vector<std::string> arguments{"deep", word, input, "-o", out};
    if (word == "inspect") arguments = {"deep", word, input, "--pixel", "0,0"};
    const Outcome outcome = runFathom(arguments);
    EXPECT_EQ(outcome.code, 1) << word << " " << input;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(StartsWith("fathom: " + input + ": "), HasSubstr(part)));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(readText(out), "old");
  }

  TempFolder folder_;
  std::string a_ = folder_.file("a.exr"), b_ = folder_.file("b.exr");
  DeepImage first_ = sphereField({75, 50, 9, 1}), second_ = [] {
    DeepImage image = sphereField({61, 35, 9, 2});
    image.dataWindow.x = 30, image.dataWindow.y = -5;  // the display windows stay the same
    image.displayWindow = {0, 0, 75, 50};
    return image;
  }();
};

// ---- Merge

TEST_F(DeepCommand, MergeKeepsEveryBitInEveryForm) {
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--compression", "none"},
                                                {"--compression", "rle"},
                                                {"--compression", "zips"},
                                                {"--stream"},
                                                {"--stream", "--tiled", "--layout", "ll"},
                                                {"--stream=off"},
                                                {"--tiled"}})
    expectMerged(flags);
  EXPECT_EQ(run("merge", {"-o", folder_.file("m.exr"), "--compression", "piz"}).code, 2);
}

TEST_F(DeepCommand, StreamingWritesTheSameFile) {
  ASSERT_EQ(run("merge", {"-o", folder_.file("whole.exr"), "--stream=off"}).code, 0);
  ASSERT_EQ(run("merge", {"-o", folder_.file("bands.exr"), "--stream"}).code, 0);
  EXPECT_TRUE(readText(folder_.file("whole.exr")) == readText(folder_.file("bands.exr")));
}

TEST_F(DeepCommand, PartsOfAFileStream) {
  test::writeTwoParts(a_);
  const std::string out = folder_.file("m.exr");
  for (const char* flag : {"--stream", "--stream=off"}) {
    EXPECT_EQ(jsonOf({"deep", "merge", a_ + "#two", a_ + "#0", "-o", out,
                      flag})["result"]["fragments_in"],
              3);
    EXPECT_EQ(readDeepExr(out).fragmentCount(), 3u);
  }
  EXPECT_EQ(runFathom({"deep", "merge", a_ + "#three", "-o", out}).code, 1);
}

TEST_F(DeepCommand, AFlatPartBesideADeepOneIsNamed) {
  test::writeFlatBesideDeep(a_);
  const std::string out = folder_.file("m.exr");
  EXPECT_THAT(warningsOf({"deep", "merge", a_, "-o", out}),
              HasSubstr(a_ + ": part one is flat and not in the output"));
  EXPECT_EQ(readDeepExr(out).fragmentCount(), 2u);
}

/// One part has both inputs, the other has one of them.
TEST_F(DeepCommand, InputsOfEveryPartKeepTheirEdits) {
  test::writeTwoParts(a_);
  DeepImage image = test::deepImage({0, 0, 1, 1}, {{{0, 0.25f, 0, 0.5f, 2, 2}}});
  image.attributes =
      std::make_shared<const Attributes>(Attributes{attributeOf("name", std::string("one"))});
  writeDeepExr(b_, image);
  const std::string out = folder_.file("m.exr");
  for (const std::vector<std::string>& files : {std::vector{a_, b_}, std::vector{b_, a_}}) {
    const bool swapped = files[0] == b_;
    outputOf(
        {"deep", "merge", files[0], files[1], "-o", out, "--z-offsets", swapped ? "5,3" : "3,5"});
    const auto depths = [&](const std::string& part) {
      std::vector<float> all;
      const DeepImage read = readDeepExr(out, {.part = part});
      for (std::size_t i = 0; i < read.fragmentCount(); ++i)
        all.push_back(decodeFragment(read, i).z);
      return all;
    };
    EXPECT_EQ(depths("one"), (std::vector<float>{4, 7})) << swapped;
    EXPECT_EQ(depths("two"), (std::vector<float>{4, 5})) << swapped;
  }
  EXPECT_EQ(runFathom({"deep", "merge", a_, b_, "-o", out, "--z-offsets", "1,2,3"}).code, 2);
}

TEST_F(DeepCommand, TheOrderOfInputsIsAFlag) {
  writeDeepExr(a_, test::deepImage({0, 0, 1, 1}, {{{0.5f, 0, 0, 0.5f, 2, 2}}}));
  writeDeepExr(b_, test::deepImage({0, 0, 1, 1}, {{{0, 0.25f, 0, 0.5f, 2, 2}}}));
  const std::string out = folder_.file("m.exr");
  const auto firstRed = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"-o", out};
    all.insert(all.end(), flags.begin(), flags.end());
    EXPECT_EQ(run("merge", all).code, 0);
    return decodeFragment(readDeepExr(out), 0).r;
  };
  EXPECT_EQ(firstRed({}), 0.5f);
  EXPECT_EQ(firstRed({"--order", "2"}), 0);
  EXPECT_EQ(firstRed({"--order", "2,1", "--stream=off"}), 0);
  for (const char* wrong : {"0", "1,1", "x", "3"})
    EXPECT_EQ(run("merge", {"-o", out, "--order", wrong}).code, 2) << wrong;
}

TEST_F(DeepCommand, MergeReportsFragmentsAndPhases) {
  const Outcome outcome = run("merge", {"-o", folder_.file("m.exr"), "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json root = json::parse(outcome.out);
  const std::size_t count = first_.fragmentCount() + second_.fragmentCount();
  EXPECT_EQ(root["result"]["fragments_in"], count);
  EXPECT_EQ(root["result"]["fragments_out"], count);
  EXPECT_EQ(root["result"]["bytes"], std::filesystem::file_size(folder_.file("m.exr")));
  for (const char* phase : {"read", "upload", "gpu", "download", "write"})
    EXPECT_TRUE(root["phases_ms"].contains(phase)) << phase;
  EXPECT_EQ(root["settings"]["layout"], "bia");
  EXPECT_FALSE(root["passes"].empty());
}

// ---- Flatten, heat map, inspect, capture

TEST_F(DeepCommand, FlattenEqualsTheReference) {
  const std::string out = folder_.file("flat.exr");
  const Outcome outcome = run("flatten", {"-o", out, "--float"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const DeepImage merged = expected();
  EXPECT_TRUE(test::rounding(readPicture(out).image, reference::flatten(merged, merged.dataWindow),
                             test::roundingBound(300, 1)));
}

TEST_F(DeepCommand, FlattenStreams) {
  for (const std::string ending : {".exr", ".png"}) {
    ASSERT_EQ(run("flatten", {"-o", folder_.file("whole" + ending), "--stream=off"}).code, 0);
    ASSERT_EQ(run("flatten", {"-o", folder_.file("bands" + ending), "--stream"}).code, 0);
    EXPECT_TRUE(readText(folder_.file("whole" + ending)) ==
                readText(folder_.file("bands" + ending)));
  }
}

TEST_F(DeepCommand, FlattenIntoPngShowsTheDisplayWindow) {
  const std::string out = folder_.file("flat.png");
  ASSERT_EQ(run("flatten", {"-o", out}).code, 0);
  const Image picture = readPicture(out).image;
  EXPECT_EQ(picture.width, 75);
  EXPECT_EQ(picture.height, 50);
}

TEST_F(DeepCommand, HeatmapCountsKnownLists) {
  const DeepImage image = test::randomImage(
      {.window = {0, 0, 40, 20}, .counts = [](int x, int) { return x < 20 ? 5u : 0u; }});
  writeDeepExr(a_, image);
  EXPECT_EQ(outputOf({"deep", "heatmap", a_, "-o", folder_.file("heat.png"), "--keep-bad-values"}),
            "2000 fragments, 2.50 per pixel, most 5, 400 pixels empty\n");
  const Image picture = readPicture(folder_.file("heat.png")).image;
  EXPECT_GE(picture.width, 40);
  EXPECT_GT(picture.height, 20);  // the legend
  EXPECT_NE(picture.at(5, 5), picture.at(30, 5));
  EXPECT_EQ(picture.at(5, 5), picture.at(19, 19));
}

TEST_F(DeepCommand, InspectPrintsTheListFrontToBack) {
  const std::vector<Fragment> near{{0.5f, 0, 0, 0.5f, 2, 2}}, far{{0, 0.25f, 0, 0.5f, 3, 3}};
  writeDeepExr(a_, test::deepImage({3, 4, 1, 1}, {far}));
  writeDeepExr(b_, test::deepImage({3, 4, 1, 1}, {near}));
  const Outcome outcome = run("inspect", {"--pixel", "3,4"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "pixel 3, 4: 2 fragments\n"
            "  Z       R       G       B       A  A over  input\n"
            "  2  0.5000  0.0000  0.0000  0.5000  0.5000  b.exr\n"
            "  3  0.0000  0.2500  0.0000  0.5000  0.7500  a.exr\n");
  const nlohmann::json list =
      jsonOf({"deep", "inspect", a_, b_, "--pixel", "3,4"})["result"]["fragment_list"];
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1]["Z"], 3.0);
  EXPECT_EQ(list[1]["G"], 0.25);
  EXPECT_EQ(list[1]["A over"], 0.75);
  EXPECT_EQ(list[1]["input"], "a.exr");
}

TEST_F(DeepCommand, InspectReadsOneRowAlone) {
  // Windows that share no row and no column; the pixel lies in neither, then in the second.
  DeepImage second = test::deepImage({9, 20, 1, 1}, {{{0.5f, 0, 0, 0.5f, 2, 2}}});
  DeepImage first = test::deepImage({3, 4, 1, 1}, {{}});
  first.displayWindow = second.displayWindow;
  writeDeepExr(a_, first);
  writeDeepExr(b_, second);
  const Outcome between = run("inspect", {"--pixel", "5,10"});
  EXPECT_EQ(between.code, 0) << between.err;
  EXPECT_EQ(between.out, "pixel 5, 10: 0 fragments\n");
  const Outcome inside = run("inspect", {"--pixel", "9,20"});
  EXPECT_EQ(inside.out.substr(0, inside.out.find('\n')), "pixel 9, 20: 1 fragment");
  EXPECT_EQ(run("inspect", {"--pixel", "9,20", "--visible", "on,off"}).out,
            "pixel 9, 20: 0 fragments\n");
  // The last row is damaged; others can be looked at.
  writeDeepExr(b_, sphereField({61, 35, 9, 2}));
  std::string bytes = readText(b_);
  bytes.replace(bytes.size() - 40, 40, 40, '\xff');
  folder_.write("b.exr", bytes);
  outputOf({"deep", "inspect", b_, "--pixel", "30,10"});
  EXPECT_EQ(runFathom({"deep", "inspect", b_, "--pixel", "30,34"}).code, 1);
}

TEST_F(DeepCommand, InspectOutsideNamesTheWindow) {
  EXPECT_EQ(refusalOf({"deep", "inspect", a_, "--pixel", "75,0"}),
            "fathom: " + a_ + ": expected a pixel from 0,0 to 74,49, found 75,0\n");
}

TEST_F(DeepCommand, FlattenOfACapturedFileIsFlattenOfTheScene) {
  const auto make = [&](const std::string& word, const std::string& input, const std::string& out) {
    outputOf({"deep", word, input, "--size", "61x35", "-o", folder_.file(out)});
  };
  make("capture", "atrium", "deep.exr");
  make("flatten", "atrium", "scene.exr");
  make("flatten", folder_.file("deep.exr"), "file.exr");
  EXPECT_TRUE(test::exact(readPicture(folder_.file("file.exr")).image.pixels,
                          readPicture(folder_.file("scene.exr")).image.pixels));
}

// ---- Parts of a file

TEST_F(DeepCommand, PartIsChosenByNumberOrName) {
  test::writeTwoParts(a_);
  const auto headline = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"deep", "inspect", a_, "--pixel", "0,0"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const std::string out = outputOf(arguments);
    return out.substr(0, out.find('\n'));
  };
  EXPECT_EQ(headline({}), "pixel 0, 0: 1 fragment");
  EXPECT_EQ(headline({"--part", "1"}), "pixel 0, 0: 2 fragments");
  EXPECT_EQ(headline({"--part", "two"}), "pixel 0, 0: 2 fragments");
  EXPECT_EQ(runFathom({"deep", "inspect", a_, "--pixel", "0,0", "--part", "three"}).code, 1);
}

// ---- What cannot be done

TEST_F(DeepCommand, WhatIsNoWholeDeepExrIsRefused) {
  expectRefusal("merge", folder_.file("none.exr"), "no such file");
  expectRefusal("merge", folder_.write("text.exr", "no picture").string(), "expected");
  const std::string bytes = readText(a_);
  for (const std::size_t length : {std::size_t(200), bytes.size() / 2, bytes.size() - 1})
    expectRefusal("merge", folder_.write("short.exr", bytes.substr(0, length)).string(), "");
  const std::string flat = folder_.file("flat.exr");
  writePicture(flat, Image(4, 4));
  for (const char* word : {"merge", "flatten", "inspect"}) expectRefusal(word, flat, "deep");
}

TEST_F(DeepCommand, ASceneBesideAFileIsRefused) {
  EXPECT_THAT(refusalOf({"deep", "flatten", a_, "planes", "-o", folder_.file("x.exr")}),
              HasSubstr("expected one scene, or deep EXR files alone"));
}

// ---- The benchmarks

TEST(DeepBench, EveryRowIsCheckedAgainstTheReference) {
  const TempFolder folder;
  // Two layouts stand for all six, whose programs would take long to compile.
  outputOf({"bench", "deep.composite", "deep.save", "deep.pairwise", "deep.kway", "deep.memory",
            "--quick", "--size", "64x36", "--trials", "1", "--sweep", "layout=ll,ria", "--json",
            folder.file("bench.json")});
  const json root = json::parse(readText(folder.file("bench.json")));
  std::map<std::string, std::size_t> rows;
  for (const json& trial : root["trials"]) {
    ++rows[trial["bench"].get<std::string>()];
    EXPECT_NE(trial["checked"].get<std::string>(), "") << trial.dump();
    EXPECT_GT(trial["work"].get<double>(), 0);
  }
  // Four scenes; two layouts with two methods, and two more ways to write linked lists; 2, 4, 8
  // and 16 parts merged in two ways.
  EXPECT_EQ(rows["deep.composite"], 16u);
  EXPECT_EQ(rows["deep.save"], 24u);
  EXPECT_EQ(rows["deep.pairwise"], 16u);
  EXPECT_EQ(rows["deep.kway"], 16u);
  EXPECT_EQ(rows["deep.memory"], 8u);
}

}  // namespace
}  // namespace fathom::deep
