// SPDX-License-Identifier: BSD-3-Clause
// fathom dof render | variants, run as a user would.
#include "app/engine/core/bytes.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/cryptomatte.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/picture.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"
#include "tests/support/tolerance.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <nlohmann/json.hpp>

namespace fathom::dof {
namespace {

class DofCommand : public testing::Test {
 protected:
  std::string exr(bool withZ) {
    std::vector<float> depth(64 * 48, 8.0f);
    std::fill(depth.begin(), depth.begin() + 1500, 3.0f);
    FlatExrOptions options;
    if (withZ) options.depth = depth;
    options.attributes =
        std::make_shared<const Attributes>(Attributes{attributeOf("comments", "take 3")});
    writeFlatExr(folder_.file("in.exr"), Image(64, 48, glm::vec4(0.5f)), options);
    return folder_.file("in.exr");
  }
  TempFolder folder_;
};

TEST_F(DofCommand, RendersAnExrWithZ) {
  const auto json =
      jsonOf({"dof", "render", exr(true), "--focus-distance", "8", "-o", folder_.file("out.exr")});
  EXPECT_EQ(json["result"]["variant"], "smooth");
  EXPECT_GE(json["result"]["entries"], 64 * 48);
  EXPECT_GT(json["result"]["mean_list"], 0);
  EXPECT_EQ(readPicture(folder_.file("out.exr")).image.width, 64);
  EXPECT_EQ(textNamed(readAttributes(folder_.file("out.exr")).at(0), "comments"), "take 3");
}

/// Windows, aspect and alpha stay; without blur, depth of field is `deep flatten`, with volumes
/// too.
TEST_F(DofCommand, WithoutBlurItIsFlattening) {
  DeepImage image = test::sphereField({.width = 40, .height = 30, .withZBack = true});
  image.dataWindow.x = 7, image.dataWindow.y = -3;
  image.displayWindow = {0, 0, 64, 32};
  image.pixelAspect = 2;
  writeDeepExr(folder_.file("deep.exr"), image);
  outputOf(
      {"deep", "flatten", folder_.file("deep.exr"), "--float", "-o", folder_.file("flat.exr")});
  outputOf({"dof", "render", folder_.file("deep.exr"), "--float", "--focal-length", "1",
            "--f-number", "64", "--mm-per-unit", "1000", "-o", folder_.file("dof.exr")});
  const Picture a = readPicture(folder_.file("flat.exr")), b = readPicture(folder_.file("dof.exr"));
  EXPECT_EQ(b.dataWindow, image.dataWindow);
  EXPECT_EQ(b.displayWindow, image.displayWindow);
  EXPECT_EQ(b.pixelAspect, 2);
  ASSERT_EQ(a.dataWindow, b.dataWindow);
  for (std::size_t i = 0; i < a.image.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c)
      ASSERT_NEAR(a.image.pixels[i][c], b.image.pixels[i][c], 1e-6f) << i << " " << c;
}

/// Around a data window is nothing, and blur shows there.
TEST_F(DofCommand, ATightDataWindowBlursAsAWholeFrame) {
  DeepImage image = test::sphereField({.width = 24, .height = 18});
  image.dataWindow.x = 20, image.dataWindow.y = 15;
  image.displayWindow = {0, 0, 64, 48};
  writeDeepExr(folder_.file("tight.exr"), image);
  const Rect own = image.dataWindow;
  std::vector<DeepImage> one;
  one.push_back(std::move(image));
  DeepImage whole = together(std::move(one), {0, 0, 64, 48});
  whole.displayWindow = whole.dataWindow, whole.sorted = true;
  writeDeepExr(folder_.file("whole.exr"), whole);
  const auto blurred = [&](const std::string& name) {
    outputOf({"dof", "render", folder_.file(name), "--float", "--focus-distance", "1000",
              "--mm-per-unit", "10", "--max-radius", "8", "-o", folder_.file("o.exr")});
    return readPicture(folder_.file("o.exr"));
  };
  const Picture a = blurred("tight.exr"), b = blurred("whole.exr");
  EXPECT_LT(a.dataWindow.x, own.x);
  EXPECT_GT(a.dataWindow.right(), own.right());
  EXPECT_EQ(inWindow(a.image, a.dataWindow, b.dataWindow, "a").pixels, b.image.pixels);
}

/// Without blur, hold-outs are those of `deep flatten`.
TEST_F(DofCommand, HoldOutsHaveTheRolesOfDeep) {
  const std::string image = folder_.file("image.exr"), matte = folder_.file("matte.exr");
  writeDeepExr(image, test::sphereField({.width = 40, .height = 30}));
  writeDeepExr(matte, test::sphereField({.width = 40, .height = 30, .seed = 2, .withZBack = true}));
  const auto dof = [&](const std::string& roles, const std::string& more = "--float") {
    return std::vector<std::string>{"dof",
                                    "render",
                                    image,
                                    matte,
                                    "--roles",
                                    roles,
                                    more,
                                    "--focal-length",
                                    "1",
                                    "--f-number",
                                    "64",
                                    "--mm-per-unit",
                                    "1000",
                                    "-o",
                                    folder_.file("dof.exr")};
  };
  outputOf({"deep", "flatten", image, matte, "--roles", "add,hold-out", "--float", "-o",
            folder_.file("flat.exr")});
  for (const char* roles : {"add,hold-out", "add,blurred-hold-out"}) {
    outputOf(dof(roles));
    EXPECT_TRUE(test::rounding(readPicture(folder_.file("dof.exr")).image,
                               readPicture(folder_.file("flat.exr")).image, 1e-5f))
        << roles;
  }
  EXPECT_THAT(refusalOf(dof("hold-out,add"), 2), HasSubstr("expected add for the first input"));
  EXPECT_THAT(refusalOf(dof("add,add,hold-out"), 2), HasSubstr("found \"hold-out\" as number 3"));
  EXPECT_THAT(refusalOf(dof("add,hold-in"), 2), HasSubstr("found \"hold-in\" as number 2"));
  EXPECT_THAT(refusalOf(dof("add,hold-out", "--operator=gather")), HasSubstr("smooth discs"));
  EXPECT_THAT(refusalOf({"dof", "render", "planes", matte, "--roles", "add,blurred-hold-out", "-o",
                         folder_.file("dof.exr")},
                        2),
              HasSubstr("planes: expected deep EXRs beside a blurred hold-out"));
}

TEST_F(DofCommand, ADeepImageFlattensToTheImage) {
  const std::string deep = folder_.file("deep.exr");
  for (const std::string& input : {exr(true), std::string("planes:count=2,spheres=8")}) {
    const std::string warning = warningsOf({"dof", "render", input, "--float", "--size", "40x24",
                                            "--deep", deep, "-o", folder_.file("dof.exr")});
    EXPECT_THAT(warning, HasSubstr("blur what it is merged with by --focus-distance "));
    outputOf({"deep", "flatten", deep, "--float", "-o", folder_.file("flat.exr")});
    const Picture a = readPicture(folder_.file("flat.exr")),
                  b = readPicture(folder_.file("dof.exr"));
    ASSERT_EQ(a.dataWindow, b.dataWindow);
    EXPECT_TRUE(test::rounding(a.image, b.image, 1e-4f));
  }
  EXPECT_EQ(warningsOf({"dof", "render", exr(true), "--focus-distance", "3", "--mm-per-unit",
                        "1000", "--deep", deep, "-o", folder_.file("dof.exr")}),
            "");
  EXPECT_THAT(refusalOf({"dof", "render", exr(true), "--operator", "slabs", "--deep", deep, "-o",
                         folder_.file("dof.exr")}),
              HasSubstr("--deep: expected operator coverage, over or lens-cells"));
  EXPECT_THAT(refusalOf({"dof", "render", exr(true), "--show", "circles", "--deep", deep, "-o",
                         folder_.file("dof.exr")}),
              HasSubstr("--deep: expected --show picture"));
  EXPECT_THAT(refusalOf({"dof", "render", exr(true), "--deep", folder_.file("deep.png"), "-o",
                         folder_.file("dof.exr")},
                        2),
              HasSubstr("deep.png: expected a file name that ends in .exr or .fdp"));
}

TEST_F(DofCommand, APullIsAFilm) {
  outputOf({"dof", "render", exr(true), "--focus", "3:8@1-3", "-o", folder_.file("f.%03d.png")});
  const Image first = readPicture(folder_.file("f.001.png")).image;
  const Image last = readPicture(folder_.file("f.003.png")).image;
  EXPECT_TRUE(std::filesystem::exists(folder_.file("f.002.png")));
  EXPECT_EQ(first.width, last.width);
  EXPECT_EQ(
      runFathom({"dof", "render", exr(true), "--focus", "3:8@1-3", "-o", folder_.file("f.png")})
          .code,
      2);
}

/// By the name that the manifest has for an ID, as by the ID.
TEST_F(DofCommand, FocusIsOnAnObjectByItsName) {
  const std::string deep = folder_.file("ids.exr");
  outputOf({"deep", "capture", "atrium", "--with-ids", "--size", "40x24", "-o", deep});
  const auto focus = [&](const std::string& ids) {
    return jsonOf({"dof", "render", deep, "--focus-id", ids, "-o",
                   folder_.file("f.exr")})["result"]["focus"]
        .get<double>();
  };
  EXPECT_EQ(focus("interior"), focus(std::to_string(murmurHash3("interior"))));
  EXPECT_NE(focus("interior"), focus("exterior|sky*|*"));
  EXPECT_THAT(
      refusalOf({"dof", "render", deep, "--focus-id", "nobody", "-o", folder_.file("f.exr")}),
      HasSubstr("expected fragments of ID nobody"));
}

/// As `deep` does: frames that are missing, views, and what is there already.
TEST_F(DofCommand, SequencesHaveTheFlagsOfDeep) {
  for (const int frame : {1, 3})
    for (const char* view : {"left", "right"})
      std::filesystem::copy_file(exr(true), folder_.file(fmt::format("{}.{:02}.exr", view, frame)));
  const auto render = [&](std::vector<std::string> flags) {
    std::vector<std::string> words{"dof", "render", folder_.file("%V.##.exr"), "-o",
                                   folder_.file("out.%V.##.exr")};
    words.insert(words.end(), flags.begin(), flags.end());
    return runFathom(words);
  };
  const Outcome missing = render({"--frames", "1-3"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("frame 2 left: "));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("out.right.03.exr")));  // the others are done
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out.left.02.exr")));
  const Outcome held = render({"--frames", "1-3", "--missing", "hold", "--resume"});
  EXPECT_EQ(held.code, 0) << held.err;
  EXPECT_THAT(held.out, HasSubstr("2 frames done, 4 skipped"));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("out.left.02.exr")));
}

/// One frame of a film that is rendered by itself has the scale, and so the blur, of its first one.
TEST_F(DofCommand, AFrameByItselfHasTheScaleOfTheFilm) {
  for (const int frame : {1, 2}) {
    std::vector<float> depth(64 * 48, frame == 1 ? 4000.0f : 4.0f);
    for (std::size_t i = 0; i < 1000; ++i) depth[i] *= 2;
    writeFlatExr(folder_.file(fmt::format("shot.{}.exr", frame)), Image(64, 48, glm::vec4(0.5f)),
                 {.depth = depth});
  }
  const auto scale = [&](const std::string& frames) {
    const auto json = jsonOf({"dof", "render", folder_.file("shot.#.exr"), "--frames", frames,
                              "--focus-distance", "4", "-o", folder_.file("out.#.exr")});
    return json["result"]["2 mm_per_unit"].get<double>();
  };
  const double film = scale("1-2");
  EXPECT_NE(film, 1000);
  std::filesystem::remove(folder_.file("out.2.exr"));
  EXPECT_EQ(scale("2"), film);
}

/// A picture of the aperture: its light arrives, and it has its shape.
TEST_F(DofCommand, ABokehPictureIsTheShapeOfADisc) {
  Image spot(64, 64, glm::vec4(0, 0, 0, 1));
  spot.at(32, 32) = {50, 50, 50, 1};
  const std::vector<float> depth(64 * 64, 8.0f);
  writeFlatExr(folder_.file("spot.exr"), spot, {.asFloat = true, .depth = depth});
  Image bokeh(16, 16, glm::vec4(0, 0, 0, 1));  // its left half
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 8; ++x) bokeh.at(x, y) = glm::vec4(1);
  writePicture(folder_.file("bokeh.png"), bokeh);
  const auto render = [&](const char* focus) {
    outputOf({"dof", "render", folder_.file("spot.exr"), "--bokeh", folder_.file("bokeh.png"),
              "--mm-per-unit", "1000", "--focal-length", "300", "--f-number", "0.5",
              "--focus-distance", focus, "--float", "-o", folder_.file("out.exr")});
    glm::dvec3 sum(0);  // light left and right of the spot, and all of it
    const Image out = readPicture(folder_.file("out.exr")).image;
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)
        sum += double(out.at(x, y).g) * glm::dvec3(x < 32 ? 1 : 0, x > 32 ? 1 : 0, 1);
    return sum;
  };
  const glm::dvec3 far = render("4"), near = render("20");
  SCOPED_TRACE(
      fmt::format("far {} {} {}, near {} {} {}", far.x, far.y, far.z, near.x, near.y, near.z));
  EXPECT_NEAR(far.z, 50, 0.5);
  EXPECT_NEAR(near.z, 50, 0.5);
  EXPECT_GT(std::abs(far.x - far.y), 0.6 * 50);
  EXPECT_LT((far.x - far.y) * (near.x - near.y), 0);  // before the focus, upside down
}

/// A mask per frame of a film, a channel by its name, and what is wrong with others.
TEST_F(DofCommand, AFocusMaskMayBeAFilmToo) {
  Image spot(64, 64, glm::vec4(0, 0, 0, 1));
  spot.at(32, 32) = {50, 50, 50, 1};
  FlatExrOptions options;
  const std::vector<float> depth(64 * 64, 8.0f);
  options.depth = depth;
  for (const int frame : {1, 2}) {
    writeFlatExr(folder_.file(fmt::format("spot.{}.exr", frame)), spot, options);
    const auto value = float(frame - 1);
    writePicture(folder_.file(fmt::format("mask.{}.png", frame)),
                 Image(64, 64, glm::vec4(value, 1 - value, 0, 1)));
  }
  const auto render = [&](const std::string& mask) {
    return runFathom({"dof", "render", folder_.file("spot.#.exr"), "--mask", folder_.file(mask),
                      "--mm-per-unit", "1000", "--focal-length", "300", "--f-number", "0.5",
                      "--focus-distance", "4", "-o", folder_.file("out.#.exr")});
  };
  const auto left = [&](int frame) {  // where the light was
    return readPicture(folder_.file(fmt::format("out.{}.exr", frame))).image.at(32, 32).g;
  };
  EXPECT_EQ(render("mask.#.png").code, 0);
  EXPECT_GT(left(1), 49);
  EXPECT_LT(left(2), 1);
  EXPECT_EQ(render("mask.#.png:G").code, 0);
  EXPECT_LT(left(1), 1);
  EXPECT_GT(left(2), 49);
  writePicture(folder_.file("small.png"), Image(8, 6, glm::vec4(1)));
  for (const auto& [mask, said] :
       {std::pair("spot.1.exr:mask",
                  "spot.1.exr: expected a focus mask in channel mask, found A, B, G, R"),
        {"small.png", "small.png: expected a focus mask of 64x64 pixels"}}) {
    const Outcome outcome = render(mask);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr(said));
  }
}

TEST_F(DofCommand, RendersASceneThroughAVariant) {
  const std::string out = folder_.file("out.png");
  outputOf({"dof", "render", "planes:count=1,spheres=8,alpha=1", "--size", "48x32", "--operator",
            "over", "--variant", "block.check.a.inplace.none.l1.load.btf.int", "-o", out});
  refusalOf({"dof", "render", exr(true), "--variant", "best", "-o", out}, 2);
}

TEST_F(DofCommand, WhatCannotBeIsRefused) {
  const std::string out = folder_.file("out.png");
  EXPECT_THAT(refusalOf({"dof", "render", exr(false), "-o", out}),
              HasSubstr("in.exr: expected a Z channel"));
  EXPECT_THAT(refusalOf({"dof", "render", exr(true), "--operator", "lens", "-o", out}),
              HasSubstr("expected a scene"));
  EXPECT_THAT(refusalOf({"dof", "render", exr(true), "--f-number", "-2", "-o", out}, 2),
              HasSubstr("f-number"));
}

TEST_F(DofCommand, WhatHasNoEffectIsSaid) {
  const std::string in = exr(true), out = folder_.file("out.png"),
                    heart = folder_.file("heart.png");
  writePicture(heart, Image(8, 8, glm::vec4(1)));
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"--supersample", "2", "-o", out}, "one sample per pixel"},
      {{"--size", "32x24", "-o", out}, "--size 32x24, found a file: it keeps its 64x48 pixels"},
      {{"--bokeh", heart, "--blades", "6", "-o", out},
       "--blades: ignored, the bokeh image is the aperture"},
      {{"--focus", "3:8@1-2", "--focus-distance", "6", "-o", folder_.file("f.%d.png")},
       "--focus-distance 6: the focus pull sets the focus instead"},
  };
  for (const auto& [flags, part] : cases) {
    std::vector<std::string> words{"dof", "render", in};
    words.insert(words.end(), flags.begin(), flags.end());
    EXPECT_THAT(warningsOf(words), HasSubstr(part));
  }
}

/// Lens pictures of the benches of faults are taken from the folder that is named.
TEST_F(DofCommand, LensPicturesAreKept) {
  writePicture(folder_.file("planes-far-none-32x18-256x2.exr"), Image(8, 8));
  const Outcome outcome = runFathom({"bench", "dof.faults.planes", folder_.file("."), "--quick",
                                     "--size", "32x18", "--trials", "1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("expected an image of 32 x 18, found 8 x 8"));
}

TEST_F(DofCommand, ABenchEndsWhenInterrupted) {
  const RunOptions options{.interruptAfterMs = 1500};
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = runFathom({"bench", "dof.faults.hairball", folder_.file("."), "--json",
                                     folder_.file("rows.json"), "--size", "160x90"},
                                    options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("fathom: interrupted"));
  EXPECT_LT(took.count(), 10);  // all of it takes minutes
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(DofCommand, AFirstLayerOfFaintSurfacesIsSaidToBeEmpty) {
  const auto said = [&](std::vector<std::string> more) {
    std::vector<std::string> command{"dof",  "render", "planes:count=2,spheres=2", "--size",
                                     "16x9", "-o",     folder_.file("out.png")};
    command.insert(command.end(), more.begin(), more.end());
    return runFathom(command).err;
  };
  EXPECT_THAT(said({"--operator", "gather"}), HasSubstr("alpha above 0.5"));
  EXPECT_THAT(said({"--layers", "first"}), HasSubstr("alpha above 0.5"));
  EXPECT_EQ(said({}), "");
}

TEST_F(DofCommand, ListsAllVariants) {
  const std::string out = outputOf({"dof", "variants"});
  EXPECT_THAT(out, HasSubstr("chunk: "));
  const std::string ids = out.substr(out.find("\n\n") + 2);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), '\n'), 320);
}

/// 48 x 40 pixels that begin at (3, -2): color under a soft edge of alpha, AOVs, IDs and ranks.
class DofChannels : public DofCommand {
 protected:
  static constexpr int kWidth = 48, kHeight = 40, kCount = kWidth * kHeight;
  static float alphaAt(int i) { return i % kWidth < 30 ? 1 : i % kWidth < 34 ? 0.5f : 0; }
  DeepChannel channel(const std::string& name, ChannelType type, const auto& valueAt) {
    DeepChannel made{name, type, std::vector<std::byte>(kCount * bytesPerValue(type))};
    for (int i = 0; i < kCount; ++i) setChannelValue(made, std::size_t(i), valueAt(i));
    return made;
  }
  DeepChannel bits(const std::string& name, const auto& valueAt) {
    DeepChannel made{name, ChannelType::Float, std::vector<std::byte>(4 * kCount)};
    for (int i = 0; i < kCount; ++i) store(&made.values[4 * std::size_t(i)], valueAt(i));
    return made;
  }
  std::string flat(std::vector<DeepChannel> more) {
    const ChannelType half = ChannelType::Half;
    for (const char* name : {"R", "G", "B"})
      more.push_back(channel(name, half, [](int i) { return alphaAt(i) * float(i % 7) / 7; }));
    more.push_back(channel("A", half, alphaAt));
    more.push_back(channel("Z", ChannelType::Float, [](int i) {
      return alphaAt(i) == 0 ? INFINITY : i / kWidth < 20 ? 3.0f : 9.0f;
    }));
    DeepImage like;
    like.dataWindow = {3, -2, kWidth, kHeight}, like.displayWindow = {0, 0, 64, 36};
    like.pixelAspect = 2;
    Attributes attributes{attributeOf("comments", "take 3")};
    addCryptomatte(attributes, "crypto_object", {{"hero", 77}, {"tree", 88}});
    like.attributes = std::make_shared<const Attributes>(attributes);
    FlatChannelWriter writer(folder_.file("aovs.exr"), like, more);
    writer.writeRows(more, kHeight);
    writer.finish();
    return folder_.file("aovs.exr");
  }
  std::vector<std::string> render(const std::string& in, std::vector<std::string> flags) {
    std::vector<std::string> words{
        "dof", "render", in,  "--focus-distance", "3", "--mm-per-unit", "1000", "--max-radius",
        "8",   "-o",     out_};
    words.insert(words.end(), flags.begin(), flags.end());
    return words;
  }
  std::vector<float> read(const std::string& channel) { return loadExrChannel(out_, 0, channel); }
  const std::string out_ = folder_.file("out.exr");
};

TEST_F(DofChannels, AllOfThemStayWhatTheyAre) {
  const ChannelType half = ChannelType::Half, full = ChannelType::Float;
  const auto id = [](std::uint32_t one, std::uint32_t other) {
    return [=](int i) { return i % kWidth < 15 ? one : other; };
  };
  const auto share = [](float first) { return [=](int i) { return first * alphaAt(i); }; };
  const std::string in =
      flat({channel("N.X", half, [](int) { return -1; }),
            channel("odd name!", full, [](int) { return 2; }), channel("a..b", half, alphaAt),
            channel("diffuse.R", full, share(0.25f)),
            channel("object.id", ChannelType::Uint, [](int i) { return i / kWidth / 4; }),
            bits("crypto_object00.R", id(77, 88)), bits("crypto_object00.G", share(0.75f)),
            bits("crypto_object00.B", id(88, 77)), bits("crypto_object00.A", share(0.25f)),
            bits("crypto_object.R", share(1))});
  const auto json = jsonOf(render(in, {"--channels", "all"}));
  EXPECT_EQ(json["result"]["ids"], 12);
  EXPECT_GE(json["result"]["matte_passes"], 2);
  const ExrPartInfo part = exrParts(out_).at(0);
  EXPECT_EQ(part.dataWindow, (Rect{3, -2, kWidth, kHeight}));
  EXPECT_EQ(part.displayWindow, (Rect{0, 0, 64, 36}));
  EXPECT_EQ(part.pixelAspect, 2);
  const auto typeOf = [&](const std::string& name) {
    for (const ExrPartInfo::Channel& c : part.channels)
      if (c.name == name) return c.type;
    ADD_FAILURE() << name << " among " << part.channelNames();
    return ChannelType::Uint;
  };
  for (const char* name : {"R", "A", "N.X", "a..b"}) EXPECT_EQ(typeOf(name), half) << name;
  for (const char* name : {"Z", "odd name!", "diffuse.R", "crypto_object00.R", "crypto_object.R",
                           "crypto_object_id00.G"})
    EXPECT_EQ(typeOf(name), full) << name;
  EXPECT_FALSE(part.has("object.id"));
  EXPECT_EQ(textNamed(*part.attributes, "comments"), "take 3");
  for (const Cryptomatte& mattes : cryptomattesOf(*part.attributes, folder_.path())) {
    const bool own = mattes.layer == "crypto_object_id";
    EXPECT_TRUE(own || mattes.layer == "crypto_object") << mattes.layer;
    EXPECT_EQ(mattes.ids.at(own ? "id_9" : "hero"), own ? cryptomatteId("id_9") : 77);
  }

  const std::vector<float> alpha = read("A"), normal = read("N.X"), diffuse = read("diffuse.R");
  std::vector<float> sums[2]{std::vector<float>(kCount), std::vector<float>(kCount)}, hero(kCount);
  for (int rank = 0; rank < 6; ++rank)
    for (const int own : {0, 1}) {
      const std::string base =
          fmt::format("{}{:02}.", own ? "crypto_object_id" : "crypto_object", rank / 2);
      const std::vector<float> ids = read(base + (rank % 2 ? "B" : "R")),
                               shares = read(base + (rank % 2 ? "A" : "G"));
      for (std::size_t i = 0; i < kCount; ++i) {
        sums[own][i] += shares[i];
        if (!own && std::bit_cast<std::uint32_t>(ids[i]) == 77) hero[i] = shares[i];
      }
    }
  bool isBlurred = false;
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_NEAR(sums[0][i], alpha[i], 1e-3f) << i;
    ASSERT_NEAR(sums[1][i], alpha[i], 1e-3f) << i;
    ASSERT_NEAR(diffuse[i], 0.25f * alpha[i], 1e-3f) << i;
    ASSERT_NEAR(normal[i], alpha[i] > 0 ? -1 : 0, 1e-3f) << i;
    isBlurred |= hero[i] > 0.3f && hero[i] < 0.7f;
  }
  EXPECT_TRUE(isBlurred);
}

TEST_F(DofChannels, TheyAreChosenByNamesAndLayers) {
  const std::string in = flat({channel("N.X", ChannelType::Half, [](int) { return -1; }),
                               channel("N.Y", ChannelType::Half, [](int) { return 1; }),
                               bits("crypto_object00.R", [](int) { return 77u; }),
                               bits("crypto_object00.G", alphaAt)});
  const auto names = [&](const std::string& list) {
    EXPECT_EQ(warningsOf(render(in, {"--channels", list})), "");
    return exrParts(out_).at(0).channelNames();
  };
  EXPECT_EQ(names("N"), "A, B, G, N.X, N.Y, R");
  EXPECT_EQ(names("?.Y,Z,R"), "A, B, G, N.Y, R, Z");
  EXPECT_THAT(names("crypto*"), HasSubstr("R, crypto_object00.A, crypto_object00.B"));
  EXPECT_THAT(warningsOf(render(in, {})), HasSubstr("would be, too: N.X, N.Y, crypto_object"));
  outputOf({"dof", "render", in, "--channels", "all", "--focus", "4:4@1-2", "-o",
            folder_.file("f.%d.exr")});
  EXPECT_EQ(readFile(folder_.file("f.1.exr")), readFile(folder_.file("f.2.exr")));
  // As an artist knows better.
  outputOf(render(in, {"--channels", "N", "--straight", "none", "--float"}));
  const std::vector<float> alpha = read("A"), normal = read("N.Y");
  EXPECT_NEAR(normal[0], 1, 1e-5f);
  EXPECT_NEAR(normal[kWidth - 1], 1, 1e-5f);  // also where nothing is seen
  EXPECT_EQ(alpha[kWidth - 1], 0);

  EXPECT_THAT(
      refusalOf(render(in, {"--channels", "N,P"})),
      HasSubstr("aovs.exr: expected a channel \"P\", found N.X, N.Y, Z, crypto_object00.G"));
  EXPECT_THAT(refusalOf(render(in, {"--channels", "N", "--operator", "gather"})),
              HasSubstr("--channels: expected operator coverage, over, slabs or lens-cells"));
  EXPECT_THAT(refusalOf(render(in, {"--channels", "N", "--show", "circles"})),
              HasSubstr("--channels: expected --show picture"));
  EXPECT_THAT(refusalOf(render("atrium", {"--channels", "N"})), HasSubstr("expected an EXR"));
  EXPECT_THAT(refusalOf(render(in, {"--straight", "N"}), 2), HasSubstr("expected --channels LIST"));
  EXPECT_THAT(refusalOf({"dof", "render", in, "--channels", "N", "-o", folder_.file("o.png")}, 2),
              HasSubstr("expected an EXR as output"));
  std::filesystem::resize_file(in, std::filesystem::file_size(in) - 500);
  EXPECT_THAT(refusalOf(render(in, {"--channels", "N"})), HasSubstr("aovs.exr: expected"));
}

/// Without blur, AOVs are those of `deep flatten`, with volumes too, where fragments that became
/// one share their IDs here; and Z is that of the blurred deep image.
TEST_F(DofChannels, DeepOnesAreThoseOfFlatten) {
  const std::string in = folder_.file("deep.exr"), flat = folder_.file("flat.exr");
  for (const bool volumes : {true, false}) {
    DeepImage image = test::sphereField({.width = 40, .height = 30, .withZBack = volumes});
    makeIndexed(image);
    for (DeepChannel& c : image.channels) {  // flattening rounds what it cuts to their type
      const DeepChannel before = std::exchange(c, {c.name, ChannelType::Float, {}});
      c.values.resize(4 * image.fragmentCount());
      for (std::size_t i = 0; i < image.fragmentCount(); ++i)
        setChannelValue(c, i, channelValue(before, i));
    }
    DeepChannel ids{"id", ChannelType::Uint, {}}, light{"spec.R", ChannelType::Float, {}};
    for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
      const auto append = [](DeepChannel& to, auto value) {
        to.values.resize(to.values.size() + 4);
        store(&to.values[to.values.size() - 4], value);
      };
      append(ids, std::uint32_t(i % 5));
      append(light, float(i % 3) * decodeFragment(image, i).a);
    }
    image.channels.push_back(ids), image.channels.push_back(light);
    writeDeepExr(in, image);
    outputOf(
        render(in, {"--channels", "all", "--focal-length", "1", "--f-number", "64", "--float"}));
    const auto expectAsFlat = [&](const std::string& name, float bound) {
      EXPECT_THAT(read(name),
                  testing::Pointwise(testing::FloatNear(bound), loadExrChannel(flat, 0, name)));
    };
    outputOf({"deep", "flatten", in, "--channels", "spec.*", "--float", "-o", flat});
    expectAsFlat("spec.R", 2e-5f);
    outputOf({"deep", "cryptomatte", in, "--layer", "crypto_id", "-o", flat});
    for (int rank = 0; rank < 3 && !volumes; ++rank)
      expectAsFlat(fmt::format("crypto_id0{}.G", rank), 2e-5f);
  }

  const std::string deep = folder_.file("blurred.exr");
  outputOf(render(in, {"--channels", "Z", "--deep", deep, "--deep-samples", "64"}));
  outputOf({"deep", "flatten", deep, "--channels", "A", "--depth", "alpha-weighted", "-o", flat});
  const std::vector<float> expected = loadExrChannel(flat, 0, "Z"), found = read("Z"),
                           alpha = read("A");
  for (std::size_t i = 0; i < found.size(); ++i)
    if (alpha[i] > 0.01f) {
      ASSERT_NEAR(found[i] / expected[i], 1, 0.02f) << i;
    }
}

/// A part per layer; bare names go behind that of the part.
TEST_F(DofChannels, PartsBecomeLayers) {
  const std::pair<const char*, std::vector<const char*>> parts[] = {
      {"rgba", {"R", "G", "B", "A"}}, {"depth", {"Z"}}, {"N", {"N.X"}}, {"albedo", {"R", "G"}}};
  const std::vector<float> values(kCount, 4.0f);
  std::vector<Imf::Header> headers;
  for (const auto& [name, channels] : parts) {
    headers.emplace_back(kWidth, kHeight);
    headers.back().setName(name), headers.back().setType(Imf::SCANLINEIMAGE);
    for (const char* channel : channels)
      headers.back().channels().insert(channel, Imf::Channel(Imf::FLOAT));
  }
  const std::string in = folder_.file("parts.exr");
  {
    Imf::MultiPartOutputFile file(in.c_str(), headers.data(), int(headers.size()));
    for (int i = 0; i < int(headers.size()); ++i) {
      Imf::FrameBuffer frame;
      for (const char* channel : parts[i].second)
        frame.insert(channel, Imf::Slice(Imf::FLOAT,
                                         reinterpret_cast<char*>(const_cast<float*>(values.data())),
                                         4, 4 * kWidth));
      Imf::OutputPart part(file, i);
      part.setFrameBuffer(frame);
      part.writePixels(kHeight);
    }
  }
  EXPECT_EQ(warningsOf(render(in, {"--channels", "all"})), "");
  EXPECT_EQ(exrParts(out_).at(0).channelNames(), "A, B, G, N.X, R, albedo.G, albedo.R, depth.Z");
  for (const char* channel : {"albedo.R", "depth.Z", "N.X"})
    EXPECT_THAT(read(channel), testing::Each(testing::FloatNear(4, 1e-4f))) << channel;
}

}  // namespace
}  // namespace fathom::dof
