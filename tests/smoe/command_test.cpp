// SPDX-License-Identifier: BSD-3-Clause
// fathom smoe fit | render | convert | capture, run as a user would.
#include "app/cli/subcommands.h"
#include "app/engine/core/compare.h"
#include "app/engine/gpu/context.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "app/engine/smoe/model/file.h"
#include "tests/smoe/models.h"
#include "tests/support/program.h"

#include <nlohmann/json.hpp>

namespace fathom::smoe {
namespace {

class SmoeCommand : public testing::Test {
 protected:
  /// A soft disc on a ramp.
  std::string photo(int width = 56, int height = 40) {
    Image image(width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const float r = std::hypot(float(x) - 20, float(y) - 18);
        image.at(x, y) = {float(x) / float(width), r < 9 ? 0.9f : 0.2f, 0.3f, 1};
      }
    writePicture(folder_.file("photo.png"), image);
    return folder_.file("photo.png");
  }
  /// A ramp with this alpha at a distance from its middle.
  std::string cutOut(const std::function<float(float)>& alpha) {
    Image image(56, 40);
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        image.at(x, y) = alpha(std::hypot(float(x) - 27.5f, float(y) - 19.5f)) *
                         glm::vec4(float(x) / 56, 0.6f, 0.3f, 1);
    writePng(folder_.file("cut.png"), image, PngAlpha::Straight);
    return folder_.file("cut.png");
  }
  std::vector<std::string> fitting(const std::string& out,
                                   const std::vector<std::string>& more = {}, int components = 40,
                                   glm::ivec2 size = {56, 40}) {
    std::vector<std::string> arguments{"smoe", "fit", photo(size.x, size.y), "-k"};
    arguments.insert(arguments.end(), {std::to_string(components), "--steps", "30", "-o", out});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::string model() {
    outputOf(fitting(folder_.file("photo.smoe")));
    return folder_.file("photo.smoe");
  }
  TempFolder folder_;
};

TEST_F(SmoeCommand, FitsAndSaysHowWell) {
  const auto json = jsonOf(fitting(folder_.file("a.smoe")));
  EXPECT_EQ(json["command"], "smoe fit");
  EXPECT_EQ(json["result"]["components"], 40);
  EXPECT_GT(json["result"]["psnr"], 20);
  EXPECT_GT(json["result"]["iterations"], 30);
  EXPECT_EQ(json["size"], nlohmann::json({56, 40}));
  EXPECT_GT(json["result"]["ms_ssim"], 0.8);
  EXPECT_LE(json["result"]["ms_ssim"], 1);
  EXPECT_GT(json["result"]["cpu_s"], 0);
  const auto& curve = json["result"]["curve"];
  EXPECT_EQ(curve.front()["stage"], "start");
  EXPECT_GT(curve.back()["psnr"], curve.front()["psnr"]);
  EXPECT_EQ(curve.back()["iteration"], json["result"]["iterations"]);
}

TEST_F(SmoeCommand, EffortStandsForSteps) {
  const auto iterations = [&](const char* effort) -> int {
    return jsonOf({"smoe", "fit", photo(), "-k", "20", "--effort", effort, "-o",
                   folder_.file("e.smoe")})["result"]["iterations"];
  };
  EXPECT_EQ(iterations("2") - iterations("1"), 60);
  EXPECT_THAT(refusalOf(fitting(folder_.file("x.smoe"), {"--effort", "3"}), 2),
              HasSubstr("--effort: expected no --steps"));
}

/// One that cannot be read keeps nothing from the others.
TEST_F(SmoeCommand, SeveralSourcesAreFittedOneAfterTheOther) {
  const std::string first = photo(), second = folder_.file("other.png"),
                    broken = folder_.file("broken.png");
  std::filesystem::copy_file(first, second);
  folder_.write("broken.png", "no picture");
  const std::vector<std::string> rest{"-k", "20", "--steps", "5", "--json", "-", "-o"};
  const auto run = [&](std::vector<std::string> sources, const std::string& out) {
    std::vector<std::string> arguments{"smoe", "fit"};
    arguments.insert(arguments.end(), sources.begin(), sources.end());
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    arguments.push_back(out);
    return runFathom(arguments);
  };
  const Outcome both = run({first, second}, folder_.file("%.m.smoe"));
  ASSERT_EQ(both.code, 0) << both.err;
  const auto files = nlohmann::json::parse(both.out)["result"]["files"];
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1]["source"], second);
  EXPECT_EQ(files[1]["output"], folder_.file("other.m.smoe"));
  EXPECT_EQ(files[0]["psnr"], files[1]["psnr"]);
  EXPECT_EQ(readText(folder_.file("photo.m.smoe")).size(), files[0]["bytes"]);

  const Outcome some = run({broken, second}, folder_.file("%.n.smoe"));
  EXPECT_EQ(some.code, 1);
  EXPECT_THAT(some.err, HasSubstr("broken.png: expected"));
  EXPECT_TRUE(std::filesystem::exists(folder_.file("other.n.smoe")));
  EXPECT_EQ(run({first, second}, folder_.file("one.smoe")).code, 2);
  EXPECT_EQ(run({first, first}, folder_.file("%.smoe")).code, 2);
}

TEST_F(SmoeCommand, ConvertsWithTheLossStated) {
  const std::string from = model();
  const std::string packed = folder_.file("packed.smoe"), plain = folder_.file("plain.smoe");
  const auto result = jsonOf({"smoe", "convert", from, "--encoding", "packed", "--packing-loss",
                              "0.1", "-o", packed})["result"];
  EXPECT_EQ(result["bytes"], std::filesystem::file_size(packed));
  EXPECT_LT(std::filesystem::file_size(packed), std::filesystem::file_size(from) / 2);
  EXPECT_GT(result["psnr_to_original"], 30);
  outputOf({"smoe", "convert", packed, "--encoding", "f32", "-o", plain});
  for (const std::string& file : {packed, plain})
    outputOf({"smoe", "render", file, "-o", file + ".png"});
  EXPECT_EQ(readText(packed + ".png"), readText(plain + ".png"));
}

TEST_F(SmoeCommand, ConvertFitsToTheSourceThatIsNamed) {
  const std::string from = model(), source = folder_.file("photo.png");
  const Image wanted = readPicture(source).image;
  const auto error = [&](const std::string& name, std::vector<std::string> more) {
    const std::string out = folder_.file(name), shown = out + ".png";
    std::vector<std::string> arguments{"smoe",           "convert", from, "--encoding", "packed",
                                       "--packing-loss", "2",       "-o", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(outputOf(arguments).find(" dB to " + source) != std::string::npos, !more.empty());
    outputOf({"smoe", "render", out, "-o", shown});
    const Image found = readPicture(shown).image;
    double sum = 0;
    for (std::size_t i = 0; i < found.pixels.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const double d =
            std::sqrt(double(found.pixels[i][k])) - std::sqrt(double(wanted.pixels[i][k]));
        sum += d * d;
      }
    return sum;
  };
  EXPECT_LT(error("a.smoe", {"--source", source}), 0.95 * error("b.smoe", {}));
  refusalOf({"smoe", "convert", from, "--encoding", "compact", "--source", source, "-o",
             folder_.file("c.smoe")},
            2);
}

/// From the picture to the picture, by way of two encodings.
TEST_F(SmoeCommand, AlphaIsKeptAllTheWay) {
  const std::string out = folder_.file("cut.smoe"),
                    source = cutOut([](float r) { return std::clamp((16 - r) / 4, 0.0f, 1.0f); });
  const auto facts = jsonOf({"smoe", "fit", source, "-k", "60", "--steps", "30", "--encoding",
                             "packed", "-o", out})["result"];
  EXPECT_EQ(int(facts["components"]) + int(facts["alpha_components"]), 60);
  EXPECT_GT(facts["alpha_psnr"], 30);
  const std::string plain = folder_.file("plain.smoe"), shown = folder_.file("cut-shown.png");
  EXPECT_THAT(outputOf({"smoe", "convert", out, "--encoding", "f32", "-o", plain}),
              HasSubstr("alpha: "));
  EXPECT_THAT(outputOf({"info", plain}), HasSubstr("of alpha"));
  outputOf({"smoe", "render", plain, "-o", shown});
  const Image back = readPicture(shown).image;
  EXPECT_LT(back.at(2, 2).a, 0.05f);
  EXPECT_GT(back.at(28, 20).a, 0.95f);
  EXPECT_NEAR(back.at(28, 20).g, 0.6f, 0.06f);

  EXPECT_THAT(outputOf({"smoe", "fit", source, "-k", "60", "--steps", "5", "--alpha", "ignore",
                        "-o", folder_.file("flat.smoe")}),
              HasSubstr("composited over black"));
  refusalOf({"smoe", "fit", source, "--alpha", "maybe", "-o", out}, 2);
}

/// Stopped while alpha is fitted, and once more while the colors are.
TEST_F(SmoeCommand, AFitOfAlphaGoesOnFromEitherOfItsParts) {
  const std::string source = cutOut([](float r) { return r < 16 ? 1.0f : 0.1f; }),
                    out = folder_.file("cut.smoe"), left = folder_.file("cut.checkpoint.smoe");
  const std::vector<std::string> fit{"smoe",    "fit",  source, "-k", "50",
                                     "--steps", "4000", "-o",   out};
  const RunOptions options{.killWhenThere = left};
  std::vector<std::string> often = fit;
  often.insert(often.end(), {"--checkpoint-every", "0.02"});
  runFathom(often, options);
  EXPECT_THAT(outputOf({"info", left}), HasSubstr("gray"));
  EXPECT_THAT(
      refusalOf({"smoe", "fit", source, "--continue", left, "--alpha", "ignore", "-o", out}, 2),
      HasSubstr("--alpha: expected keep"));
  std::vector<std::string> more = fit;
  more.insert(more.end(), {"--continue", left, "--max-time", "0.5"});
  const auto facts = jsonOf(more)["result"];
  EXPECT_EQ(int(facts["components"]) + int(facts["alpha_components"]), 50);
}

/// dB between what a file decodes to and its source, both as sRGB; of an EXR as it is, of a PNG in
/// 8 bits.
double decodedPsnr(const std::string& model, const std::string& source, const std::string& out) {
  outputOf({"smoe", "render", model, "--float", "-o", out});
  const Image found = readPicture(out).image, wanted = readPicture(source).image;
  double sum = 0;
  for (std::size_t i = 0; i < found.pixels.size(); ++i)
    for (int k = 0; k < 3; ++k)
      sum += std::pow(
          double(srgbFromLinear(found.pixels[i][k])) - double(srgbFromLinear(wanted.pixels[i][k])),
          2);
  return -10 * std::log10(std::max(sum / (3 * double(found.pixels.size())), 1e-12));
}

/// Printed, stored, and stored again by convert: of all encodings and goals, at other sizes each.
TEST_F(SmoeCommand, EveryFigureIsThatOfTheFile) {
  struct Way {
    std::vector<std::string> flags;
    glm::ivec2 size;
    int components;
  };
  const std::vector<Way> ways{{{"--encoding", "f32"}, {56, 40}, 40},
                              {{"--encoding", "f32", "--target-psnr", "27"}, {49, 33}, 1},
                              {{"--encoding", "f32", "--target-bpp", "20"}, {49, 33}, 1},
                              {{"--encoding", "archive"}, {31, 17}, 9},
                              {{"--encoding", "archive", "--target-bpp", "30"}, {48, 48}, 1},
                              {{"--encoding", "compact", "--target-psnr", "26"}, {56, 40}, 1},
                              {{"--encoding", "packed", "--packing-loss", "3"}, {64, 9}, 30},
                              {{"--encoding", "packed", "--ssim", "0.3"}, {33, 61}, 25},
                              {{"--encoding", "packed", "--target-bpp", "2.5"}, {56, 40}, 1},
                              {{"--encoding", "packed", "--target-bpp", "1.5"}, {97, 51}, 1},
                              {{"--encoding", "packed", "--target-psnr", "26"}, {56, 40}, 1}};
  const std::string source = folder_.file("photo.png"), out = folder_.file("a.smoe"),
                    next = folder_.file("b.smoe");
  const auto expectStored = [](const std::string& file, double psnr) {
    EXPECT_THAT(outputOf({"info", file}), HasSubstr(fmt::format("{:.2f} dB", psnr)));
  };
  for (const Way& way : ways) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(way.flags, " ")));
    const auto facts = jsonOf(fitting(out, way.flags, way.components, way.size))["result"];
    EXPECT_EQ(facts["bytes"], std::filesystem::file_size(out));
    EXPECT_NEAR(facts["bpp"], 8.0 * double(facts["bytes"]) / (way.size.x * way.size.y), 1e-9);
    EXPECT_NEAR(facts["psnr"], decodedPsnr(out, source, folder_.file("a.exr")), 0.005);
    EXPECT_NEAR(facts["psnr_8bit"], decodedPsnr(out, source, folder_.file("a.png")), 0.005);
    expectStored(out, facts["psnr"]);
  }
  // Without its source nothing is known of a file that has lost something.
  EXPECT_FALSE(
      jsonOf({"smoe", "convert", out, "--encoding", "compact", "-o", next})["result"].contains(
          "psnr"));
  EXPECT_THAT(outputOf({"info", next}), Not(HasSubstr("PSNR")));
  const double psnr = jsonOf({"smoe", "convert", out, "--encoding", "packed", "--source", source,
                              "-o", next})["result"]["psnr"];
  EXPECT_NEAR(psnr, decodedPsnr(next, source, folder_.file("b.exr")), 0.005);
  expectStored(next, psnr);
}

/// The squared errors of what a file decodes to, as coded, over as many views as are added.
struct Measured {
  std::string model;
  std::function<double(double)> coded = [](double x) { return double(srgbFromLinear(float(x))); };
  double squares = 0, squares8 = 0, ofAlpha = 0, pixels = 0, msSsim = 0;

  void add(const std::string& source, const std::string& view) {
    const std::string shown = model + ".exr";
    std::vector<std::string> render{"smoe", "render", model, "--float", "-o", shown};
    if (!view.empty()) render.push_back("--view=" + view);
    outputOf(render);
    Image found = readPicture(shown).image, wanted = readPicture(source).image;
    pixels += double(found.pixels.size());
    for (std::size_t i = 0; i < found.pixels.size(); ++i) {
      glm::vec4 &f = found.pixels[i], &w = wanted.pixels[i];
      for (int k = 0; k < 3; ++k) {
        f[k] = float(std::clamp(coded(double(f[k])), 0.0, 1.0)), w[k] = float(coded(double(w[k])));
        squares += std::pow(double(f[k] - w[k]), 2);
        squares8 += std::pow(std::round(255 * double(f[k])) / 255 - double(w[k]), 2);
      }
      ofAlpha += std::pow(double(f.a - w.a), 2);
    }
    msSsim = fathom::msSsim(found, wanted);
  }
  void expect(const nlohmann::json& facts, const char* name, double sum) const {
    if (!facts.contains(name)) return;
    EXPECT_NEAR(facts[name], -10 * std::log10(sum / pixels), 0.005) << name;
  }
};

/// Fits with these flags, and measures what is said of it from the file: of pictures of views that
/// were fitted and that were not. A missed goal is no failure.
void expectFigures(const std::string& source, std::vector<std::string> flags, Measured fitted,
                   const std::map<std::string, std::string>& pictures,
                   const std::map<std::string, std::string>& others = {}) {
  SCOPED_TRACE(fmt::format("{} {}", source, fmt::join(flags, " ")));
  flags.insert(flags.begin(), {"smoe", "fit", source, "--steps", "20", "--json", "-"});
  flags.insert(flags.end(), {"-o", fitted.model});
  const Outcome outcome = runFathom(flags);
  ASSERT_TRUE(outcome.code == 0 || outcome.code == 4) << outcome.err;
  const auto facts = nlohmann::json::parse(outcome.out)["result"];
  Measured heldOut = fitted;
  for (const auto& [file, view] : pictures) fitted.add(file, view);
  for (const auto& [file, view] : others) heldOut.add(file, view);
  fitted.expect(facts, "psnr", fitted.squares / 3);
  fitted.expect(facts, "psnr_8bit", fitted.squares8 / 3);
  fitted.expect(facts, "alpha_psnr", fitted.ofAlpha);
  heldOut.expect(facts, "held_out_psnr", heldOut.squares / 3);
  EXPECT_NEAR(facts.value("ms_ssim", fitted.msSsim), fitted.msSsim, 1e-4);
  // A header has three decimals of it.
  EXPECT_THAT(outputOf({"info", fitted.model}),
              HasSubstr(fmt::format("{:.2f} dB", std::round(1e3 * double(facts["psnr"])) / 1e3)));
}

/// Of colors over black, which end where alpha does; of light as asinh(100 light), 1 at the peak.
TEST_F(SmoeCommand, FiguresOfAlphaAndOfLightAreThoseOfTheFile) {
  const std::string cut = cutOut([](float r) { return r < 15 ? 1.0f : 0.0f; }),
                    bright = folder_.file("light.exr");
  const Measured alpha{folder_.file("a.smoe")};
  expectFigures(cut, {"-k", "14", "--encoding", "f32"}, alpha, {{cut, ""}});
  expectFigures(cut, {"--encoding", "archive", "--target-psnr", "24"}, alpha, {{cut, ""}});
  expectFigures(cut, {"--encoding", "packed", "--target-bpp", "2"}, alpha, {{cut, ""}});
  Image light(40, 28);
  for (int y = 0; y < light.height; ++y)
    for (int x = 0; x < light.width; ++x)
      light.at(x, y) = {x < 20 ? 0.01f * float(x) : 12.0f, 0.05f * float(y), 0.2f, 1};
  writeFlatExr(bright, light, {.asFloat = true});
  const Measured asinh{alpha.model,
                       [](double x) { return std::asinh(100 * x) / std::asinh(1200.0); }};
  expectFigures(bright, {"-k", "20", "--encoding", "f32"}, asinh, {{bright, ""}});
  expectFigures(bright, {"--encoding", "packed", "--target-bpp", "2"}, asinh, {{bright, ""}});
}

/// A disc that moves: 3 x 2 views, or 6 frames of which two are kept out.
TEST_F(SmoeCommand, FiguresOfViewsAndFramesAreThoseOfTheFile) {
  folder_.write("v/views.json", R"({"columns": 3, "rows": 2, "origin": [1, 0.5]})");
  std::filesystem::create_directory(folder_.file("f"));
  std::map<std::string, std::string> views, frames, heldOut;
  for (int i = 0; i < 6; ++i) {
    const int column = i / 2, row = i % 2;
    const std::string view = folder_.file(fmt::format("v/view_{:02}_{:02}.png", row, column)),
                      frame = folder_.file(fmt::format("f/frame_{}.png", i));
    Image image(32, 24);
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        image.at(x, y) = {std::hypot(x - 12 - 2 * column, y - 10 - row) < 7 ? 0.9f : 0.1f,
                          float(x) / 32, 0.3f, 1};
    for (const std::string& file : {view, frame}) writePng(file, image);
    views[view] = fmt::format("{},{}", column - 1, row - 0.5);
    (i % 3 == 1 ? heldOut : frames)[frame] = std::to_string(i);
  }
  const Measured model{folder_.file("a.smoe")};
  expectFigures(folder_.file("v"), {"-k", "20", "--encoding", "f32"}, model, views);
  expectFigures(folder_.file("v"), {"--encoding", "packed", "--target-bpp", "1"}, model, views);
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"-k", "20", "--encoding", "compact", "--hold-out", "3"},
        {"--encoding", "packed", "--target-psnr", "20", "--hold-out", "3"}})
    expectFigures(folder_.file("f"), flags, model, frames, heldOut);
}

/// A patch of light 40 in a dim picture.
TEST_F(SmoeCommand, LightAboveOneIsKept) {
  Image light(48, 32, glm::vec4(0.1f, 0.2f, 0.3f, 1));
  const auto inPatch = [](int x, int y) { return x >= 12 && x < 36 && y >= 8 && y < 24; };
  for (int y = 0; y < light.height; ++y)
    for (int x = 0; x < light.width; ++x)
      if (inPatch(x, y)) light.at(x, y) = {40, 20, 10, 1};
  const std::string source = folder_.file("light.exr"), out = folder_.file("light.smoe"),
                    shown = folder_.file("shown.exr");
  const FlatExrOptions options{.asFloat = true};
  writeFlatExr(source, light, options);
  for (const char* encoding : {"archive", "packed"}) {
    EXPECT_THAT(outputOf({"smoe", "fit", source, "-k", "150", "--steps", "300", "--encoding",
                          encoding, "--packing-loss", "0.05", "-o", out}),
                HasSubstr("light up to 40 is kept as asinh"));
    EXPECT_THAT(outputOf({"info", out}), HasSubstr("asinh"));
    outputOf({"smoe", "render", out, "--float", "-o", shown});
    const Image found = readPicture(shown).image;
    glm::dvec4 sum(0);
    for (int y = 10; y < 22; ++y)
      for (int x = 14; x < 34; ++x) sum += glm::dvec4(found.at(x, y)) / (12.0 * 20);
    EXPECT_NEAR(sum.r, 40, 0.4) << encoding;
    EXPECT_NEAR(sum.b, 10, 0.1) << encoding;
    EXPECT_NEAR(found.at(3, 3).g, 0.2, 0.01) << encoding;
  }
  writeFlatExr(source, Image(48, 32, glm::vec4(-0.5f, 0.5f, 0.5f, 1)), options);
  EXPECT_THAT(outputOf({"smoe", "fit", source, "-k", "5", "--steps", "0", "-o", out}),
              HasSubstr("light below 0 (down to -0.5) becomes 0"));
}

/// One number per color; a component per pixel is enough.
TEST_F(SmoeCommand, GrayPicturesTakeTheGrayForm) {
  Image gray(56, 40);
  for (int y = 0; y < gray.height; ++y)
    for (int x = 0; x < gray.width; ++x)
      gray.at(x, y) = glm::vec4(
          glm::vec3(std::hypot(float(x) - 20, float(y) - 18) < 9 ? 0.9f : float(x) / 80), 1);
  const std::string source = folder_.file("gray.png"), out = folder_.file("gray.smoe");
  writePng(source, gray);
  std::map<std::string, std::uintmax_t> bytes;
  for (const char* encoding : {"f32", "packed"}) {
    const double psnr = jsonOf({"smoe", "fit", source, "-k", "80", "--steps", "60", "--encoding",
                                encoding, "-o", out})["result"]["psnr"];
    EXPECT_NEAR(psnr, decodedPsnr(out, source, folder_.file("gray.exr")), 0.005);
    const Image found = readPicture(folder_.file("gray.exr")).image;
    for (const glm::vec4& p : found.pixels) EXPECT_TRUE(p.r == p.g && p.g == p.b);
    bytes[encoding] = std::filesystem::file_size(out);
  }
  EXPECT_NEAR(double(bytes["f32"]), 80 * 9 * 4 + 300, 100);
  const std::string png = folder_.file("rendered.png");
  outputOf({"smoe", "render", out, "--bit-depth", "16", "-o", png});
  EXPECT_EQ(readText(png).substr(24, 2), std::string("\x10\0", 2));  // 16 bits of gray
  const Image found = readPicture(png).image, exact = readPicture(folder_.file("gray.exr")).image;
  for (std::size_t i = 0; i < found.pixels.size(); ++i)
    EXPECT_NEAR(found.pixels[i].g, glm::clamp(exact.pixels[i].g, 0.0f, 1.0f), 1e-4f);
  outputOf(fitting(folder_.file("color.smoe"), {"--encoding", "f32"}, 80));
  EXPECT_LT(double(bytes["f32"]),
            0.7 * double(std::filesystem::file_size(folder_.file("color.smoe"))));

  writePng(source, Image(1, 1, glm::vec4(0.5f, 0.5f, 0.5f, 1)));
  EXPECT_EQ(jsonOf({"smoe", "fit", source, "-k", "150", "--steps", "20", "-o",
                    out})["result"]["components"],
            1);
}

TEST_F(SmoeCommand, SixteenBitsOfAPngAreFitted) {
  std::vector<std::uint16_t> ramp;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x)
      for (int k = 0; k < 3; ++k) ramp.push_back(std::uint16_t(100 + 40 * x + 20 * y + k));
  const std::string source = folder_.file("ramp.png"), out = folder_.file("ramp.smoe");
  writePng16(source, 32, 16, 3, ramp);
  EXPECT_GT(jsonOf({"smoe", "fit", source, "-k", "4", "--steps", "60", "--encoding", "f32", "-o",
                    out})["result"]["psnr"],
            96);  // half a step of 16 bits: 102
}

/// The file is there, but a script learns of it.
TEST_F(SmoeCommand, AMissedGoalIsSaid) {
  const std::string out = folder_.file("a.smoe");
  EXPECT_THAT(refusalOf({"smoe", "fit", photo(), "--target-bpp", "0.01", "--encoding", "packed",
                         "--steps", "30", "-o", out},
                        4),
              HasSubstr("expected 0.01 bits per pixel, found "));
  EXPECT_TRUE(std::filesystem::exists(out));
  const Outcome psnr = runFathom(fitting(out, {"--target-psnr", "80", "--json", "-"}));
  EXPECT_EQ(psnr.code, 4);
  EXPECT_THAT(psnr.err, HasSubstr("expected 80 dB, found "));
  EXPECT_LE(nlohmann::json::parse(psnr.out)["result"]["components"], 56 * 40);
}

/// Where more components do not fit into the GPU, the file has those that do.
TEST_F(SmoeCommand, AGoalBeyondTheGpuIsMissed) {
  CommandHost host{.watch = [](const Progress*) {}};
  host.context = [](const gpu::ContextOptions& options) {
    auto small = std::make_shared<gpu::Context>(options);
    small->memory().setBlockLimit(1 << 18);
    return small;
  };
  const std::string out = folder_.file("a.smoe");
  CommandHost::ofThread() = &host;
  testing::internal::CaptureStderr();
  const int code =
      commands::runInside("smoe fit", {photo(), "--target-psnr", "80", "--steps", "8", "-o", out});
  CommandHost::ofThread() = nullptr;
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("expected 80 dB, found "), HasSubstr("this GPU allows 256 KiB")));
  EXPECT_EQ(code, 4);
  EXPECT_TRUE(std::filesystem::exists(out));
}

/// Their numbers are worth more than where they came from, and few bytes say how to read them.
TEST_F(SmoeCommand, PackedFilesHaveShortHeaders) {
  const std::string out = folder_.file("a.smoe");
  outputOf(fitting(out, {"--encoding", "packed", "--packing-loss", "3"}, 1));
  const std::string bytes = readText(out);
  EXPECT_TRUE(bytes.starts_with("SMOEPAC1"));
  EXPECT_LT(bytes.size(), 200u);
}

TEST_F(SmoeCommand, CertificatesAreNumbersInAnExr) {
  const auto facts = jsonOf({"smoe", "render", model(), "--show", "certificate", "--float", "-o",
                             folder_.file("c.exr")})["result"];
  glm::vec4 largest(0);
  for (const glm::vec4& p : readPicture(folder_.file("c.exr")).image.pixels)
    largest = glm::max(largest, p);
  EXPECT_FLOAT_EQ(largest.r, facts["max_left_out_bound"].get<float>());
  EXPECT_FLOAT_EQ(largest.g, facts["max_rounding_bound"].get<float>());
  EXPECT_FLOAT_EQ(largest.b, facts["max_error_bound"].get<float>());
  EXPECT_GT(largest.r, 0);
}

TEST_F(SmoeCommand, FitsToAGoal) {
  const auto reached = jsonOf(fitting(folder_.file("p.smoe"), {"--target-psnr", "28"}))["result"];
  EXPECT_GE(reached["psnr"], 28);
  EXPECT_LT(reached["components"], 200);

  EXPECT_LT(jsonOf({"smoe", "fit", photo(), "--target-psnr", "28", "--effort", "1", "-o",
                    folder_.file("q.smoe")})["result"]["components"],
            200);

  Image waves(64, 48);
  for (int y = 0; y < waves.height; ++y)
    for (int x = 0; x < waves.width; ++x)
      waves.at(x, y) = glm::vec4(
          glm::vec3(0.4f + 0.35f * std::sin(float(x * x) / 90) * std::cos(float(y * y) / 70)), 1);
  writePng(folder_.file("waves.png"), waves);
  const double psnr =
      jsonOf({"smoe", "fit", folder_.file("waves.png"), "--target-psnr", "32", "--effort", "1",
              "--encoding", "f32", "-o", folder_.file("w.smoe")})["result"]["psnr"];
  EXPECT_GE(psnr, 32);
  EXPECT_LT(psnr, 32.15);

  EXPECT_THAT(
      warningsOf(fitting(folder_.file("b.smoe"), {"--target-bpp", "6", "--encoding", "packed"})),
      HasSubstr("--components: ignored"));
  const auto bytes = double(std::filesystem::file_size(folder_.file("b.smoe")));
  EXPECT_LE(8 * bytes / (56 * 40), 6);
  EXPECT_GT(8 * bytes / (56 * 40), 4);
  EXPECT_THAT(warningsOf({"smoe", "fit", photo(), "--target-bpp", "8", "--steps", "30", "-o",
                          folder_.file("h.smoe")}),
              HasSubstr("bytes are its header; --encoding packed has a short one"));
  refusalOf(fitting(folder_.file("x.smoe"), {"--target-psnr", "28", "--target-bpp", "6"}), 2);
}

TEST_F(SmoeCommand, AFitEndsInItsTime) {
  EXPECT_LT(jsonOf({"smoe", "fit", photo(), "-k", "200", "--steps", "20000", "--max-time", "1",
                    "-o", folder_.file("t.smoe")})["result"]["iterations"],
            19000);
}

TEST_F(SmoeCommand, NothingToDoChangesNothing) {
  const std::string from = model(), to = folder_.file("same.smoe");
  EXPECT_GT(jsonOf({"smoe", "fit", photo(), "--continue", from, "--steps", "0", "-o",
                    to})["result"]["psnr"],
            20);
  EXPECT_THAT(readText(to), HasSubstr("40 components, seed 1, 8"));
}

TEST_F(SmoeCommand, AFlatPictureCanBeSaved) {
  writePicture(folder_.file("flat.png"), Image(96, 64, glm::vec4(0.2f, 0.2f, 0.2f, 1)));
  EXPECT_GT(jsonOf({"smoe", "fit", folder_.file("flat.png"), "-k", "200", "--steps", "300", "-o",
                    folder_.file("flat.smoe")})["result"]["psnr"],
            100);
}

TEST_F(SmoeCommand, GoesOnFromAModelAndAddsComponents) {
  const std::string first = model();
  EXPECT_EQ(jsonOf(fitting(folder_.file("more.smoe"),
                           {"--continue", first, "--add", "15"}))["result"]["components"],
            55);
}

TEST_F(SmoeCommand, FitsViewsOfASceneAndJudgesByThoseHeldOut) {
  const auto result = jsonOf({"smoe", "fit", "planes:count=1,spheres=8,alpha=1", "--grid", "3x3",
                              "--size", "40x32", "-k", "60", "--steps", "20", "--samples-per-pixel",
                              "1", "--hold-out", "4", "-o", folder_.file("lf.smoe")})["result"];
  EXPECT_GT(result["held_out"], 0);
  EXPECT_GT(result["held_out_psnr"], 10);
  outputOf({"smoe", "render", folder_.file("lf.smoe"), "--view", "0.5,-1", "-o",
            folder_.file("view.png")});
  EXPECT_THAT(refusalOf({"smoe", "render", folder_.file("lf.smoe"), "--view=9,0", "-o",
                         folder_.file("outside.png")},
                        2),
              HasSubstr("-1 to 1, -1 to 1"));
}

TEST_F(SmoeCommand, RendersWithItsBound) {
  const auto result = jsonOf(
      {"smoe", "render", model(), "--size", "112x80", "-o", folder_.file("out.exr")})["result"];
  EXPECT_GT(result["kpb"], 1);
  EXPECT_GT(result["max_error_bound"], 0);
  EXPECT_LT(result["max_error_bound"], 0.05);
  EXPECT_EQ(readPicture(folder_.file("out.exr")).image.width, 112);
}

/// A PNG holds what was fitted; an EXR holds light.
TEST_F(SmoeCommand, PngIsEncodedAndExrIsLight) {
  const std::string file = model();
  for (const char* name : {"a.png", "a.exr"})
    outputOf({"smoe", "render", file, "-o", folder_.file(name)});
  const Image png = readPicture(folder_.file("a.png")).image;
  const Image exr = readPicture(folder_.file("a.exr")).image;
  const Image source = readPicture(photo()).image;
  double error = 0;
  for (std::size_t i = 0; i < png.pixels.size(); ++i) {
    EXPECT_NEAR(png.pixels[i].g, std::clamp(exr.pixels[i].g, 0.0f, 1.0f), 0.006f);
    error += std::abs(png.pixels[i].g - source.pixels[i].g) / double(png.pixels.size());
  }
  EXPECT_LT(error, 0.08);
}

TEST_F(SmoeCommand, AWindowIsAPartOfThePicture) {
  const std::string file = model();
  outputOf({"smoe", "render", file, "-o", folder_.file("all.exr"), "--float"});
  outputOf(
      {"smoe", "render", file, "--window", "8,4,20,16", "-o", folder_.file("part.exr"), "--float"});
  const Image all = readPicture(folder_.file("all.exr")).image;
  const Image part = readPicture(folder_.file("part.exr")).image;
  ASSERT_EQ(part.width, 20);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 20; ++x)
      EXPECT_NEAR(part.at(x, y).r, all.at(x + 8, y + 4).r, 0.003f);  // other lists, in 10 bits
  // One pixel of the picture is enough.
  outputOf({"smoe", "render", file, "--window", "55,39,8,8", "-o", folder_.file("corner.png")});
}

/// Of a packed image of several blocks, by the processor.
TEST_F(SmoeCommand, ASmallWindowNeedsNoGpu) {
  const std::string file = folder_.file("large.smoe"), part = folder_.file("part.exr");
  save(file, randomModel(1, 2, 5000, {400, 300}), Encoding::Packed);
  const auto small = jsonOf({"smoe", "render", file, "--window", "80,40,64,48", "--size", "128x96",
                             "-o", part, "--float"});
  EXPECT_TRUE(small["device"].is_null());
  EXPECT_GT(small["result"]["components"], 100);
  EXPECT_TRUE(small["result"]["max_error_bound"].is_null());
  const auto whole = jsonOf(
      {"smoe", "render", file, "--size", "800x600", "-o", folder_.file("all.exr"), "--float"});
  EXPECT_FALSE(whole["device"].is_null());
  const Image all = readPicture(folder_.file("all.exr")).image, found = readPicture(part).image;
  ASSERT_EQ(found.width, 128);
  for (int y = 0; y < found.height; ++y)
    for (int x = 0; x < found.width; ++x)
      EXPECT_NEAR(found.at(x, y).r, all.at(x + 160, y + 80).r, 0.003f);  // other lists, in 10 bits
  EXPECT_THAT(refusalOf({"smoe", "render", file, "--window", "900,0,8,8", "-o", part}, 2),
              HasSubstr("400 x 300 px"));
}

TEST_F(SmoeCommand, ViewsAreFramesOfAFilm) {
  const std::string file = folder_.file("lf.smoe");
  save(file, randomModel(1, 4, 30, {24, 16}), Encoding::F32);
  const auto json = jsonOf({"smoe", "render", file, "--fps", "2", "--frames", "0-3x3", "-o",
                            folder_.file("f.%02d.png")});
  EXPECT_EQ(json["result"]["frames"], 2);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("f.01.png")));
  Progress progress;
  const std::string view = viewText(orbitView(readModel(file, progress), 1.5), 2);
  outputOf({"smoe", "render", file, "--view", view, "-o", folder_.file("one.png")});
  EXPECT_EQ(readText(folder_.file("f.03.png")), readText(folder_.file("one.png")));
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"smoe", "render", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return refusalOf(arguments, 2);
  };
  EXPECT_THAT(refused({"--frames", "0-192", "-o", folder_.file("f.%d.png")}),
              HasSubstr("--frames: expected frames from 0 to 191, found 192"));
  EXPECT_THAT(refused({"--fps", "2", "-o", folder_.file("f.png")}),
              HasSubstr("--fps: expected a film in --output"));
  EXPECT_THAT(refused({"--view", "0,0", "-o", folder_.file("f.%d.png")}),
              HasSubstr("--view: expected one file"));
}

TEST_F(SmoeCommand, MistakesOnTheCommandLineAreNamed) {
  const std::string file = model();
  const std::pair<std::vector<std::string>, std::string> mistakes[] = {
      {{"smoe", "render", file, "--window", "1,2,3"}, "--window: expected X,Y,W,H"},
      {{"smoe", "render", file, "--window", "56,0,8,8"}, "--window: expected a part with a pixel"},
      {{"smoe", "render", file, "--window", "0,-9,8,9"}, "of " + file + ", 56 x 40 px, found"},
      {{"smoe", "render", file, "--window", "900,900,9,9", "--size", "64x48"}, "\"900,900,9,9\""},
      {{"smoe", "render", file, "--view", "1,1"}, "--view: expected a light field"},
      {{"smoe", "render", file, "--show", "disparity"}, "--show=disparity: expected a light field"},
      {{"smoe", "render", file, "--bits", "9"}, "--bits: expected"},
      {{"smoe", "render", file, "--mode", "fast"}, "--mode: expected"},
      {{"smoe", "fit", photo(), "-k", "0"}, "--components: expected"},
      {{"smoe", "fit", photo(), "--size", "10x10"}, "--size: expected a scene"},
      {{"smoe", "fit", photo(), "--grid", "3x3"}, "--grid: expected a scene"},
      {{"smoe", "fit", photo(), "--add", "3"}, "--add: expected --continue"},
      {{"smoe", "fit", photo(), "--hold-out", "3"}, "--hold-out: expected several"},
  };
  for (auto [arguments, said] : mistakes) {
    const bool fits = arguments[1] == "fit";
    arguments.insert(arguments.end(), {"-o", folder_.file(fits ? "out.smoe" : "out.png")});
    EXPECT_THAT(refusalOf(arguments, 2), HasSubstr(said));
  }
}

TEST_F(SmoeCommand, TheModelNamesWhatItIsComparedWith) {
  const std::vector<std::string> render{
      "smoe", "render", model(), "--show", "error", "-o", folder_.file("error.png")};
  outputOf(render);
  std::filesystem::remove(folder_.file("photo.png"));
  EXPECT_THAT(refusalOf(render), HasSubstr("photo.png"));
}

TEST_F(SmoeCommand, WhatIsNoModelIsRefused) {
  EXPECT_THAT(refusalOf({"smoe", "render", photo(), "-o", folder_.file("out.png")}),
              HasSubstr("photo.png: expected"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out.png")));
}

TEST_F(SmoeCommand, CtrlCLeavesACheckpointThatGoesOn) {
  const RunOptions options{.interruptAfterMs = 1500};
  const std::string out = folder_.file("out.smoe"), left = folder_.file("out.checkpoint.smoe");
  const Outcome stopped =
      runFathom({"smoe", "fit", photo(), "-k", "60", "--steps", "20000", "-o", out}, options);
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  ASSERT_TRUE(std::filesystem::exists(left)) << stopped.out;
  EXPECT_THAT(stopped.err, HasSubstr("--continue " + left));
  EXPECT_EQ(stopped.out, "");
  outputOf({"smoe", "render", left, "-o", folder_.file("left.png")});
  EXPECT_THAT(refusalOf({"smoe", "fit", photo(), "--continue", left, "-k", "61", "-o", out}, 2),
              HasSubstr("--components: expected 60"));
  outputOf({"smoe", "fit", photo(), "--continue", left, "--steps", "20000", "--max-time", "0.2",
            "-o", out});
  EXPECT_TRUE(std::filesystem::exists(out));
  EXPECT_FALSE(std::filesystem::exists(left));
}

std::vector<std::string> capturing(const std::string& folder,
                                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"smoe",   "capture", "planes", "--grid", "3x2",
                                     "--size", "32x24",   "-o",     folder};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

class CaptureCommand : public FolderTest {};

TEST_F(CaptureCommand, WritesViewsThatAFitReads) {
  const auto result = jsonOf(capturing(folder.file("views"), {"--disparity", "0.5"}))["result"];
  EXPECT_EQ(result["views"], 6);
  EXPECT_NEAR(result["disparity_low"].get<double>(), -0.5, 1e-6);
  EXPECT_NEAR(result["disparity_high"].get<double>(), 0.5, 1e-6);
  const auto index = nlohmann::json::parse(readText(folder / "views/views.json"));
  EXPECT_EQ(index["columns"], 3);
  EXPECT_EQ(index["rows"], 2);
  EXPECT_EQ(index["source"], "planes");

  const auto fitted = jsonOf({"smoe", "fit", folder.file("views"), "-k", "20", "--steps", "10",
                              "--hold-out", "2", "-o", folder.file("m.smoe")})["result"];
  EXPECT_EQ(fitted["components"], 20);
  EXPECT_GT(fitted["held_out"], 0);
  EXPECT_GT(fitted["held_out_psnr"], 10);
}

TEST_F(CaptureCommand, LeavesAFolderInUseAlone) {
  folder.write("views/precious.txt", "x");
  EXPECT_EQ(refusalOf(capturing(folder.file("views"))),
            "fathom: " + folder.file("views") +
                ": expected a new or an empty folder, found one in use or a file\n");
  EXPECT_EQ(readText(folder / "views/precious.txt"), "x");
}

TEST_F(CaptureCommand, EmptyFolderIsFine) {
  std::filesystem::create_directory(folder / "views");
  outputOf(capturing(folder.file("views") + "/"));
  EXPECT_TRUE(std::filesystem::exists(folder / "views/view_01_02.png"));
}

TEST_F(CaptureCommand, SaysWhatIsWrong) {
  EXPECT_THAT(refusalOf(capturing(folder.file("views"), {"--grid", "65x1"}), 2), HasSubstr("grid"));
  EXPECT_EQ(refusalOf({"smoe", "capture", "planes"}, 2),
            "fathom: expected --output PATH, found none\n");
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace fathom::smoe
