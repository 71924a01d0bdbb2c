// SPDX-License-Identifier: BSD-3-Clause
// OBJ files with their materials, textures and what is wrong with them.
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/triangle_mesh.h"

namespace fathom {
namespace {

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const std::string kQuad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

// A 2 x 2 PNG: red, green / blue, clear.
const unsigned char kPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x06, 0x00, 0x00, 0x00, 0x72, 0xb6, 0x0d,
    0x24, 0x00, 0x00, 0x00, 0x13, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0,
    0x1f, 0x0c, 0x81, 0x34, 0x88, 0x60, 0x00, 0x00, 0x3f, 0xd2, 0x05, 0xfb, 0xcb, 0x17, 0xa6, 0xce,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

class ObjTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Scene> load(const std::string& text, const std::string& part = "",
                                    const std::string& name = "a.obj") {
    folder_.write(name, text);
    return loadScene(folder_.file(name) + part, progress_);
  }
  std::string messageOf(const std::string& text, const std::string& part = "") {
    return test::messageOf([&] { load(text, part); });
  }
  void expectRefused(const std::string& text, const std::string& words) {
    EXPECT_THAT(messageOf(text), AllOf(StartsWith(folder_.file("a.obj") + ": expected "),
                                       HasSubstr(words), Not(HasSubstr("\n"))));
  }
  TempFolder folder_;
  Progress progress_;
};

double areaOf(const Scene& scene) {
  double area = 0;
  for (std::size_t i = 0; i < scene.indices.size(); i += 3) {
    const glm::vec3 a = positionOf(scene.vertices[scene.indices[i]]);
    const glm::vec3 b = positionOf(scene.vertices[scene.indices[i + 1]]);
    const glm::vec3 c = positionOf(scene.vertices[scene.indices[i + 2]]);
    area += 0.5 * double(glm::length(glm::cross(b - a, c - a)));
  }
  return area;
}

/// A sheet of 60 x 60 squares with ridges, some of them creases, half of it in each of two objects;
/// colors and texture coordinates here and there.
std::string ridges() {
  constexpr int kSide = 60;
  std::string text = "vt 0.25 0.75\n";
  for (int y = 0; y <= kSide; ++y)
    for (int x = 0; x <= kSide; ++x)
      text += fmt::format("v {} {} {}{}\n", x, y, std::sin(0.7 * x) * y / 20.0,
                          x % 7 == 0 ? " 1 0.5 0" : "");
  for (int y = 0; y < kSide; ++y) {
    if (y % (kSide / 2) == 0) text += fmt::format("o half{}\n", y);
    for (int x = 0; x < kSide; ++x) {
      const int at = y * (kSide + 1) + x + 1;
      const char* const uv = x % 5 == 0 ? "/1" : "";
      text += fmt::format("f {}{} {}{} {}{} {}{}\n", at, uv, at + 1, uv, at + kSide + 2, uv,
                          at + kSide + 1, uv);
    }
  }
  return text;
}

/// Each triangle with all that its vertices hold, in any order.
std::multiset<std::string> trianglesOf(const Scene& scene) {
  std::multiset<std::string> all;
  for (std::size_t i = 0; i < scene.indices.size(); i += 3) {
    std::array<std::string, 3> corners;
    for (std::size_t k = 0; k < 3; ++k)
      corners[k].assign(reinterpret_cast<const char*>(&scene.vertices[scene.indices[i + k]]),
                        sizeof scene.vertices[0]);
    std::ranges::rotate(corners, std::ranges::min_element(corners));
    all.insert(corners[0] + corners[1] + corners[2]);
  }
  return all;
}

TEST_F(ObjTest, SharesTogetherAreTheWhole) {
  for (const std::string part : {"", "#half30"}) {
    const auto whole = load(ridges(), part);
    for (const bool byTriangles : {false, true})
      for (const int ranks : {1, 2, 3, 5}) {
        std::multiset<std::string> all;
        std::set<std::string> contents;
        for (int rank = 0; rank < ranks; ++rank) {
          const auto own = loadScene(whole->name, progress_, SceneShare{rank, ranks, byTriangles});
          all.merge(trianglesOf(*own));
          contents.insert(contentOf(*own));
          EXPECT_EQ(own->share->triangles, whole->triangleCount());
          EXPECT_EQ(own->share->parts, whole->parts.size());
          EXPECT_EQ(own->share->bounds.low, whole->bounds.low);
          EXPECT_EQ(own->share->bounds.high, whole->bounds.high);
          EXPECT_EQ(own->camera.position, whole->camera.position);
          if (byTriangles) {
            EXPECT_NEAR(double(own->triangleCount()), double(whole->triangleCount()) / ranks, 1);
            EXPECT_LT(own->vertices.size(), whole->vertices.size() / std::size_t(ranks) + 500);
          }
        }
        EXPECT_TRUE(all == trianglesOf(*whole)) << part << ranks << byTriangles;
        EXPECT_EQ(contents.size(), 1u);
      }
  }
  const SceneShare share{0, 2, true};
  const auto before = loadScene(folder_.file("a.obj"), progress_, share);
  folder_.write("a.obj", ridges() + "f 1 2 3\n");
  EXPECT_NE(contentOf(*before), contentOf(*loadScene(folder_.file("a.obj"), progress_, share)));
}

TEST_F(ObjTest, ColorsOfVertices) {
  const auto scene = load("v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0 0 1.0 0.5\nf 1 2 3");
  ASSERT_EQ(scene->vertices.size(), 3u);
  std::map<glm::vec3::value_type, float> colors;
  for (const auto& vertex : scene->vertices) {
    EXPECT_NE(vertex.light & SCENE_VERTEX_COLORED, 0u);
    colors[vertex.px + 2 * vertex.py] = vertex.u;
  }
  EXPECT_EQ(colors[0], float(0xFF0000));
  EXPECT_EQ(colors[1], float(0xFFFFFF));  // has none
  EXPECT_EQ(colors[2], float(0x00FF80));
  EXPECT_EQ(scene->materials.at(0).color, glm::vec4(1));
  EXPECT_EQ(load(kTriangle)->vertices[0].light & SCENE_VERTEX_COLORED, 0u);
}

TEST_F(ObjTest, ATriangle) {
  const auto scene = load(kTriangle);
  EXPECT_EQ(scene->triangleCount(), 1u);
  ASSERT_EQ(scene->parts.size(), 1u);
  EXPECT_EQ(scene->parts[0].name, "all");
  EXPECT_EQ(scene->bounds.high, glm::vec3(1, 1, 0));
  EXPECT_TRUE(scene->warnings.empty());
}

TEST_F(ObjTest, NegativeIndicesCountBack) {
  const auto scene = load("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n");
  EXPECT_EQ(scene->triangleCount(), 1u);
  EXPECT_EQ(scene->bounds.high, glm::vec3(1, 1, 0));
}

TEST_F(ObjTest, ConvexPolygonKeepsItsArea) {
  std::string text, face = "f";
  for (int i = 0; i < 12; ++i) {
    text += fmt::format("v {} {} 0\n", std::cos(i * 0.5235988), std::sin(i * 0.5235988));
    face += fmt::format(" {}", i + 1);
  }
  const auto scene = load(text + face + "\n");
  EXPECT_EQ(scene->triangleCount(), 10u);
  EXPECT_NEAR(areaOf(*scene), 3.0, 1e-5);  // a regular 12-gon in the unit circle
}

TEST_F(ObjTest, ConcavePolygonKeepsItsArea) {
  // An L, from each of its corners and both ways round.
  const std::vector<std::string> corners = {"0 0", "2 0", "2 1", "1 1", "1 2", "0 2"};
  for (std::size_t start = 0; start < 6; ++start)
    for (const bool back : {false, true}) {
      std::string text;
      for (std::size_t i = 0; i < 6; ++i)
        text += "v " + corners[(start + (back ? 6 - i : i)) % 6] + " 5\n";
      const auto scene = load(text + "f 1 2 3 4 5 6\n");
      EXPECT_EQ(scene->triangleCount(), 4u);
      EXPECT_NEAR(areaOf(*scene), 3.0, 1e-5) << start << back;
    }
}

TEST_F(ObjTest, FacesAreCountedAsTheyStand) {
  const std::pair<std::string, std::uint64_t> rows[] = {
      {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3", 1},  // of Windows, without a last newline
      {kQuad + "f 1 2 \\\n3 4\n", 2},                   // go on behind a backslash
      {"v 0 0 0 # origin\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 1},
      {kQuad + "v 0.5 2 0\nf 1 3 2 4 5\n", 3},  // a polygon that crosses itself
      {kTriangle + "l 1 2\np 1\nf 1 2\n", 1}};  // points and lines are no faces
  for (const auto& [text, count] : rows) EXPECT_EQ(load(text)->triangleCount(), count) << text;
}

TEST_F(ObjTest, SharedCornersAreSharedVertices) {
  const auto scene = load(kQuad + "f 1 2 3\nf 1 3 4\n");
  EXPECT_EQ(scene->vertices.size(), 4u);
}

TEST_F(ObjTest, GivenNormalsAndTextureCoordinatesArrive) {
  const auto scene =
      load("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.75\nvn 0 1 0\nf 1/1/1 2/1/1 3/1/1\n");
  for (const auto& v : scene->vertices) {
    EXPECT_EQ(v.u, 0.25f);
    EXPECT_EQ(v.v, 0.75f);
    EXPECT_NEAR(unpackNormal(v.normal).y, 1, 1e-4f);
  }
}

TEST_F(ObjTest, MissingNormalsOfABoxAreSharp) {
  // Two faces at a right angle share an edge: their four common corners become two each.
  const auto scene = load(kQuad + "v 1 0 -1\nv 1 1 -1\nf 1 2 3 4\nf 2 5 6 3\n");
  EXPECT_EQ(scene->vertices.size(), 8u);
  for (const auto& v : scene->vertices) {
    const glm::vec3 n = unpackNormal(v.normal);
    EXPECT_NEAR(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}), 1, 1e-4f);
  }
}

TEST_F(ObjTest, MissingNormalsOfAFlatBendAreSmooth) {
  // Two faces that differ by 20 degrees: one normal between them on the common edge.
  const auto scene = load(kQuad + "v 1.94 0 -0.342\nv 1.94 1 -0.342\nf 1 2 3 4\nf 2 5 6 3\n");
  EXPECT_EQ(scene->vertices.size(), 6u);
}

TEST_F(ObjTest, FacesWithoutAreaDoNoHarm) {
  const auto scene = load(kTriangle + "f 1 1 1\n");
  for (const auto& v : scene->vertices) EXPECT_TRUE(std::isfinite(unpackNormal(v.normal).x));
}

TEST_F(ObjTest, MaterialsAndTexturesArrive) {
  folder_.write("m.mtl",
                "newmtl red\nKd 1 0 0\nd 0.25\nKe 0 2 0\n\n"
                "newmtl pictured\nKd 1 1 1\nmap_Kd pic.png\n");
  folder_.write("pic.png", std::string(reinterpret_cast<const char*>(kPng), sizeof kPng));
  const auto scene = load(std::string("mtllib m.mtl\n") + kQuad +
                          "usemtl red\nf 1 2 3\nusemtl pictured\nf 1 3 4\n");
  EXPECT_TRUE(scene->warnings.empty());
  ASSERT_EQ(scene->materials.size(), 3u);  // the default comes first
  EXPECT_EQ(scene->materials[1].color, glm::vec4(1, 0, 0, 0.25f));
  EXPECT_EQ(scene->materials[1].emission, glm::vec4(0, 2, 0, 0));
  EXPECT_EQ(scene->materials[2].emission.w, 1.0f);
  ASSERT_EQ(scene->textures.size(), 1u);
  EXPECT_EQ(scene->textures[0].width, 2);
  EXPECT_EQ(std::vector<std::uint8_t>(scene->textures[0].rgba.begin(),
                                      scene->textures[0].rgba.begin() + 4),
            (std::vector<std::uint8_t>{255, 0, 0, 255}));
  ASSERT_EQ(scene->parts.size(), 1u);
  EXPECT_EQ(scene->parts[0].batches.size(), 2u);
}

TEST_F(ObjTest, SpacesInNamesAndPaths) {
  folder_.write("my folder/my colors.mtl", "newmtl dark oak\nKd 0.5 0.25 0\nmap_Kd my pic.png\n");
  folder_.write("my folder/my pic.png",
                std::string(reinterpret_cast<const char*>(kPng), sizeof kPng));
  const auto scene =
      load(std::string("mtllib my colors.mtl\no a chair\nusemtl dark oak\n") + kTriangle,
           "#a chair", "my folder/my chair.obj");
  EXPECT_EQ(scene->warnings, std::vector<std::string>{});
  EXPECT_EQ(scene->parts[0].name, "a chair");
  ASSERT_EQ(scene->textures.size(), 1u);
  EXPECT_EQ(scene->materials[1].color.r, 0.5f);
}

TEST_F(ObjTest, MissingMaterialFileIsAWarning) {
  const auto scene = load(std::string("mtllib gone.mtl\nusemtl x\n") + kTriangle);
  EXPECT_EQ(scene->triangleCount(), 1u);
  ASSERT_EQ(scene->warnings.size(), 1u);
  EXPECT_THAT(scene->warnings[0], HasSubstr("material file \"gone.mtl\" not found"));
}

TEST_F(ObjTest, MissingMaterialAndTextureAreWarnings) {
  folder_.write("m.mtl", "newmtl a\nmap_Kd gone.png\n");
  const auto scene = load("mtllib m.mtl\n" + kTriangle + "usemtl b\nf 1 2 3\nf 1 2 3\n");
  EXPECT_EQ(scene->warnings.size(), 2u);
  EXPECT_EQ(scene->triangleCount(), 3u);
}

TEST_F(ObjTest, TextureThatIsNoPictureIsAWarning) {
  folder_.write("m.mtl", "newmtl a\nmap_Kd pic.png\n");
  folder_.write("pic.png", "not a picture");
  const auto scene = load(std::string("mtllib m.mtl\nusemtl a\n") + kTriangle);
  ASSERT_EQ(scene->warnings.size(), 1u);
  EXPECT_THAT(scene->warnings[0], HasSubstr("pic.png"));
}

TEST_F(ObjTest, MaterialFileThatIsAFolderIsAWarning) {
  std::filesystem::create_directory(folder_ / "m.mtl");
  EXPECT_EQ(load("mtllib m.mtl\n" + kTriangle)->warnings.size(), 1u);
}

TEST_F(ObjTest, EmptyMaterialFileIsHarmless) {
  folder_.write("m.mtl", "");
  EXPECT_EQ(load(std::string("mtllib m.mtl\nusemtl a\n") + kTriangle)->triangleCount(), 1u);
}

TEST_F(ObjTest, ObjectsArePartsThatCanBeChosen) {
  const std::string text = kQuad + "o left\nf 1 2 3\no right\nf 1 3 4\nf 1 2 4\no left\nf 2 3 4\n";
  const auto both = load(text);
  ASSERT_EQ(both->parts.size(), 2u);
  EXPECT_EQ(both->parts[0].name, "left");
  EXPECT_EQ(both->parts[1].name, "right");
  const auto right = load(text, "#right");
  ASSERT_EQ(right->parts.size(), 1u);
  EXPECT_EQ(right->triangleCount(), 2u);
  const auto all = load(text, "#all");
  ASSERT_EQ(all->parts.size(), 1u);
  EXPECT_EQ(all->triangleCount(), 4u);
}

TEST_F(ObjTest, UnknownPartNamesThoseThatExist) {
  const std::string text = kQuad + "g left\nf 1 2 3\ng right\nf 1 3 4\n";
  EXPECT_THAT(messageOf(text, "#top"), HasSubstr("all, left, right"));
}

TEST_F(ObjTest, ManyGroupsBecomeOnePart) {
  std::string text = kQuad;
  for (int i = 0; i < 17; ++i) text += fmt::format("g group{}\nf 1 2 3\n", i);
  const auto scene = load(text);
  ASSERT_EQ(scene->parts.size(), 1u);
  EXPECT_EQ(scene->parts[0].name, "all");
  EXPECT_EQ(scene->triangleCount(), 17u);
  EXPECT_EQ(load(text, "#group16")->triangleCount(), 1u);
}

TEST_F(ObjTest, HashInThePathIsNoPart) {
  EXPECT_EQ(load(kTriangle, "", "no#1.obj")->triangleCount(), 1u);
}

TEST_F(ObjTest, LargeGridKeepsItsTrianglesAndArea) {
  constexpr int kSide = 150;
  std::string text;
  for (int y = 0; y <= kSide; ++y)
    for (int x = 0; x <= kSide; ++x) text += fmt::format("v {} {} 0\n", x, y);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int a = y * (kSide + 1) + x + 1;
      text += fmt::format("f {} {} {} {}\n", a, a + 1, a + kSide + 2, a + kSide + 1);
    }
  const auto scene = load(text);
  EXPECT_EQ(scene->triangleCount(), std::uint64_t(2 * kSide * kSide));
  EXPECT_NEAR(areaOf(*scene), kSide * kSide, 1e-2);
  EXPECT_GT(scene->parts[0].batches.size(), 10u);
}

TEST_F(ObjTest, CanBeCancelled) {
  progress_.cancel();
  EXPECT_THROW(load(kTriangle), Cancelled);
}

TEST_F(ObjTest, MissingFile) {
  EXPECT_EQ(test::messageOf([&] { loadScene(folder_.file("gone.obj"), progress_); }),
            folder_.file("gone.obj") + ": no such file");
}

TEST_F(ObjTest, AFolder) {
  std::filesystem::create_directory(folder_ / "d.obj");
  EXPECT_THROW(loadScene(folder_.file("d.obj"), progress_), Error);
}

TEST_F(ObjTest, WhatIsWrongIsNamed) {
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const std::pair<std::string, const char*> rows[] = {
      {"", "found an empty file"},
      {"v 0 0 0\n", "found 1 vertices and no face"},
      {"Dear reader,\nthis is no OBJ.\n", "no face"},
      {std::string("\xFF\xD8\xFF\xE0\x00\x10JFIF\x00\x01", 12), "found binary data"},  // a JPEG
      {"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", "numbers in line 2"},
      {"v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n", "finite coordinates in line 2"},
      {corners + "f 1 2 4\n", "index from 1 to 3 in line 4, found 4"},
      {corners + "f -4 2 1\n", "found -4"},
      {corners + "f 0 1 2\n", "found 0"},
      {corners + "f 1/1 2/1 3/1\n", "texture coordinate index"},
      {"v 0 0 0\n# " + std::string(20'000'000, 'x'), "lines of at most"}};
  for (const auto& [text, words] : rows) {
    SCOPED_TRACE(words);
    expectRefused(text, words);
  }
}

using Texel = std::array<std::uint8_t, 4>;

SceneTexture checker(int width, int height, Texel even, Texel odd) {
  SceneTexture texture;
  texture.width = width, texture.height = height;
  texture.rgba.resize(std::size_t(width * height * 4));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 4; ++c)
        texture.rgba[std::size_t(y * width + x) * 4 + c] = (x + y) % 2 ? odd[c] : even[c];
  return texture;
}

TEST(Mipmaps, EndAtOneTexel) {
  SceneTexture texture = checker(17, 9, {9, 9, 9, 255}, {9, 9, 9, 255});
  addMipmaps(texture);
  EXPECT_EQ(mipmapLevels(texture), 5);
  EXPECT_EQ(mipmapBytes(texture, 4), 4u);
  EXPECT_EQ(texture.rgba.size(), 4u * (17 * 9 + 8 * 4 + 4 * 2 + 2 * 1 + 1));
}

TEST(Mipmaps, ALoneTexelNeedsNone) {
  SceneTexture texture = checker(1, 1, {1, 2, 3, 4}, {0, 0, 0, 0});
  addMipmaps(texture);
  EXPECT_EQ(texture.rgba.size(), 4u);
}

TEST(Mipmaps, HalfBlackHalfWhiteIsHalfTheLight) {
  SceneTexture texture = checker(2, 2, {0, 0, 0, 255}, {255, 255, 255, 255});
  addMipmaps(texture);
  EXPECT_NEAR(texture.rgba[16], 188, 1);  // 0.5 linear in sRGB
  EXPECT_EQ(texture.rgba[19], 255);
}

TEST(Mipmaps, HiddenColorDoesNotShowThrough) {
  SceneTexture texture = checker(2, 2, {200, 100, 50, 255}, {0, 0, 0, 0});
  addMipmaps(texture);
  EXPECT_NEAR(texture.rgba[16], 200, 1);
  EXPECT_NEAR(texture.rgba[17], 100, 1);
  EXPECT_NEAR(texture.rgba[19], 128, 1);
}

}  // namespace
}  // namespace fathom
