// SPDX-License-Identifier: BSD-3-Clause
// JSON files of cuburn: what is read from them, and what is said of damaged and hostile ones.
#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/cuburn/animation.h"
#include "tests/flame/cuburn/cuburn_files.h"

#include <random>

namespace fathom::flame::cuburn {
namespace {

using namespace fathom::flame::test;

std::string errorOf(const std::filesystem::path& file) {
  const std::string message = messageOf([&] { readFilm(file); });
  if (message == "no error") return message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_THAT(message, HasSubstr(file.filename().string()));
  return message;
}

class CuburnDocument : public testing::Test {
 protected:
  std::string errorOfText(const std::string& text) {
    return errorOf(folder.write("it.json", text));
  }
  TempFolder folder;
};

TEST_F(CuburnDocument, NestedAndDottedMeanTheSame) {
  const Document nested = readDocument(
      folder.write("a.json", R"({"type": "node", "camera": {"center": {"x": 1}}, "name": "n"})"));
  const Document dotted = readDocument(
      folder.write("b.json", R"({"type": "node", "camera.center.x": 1, "name": "n"})"));
  ASSERT_EQ(nested.fields.size(), dotted.fields.size());
  EXPECT_EQ(nested.number("camera.center.x", 0), 1);
  EXPECT_EQ(dotted.number("camera.center.x", 0), 1);
  EXPECT_THAT(errorOfText(R"({"type": "node", "camera": {"scale": 1}, "camera.scale": 2})"),
              HasSubstr(R"("camera.scale": expected each field once)"));
}

TEST_F(CuburnDocument, OwnFieldsGoBeforeInheritedOnes) {
  folder.write("old.json", triangleJson(R"(, "camera.rotation": 30)"));
  const Document document = readDocument(folder.write(
      "new.json", R"({"base": "nodes/old", "camera": {"scale": 2}, "xforms": {"0": null}})"));
  EXPECT_EQ(document.type, DocumentType::Node);
  EXPECT_EQ(document.number("camera.scale", 0), 2);
  EXPECT_EQ(document.number("camera.rotation", 0), 30);
  EXPECT_FALSE(document.find("xforms.0.weight")) << "null takes away what is inherited";
  EXPECT_TRUE(document.find("xforms.1.weight"));
}

TEST_F(CuburnDocument, BasesInACircleAreRefused) {
  folder.write("a.json", R"({"type": "node", "base": "nodes/b"})");
  folder.write("b.json", R"({"type": "node", "base": "nodes/a"})");
  EXPECT_THAT(errorOf(folder / "a.json"), HasSubstr("does not inherit from this one"));
  for (int i = 0; i < 20; ++i)
    folder.write(fmt::format("c{}.json", i),
                 fmt::format(R"({{"type": "node", "base": "nodes/c{}"}})", i + 1));
  EXPECT_THAT(messageOf([&] { readFilm(folder / "c0.json"); }),
              HasSubstr("expected at most 16 bases in a row"));
}

TEST_F(CuburnDocument, PathsLeadOnlyToFilesBeside) {
  for (const char* path : {"nodes/../../etc/passwd", "nodes/.hidden", "/etc/passwd", "nodes/",
                           "other/x", "nodes/a/b", ""})
    EXPECT_THAT(
        errorOfText(edgeJson("x", "y", fmt::format(R"(, "base": "{}")", path))),
        testing::AnyOf(HasSubstr("expected a path such as nodes/ID"), HasSubstr(R"("link.src")")))
        << path;
  EXPECT_THAT(errorOfText(edgeJson("gone", "gone")),
              HasSubstr(R"("link.src": expected "gone.json" or)"));
  folder.write("nodes/there.json", triangleJson());
  EXPECT_EQ(errorOfText(edgeJson("there", "there")), "no error") << "in a folder nodes";
}

TEST_F(CuburnDocument, IsKnownByItsType) {
  EXPECT_TRUE(looksLikeDocument(folder.write("n.json", triangleJson())));
  EXPECT_TRUE(looksLikeDocument(folder.write("p.json", kProfile)));
  EXPECT_TRUE(looksLikeDocument(folder.write("d.json", R"({"xforms": {)"))) << "damaged";
  EXPECT_FALSE(looksLikeDocument(folder.write("s.json", R"({"fathom": "0.1", "deep": {}})")));
  EXPECT_FALSE(looksLikeDocument(folder.write("t.json", R"({"type": "tree"})")));
  EXPECT_FALSE(looksLikeDocument(folder.write("u.json", R"({"xforms": {}, "link": "x"})")))
      << "no type";
  EXPECT_FALSE(looksLikeDocument(folder.write("x.flame", "<flame/>")));
  EXPECT_FALSE(looksLikeDocument(folder / "missing.json"));
  EXPECT_FALSE(looksLikeDocument(folder.path()));
}

TEST_F(CuburnDocument, WhatIsDamagedIsSaidInOneLine) {
  const std::string node = triangleJson();
  EXPECT_THAT(errorOfText(node.substr(0, node.size() / 2)), HasSubstr("expected JSON"));
  EXPECT_THAT(errorOfText(""), HasSubstr("expected JSON"));
  EXPECT_THAT(errorOfText("[1, 2]"), HasSubstr("expected a JSON object, found [1,2]"));
  EXPECT_THAT(errorOfText("{}"), HasSubstr(R"("type": expected "node" or "edge")"));
  EXPECT_THAT(errorOfText(R"({"type": "profile"})"), HasSubstr(R"(expected "node", "edge" or)"));
  EXPECT_THAT(errorOfText(R"({"type": "node", "type": "edge"})"), HasSubstr("twice"));
  EXPECT_THAT(errorOfText(R"({"type": "node", "xforms": {}})"),
              HasSubstr("expected at least one xform, found none"));
  EXPECT_THAT(errorOfText(R"({"type": "node", "xforms": {"0": 5}})"),
              HasSubstr(R"("xforms.0": expected an xform, found 5)"));
  EXPECT_THAT(
      errorOfText(triangleJson(R"(, "camera.rotation": "much")")),
      HasSubstr(R"("camera.rotation": expected a number or [value, velocity], found "much")"));
  EXPECT_THAT(errorOfText(triangleJson(R"(, "camera.rotation": 1e999)")),
              HasSubstr("expected JSON"));
  EXPECT_THAT(errorOfText(triangleJson(R"(, "time.duration": 0)")),
              HasSubstr(R"("time.duration")"));
}

TEST_F(CuburnDocument, HostileOnesEndSoonAndInOneLine) {
  const std::string deep(100000, '[');
  EXPECT_THAT(errorOfText(R"({"type": "node", "xforms": )" + deep), HasSubstr("at most 32 levels"));
  std::string many = R"({"type": "node", "xforms": {)";
  for (int i = 0; i < 300; ++i) many += fmt::format(R"({}"{}": {{"weight": 1}})", i ? ", " : "", i);
  EXPECT_THAT(errorOfText(many + "}}"), HasSubstr("expected at most 256 xforms, found 300"));
  std::ofstream(folder / "it.json") << std::string(3 << 20, ' ') << triangleJson();
  EXPECT_NE(errorOf(folder / "it.json"), "no error") << "longer than the limit";
  EXPECT_THAT(errorOfText("{\"type\": \"node\", \"name\": \"a\\u0000b\", \"xforms\\n\": 1}"),
              HasSubstr("xform"));
}

TEST_F(CuburnDocument, DamagedAnywhereIsReadOrRefused) {
  folder.write("a.json", triangleJson());
  const std::vector<std::string> originals{
      triangleJson(R"(, "camera.rotation": [10, 90], "final_xform.color": 0.5)"),
      edgeJson("a@0.25", "a@-0.25", R"(, "blend": {"duration": 1.5, "xform_sort": "color",
        "xform_map": [["0", "2"], ["pad", "1"]]}, "xforms.src.1.weight": [0.5, 4, 0.7, 2])"),
      R"({"type": "animation", "camera.scale": [1, 0, 2, 0, 0.5, 3], "xforms.0.weight": 1})"};
  std::mt19937 random(7);
  int read = 0, refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string text = originals[std::size_t(round) % originals.size()];
    for (int i = 0; i < 1 + round % 3; ++i) {
      constexpr std::string_view letters = "0123456789-e.,:\"[]{}xnull@/ \\";
      text[random() % text.size()] = letters[random() % letters.size()];
    }
    try {
      const auto animation = readCuburn(folder.write("it.json", text));
      EXPECT_FALSE(animation->at(animation->lastTime() / 2).xforms.empty());
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 50);
  EXPECT_GT(refused, 50);
}

// ---- Palettes

TEST_F(CuburnDocument, PalettesAreBase64) {
  EXPECT_EQ(readFilm(folder.write("n.json", triangleJson())).palettes.at(0).second[7],
            glm::vec4(1, 0, 0, 1));
  const auto error = [&](const std::string& palette) {
    return errorOfText(triangleJson("", palette));
  };
  EXPECT_THAT(error(R"(["rgb8", "AAAA"])"),
              HasSubstr(R"("palette": expected 1024 letters of base64 (256 colors), found 4)"));
  EXPECT_THAT(error(R"(["yuv8", "AAAA"])"), HasSubstr(R"(expected "rgb8")"));
  EXPECT_THAT(error(R"("rgb8")"), HasSubstr("expected [\"rgb8\", colors]"));
  EXPECT_THAT(error("[]"), HasSubstr("expected \"rgb8\" before the colors, found the end"));
  std::string odd = paletteJson();
  odd[20] = '-';
  EXPECT_THAT(error(odd), HasSubstr("expected letters of base64, found \"-\""));
  EXPECT_THAT(error(R"(["rgb8", 5])"), HasSubstr("expected 1024 letters"));
}

TEST_F(CuburnDocument, WithoutAPaletteIsAWarning) {
  const Film film = readFilm(folder.write("n.json", R"({"type": "node",
    "xforms": {"0": {"weight": 1}}})"));
  EXPECT_THAT(film.warnings, ElementsAre(HasSubstr("the image stays black")));
}

TEST_F(CuburnDocument, UnknownFieldsAreNamedAndLeftOut) {
  const Film film = readFilm(folder.write("n.json", triangleJson(R"(, "notes": {"mine": 5},
    "camera.sacle": 3, "filters.bilateral.gradient": 2, "filters.haloclip": {"gamma": 1},
    "xforms.0.variations.juliann.weight": 1)")));
  EXPECT_THAT(film.warnings,
              testing::UnorderedElementsAre(HasSubstr("camera.sacle"), HasSubstr("juliann")));
  EXPECT_THAT(film.missingFilters, ElementsAre("bilateral", "haloclip"));
  EXPECT_EQ(film.xforms.size(), 3u);
}

TEST(CuburnIds, CountInNaturalOrder) {
  EXPECT_TRUE(naturalLess("2", "10"));
  EXPECT_FALSE(naturalLess("10", "2"));
  EXPECT_TRUE(naturalLess("x2b", "x10a"));
  EXPECT_TRUE(naturalLess("x", "x1"));
  EXPECT_TRUE(naturalLess("a", "b"));
  EXPECT_FALSE(naturalLess("a", "a"));
  EXPECT_NE(naturalLess("01", "1"), naturalLess("1", "01"));
}

// ---- Profiles

TEST_F(CuburnDocument, ProfilesHaveTheDefaultsOfCuburn) {
  const FilmProfile profile = readProfile(folder.write("p.json", R"({"type": "profile"})"));
  EXPECT_EQ(profile.width, 1280);
  EXPECT_EQ(profile.height, 720);
  EXPECT_EQ(profile.samplesPerPixel, 2000);
  EXPECT_EQ(profile.frameCount(1, "a film"), 720);
  EXPECT_EQ(profile.frameCount(0.5, "a film"), 360);
  EXPECT_EQ(profile.frameCount(1e-9, "a film"), 1);
  EXPECT_THROW(profile.frameCount(1e6, "a film"), Error);
  EXPECT_TRUE(profile.estimates);
}

TEST_F(CuburnDocument, ProfilesSayHowFilmsAreDrawn) {
  const FilmProfile profile = readProfile(folder.write("p.json", R"({"type": "profile",
    "width": 640, "height": 360, "fps": 10, "duration": 3, "frame_width": 0.5, "spp": 100,
    "start": 4, "end": -2, "skip": 1, "filter_order": ["logscale", "smearclip"],
    "filters": {"de.radius": 0.5, "bilateral": {"gradient": 0.75}}})"));
  EXPECT_EQ(profile.frameCount(2, "a film"), 60);
  EXPECT_EQ(profile.frameWidth, 0.5);
  EXPECT_EQ(profile.skip, 1);
  EXPECT_FALSE(profile.estimates);
  EXPECT_EQ(profile.factorOf("filters.de.radius"), 0.5);
  EXPECT_EQ(profile.factorOf("filters.de.curve"), 1);
  EXPECT_THAT(profile.missingFilters, ElementsAre("bilateral", "smearclip"));
}

TEST_F(CuburnDocument, ProfilesBeyondTheLimitsAreRefused) {
  const auto error = [&](const std::string& text) {
    return messageOf([&] { readProfile(folder.write("p.json", text)); });
  };
  EXPECT_THAT(error(R"({"type": "profile", "width": 0})"),
              HasSubstr(R"("width": expected a number from 1)"));
  EXPECT_THAT(error(R"({"type": "profile", "width": 1.5})"), HasSubstr("expected a whole number"));
  EXPECT_THAT(error(R"({"type": "profile", "spp": "many"})"),
              HasSubstr(R"("spp": expected a number)"));
  EXPECT_THAT(error(R"({"type": "profile", "fps": -1})"), HasSubstr(R"("fps")"));
  EXPECT_THAT(error(R"({"type": "profile", "filter_order": [1]})"), HasSubstr("names of filters"));
  EXPECT_THAT(error(R"({"type": "node"})"), HasSubstr(R"(expected "profile", found "node")"));
}

}  // namespace
}  // namespace fathom::flame::cuburn
