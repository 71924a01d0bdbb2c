// SPDX-License-Identifier: BSD-3-Clause
// The same cube in every format: one scene. And what is wrong with PLY, glTF and STL files.
#include "app/engine/core/text.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/triangle_mesh.h"

namespace fathom {
namespace {

constexpr int kFaces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                              {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

/// Of the unit cube; its color too.
glm::ivec3 corner(int i) { return {i & 1, i >> 1 & 1, i >> 2}; }

template <class T>
void put(std::string& to, T value, bool bigEndian = false) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (bigEndian) std::ranges::reverse(bytes);
  to.append(bytes.data(), sizeof(T));
}

std::string objCube() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const glm::ivec3 p = corner(i);
    text += fmt::format("v {0} {1} {2} {0} {1} {2}\n", p.x, p.y, p.z);
  }
  for (const auto& f : kFaces)
    text += fmt::format("f {} {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1, f[3] + 1);
  return text;
}

std::string plyHeader(const std::string& format, const std::string& faces = "6") {
  return "ply\nformat " + format +
         " 1.0\ncomment by hand\nelement vertex 8\nproperty float x\nproperty float y\n"
         "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
         "element face " +
         faces + "\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string textPlyCube() {
  std::string text = plyHeader("ascii");
  for (int i = 0; i < 8; ++i) {
    const glm::ivec3 p = corner(i), c = p * 255;
    text += fmt::format("{} {} {} {} {} {}\n", p.x, p.y, p.z, c.x, c.y, c.z);
  }
  for (const auto& f : kFaces) text += fmt::format("4 {} {} {} {}\n", f[0], f[1], f[2], f[3]);
  return text;
}

std::string binaryPlyCube(bool bigEndian) {
  std::string file = plyHeader(bigEndian ? "binary_big_endian" : "binary_little_endian");
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) put(file, float(corner(i)[k]), bigEndian);
    for (int k = 0; k < 3; ++k) put(file, std::uint8_t(corner(i)[k] * 255));
  }
  for (const auto& f : kFaces) {
    put(file, std::uint8_t(4));
    for (const int i : f) put(file, std::int32_t(i), bigEndian);
  }
  return file;
}

/// Positions, colors, texture coordinates, indices, and a texture of two texels: red, and green
/// with alpha 100.
std::string glbBuffer() {
  std::string file;
  for (int i = 0; i < 24; ++i) put(file, float(corner(i / 3)[i % 3]));
  for (int i = 0; i < 24; ++i) put(file, float(corner(i / 3)[i % 3]));
  for (int i = 0; i < 8; ++i) put(file, float(corner(i).x)), put(file, float(corner(i).y));
  for (const auto& f : kFaces)
    for (const int k : {0, 1, 2, 0, 2, 3}) put(file, std::uint16_t(f[k]));
  const unsigned char tga[] = {0, 0, 2, 0,  0,    0, 0, 0,   0,   0, 0,   0, 2,
                               0, 1, 0, 32, 0x28, 0, 0, 255, 255, 0, 255, 0, 100};
  return file.append(reinterpret_cast<const char*>(tga), sizeof tga) + std::string(2, '\0');
}

/// With the cube as mesh 0 in one primitive of these attributes and this material.
std::string glb(const std::string& nodes, const std::string& attribute,
                const std::string& material = "{}") {
  const std::string buffer = glbBuffer();
  std::string json = fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{}],)"
      R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,{}}},"indices":3,"material":0}}]}}],)"
      R"("materials":[{}],"textures":[{{"source":0}}],)"
      R"("images":[{{"bufferView":4,"mimeType":"image/png"}}],"accessors":[)"
      R"({{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},)"
      R"({{"bufferView":1,"componentType":5126,"count":8,"type":"VEC3"}},)"
      R"({{"bufferView":2,"componentType":5126,"count":8,"type":"VEC2"}},)"
      R"({{"bufferView":3,"componentType":5123,"count":36,"type":"SCALAR"}}],"bufferViews":[)"
      R"({{"buffer":0,"byteOffset":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":96}},)"
      R"({{"buffer":0,"byteOffset":192,"byteLength":64}},{{"buffer":0,"byteOffset":256,"byteLength":72}},)"
      R"({{"buffer":0,"byteOffset":328,"byteLength":26}}],"buffers":[{{"byteLength":{}}}]}})",
      nodes, attribute, material, buffer.size());
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string file = "glTF";
  put(file, std::uint32_t(2)), put(file, std::uint32_t(28 + json.size() + buffer.size()));
  put(file, std::uint32_t(json.size())), file += "JSON" + json;
  put(file, std::uint32_t(buffer.size())), file += std::string("BIN\0", 4) + buffer;
  return file;
}

std::string stlCube() {
  std::string file(80, ' ');
  put(file, std::uint32_t(12));
  for (const auto& f : kFaces)
    for (const int first : {0, 1}) {
      for (int k = 0; k < 3; ++k) put(file, 0.0f);  // no normal
      for (const int i : {f[0], f[1 + first], f[2 + first]})
        for (int k = 0; k < 3; ++k) put(file, float(corner(i)[k]));
      put(file, std::uint16_t(0));
    }
  return file;
}

class FormatsTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Scene> load(const std::string& name, const std::string& data) {
    folder_.write(name, data);
    return loadScene(folder_.file(name), progress_);
  }
  TempFolder folder_;
  Progress progress_;
};

/// The corners of all triangles, whatever their order, each from its smallest on.
auto cornersOf(const Scene& scene, bool colors = true) {
  using ColoredCorner = std::tuple<float, float, float, std::uint32_t, float>;
  std::vector<std::array<ColoredCorner, 3>> triangles;
  for (std::size_t i = 0; i < scene.indices.size(); i += 3) {
    std::array<ColoredCorner, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& v = scene.vertices[scene.indices[i + k]];
      triangle[k] = {v.px, v.py, v.pz, v.normal, colors ? v.u : 0};
      EXPECT_EQ((v.light & SCENE_VERTEX_COLORED) != 0, colors);
    }
    std::rotate(triangle.begin(), std::ranges::min_element(triangle), triangle.end());
    triangles.push_back(triangle);
  }
  std::ranges::sort(triangles);
  return triangles;
}

TEST_F(FormatsTest, PlyGivesTheTrianglesOfObj) {
  const auto expected = cornersOf(*load("cube.obj", objCube()));
  ASSERT_EQ(expected.size(), 12u);
  EXPECT_EQ(cornersOf(*load("text.ply", textPlyCube())), expected);
  EXPECT_EQ(cornersOf(*load("little.PLY", binaryPlyCube(false))), expected);
  EXPECT_EQ(cornersOf(*load("big.ply", binaryPlyCube(true))), expected);
}

TEST_F(FormatsTest, GltfGivesTheTrianglesOfObj) {
  const auto scene = load("cube.glb", glb(R"({"mesh":0})", R"("COLOR_0":1)"));
  EXPECT_EQ(cornersOf(*scene), cornersOf(*load("cube.obj", objCube())));
  EXPECT_EQ(scene->parts.at(0).name, "all");
}

TEST_F(FormatsTest, StlGivesTheShapeOfObj) {
  EXPECT_EQ(load("cube.stl", stlCube())->bounds.high, glm::vec3(1));
  EXPECT_EQ(load("cube.stl", stlCube())->triangleCount(), 12u);
}

TEST_F(FormatsTest, NodesArePlacedAndAreParts) {
  const auto scene =
      load("two.glb", glb(R"({"children":[1,2],"translation":[10,0,0]},)"
                          R"({"name":"left","mesh":0},)"
                          R"({"name":"right","mesh":0,"translation":[5,0,0],"scale":[2,1,1]})",
                          R"("COLOR_0":1)"));
  ASSERT_EQ(scene->parts.size(), 2u);
  EXPECT_EQ(scene->parts[0].name, "left");
  EXPECT_EQ(scene->parts[0].bounds.low, glm::vec3(10, 0, 0));
  EXPECT_EQ(scene->parts[1].bounds.low, glm::vec3(15, 0, 0));
  EXPECT_EQ(scene->parts[1].bounds.high, glm::vec3(17, 1, 1));
  EXPECT_EQ(loadScene(folder_.file("two.glb") + "#right", progress_)->triangleCount(), 12u);
}

TEST_F(FormatsTest, MaterialsOfGltfHaveTheirAlphaByMode) {
  struct Row {
    const char* mode;
    float alpha;
    int texel;
  };
  for (const auto& [mode, alpha, texel] :
       {Row{"OPAQUE", 1, 255}, Row{"MASK", 1, 0}, Row{"BLEND", 0.5f, 100}}) {
    const std::string material =
        fmt::format(R"({{"alphaMode":"{}","emissiveFactor":[0,1,0],"pbrMetallicRoughness":{{)"
                    R"("baseColorFactor":[1,0.5,0.25,0.5],"baseColorTexture":{{"index":0}}}}}})",
                    mode);
    const auto scene = load("a.glb", glb(R"({"mesh":0})", R"("TEXCOORD_0":2)", material));
    EXPECT_EQ(scene->warnings, std::vector<std::string>{});
    ASSERT_EQ(scene->textures.size(), 1u);
    EXPECT_EQ(scene->textures[0].width, 2);
    EXPECT_EQ(scene->textures[0].rgba[5], 255);  // green
    EXPECT_EQ(scene->textures[0].rgba[7], texel) << mode;
    const auto& used = scene->materials.at(scene->vertices.at(0).material);
    EXPECT_EQ(used.color, glm::vec4(1, 0.5f, 0.25f, alpha));
    EXPECT_EQ(used.emission, glm::vec4(0, 1, 0, 1));
    // Texture coordinates of glTF go down, those of scenes up.
    for (const auto& v : scene->vertices) EXPECT_EQ(v.v, 1 - v.py);
  }
}

TEST_F(FormatsTest, PlyWithATexture) {
  folder_.write("two.tga", glbBuffer().substr(328, 26));
  const std::string header =
      "ply\nformat ascii 1.0\ncomment TextureFile two.tga\n"
      "element vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nproperty float s\nproperty float t\n";
  const auto scene = load("a.ply", header +
                                       "element face 1\nproperty list uchar int vertex_index\n"
                                       "end_header\n0 0 0 0 1\n1 0 0 0 1\n0 1 0 0 1\n3 0 1 2\n");
  EXPECT_EQ(scene->warnings, std::vector<std::string>{});
  ASSERT_EQ(scene->textures.size(), 1u);
  for (const auto& v : scene->vertices) EXPECT_EQ(glm::vec2(v.u, v.v), glm::vec2(0, 1));
}

std::string gltf(const std::string& rest) {
  return R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],)" + rest + "}";
}

/// glTF of nodes below one another.
std::string nested(int count) {
  std::string nodes;
  for (int i = 1; i < count; ++i) nodes += fmt::format(R"({{"children":[{}]}},)", i);
  return gltf(R"("nodes":[)" + nodes + "{}]");
}

/// A mesh whose positions lie in one buffer.
std::string mesh(const std::string& uri, int count, const std::string& primitive = "",
                 const std::string& more = "") {
  return gltf(fmt::format(
      R"("nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}{}}}]}}],)"
      R"("accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":{}{}}}],)"
      R"("bufferViews":[{{"buffer":0,"byteLength":3}}],"buffers":[{{"uri":"{}"}}])",
      primitive, count, more, uri));
}

TEST_F(FormatsTest, StripsFansAndSparseValuesOfGltf) {
  std::string bytes;
  for (int i = 0; i < 12; ++i) put(bytes, float(corner(i / 3)[i % 3]));
  put(bytes, std::uint8_t(3)), bytes.append(3, '\0');
  for (const float z : {1.0f, 1.0f, 9.0f}) put(bytes, z);
  folder_.write("four corners.bin", bytes);
  const auto with = [&](int mode, const std::string& more) {
    std::string text = mesh("four%20corners.bin", 4, fmt::format(R"(,"mode":{})", mode), more);
    text.replace(text.find("\"byteLength\":3"), 14, "\"byteLength\":64");
    return load("a.gltf", text);
  };
  EXPECT_EQ(with(5, "")->triangleCount(), 2u);
  EXPECT_EQ(with(6, "")->triangleCount(), 2u);
  EXPECT_EQ(with(4, "")->triangleCount(), 1u);
  EXPECT_EQ(with(5, "")->bounds.high, glm::vec3(1, 1, 0));
  EXPECT_EQ(with(5, R"(,"sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":48,)"
                    R"("componentType":5121},"values":{"bufferView":0,"byteOffset":52}})")
                ->bounds.high,
            glm::vec3(1, 1, 9));
}

/// A file of a hundred bytes may not ask for a billion triangles.
TEST_F(FormatsTest, CopiesOfAMeshAreBounded) {
  std::string text = mesh("data:," + std::string(64, 'A'), 4);
  const std::string primitive = text.substr(text.find("{\"attributes\""), 29);
  std::string many;
  for (int i = 0; i < 2000; ++i) many += primitive + ",";
  text.replace(text.find(primitive), 0, many);
  text.replace(text.find("\"byteLength\":3"), 14, "\"byteLength\":48");
  std::string nodes = R"({"children":[1)";
  for (int i = 2; i < 2000; ++i) nodes += fmt::format(",{}", i);
  nodes += "]}";
  for (int i = 1; i < 2000; ++i) nodes += R"(,{"mesh":0})";
  text.replace(text.find(R"({"mesh":0})"), 10, nodes);
  EXPECT_THAT(test::messageOf([&] { load("a.gltf", text); }), HasSubstr("vertices and corners"));
}

TEST_F(FormatsTest, FacetsOfStlHaveColors) {
  const auto colored = [&](std::uint16_t bits, const char* header) {
    std::string cube = stlCube();
    cube.replace(0, std::strlen(header), header);
    for (std::size_t i = 0; i < 12; ++i)
      cube.replace(84 + i * 50 + 48, 2, {char(bits), char(bits >> 8)});
    return load("a.stl", cube)->vertices.at(0).u;
  };
  EXPECT_EQ(colored(0xFC00, "VisCAM"), float(0xFF0000));
  EXPECT_EQ(colored(0x7C00, "COLOR="), float(0x0000FF));
  EXPECT_EQ(load("a.stl",
                 "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                 "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n")
                ->triangleCount(),
            1u);
}

TEST_F(FormatsTest, WhatIsWrongIsNamed) {
  const std::string text = textPlyCube(), binary = binaryPlyCube(false);
  const std::string noEnd = text.substr(0, text.find("end_header"));
  std::string index = text;
  index.replace(index.find("4 0 2 3 1"), 9, "4 0 2 3 8");
  const std::tuple<const char*, std::string, const char*> rows[] = {
      {"a.ply", "dear reader", "found no header"},
      {"a.ply", noEnd, "found no header"},
      {"a.ply", plyHeader("ascii", "99999999999"), "element face 99999999999"},
      {"a.ply", plyHeader("ebcdic"), "format ebcdic"},
      {"a.ply", index, "indices below 8, found 8"},
      {"a.ply", text.substr(0, text.size() - 5), "found fewer"},
      {"a.ply", binary.substr(0, binary.size() - 5), "found fewer"},
      {"a.ply", plyHeader("ascii", "0") + text.substr(text.find("\n0 0 0") + 1), "no face"},
      {"a.glb", glb(R"({"mesh":0})", R"("COLOR_0":1)").substr(0, 99), "a file of 99"},
      {"a.gltf", "{", "JSON"},
      {"a.gltf", "{\"a\":" + std::string(100000, '['), "256 levels"},
      {"a.gltf", R"({"asset":{"version":"1.0"}})", "found version 1.0"},
      {"a.gltf", R"({"asset":{"version":"2.0"}})", "a scene"},
      {"a.gltf", nested(300), "nodes at most 256 deep"},
      {"a.gltf", gltf(R"("nodes":[{"children":[1,1]},{}])"), "node 1 below two"},
      {"a.gltf", gltf(R"("nodes":[{"children":[0]}])"), "node 0 below two"},
      {"a.gltf", gltf(R"("nodes":[{"mesh":0,"skin":-1}])"), "an index into 0 meshes, found 0"},
      {"a.gltf", mesh("nowhere.bin", 1), "nowhere.bin: no such file"},
      {"a.gltf", mesh("data:,AAAA", 1 << 28), "268435456 values of accessor 0 in view 0"},
      {"a.gltf", mesh("data:,AAAA", -1), "a whole number, found -1"},
      {"a.stl", stlCube().substr(0, 300), "an STL file of 684 bytes"},
      {"a.stl", "solid a\nvertex 1 2\nendsolid a\n", "three numbers"},
      {"a.stl", "", "found an empty file"}};
  for (const auto& [name, data, words] : rows) {
    SCOPED_TRACE(words);
    EXPECT_THAT(test::messageOf([&, name = name, data = data] { load(name, data); }),
                AllOf(StartsWith(folder_.file(name) + ": expected "), HasSubstr(words),
                      Not(HasSubstr("\n"))));
  }
}

TEST_F(FormatsTest, BuffersInDevicesAreRefused) {
  EXPECT_THAT(test::messageOf([&] { load("a.gltf", mesh("/dev/zero", 1)); }),
              AllOf(StartsWith(folder_.file("a.gltf") + ": expected "),
                    HasSubstr("/dev/zero: expected a file, found a pipe or a device"),
                    Not(HasSubstr("\n"))));
}

}  // namespace
}  // namespace fathom
