// SPDX-License-Identifier: BSD-3-Clause
// fathom deep as a shot needs it: parts and views, sequences, mattes, points, repairs that are
// said; what is written is judged by other readers than the program's own where there are some.
#include "app/engine/core/bytes.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/picture.h"
#include "tests/deep/deep_images.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfStringAttribute.h>
#include <nlohmann/json.hpp>

#include <random>

namespace fathom::deep {
namespace {

using nlohmann::json;
using test::sphereField;

DeepImage fieldNamed(int seed, const std::string& name, const std::string& owner) {
  DeepImage image = sphereField({23, 17, 5, std::uint32_t(seed)});
  image.attributes = std::make_shared<const Attributes>(Attributes{
      attributeOf("name", name), attributeOf("view", name), attributeOf("owner", owner)});
  return image;
}

class DeepProduction : public testing::Test {
 protected:
  void writeViews(const std::string& name, const std::vector<DeepImage>& parts) {
    DeepExrWriter out(folder_ / name, parts);
    for (int part = 0; part < 2; ++part) out.writeRows(parts[std::size_t(part)], part);
    out.finish();
  }
  DeepImage merged(const DeepImage& a, const DeepImage& b) {
    std::vector<DeepImage> both{a, b};
    unify(both);
    return reference::merge(both);
  }
  TempFolder folder_;
};

TEST_F(DeepProduction, StereoFilesAreMergedViewByView) {
  for (const int file : {0, 1}) {
    writeViews(file ? "b.exr" : "a.exr", {fieldNamed(10 + file, "left", "me"),
                                          fieldNamed(20 + file, "right", file ? "you" : "me")});
  }
  EXPECT_THAT(warningsOf({"deep", "merge", folder_.file("a.exr"), folder_.file("b.exr"), "-o",
                          folder_.file("c.exr")}),
              HasSubstr("which are kept: owner"));
  const std::vector<ExrPartInfo> parts = exrParts(folder_ / "c.exr");
  ASSERT_EQ(parts.size(), 2u);
  for (const int part : {0, 1}) {
    EXPECT_EQ(parts[std::size_t(part)].view, part ? "right" : "left");
    EXPECT_EQ(textNamed(*parts[std::size_t(part)].attributes, "owner"), "me");
    EXPECT_TRUE(sameFragments(
        readDeepExr(folder_ / "c.exr", {.part = std::to_string(part)}),
        merged(fieldNamed(part ? 20 : 10, "", ""), fieldNamed(part ? 21 : 11, "", ""))));
  }
  // Flat pictures have one view: the other one is named.
  EXPECT_THAT(warningsOf({"deep", "flatten", folder_.file("a.exr"), "-o", folder_.file("a.png")}),
              HasSubstr("leaves out right"));
}

TEST_F(DeepProduction, ASequenceIsItsFramesAndADamagedOneIsNamed) {
  for (int frame = 1; frame <= 3; ++frame) {
    writeDeepExr(folder_ / fmt::format("a.000{}.exr", frame),
                 sphereField({15, 9, 4, std::uint32_t(frame)}));
    writeDeepExr(folder_ / fmt::format("b.{}.exr", frame),
                 sphereField({15, 9, 4, std::uint32_t(9 + frame)}));
  }
  folder_.write("b.2.exr", readText(folder_.file("b.2.exr")).substr(0, 400));
  const std::vector<std::string> arguments{"deep",
                                           "merge",
                                           folder_.file("a.####.exr"),
                                           folder_.file("b.%d.exr"),
                                           "-o",
                                           folder_.file("o.@@.exr")};
  EXPECT_THAT(refusalOf(arguments), HasSubstr("fathom: frame 2: " + folder_.file("b.2.exr")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o.02.exr"));
  for (const char* frame : {"1", "3"}) {
    outputOf({"deep", "merge", folder_.file(fmt::format("a.000{}.exr", frame)),
              folder_.file(fmt::format("b.{}.exr", frame)), "-o", folder_.file("one.exr")});
    EXPECT_EQ(readText(folder_.file("one.exr")),
              readText(folder_.file(fmt::format("o.0{}.exr", frame))));
  }
  // What was stopped goes on: frames that are there stay, a frame without a file is held.
  std::filesystem::remove(folder_ / "b.2.exr");
  std::vector<std::string> again = arguments;
  again.insert(again.end(), {"--resume", "--missing", "hold", "--json", "-"});
  const std::string out = outputOf(again);
  EXPECT_EQ(json::parse(out)["result"]["frames"], 1);
  EXPECT_EQ(json::parse(out)["result"]["frames_skipped"], 2);
  const json frames = json::parse(out)["result"]["frame_list"];
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames[0], (json{{"frame", 1}, {"status", "skipped"}}));
  EXPECT_EQ(frames[1]["status"], "done");
  EXPECT_GT(frames[1]["fragments_out"], 0);
  std::vector<std::string> failing = arguments;
  folder_.write("b.2.exr", "x");
  failing.insert(failing.end(), {"--json", "-"});
  const json failed = json::parse(runFathom(failing).out)["result"]["frame_list"][1];
  EXPECT_EQ(failed["status"], "failed");
  EXPECT_THAT(failed["error"].get<std::string>(), HasSubstr("b.2.exr"));
  std::filesystem::remove(folder_ / "b.2.exr");
  outputOf(again);
  EXPECT_TRUE(sameFragments(readDeepExr(folder_ / "o.02.exr"),
                            merged(sphereField({15, 9, 4, 2}), sphereField({15, 9, 4, 10}))));
}

TEST_F(DeepProduction, ResumedFramesFollowAllFilesThatAreNamed) {
  for (const int frame : {1, 2})
    writeDeepExr(folder_ / fmt::format("a.{}.exr", frame),
                 sphereField({15, 9, 4, std::uint32_t(frame)}));
  outputOf({"deep", "flatten", folder_.file("a.1.exr"), "-o", folder_.file("color.exr")});
  const auto done = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{more[0],    more[1],  folder_.file("a.#.exr"),
                                 "--resume", "--json", "-"};
    all.insert(all.end(), more.begin() + 2, more.end());
    return json::parse(outputOf(all))["result"].value("frames", 0);
  };
  const auto touch = [&](const char* name) {
    const auto later = std::filesystem::file_time_type::clock::now() + std::chrono::seconds(9);
    std::filesystem::last_write_time(folder_ / name, later);
  };
  const std::vector<std::string> recolored{
      "deep", "run",
      "--do", "recolor " + folder_.file("color.exr") + "; grade gain=2",
      "-o",   folder_.file("r.#.exr")};
  EXPECT_EQ(done(recolored), 2);
  EXPECT_EQ(done(recolored), 0);
  touch("color.exr");
  EXPECT_EQ(done(recolored), 2);

  const std::vector<std::string> blurred{
      "dof", "render", "--deep", folder_.file("d.#.exr"), "-o", folder_.file("b.#.exr")};
  EXPECT_EQ(done(blurred), 2);
  EXPECT_EQ(done(blurred), 0);
  std::filesystem::remove(folder_ / "d.2.exr");
  EXPECT_EQ(done(blurred), 1) << "one of two outputs";
  folder_.write("b.1.exr", "");
  EXPECT_EQ(done(blurred), 1) << "an empty one";
}

/// A PNG has no windows: it is the frame.
TEST_F(DeepProduction, ImagesWithoutWindowsAreTheDisplayWindow) {
  DeepImage image = sphereField({15, 9, 4, 1});
  image.displayWindow = {-5, -3, 30, 20};
  writeDeepExr(folder_ / "a.exr", image);
  outputOf({"deep", "flatten", folder_.file("a.exr"), "-o", folder_.file("flat.png")});
  outputOf({"dof", "render", folder_.file("a.exr"), "--f-number", "64", "--focal-length", "1", "-o",
            folder_.file("sharp.png")});
  EXPECT_EQ(readPicture(folder_ / "flat.png").image.width, 30);
  EXPECT_EQ(readPicture(folder_ / "sharp.png").image.pixels,
            readPicture(folder_ / "flat.png").image.pixels);
  outputOf({"deep", "heatmap", folder_.file("a.exr"), "-o", folder_.file("heat.png")});
  const Image heat = readPicture(folder_ / "heat.png").image;
  EXPECT_EQ(heat.at(0, 0), heat.at(4, 2)) << "empty around the image";
  EXPECT_GT(heat.height, 20) << "and the legend";
  EXPECT_THAT(outputOf({"deep", "inspect", folder_.file("a.exr"), "--pixel", "-4,-2"}),
              HasSubstr("0 fragments"));
}

TEST_F(DeepProduction, AGapInASequenceIsSaidAndEverySecondFrameIsNone) {
  const auto said = [&](const char* name, std::initializer_list<int> frames) {
    for (const int frame : frames)
      writeDeepExr(folder_ / fmt::format("{}.{}.exr", name, frame), sphereField({5, 3, 2, 1}));
    const Outcome outcome = runFathom({"deep", "merge", folder_.file(name + std::string(".#.exr")),
                                       "-o", folder_.file(name + std::string("-out.#.exr"))});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(said("gap", {1, 2, 3, 5, 6}), HasSubstr("gap.#.exr: no frame 4"));
  EXPECT_THAT(said("twos", {1, 3, 5}), Not(HasSubstr("no frame")));
}

TEST_F(DeepProduction, FramesAtOnceAreTheFramesOneByOne) {
  for (int frame = 1; frame <= 9; ++frame)
    writeDeepExr(folder_ / fmt::format("a.{}.exr", frame),
                 sphereField({33, 21, 6, std::uint32_t(frame)}));
  folder_.write("a.5.exr", readText(folder_.file("a.5.exr")).substr(0, 300));
  const auto merged = [&](const char* jobs, const char* out) {
    return runFathom({"deep", "merge", folder_.file("a.#.exr"), folder_.file("a.9.exr"), "-o",
                      folder_.file(std::string(out) + ".#.exr"), "--jobs", jobs, "--json", "-"});
  };
  const Outcome one = merged("1", "one"), several = merged("4", "several");
  EXPECT_EQ(one.code, 1) << one.err;
  EXPECT_EQ(several.code, 1) << several.err;
  EXPECT_THAT(several.err, HasSubstr("fathom: frame 5: "));
  const json first = json::parse(one.out)["result"], second = json::parse(several.out)["result"];
  EXPECT_EQ(first, second);
  EXPECT_EQ(second["frames"], 8);
  for (const char* frame : {"1", "2", "3", "4", "6", "7", "8", "9"}) {
    const std::string text = readText(folder_.file(fmt::format("one.{}.exr", frame)));
    EXPECT_GT(text.size(), 1000u);
    EXPECT_EQ(text, readText(folder_.file(fmt::format("several.{}.exr", frame)))) << frame;
  }
}

TEST_F(DeepProduction, ASequenceIsResizedToASizeAndWarnsOnce) {
  for (int frame = 1; frame <= 3; ++frame)
    for (const char* name : {"a", "b"}) {
      DeepImage image = fieldNamed(frame, "", name);
      writeDeepExr(folder_ / fmt::format("{}.{}.exr", name, frame), image);
    }
  outputOf(
      {"deep", "resize", folder_.file("a.#.exr"), "--size", "12x9", "-o", folder_.file("r.#.exr")});
  for (int frame = 1; frame <= 3; ++frame)
    EXPECT_EQ(readDeepExr(folder_ / fmt::format("r.{}.exr", frame)).displayWindow.width, 12);
  const std::string merge = warningsOf({"deep", "merge", folder_.file("a.#.exr"),
                                        folder_.file("b.#.exr"), "-o", folder_.file("m.#.exr")});
  const std::size_t said = merge.find("which are kept: owner");
  ASSERT_NE(said, std::string::npos) << merge;
  EXPECT_EQ(merge.find("which are kept: owner", said + 1), std::string::npos) << merge;
}

TEST_F(DeepProduction, TheViewInTheOutputNamesThePart) {
  const std::vector<DeepImage> parts{fieldNamed(10, "left", "me"), fieldNamed(20, "right", "me")};
  writeViews("a.exr", parts);
  outputOf({"deep", "merge", folder_.file("a.exr"), "-o", folder_.file("a.%V.exr")});
  EXPECT_TRUE(sameFragments(readDeepExr(folder_ / "a.left.exr"), parts[0]));
  EXPECT_TRUE(sameFragments(readDeepExr(folder_ / "a.right.exr"), parts[1]));
  EXPECT_THAT(refusalOf({"deep", "merge", folder_.file("a.exr"), "-o", folder_.file("a.%V.exr"),
                         "--views", "middle"}),
              HasSubstr("expected a part of the view middle, found left, right"));
  EXPECT_THAT(
      refusalOf({"deep", "merge", folder_.file("a.%V.exr"), "-o", folder_.file("b.exr")}, 2),
      HasSubstr("--output: expected a place for the view, like out.%V.exr, found"));
}

TEST_F(DeepProduction, AMoveByWholePixelsKeepsEveryFragment) {
  const DeepImage before = sphereField({23, 17, 5, 3});
  writeDeepExr(folder_ / "a.exr", before);
  outputOf({"deep", "transform", folder_.file("a.exr"), "--translate", "12,-7", "-o",
            folder_.file("m.exr")});
  const DeepImage after = readDeepExr(folder_ / "m.exr");
  EXPECT_EQ(after.dataWindow, (Rect{before.dataWindow.x + 12, before.dataWindow.y - 7,
                                    before.dataWindow.width, before.dataWindow.height}));
  EXPECT_EQ(after.displayWindow, before.displayWindow);
  EXPECT_EQ(after.fragmentOffsets, before.fragmentOffsets);
  EXPECT_EQ(after.words, before.words);
}

TEST_F(DeepProduction, WhatNoHalfHoldsAndNoIdIsCalledIsSaid) {
  DeepImage image = test::deepImage({0, 0, 1, 1}, {{{1, 0, 0, 1, 2, 2}}});
  makeIndexed(image);
  for (DeepChannel& c : image.channels)
    if (c.name == "R") c = {"R", ChannelType::Float, std::vector<std::byte>(4)};
  for (DeepChannel& c : image.channels)
    if (c.name == "R") store(c.values.data(), 1e6f);
  writeDeepExr(folder_ / "a.exr", image);
  EXPECT_THAT(warningsOf({"deep", "flatten", folder_.file("a.exr"), "-o", folder_.file("f.exr")}),
              HasSubstr("not finite: 1 of R; the largest half"));
  writeDeepExr(folder_ / "half.exr", test::deepImage({0, 0, 1, 1}, {{{1, 0, 0, 1, 2, 2}}}));
  EXPECT_THAT(warningsOf({"deep", "run", folder_.file("half.exr"), "--do",
                          "grade gain=1e5; crop 0,0,1,1", "-o", folder_.file("g.exr")}),
              HasSubstr("g.exr: values are not finite: 1 of R; the largest half"));
  image.channels.push_back({"id", ChannelType::Uint, std::vector<std::byte>(4)});
  writeDeepExr(folder_ / "a.exr", image);
  EXPECT_THAT(warningsOf({"deep", "merge", folder_.file("a.exr"), "--ids", "0|nothing*", "-o",
                          folder_.file("m.exr")}),
              HasSubstr("no ID has a name like \"nothing*\""));
}

TEST_F(DeepProduction, PeelIsOfPicturesAndNamedOtherwise) {
  writeDeepExr(folder_ / "a.exr", sphereField({23, 17, 5, 3}));
  EXPECT_THAT(warningsOf({"deep", "merge", folder_.file("a.exr"), "--peel", "1:2", "-o",
                          folder_.file("b.exr")}),
              HasSubstr("--peel: ignored, only images are peeled"));
  const auto counted = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "deep", "heatmap", folder_.file("a.exr"), "-o", folder_.file("h.png"), "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome heat = runFathom(arguments);
    EXPECT_EQ(heat.code, 0) << heat.err;
    EXPECT_THAT(heat.err, Not(HasSubstr("--peel")));
    return json::parse(heat.out)["result"]["mean_per_pixel"].get<double>();
  };
  const DeepImage image = sphereField({23, 17, 5, 3});
  std::vector<float> depths;
  for (std::size_t i = 0; i < image.fragmentCount(); ++i)
    depths.push_back(decodeFragment(image, i).z);
  std::nth_element(depths.begin(), depths.begin() + std::ptrdiff_t(depths.size() / 2),
                   depths.end());
  const float middle = depths[depths.size() / 2];
  const auto front = std::ranges::count_if(depths, [&](float z) { return z <= middle; });
  EXPECT_NEAR(counted({}), double(depths.size()) / (23 * 17), 1e-6);
  EXPECT_NEAR(counted({"--peel", fmt::format(":{}", middle)}), double(front) / (23 * 17), 1e-6);
}

TEST_F(DeepProduction, ColorCommandsChangeWhatTheySayAndRefuseTheRest) {
  const DeepImage before = sphereField({23, 17, 5, 3});
  writeDeepExr(folder_ / "a.exr", before);
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "deep");
    arguments.insert(arguments.end(), {"-o", folder_.file("o.exr")});
    return runFathom(arguments);
  };
  ASSERT_EQ(run({"flatten", folder_.file("a.exr"), "--float"}).code, 0);
  const Picture flat = *loadFlatExr(folder_ / "o.exr");
  ASSERT_EQ(
      run({"grade", folder_.file("a.exr"), "--multiply", "0.5,1,0", "--compression", "none"}).code,
      0);
  const DeepImage graded = readDeepExr(folder_ / "o.exr");
  ASSERT_EQ(graded.fragmentCount(), before.fragmentCount());
  for (std::size_t i = 0; i < before.fragmentCount(); ++i) {
    const Fragment b = decodeFragment(before, i), g = decodeFragment(graded, i);
    EXPECT_NEAR(g.r, b.r / 2, 1e-3);
    EXPECT_EQ(g.b, 0);
    EXPECT_EQ(g.a, b.a);
  }
  const Outcome moved =
      run({"expression", folder_.file("a.exr"), "--expression", "Z = 0 - Z; A = A + 2"});
  ASSERT_EQ(moved.code, 0) << moved.err;
  EXPECT_THAT(moved.err, HasSubstr("alphas were brought into 0..1"));
  EXPECT_TRUE(test::isSorted(readDeepExr(folder_ / "o.exr")));
  const FlatExrOptions options{.asFloat = true};
  Image red = flat.image;
  for (glm::vec4& c : red.pixels) c = glm::vec4(c.g, 0, c.r, c.a);
  writeFlatExr(folder_ / "red.exr", red, options);
  ASSERT_EQ(run({"recolor", folder_.file("a.exr"), folder_.file("red.exr")}).code, 0);
  const DeepImage recolored = readDeepExr(folder_ / "o.exr");
  writeDeepExr(folder_ / "b.exr", recolored);
  ASSERT_EQ(run({"flatten", folder_.file("b.exr"), "--float"}).code, 0);
  const Picture again = *loadFlatExr(folder_ / "o.exr");
  for (int y = 0; y < red.height; ++y)
    for (int x = 0; x < red.width; ++x) EXPECT_NEAR(again.image.at(x, y).r, red.at(x, y).r, 2e-3);
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"expression", folder_.file("a.exr"), "--expression", "R = Q"},
           {"grade", folder_.file("a.exr"), "--gamma", "0"},
           {"grade", folder_.file("a.exr"), "--channels", "R"},
           {"transform", folder_.file("a.exr")},
           {"merge", folder_.file("a.exr"), "--stream", "off"},
           {"grade", folder_.file("a.exr"), "--gain", "1,2"},
           {"recolor", folder_.file("a.exr")}}) {
    const Outcome refused = run(wrong);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
  }
  EXPECT_EQ(run({"grade", folder_.file("a.exr"), "--gain", "2", "--only", "1"}).code, 1);
}

/// Cryptomatte read by its specification alone: layers by their attributes, ranks by channel name.
struct Mattes {
  int width = 0, height = 0;
  std::map<std::uint32_t, std::string> names;
  std::vector<std::vector<std::pair<std::uint32_t, float>>> pixels;
};

Mattes decodeMattes(const std::string& file) {
  Imf::InputFile in(file.c_str());
  std::string layer, prefix;
  for (auto a = in.header().begin(); a != in.header().end(); ++a) {
    const std::string name = a.name();
    if (!name.starts_with("cryptomatte/") || !name.ends_with("/name")) continue;
    prefix = name.substr(0, name.size() - 4);
    layer = in.header().typedAttribute<Imf::StringAttribute>(name).value();
  }
  const auto text = [&](const char* what) {
    return in.header().typedAttribute<Imf::StringAttribute>(prefix + what).value();
  };
  EXPECT_EQ(text("hash"), "MurmurHash3_32");
  EXPECT_EQ(text("conversion"), "uint32_to_float32");
  Mattes mattes;
  const json manifest = json::parse(text("manifest"));
  for (const auto& [name, hex] : manifest.items())
    mattes.names[std::uint32_t(std::stoul(hex.get<std::string>(), nullptr, 16))] = name;
  const auto box = in.header().dataWindow();
  mattes.width = box.max.x - box.min.x + 1, mattes.height = box.max.y - box.min.y + 1;
  mattes.pixels.resize(std::size_t(mattes.width) * std::size_t(mattes.height));
  for (int level = 0;; ++level) {
    const std::string base = fmt::format("{}{:02}", layer, level);
    if (!in.header().channels().findChannel(base + ".R")) break;
    std::vector<float> planes[4];
    Imf::FrameBuffer frame;
    for (int c = 0; c < 4; ++c) {
      planes[c].resize(mattes.pixels.size());
      frame.insert(fmt::format("{}.{}", base, "RGBA"[c]),
                   Imf::Slice::Make(Imf::FLOAT, planes[c].data(), box));
    }
    in.setFrameBuffer(frame);
    in.readPixels(box.min.y, box.max.y);
    for (std::size_t p = 0; p < mattes.pixels.size(); ++p)
      for (const int c : {0, 2})
        if (planes[c + 1][p] > 0)
          mattes.pixels[p].emplace_back(std::bit_cast<std::uint32_t>(planes[c][p]),
                                        planes[c + 1][p]);
  }
  return mattes;
}

TEST_F(DeepProduction, MattesOfACapturedSceneAreItsParts) {
  for (const char* scene : {"atrium", "hairball:strands=300", "planes"}) {
    SCOPED_TRACE(scene);
    const std::string deep = folder_.file("deep.exr");
    outputOf({"deep", "capture", scene, "--with-ids", "--size", "40x24", "-o", deep});
    outputOf({"deep", "cryptomatte", deep, "-o", folder_.file("m.exr")});
    const DeepImage image = readDeepExr(deep);
    const std::vector<IdNames> manifest = idManifestOf(*image.attributes);
    ASSERT_EQ(manifest.size(), 1u);
    const Mattes mattes = decodeMattes(folder_.file("m.exr"));
    ASSERT_EQ(mattes.pixels.size(), image.pixelCount());
    const auto ids = std::ranges::find(image.channels, "id", &DeepChannel::name);
    std::mt19937 random(4);
    for (int i = 0; i < 100; ++i) {
      const std::size_t p = random() % image.pixelCount();
      std::map<std::string, double> covered;
      double left = 1, sum = 0;
      for (std::size_t f = image.fragmentOffsets[p]; f < image.fragmentOffsets[p + 1]; ++f) {
        const double a = decodeFragment(image, f).a;
        covered[manifest[0].nameOf(load<std::uint32_t>(ids->values.data() + 4 * f))] += left * a;
        left *= 1 - a;
      }
      for (const auto& [id, share] : mattes.pixels[p]) {
        ASSERT_TRUE(mattes.names.contains(id));
        EXPECT_NEAR(covered[mattes.names.at(id)], share, 1e-6);
        sum += share;
      }
      EXPECT_NEAR(sum, 1 - left, 1e-6);
    }
  }
}

TEST_F(DeepProduction, PointsLieWhereTheCameraSawThem) {
  const std::string deep = folder_.file("deep.exr"), csv = folder_.file("p.csv");
  outputOf({"deep", "capture", "atrium#interior", "--size", "20x12", "-o", deep});
  outputOf({"deep", "points", deep, "-o", csv});
  const DeepImage image = readDeepExr(deep);
  const glm::mat4 toNdc = *matrixNamed(*image.attributes, "worldToNDC"),
                  toCamera = *matrixNamed(*image.attributes, "worldToCamera");
  const auto number = [&](const char* name) {
    return load<float>(findAttribute(*image.attributes, name)->value.data());
  };
  // A pinhole's lens: the field of view by its focal length and sensor; all is sharp.
  EXPECT_NEAR(24 * 20 / 12.0 / number("pinholeFocalLength"), number("screenWindowWidth"), 1e-4);
  EXPECT_TRUE(std::isinf(number("aperture")));
  EXPECT_TRUE(std::isinf(number("focus")));
  std::istringstream lines(readText(csv));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "pixel_x,pixel_y,x,y,z,A,B,G,R,Z");
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    float px = 0, py = 0, x = 0, y = 0, z = 0, a = 0, b = 0, g = 0, r = 0, depth = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%f,%f,%f,%f,%f,%f,%f,%f,%f,%f", &px, &py, &x, &y, &z, &a,
                          &b, &g, &r, &depth),
              10);
    const glm::vec4 ndc = toNdc * glm::vec4(x, y, z, 1);
    EXPECT_NEAR(ndc.x / ndc.w * 20, px + 0.5f, 1e-2f);
    EXPECT_NEAR(ndc.y / ndc.w * 12, py + 0.5f, 1e-2f);
    EXPECT_NEAR((toCamera * glm::vec4(x, y, z, 1)).z, depth, 1e-3f * depth);
    ++count;
  }
  EXPECT_EQ(count, image.fragmentCount());
  // Arnold writes worldToScreen instead: -1 .. 1, y up.
  DeepImage arnold = image;
  Attributes attributes = *image.attributes;
  std::erase_if(attributes, [](const Attribute& a) { return a.name == "worldToNDC"; });
  const glm::mat4 toScreen(2, 0, 0, 0, 0, -2, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1);
  attributes.push_back(attributeOf("worldToScreen", toScreen * toNdc));
  arnold.attributes = std::make_shared<const Attributes>(attributes);
  writeDeepExr(folder_ / "arnold.exr", arnold);
  EXPECT_THAT(outputOf({"deep", "points", folder_.file("arnold.exr"), "-o", folder_.file("a.csv")}),
              HasSubstr("points in the world"));
  float x = 0, first = 0;
  const std::string a = readText(folder_.file("a.csv")), b = readText(csv);
  ASSERT_EQ(std::sscanf(a.c_str() + a.find('\n'), "\n%*f,%*f,%f", &x), 1);
  ASSERT_EQ(std::sscanf(b.c_str() + b.find('\n'), "\n%*f,%*f,%f", &first), 1);
  EXPECT_NEAR(x, first, 1e-4);
  outputOf({"deep", "points", deep, "-o", folder_.file("p.ply"), "--count", "50"});
  const std::string ply = readText(folder_.file("p.ply"));
  EXPECT_THAT(ply, HasSubstr("element vertex 50\n"));
  const std::size_t end = ply.find("end_header\n") + 11;
  ASSERT_EQ(ply.size() - end, 50u * 32);
  // Bytes for viewers, and the fragment's own floats.
  for (std::size_t i = 0; i < 50; ++i) {
    std::array<float, 4> color{};
    std::memcpy(color.data(), ply.data() + end + 32 * i + 16, sizeof color);
    bool found = false;
    for (std::size_t f = 0; f < image.fragmentCount() && !found; ++f) {
      const Fragment own = decodeFragment(image, f);
      found = color == std::array<float, 4>{own.r, own.g, own.b, own.a};
    }
    EXPECT_TRUE(found) << i;
  }
}

TEST_F(DeepProduction, RepairsAndLeftOutChannelsAreSaid) {
  DeepImage image = test::deepImage({0, 0, 1, 1}, {{{1, 0, 0, 1, 2, 2}, {0, 1, 0, 1, 1, 1}}});
  makeIndexed(image);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (DeepChannel& c : image.channels)
    if (c.name == "Z") store(c.values.data(), nan);
  image.channels.push_back({"id", ChannelType::Uint, std::vector<std::byte>(8)});
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
  image.words[2] = std::bit_cast<std::uint32_t>(nan);
  writeDeepExr(folder_ / "a.exr", image);
  const Outcome outcome = runFathom(
      {"deep", "flatten", folder_.file("a.exr"), "-o", folder_.file("a.png"), "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("1 NaN depths became infinite"));
  EXPECT_THAT(outcome.err, HasSubstr("left out id"));
  EXPECT_EQ(json::parse(outcome.out)["result"]["nan_depths"], 1);
}

TEST_F(DeepProduction, CompareSeesWindowsAndIds) {
  const Image picture(8, 6, glm::vec4(0.5f));
  for (const int shift : {0, 3}) {
    writeFlatExr(folder_ / (shift ? "b.exr" : "a.exr"), picture,
                 {.dataWindow = {shift, shift, 8, 6}, .displayWindow = {0, 0, 20, 20}});
  }
  EXPECT_EQ(runFathom({"compare", folder_.file("a.exr"), folder_.file("b.exr"), "--fail-max-above",
                       "0.1"})
                .code,
            3);
  for (const std::uint32_t id : {1u, 2u}) {
    DeepImage image = test::deepImage({0, 0, 1, 1}, {{{1, 0, 0, 1, 2, 2}}});
    makeIndexed(image);
    image.channels.push_back({"id", ChannelType::Uint, std::vector<std::byte>(4)});
    store(image.channels.back().values.data(), id);
    writeDeepExr(folder_ / fmt::format("{}.exr", id), image);
  }
  EXPECT_EQ(
      runFathom({"compare", folder_.file("1.exr"), folder_.file("2.exr"), "--fail-max-above", "0"})
          .code,
      3);
  outputOf({"compare", folder_.file("1.exr"), folder_.file("1.exr"), "--fail-max-above", "0"});
}

/// A channel of IDs, the fragment's number from 1 on.
void addIds(DeepImage& image, const std::string& name) {
  DeepChannel ids{name, ChannelType::Uint, std::vector<std::byte>(image.fragmentCount() * 4)};
  for (std::size_t i = 0; i < image.fragmentCount(); ++i)
    store(ids.values.data() + 4 * i, std::uint32_t(i + 1));
  image.channels.push_back(std::move(ids));
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
}

TEST_F(DeepProduction, AFlatCryptomatteIsKeyedByNames) {
  const std::string deep = folder_.file("deep.exr"), mattes = folder_.file("m.exr");
  outputOf({"deep", "capture", "atrium", "--with-ids", "--size", "40x24", "-o", deep});
  outputOf({"deep", "cryptomatte", deep, "-o", mattes});
  const Mattes all = decodeMattes(mattes);
  ASSERT_GT(all.names.size(), 1u);
  const std::string name = all.names.begin()->second;
  const auto keyed = [&](const std::string& ids) {
    outputOf({"deep", "cryptomatte", mattes, "--ids", ids, "-o", folder_.file("k.exr")});
    return readPicture(folder_ / "k.exr").image;
  };
  const Image one = keyed(name), every = keyed("*");
  double most = 0;
  for (std::size_t p = 0; p < one.pixels.size(); ++p) {
    double own = 0, sum = 0;
    for (const auto& [id, share] : all.pixels[p])
      sum += share, own += all.names.at(id) == name ? share : 0;
    EXPECT_NEAR(one.pixels[p].a, own, 1e-6);
    EXPECT_NEAR(every.pixels[p].r, sum, 1e-6);
    most = std::max(most, own);
  }
  EXPECT_GT(most, 0.5);
  EXPECT_THAT(
      refusalOf({"deep", "cryptomatte", mattes, "--ids", "nobody*", "-o", folder_.file("n.exr")}),
      HasSubstr("expected a Cryptomatte with IDs like \"nobody*\""));
}

TEST_F(DeepProduction, NamesOfRenderersChooseFragments) {
  DeepImage image = test::deepImage({0, 0, 2, 1}, {{{1, 0, 0, 1, 2, 2}}, {{0, 1, 0, 1, 3, 3}}});
  makeIndexed(image);
  addIds(image, "Id");
  const std::string text = "circle/small,green,2";
  std::vector<std::byte> list(4);
  store(list.data(), std::uint32_t(text.size()));
  for (const char c : text) list.push_back(std::byte(c));
  // The names of the IDs 0, 1 and 2 as openexrid packs them: a zlib stream, here of one stored
  // block.
  const std::string names("\0sky\0hero\0", 10);
  std::string packed("\x78\x01\x01\x0a\x00\xf5\xff", 7);
  std::uint32_t a = 1, b = 0;
  for (const char c : names) a = (a + std::uint32_t(c)) % 65521, b = (b + a) % 65521;
  packed += names + std::string{char(b >> 8), char(b), char(a >> 8), char(a)};
  const std::pair<Attribute, std::string> cases[] = {
      {{"objectID", "stringvector", list}, "circle*"}, {attributeOf("EXRIdNames", packed), "he?o"}};
  for (const auto& [attribute, pattern] : cases) {
    image.attributes = std::make_shared<const Attributes>(Attributes{attribute});
    writeDeepExr(folder_ / "a.exr", image);
    EXPECT_EQ(warningsOf({"deep", "merge", folder_.file("a.exr"), "--ids", pattern, "-o",
                          folder_.file("m.exr")}),
              "")
        << pattern;
    EXPECT_EQ(readDeepExr(folder_ / "m.exr").fragmentOffsets, (std::vector<std::size_t>{0, 0, 1}))
        << pattern;
  }
}

TEST_F(DeepProduction, FloatIdsAreMadeIds) {
  DeepImage image = test::deepImage({0, 0, 2, 1}, {{{1, 0, 0, 1, 2, 2}}, {{0, 1, 0, 1, 3, 3}}});
  makeIndexed(image);
  addIds(image, "id");
  writeDeepExr(folder_ / "uint.exr", image);
  const auto run = [&](const std::string& steps, const std::string& from, const std::string& to) {
    return runFathom({"deep", "run", "--do", steps, folder_.file(from), "-o", folder_.file(to)});
  };
  ASSERT_EQ(run("retype id=float", "uint.exr", "float.exr").code, 0);
  EXPECT_THAT(refusalOf({"deep", "merge", folder_.file("float.exr"), "--ids", "2", "-o",
                         folder_.file("m.exr")}),
              HasSubstr("retype NAME=uint"));
  ASSERT_EQ(run("retype id=uint", "float.exr", "again.exr").code, 0);
  EXPECT_TRUE(sameFragments(readDeepExr(folder_ / "again.exr"), image));
}

TEST_F(DeepProduction, RetimedFramesAreTheNearestOfTheFiles) {
  for (int frame = 1; frame <= 9; ++frame)
    writeDeepExr(folder_ / fmt::format("a.{}.exr", frame),
                 sphereField({9, 7, 3, std::uint32_t(frame)}));
  const auto retimed = [&](const std::string& speed, const std::string& offset) {
    outputOf({"deep", "merge", folder_.file("a.#.exr"), "-o", folder_.file("o.#.exr"), "--frames",
              "5-8", "--retime=" + speed, "--frame-offsets", offset});
    std::string files;
    for (int frame = 5; frame <= 8; ++frame)
      for (int from = 1; from <= 9; ++from)
        if (sameFragments(readDeepExr(folder_ / fmt::format("o.{}.exr", frame)),
                          readDeepExr(folder_ / fmt::format("a.{}.exr", from))))
          files += std::to_string(from);
    return files;
  };
  EXPECT_EQ(retimed("0.5", "0"), "5667");
  EXPECT_EQ(retimed("-1", "0"), "5432");
  EXPECT_EQ(retimed("0", "2"), "3333");
  for (const char* wrong : {"fast", "nan", "1,1"})
    EXPECT_EQ(runFathom({"deep", "merge", folder_.file("a.#.exr"), "-o", folder_.file("o.#.exr"),
                         "--frames", "5", "--retime", wrong})
                  .code,
              2)
        << wrong;
  EXPECT_THAT(refusalOf({"deep", "merge", folder_.file("a.#.exr"), "-o", folder_.file("o.#.exr"),
                         "--retime", "2"},
                        2),
              HasSubstr("--retime: expected --frames"));
}

TEST_F(DeepProduction, StepsOfAnotherCommandAreRefused) {
  writeDeepExr(folder_ / "a.exr", sphereField({9, 7, 3, 3}));
  EXPECT_THAT(
      refusalOf(
          {"deep", "merge", folder_.file("a.exr"), "--do", "tidy", "-o", folder_.file("m.exr")}, 2),
      HasSubstr("--do: expected the command deep run, found deep merge"));
}

TEST_F(DeepProduction, AMisspelledZBackIsSaid) {
  writeDeepExr(folder_ / "a.exr", sphereField({9, 7, 3, 3, true}));
  outputOf({"deep", "run", "--do", "rename ZBack=Zback", folder_.file("a.exr"), "-o",
            folder_.file("b.exr")});
  EXPECT_THAT(warningsOf({"deep", "flatten", folder_.file("b.exr"), "-o", folder_.file("b.png")}),
              HasSubstr("\"Zback\" is no \"ZBack\""));
}

TEST_F(DeepProduction, SequencesAreDescribedInspectedAndCompared) {
  for (int frame = 1001; frame <= 1003; ++frame) {
    writeDeepExr(folder_ / fmt::format("a.{}.exr", frame), sphereField({9, 7, 3, 3}));
    writeDeepExr(folder_ / fmt::format("b.{}.exr", frame),
                 sphereField({9, 7, 3, frame == 1002 ? 4u : 3u}));
  }
  EXPECT_THAT(outputOf({"info", folder_.file("a.####.exr")}), HasSubstr("a.1003.exr"));
  const std::string out =
      outputOf({"deep", "inspect", folder_.file("a.1001-1002#.exr"), "--pixel", "3,3"});
  EXPECT_THAT(out, HasSubstr("frame 1002: "));
  EXPECT_THAT(out, Not(HasSubstr("frame 1003: ")));
  const Outcome compare = runFathom(
      {"compare", folder_.file("a.#.exr"), folder_.file("b.#.exr"), "--fail-max-above", "0"});
  EXPECT_EQ(compare.code, 3) << compare.err;
  EXPECT_THAT(compare.out, HasSubstr("frame 1001 identical yes"));
  EXPECT_THAT(compare.out, HasSubstr("frame 1002 identical no"));
  EXPECT_THAT(compare.out, HasSubstr("frame 1003 identical yes"));
  EXPECT_THAT(outputOf({"compare", folder_.file("a.#.exr"), folder_.file("b.1001-1002#.exr")}),
              Not(HasSubstr("frame 1003")));
}

TEST_F(DeepProduction, FramesListedInANameHoldForAll) {
  for (const int frame : {1, 2, 4})
    for (const char* name : {"a", "b"})
      writeDeepExr(folder_ / fmt::format("{}.{}.exr", name, frame), sphereField({5, 3, 2, 1}));
  const auto merging = [&](const char* a, const char* out, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"deep", "merge", folder_.file(a), folder_.file("b.#.exr"), "-o",
                               folder_.file(out)});
    return more;
  };
  const auto count = [&](const std::vector<std::string>& arguments) {
    return jsonOf(arguments)["result"]["frames"].get<int>();
  };
  EXPECT_EQ(count(merging("a.1-2#.exr", "o.#.exr")), 2);
  EXPECT_EQ(count(merging("a.#.exr", "o.1-2#.exr")), 2);
  EXPECT_EQ(count(merging("a.1-2#.exr", "o.#.exr", {"--frames", "2"})), 1);
  EXPECT_THAT(refusalOf(merging("a.1-2#.exr", "o.#.exr", {"--frames", "2-4"}), 2),
              HasSubstr("expected frames of " + folder_.file("a.1-2#.exr") + ", found 3"));
  EXPECT_THAT(refusalOf(merging("a.1-2#.exr", "o.1-4#.exr"), 2), HasSubstr("found others"));
  EXPECT_EQ(count(merging("a.#.exr", "h.#.exr", {"--missing", "hold"})), 4);  // 3, too
}

TEST_F(DeepProduction, AMergeOfOneTidyFileStaysTidy) {
  writeDeepExr(folder_ / "a.exr", sphereField({9, 7, 3, 3}));
  const auto merge = [&](std::vector<std::string> inputs, std::vector<std::string> more) {
    inputs.insert(inputs.begin(), {"deep", "merge"});
    inputs.insert(inputs.end(), {"-o", folder_.file("m.exr")});
    inputs.insert(inputs.end(), more.begin(), more.end());
    outputOf(inputs);
    return describeExr(folder_ / "m.exr").parts.at(0).state;
  };
  EXPECT_EQ(merge({folder_.file("a.exr")}, {"--tidy", "on"}), "tidy");
  std::filesystem::rename(folder_ / "m.exr", folder_ / "t.exr");
  EXPECT_EQ(merge({folder_.file("t.exr")}, {}), "tidy");
  EXPECT_EQ(merge({folder_.file("t.exr")}, {"--z-ranges", "0:4"}), "sorted");
  EXPECT_EQ(merge({folder_.file("t.exr"), folder_.file("a.exr")}, {}), "sorted");
}

TEST_F(DeepProduction, AReadOnlyFileIsNotReplaced) {
  writeDeepExr(folder_ / "a.exr", sphereField({9, 7, 3, 3}));
  const std::filesystem::path published = folder_.write("b.exr", "published");
  std::filesystem::permissions(published, std::filesystem::perms::owner_read);
  EXPECT_THAT(refusalOf({"deep", "merge", folder_.file("a.exr"), "-o", published.string()}),
              HasSubstr("found a read-only one"));
  EXPECT_EQ(readText(published), "published");
}

}  // namespace
}  // namespace fathom::deep
