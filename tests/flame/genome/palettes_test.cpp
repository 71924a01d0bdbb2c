// SPDX-License-Identifier: BSD-3-Clause
// Palettes: the library that Fathom ships, and colors turned, mixed and filled.
#include "app/engine/flame/genome/palettes.h"

namespace fathom::flame {
namespace {

TEST(FlamePalettes, OwnOnesAreManyNamedAndDifferent) {
  const auto& library = ownPalettes();
  EXPECT_GE(library.size(), 64u);
  std::set<std::string> names;
  for (std::size_t i = 0; i < library.size(); ++i) {
    EXPECT_EQ(library[i].number, int(i));
    names.insert(library[i].name);
    EXPECT_EQ(library[i].colors[0].a, 1);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(library[i].colors, library[j].colors);
  }
  EXPECT_EQ(names.size(), library.size());
}

TEST(FlamePalettes, HsvThereAndBack) {
  for (int r = 0; r <= 4; ++r)
    for (int g = 0; g <= 4; ++g)
      for (int b = 0; b <= 4; ++b) {
        const glm::dvec3 rgb = glm::dvec3(r, g, b) / 4.0;
        const glm::dvec3 hsv = hsvFromRgb(rgb), back = rgbFromHsv(hsv);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(back[c], rgb[c], 1e-12);
        EXPECT_GE(hsv.x, 0);
        EXPECT_LT(hsv.x, 6);
      }
  EXPECT_EQ(hsvFromRgb({0, 1, 0}), glm::dvec3(2, 1, 1));
}

TEST(FlamePalettes, HueTurnsByAThird) {
  Palette red{};
  red.fill({1, 0, 0, 1});
  const Palette turned = rotatedHue(red, 1.0 / 3);
  EXPECT_NEAR(turned[0].g, 1, 1e-6);
  EXPECT_NEAR(turned[0].r, 0, 1e-6);
}

TEST(FlamePalettes, MixingTakesTheShortWayRound) {
  Palette magenta{}, yellow{};
  magenta.fill({1, 0, 1, 1}), yellow.fill({1, 1, 0, 1});
  const glm::vec4 middle = blended(magenta, yellow, 0.5)[0];  // hue 5 and hue 1: red between them
  EXPECT_NEAR(middle.r, 1, 1e-6);
  EXPECT_NEAR(middle.g, 0, 1e-6);
  EXPECT_NEAR(middle.b, 0, 1e-6);
}

TEST(FlamePalettes, BrokenLibrariesAreRefused) {
  const TempFolder folder;
  for (const char* text :
       {"", "x", "<palettes/>", "<palettes><palette number='0' data='00'/></palettes>",
        "<palettes><palette name='a'/></palettes>"})
    EXPECT_THROW(readPalettes(folder.write("p.xml", text)), Error) << text;
}

/// The same blend by flam3 (two palettes of its library, 0.25): printed by flam3-genome.
TEST(FlamePalettes, OldFormEqualsFlam3) {
  if (flam3Palettes().empty()) GTEST_SKIP() << "flam3's palettes are not installed";
  const NamedPalette* first = paletteNumbered(flam3Palettes(), 10);
  const NamedPalette* second = paletteNumbered(flam3Palettes(), 20);
  ASSERT_TRUE(first && second);
  const Palette mixed =
      blended(rotatedHue(first->colors, 0.1), rotatedHue(second->colors, 0.3), 0.25);
  const glm::vec3 expected[] = {{28.25f, 25.4375f, 23.25f},   {46.5f, 31.5055f, 7.28598f},
                                {67, 59.4471f, 21.6699f},     {82.8304f, 88.75f, 22.6629f},
                                {61.8304f, 94.25f, 24.927f},  {83.2987f, 95.75f, 26.7171f},
                                {65.0317f, 77.75f, 24.356f},  {50.0254f, 59.25f, 22.2117f},
                                {31.8672f, 35.75f, 10.7451f}, {24.25f, 1.99706f, 10.3468f}};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(mixed[i][c] * 255, expected[i][c], 0.001) << i;
}

// ---- Files of other programs

TEST(FlamePaletteFiles, ListsOfColorsAreResampled) {
  const auto map = parsePaletteFile("0 0 0 black\n\n255 51 0\n", "fire.map");
  EXPECT_EQ(map.at(0).name, "fire");
  EXPECT_EQ(map[0].colors[0], glm::vec4(0, 0, 0, 1));
  EXPECT_EQ(map[0].colors[255], glm::vec4(1, 0.2f, 0, 1));
  EXPECT_NEAR(map[0].colors[51].r, 0.2, 1e-6);
  const auto gimp =
      parsePaletteFile("GIMP Palette\nName: Sea\nColumns: 2\n#\n 0 0 255 x\n", "a.GPL");
  EXPECT_EQ(gimp.at(0).name, "Sea");
  EXPECT_EQ(gimp[0].colors[77], glm::vec4(0, 0, 1, 1));
}

TEST(FlamePaletteFiles, AnEmptyNameIsThatOfTheFile) {
  for (const char* name : {"Name:\n", "Name: \n"})
    EXPECT_EQ(parsePaletteFile(fmt::format("GIMP Palette\n{}1 2 3\n", name), "sea.gpl").at(0).name,
              "sea");
}

TEST(FlamePaletteFiles, GradientsOfGimp) {
  const auto list = parsePaletteFile(
      "GIMP Gradient\nName: Dusk\n2\n"
      "0.0 0.25 0.5 1 0 0 1 0 1 0 1 0 0\n0.5 0.75 1.0 0 1 0 1 0 0 1 1 0 0\n",
      "dusk.ggr");
  EXPECT_EQ(list.at(0).name, "Dusk");
  EXPECT_EQ(list[0].colors[0], glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(list[0].colors[255], glm::vec4(0, 0, 1, 1));
  EXPECT_NEAR(list[0].colors[64].r, 0.5, 0.01);
}

TEST(FlamePaletteFiles, GradientsOfUltraFractal) {
  const auto list = parsePaletteFile(
      "one {\ngradient:\n title=\"First\" smooth=no\n index=0 color=255\n index=200 "
      "color=16711680\n"
      "opacity:\n index=0 opacity=255\n}\ntwo {\ngradient:\n index=10 color=65280\n}\n",
      "g.ugr");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "First");
  EXPECT_EQ(list[0].colors[0], glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(list[0].colors[128], glm::vec4(0, 0, 1, 1));
  EXPECT_NEAR(list[0].colors[64].r, 0.5, 1e-6);
  EXPECT_NEAR(list[0].colors[192].r, 0.5, 1e-6) << "around the circle";
  EXPECT_EQ(list[1].colors[9], glm::vec4(0, 1, 0, 1));
}

/// flam3 writes a blank for a first digit of 0, and reads that by its scanf, six characters a
/// color.
TEST(FlamePalettes, HexColorsOfFlam3HaveBlanks) {
  std::vector<glm::vec4> colors(4);
  EXPECT_EQ(readHexColors("\n  17 a 43f261b\n   9 2113 \n  0a0b0c\n", 4, 6, false, colors), "");
  const auto bytes = [&](std::size_t i) { return glm::ivec3(glm::round(colors[i] * 255.0f)); };
  EXPECT_EQ(bytes(0), glm::ivec3(0x17, 0xa, 0x43));
  EXPECT_EQ(bytes(1), glm::ivec3(0x3f, 0x26, 0x1b));
  EXPECT_EQ(bytes(2), glm::ivec3(0x9, 0x21, 0x13));
  EXPECT_EQ(bytes(3), glm::ivec3(10, 11, 12));
  EXPECT_NE(readHexColors("17 g 4", 1, 6, false, colors), "");
  EXPECT_NE(readHexColors("17 a", 1, 6, false, colors), "");
}

TEST(FlamePaletteFiles, AreWrittenAndReadAgain) {
  const TempFolder folder;
  for (const char* name : {"p.map", "p.gpl"}) {
    const std::filesystem::path file = folder / name;
    writePaletteFile(file, ownPalettes()[3].colors);
    const Palette again = readPalette(file.string());
    for (std::size_t i = 0; i < 256; ++i)
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(again[i][c], ownPalettes()[3].colors[i][c], 0.5 / 255 + 1e-6);
  }
  EXPECT_THROW(writePaletteFile(folder / "p.ugr", Palette{}), Error);
}

TEST(FlamePaletteFiles, WithoutColorsAreRefused) {
  for (const char* name : {"a.map", "a.gpl", "a.ggr", "a.ugr", "a.txt"})
    EXPECT_THROW(parsePaletteFile("nothing { here }\n", name), Error) << name;
}

}  // namespace
}  // namespace fathom::flame
