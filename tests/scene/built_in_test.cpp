// SPDX-License-Identifier: BSD-3-Clause
// Built-in scenes: the same for the same seed, with the fragments per pixel of the paper; meshes,
// batches, points of the globe.
#include "app/engine/core/random.h"
#include "app/engine/scene/built_in/mesh_builder.h"
#include "app/engine/scene/built_in/points.h"
#include "app/engine/scene/load_scene.h"
#include "tests/scene/count_fragments.h"

namespace fathom {
namespace {

std::shared_ptr<const Scene> load(const std::string& spec) {
  Progress progress;
  return loadScene(spec, progress);
}

std::string refusalOf(const std::string& spec) {
  return test::messageOf([&] { load(spec); });
}

std::vector<std::string> partNames(const Scene& scene) {
  std::vector<std::string> names;
  for (const ScenePart& part : scene.parts) names.push_back(part.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(BuiltIn, AtriumHasTwoPartsAndEnoughTriangles) {
  const auto scene = load("atrium");
  EXPECT_EQ(partNames(*scene), (Names{"interior", "exterior"}));
  EXPECT_GT(scene->triangleCount(), 200000u);
  EXPECT_LT(scene->triangleCount(), 400000u);
}

TEST(BuiltIn, ForestCountsItsTreesAndSprays) {
  const auto scene = load("forest:trees=3,sprays=2"), more = load("forest:trees=3,sprays=4");
  EXPECT_EQ(partNames(*scene), (Names{"leaves", "trunks", "ground"}));
  // Two triangles for each of two more sprays on 11 branches of three trees.
  EXPECT_EQ(more->triangleCount() - scene->triangleCount(), 3u * 11 * 2 * 2);
}

TEST(BuiltIn, HairballCountsItsStrands) {
  const auto scene = load("hairball:strands=100,segments=10,spheres=3");
  EXPECT_EQ(partNames(*scene), (Names{"hair", "spheres"}));
  EXPECT_EQ(scene->triangleCount(), 100u * 10 * 2 + 3 * 20 * 12 * 2);
}

TEST(BuiltIn, PowerplantHasTwoPartsAndEnoughTriangles) {
  const auto scene = load("powerplant");
  EXPECT_EQ(partNames(*scene), (Names{"interior", "exterior"}));
  EXPECT_GT(scene->triangleCount(), 150000u);
  EXPECT_LT(scene->triangleCount(), 400000u);
  EXPECT_LT(load("powerplant:density=0.3")->triangleCount(), scene->triangleCount() / 2);
  for (const ScenePart& part : scene->parts) EXPECT_GT(triangleCount(part), 50000u) << part.name;
  EXPECT_LT(load("powerplant:density=3")->triangleCount(), 2500000u);
}

TEST(BuiltIn, PlanesCountsItsQuads) {
  const auto scene = load("planes:count=7,spheres=0");
  EXPECT_EQ(partNames(*scene), (Names{"planes", "spheres"}));
  EXPECT_EQ(scene->triangleCount(), 14u);
  EXPECT_TRUE(scene->parts[1].batches.empty());
}

/// Lipinski et al. 2021, sec. 4: 34 files, 9,096 triangles.
TEST(BuiltIn, StationHasThePapersObjectsAndTriangles) {
  const auto scene = load("station");
  ASSERT_EQ(scene->parts.size(), 34u);
  std::string counts;
  std::uint64_t sum = 0;
  for (const ScenePart& part : scene->parts) {
    const std::uint64_t count = triangleCount(part);
    EXPECT_GT(count, 0u) << part.name;
    sum += count;
    counts += fmt::format("{} {}, ", part.name, count);
  }
  EXPECT_EQ(sum, scene->triangleCount());
  EXPECT_NEAR(double(sum), 9100, 91) << counts;
}

TEST(BuiltIn, PointsAreSmallSpheresUpToALimit) {
  const auto scene = load("points:count=50");
  EXPECT_EQ(partNames(*scene), (Names{"points"}));
  EXPECT_EQ(scene->triangleCount(), 50u * 8);
  EXPECT_EQ(refusalOf("points:count=1000000"),
            "points: expected a count of at most 500000 as triangles, found 1000000; active-pixel "
            "draws more");
}

TEST(BuiltIn, PartsAnswerToTheirNumber) {
  const auto byName = load("station#engine-1"), byNumber = load("station#4");
  ASSERT_EQ(byNumber->parts.size(), 1u);
  EXPECT_EQ(byNumber->parts[0].name, "engine-1");
  EXPECT_EQ(byName->parts[0].bounds.low, byNumber->parts[0].bounds.low);
  EXPECT_THAT(refusalOf("station#35"), HasSubstr("or its number, found \"35\""));
  EXPECT_THAT(refusalOf("station#0"), HasSubstr("found \"0\""));
}

TEST(BuiltIn, PlanesLieBackToFront) {
  const auto scene = load("planes:spheres=0");
  float previous = -1e30f;
  for (std::size_t i = 0; i < scene->indices.size(); i += 6) {
    const float z = scene->vertices[scene->indices[i]].pz;
    EXPECT_GT(z, previous);
    previous = z;
  }
}

TEST(BuiltIn, EveryWordLoadsAndIsSound) {
  for (const SceneInfo& word : builtInScenes()) {
    const auto scene = load(word.name);
    EXPECT_FALSE(word.about.empty());
    EXPECT_THAT(word.parameters, HasSubstr("seed=1")) << word.name;
    EXPECT_FALSE(scene->bounds.empty());
    EXPECT_GT(scene->camera.farZ, scene->camera.nearZ);
    for (const auto& v : scene->vertices) {
      ASSERT_TRUE(std::isfinite(v.px) && std::isfinite(v.py) && std::isfinite(v.pz)) << word.name;
      ASSERT_TRUE(std::isfinite(v.u) && std::isfinite(v.v)) << word.name;
      ASSERT_LT(v.material, scene->materials.size());
    }
    for (const std::uint32_t index : scene->indices) ASSERT_LT(index, scene->vertices.size());
  }
}

TEST(BuiltIn, SameSeedGivesTheSameBytes) {
  for (const char* spec : {"atrium", "hairball:strands=500", "planes", "powerplant"}) {
    const auto a = load(spec), b = load(spec);
    ASSERT_EQ(a->vertices.size(), b->vertices.size());
    EXPECT_EQ(std::memcmp(a->vertices.data(), b->vertices.data(),
                          a->vertices.size() * sizeof(scene::shared::Vertex)),
              0)
        << spec;
    EXPECT_EQ(a->indices, b->indices);
    for (std::size_t i = 0; i < a->textures.size(); ++i)
      EXPECT_EQ(a->textures[i].rgba, b->textures[i].rgba);
  }
}

TEST(BuiltIn, AnotherSeedGivesOtherBytes) {
  for (const std::string word : {"atrium", "hairball", "planes", "powerplant"}) {
    const auto a = load(word + ":seed=1"), b = load(word + ":seed=2");
    const std::size_t bytes =
        std::min(a->vertices.size(), b->vertices.size()) * sizeof(scene::shared::Vertex);
    EXPECT_NE(std::memcmp(a->vertices.data(), b->vertices.data(), bytes), 0) << word;
  }
}

TEST(BuiltIn, AlphaOverridesEveryMaterial) {
  for (const std::string word : {"atrium", "hairball", "planes", "powerplant"}) {
    const auto scene = load(word + ":alpha=0.3");
    for (const auto& material : scene->materials) EXPECT_EQ(material.color.a, 0.3f);
  }
}

TEST(BuiltIn, NamedPartIsTheOnlyOne) {
  const auto scene = load("hairball:strands=10,seed=3#spheres");
  EXPECT_EQ(partNames(*scene), Names{"spheres"});
  EXPECT_EQ(scene->camera, load("hairball:strands=10,seed=3")->camera);
}

TEST(BuiltInError, NamesWhatThereIs) {
  // Unknown parameter names those that exist.
  const std::string message = refusalOf("hairball:stands=3");
  EXPECT_THAT(message, HasSubstr("stands"));
  EXPECT_THAT(message, HasSubstr("strands, segments, spheres, seed, alpha"));
  // Unknown part names those that exist.
  EXPECT_THAT(refusalOf("atrium#roof"), HasSubstr("interior, exterior"));
  // Values outside the range.
  for (const char* spec :
       {"hairball:strands=0", "hairball:strands=1000000000", "planes:count=-3", "planes:alpha=1.5",
        "planes:alpha=nan", "planes:count=2.5", "planes:count=", "planes:count", "planes:count=3x",
        "planes:seed=-1", "planes:", "planes:count=3,", "hairball:strands=200000,segments=200"})
    EXPECT_NE(refusalOf(spec), "no error") << spec;
  // An unknown word names the scenes.
  EXPECT_THAT(refusalOf("atrum"), HasSubstr("atrium, forest, hairball, planes"));
}

TEST(SceneSpec, AFileWithAColonOrSignIsNoScene) {
  const TempFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  folder.write("hairball:x.exr", "x");
  EXPECT_FALSE(isSceneSpec("hairball:x.exr"));
  EXPECT_TRUE(isSceneSpec("hairball:strands=20"));
  std::filesystem::current_path(before);
}

TEST(SceneSpec, IsToldByItsWordOrEnding) {
  for (const char* spec : {"atrium", "atrium#interior", "hairball:strands=3", "a/b c.obj", "X.OBJ",
                           "a.obj#leg", "strange#name.obj"})
    EXPECT_TRUE(isSceneSpec(spec)) << spec;
  for (const char* spec : {"", "atriums", "a.exr", "obj", "power", "a.obj.exr"})
    EXPECT_FALSE(isSceneSpec(spec)) << spec;
}

TEST(Loading, CanBeCancelled) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(loadScene("atrium", progress), Cancelled);
}

TEST(PackNormal, ComesBackWithinRounding) {
  Random random(3);
  for (int i = 0; i < 10000; ++i) {
    const glm::vec3 n = random.direction();
    // Two steps of 1/32767 in each coordinate of the octahedron.
    ASSERT_LT(glm::length(unpackNormal(packNormal(n)) - n), 2e-4f);
  }
  // Axes are exact.
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.0f, 1.0f}) {
      glm::vec3 n(0);
      n[axis] = sign;
      EXPECT_LT(glm::length(unpackNormal(packNormal(n)) - n), 1e-6f);
    }
  // No direction is no NaN.
  EXPECT_TRUE(std::isfinite(unpackNormal(packNormal(glm::vec3(0))).x));
}

/// All triangles as sorted positions, to compare sets whatever the order.
using Corner = std::tuple<float, float, float>;
std::multiset<std::array<Corner, 3>> trianglesOf(const std::vector<scene::shared::Vertex>& vertices,
                                                 const std::vector<std::uint32_t>& indices) {
  std::multiset<std::array<Corner, 3>> all;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    std::array<Corner, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& v = vertices[indices[i + k]];
      triangle[k] = {v.px, v.py, v.pz};
    }
    std::sort(triangle.begin(), triangle.end());
    all.insert(triangle);
  }
  return all;
}

struct Made {
  Scene scene;
  TriangleMesh before;
};

/// Spheres in two parts and two materials, one of them textured.
Made spheres(BatchOrder order) {
  Made made;
  MeshBuilder mesh(made.scene);
  SceneTexture dot;
  dot.width = dot.height = 1, dot.rgba = {255, 255, 255, 255};
  MaterialLook textured;
  textured.texture = mesh.addTexture(dot);
  const int plain = mesh.addMaterial({}), second = mesh.addMaterial(textured);
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    mesh.setPart(i % 2);
    mesh.setMaterial(i % 3 ? plain : second);
    mesh.sphere(random.direction() * 5.0f, 0.5f, 16, 12);
  }
  made.before = mesh.take();
  Progress progress;
  finishScene(made.scene, made.before, {"even", "odd"}, order, progress);
  return made;
}

TEST(FinishScene, KeepsEveryTriangle) {
  const Made made = spheres(BatchOrder::Spatial);
  EXPECT_EQ(trianglesOf(made.scene.vertices, made.scene.indices),
            trianglesOf(made.before.vertices, made.before.indices));
}

TEST(FinishScene, BatchesCoverTheIndicesOnce) {
  const Made made = spheres(BatchOrder::Spatial);
  std::uint32_t next = 0, nextVertex = 0;
  for (const ScenePart& part : made.scene.parts)
    for (const SceneBatch& batch : part.batches) {
      EXPECT_EQ(batch.firstIndex, next);
      EXPECT_EQ(batch.firstVertex, nextVertex);
      EXPECT_LE(batch.indexCount, 3 * kBatchTriangles);
      next += batch.indexCount, nextVertex += batch.vertexCount;
    }
  EXPECT_EQ(next, made.scene.indices.size());
  EXPECT_EQ(nextVertex, made.scene.vertices.size());
}

TEST(FinishScene, BatchesOwnTheirVerticesAndBoundThem) {
  const Made made = spheres(BatchOrder::Spatial);
  for (const ScenePart& part : made.scene.parts)
    for (const SceneBatch& batch : part.batches)
      for (std::uint32_t i = batch.firstIndex; i < batch.firstIndex + batch.indexCount; ++i) {
        const std::uint32_t index = made.scene.indices[i];
        ASSERT_GE(index, batch.firstVertex);
        ASSERT_LT(index, batch.firstVertex + batch.vertexCount);
        const glm::vec3 p = positionOf(made.scene.vertices[index]);
        ASSERT_TRUE(glm::all(glm::greaterThanEqual(p, batch.bounds.low)));
        ASSERT_TRUE(glm::all(glm::lessThanEqual(p, batch.bounds.high)));
      }
}

TEST(FinishScene, WindsTrianglesAroundTheirNormals) {
  const Made made = spheres(BatchOrder::Spatial);
  for (std::size_t i = 0; i < made.scene.indices.size(); i += 3) {
    const auto& a = made.scene.vertices[made.scene.indices[i]];
    const auto& b = made.scene.vertices[made.scene.indices[i + 1]];
    const auto& c = made.scene.vertices[made.scene.indices[i + 2]];
    const glm::vec3 face = glm::cross(positionOf(b) - positionOf(a), positionOf(c) - positionOf(a));
    const glm::vec3 normals =
        unpackNormal(a.normal) + unpackNormal(b.normal) + unpackNormal(c.normal);
    ASSERT_GE(glm::dot(face, normals), -1e-9f);
  }
}

TEST(FinishScene, KeptOrderIsKept) {
  const Made made = spheres(BatchOrder::Kept);
  // The first plain triangles of part 0 are those of sphere 2 (0 is textured), as they were made.
  const ScenePart& part = made.scene.parts[0];
  const auto first = std::find_if(part.batches.begin(), part.batches.end(),
                                  [](const SceneBatch& b) { return b.texture < 0; });
  ASSERT_NE(first, part.batches.end());
  const std::size_t perSphere = 16 * 12 * 2;
  for (std::size_t i = 0; i < 3 * perSphere; i += 3) {
    const glm::vec3 after =
        positionOf(made.scene.vertices[made.scene.indices[first->firstIndex + i]]);
    const glm::vec3 before =
        positionOf(made.before.vertices[made.before.indices[2 * 3 * perSphere + i]]);
    ASSERT_EQ(after, before);
  }
}

TEST(FinishScene, CanBeCancelled) {
  Scene scene;
  MeshBuilder mesh(scene);
  mesh.addMaterial({});
  mesh.sphere({0, 0, 0}, 1, 16, 12);
  Progress progress;
  progress.cancel();
  EXPECT_THROW(finishScene(scene, mesh.take(), {"all"}, BatchOrder::Spatial, progress), Cancelled);
}

PointCloud cloudOf(std::uint64_t count, std::uint64_t seed = 1) {
  Progress progress;
  return PointCloud(count, seed, 1, progress);
}

bool same(const std::vector<scene::shared::ScenePoint>& a,
          const std::vector<scene::shared::ScenePoint>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

TEST(PointCloud, IsTheSameInStretches) {
  const PointCloud cloud = cloudOf(10007);
  ASSERT_EQ(cloud.count(), 10007u);
  const auto all = cloud.make(0, 10007);
  std::vector<scene::shared::ScenePoint> joined;
  for (std::uint64_t at = 0; at < 10007; at += 1234) {
    const auto some = cloud.make(at, std::min<std::uint64_t>(at + 1234, 10007));
    joined.insert(joined.end(), some.begin(), some.end());
  }
  EXPECT_TRUE(same(joined, all));
  EXPECT_TRUE(cloud.make(5, 5).empty());
  EXPECT_FALSE(same(cloudOf(10007, 2).make(0, 10007), all));
}

TEST(PointCloud, RunsAlongLongitude) {
  const auto points = cloudOf(20000).make(0, 20000);
  double newest = -4;
  for (const auto& p : points) {
    const double lon = std::atan2(p.x, p.z);
    EXPECT_GT(lon, newest - 0.0059);  // inside a cell in any order
    newest = std::max(newest, lon);
  }
}

TEST(PointCloud, LiesOnTheGlobeAndInItsBounds) {
  const PointCloud cloud = cloudOf(5000);
  for (const auto& [first, end] :
       {std::pair(0, 5000), std::pair(100, 900), std::pair(4999, 5000)}) {
    const Box box = cloud.boundsOf(std::uint64_t(first), std::uint64_t(end));
    for (const auto& p : cloud.make(std::uint64_t(first), std::uint64_t(end))) {
      const glm::vec3 at(p.x, p.y, p.z);
      const float r = cloud.radius().x + cloud.radius().y * float(p.look & 0xFFFF) / 65535;
      EXPECT_NEAR(glm::length(at), 1.006f, 0.0065f);
      for (int i = 0; i < 3; ++i) {
        EXPECT_GE(at[i] - r, box.low[i]);
        EXPECT_LE(at[i] + r, box.high[i]);
      }
    }
  }
  EXPECT_TRUE(cloud.boundsOf(7, 7).empty());
}

TEST(PointCloud, IsDenseInCitiesAndEmptyOnTheSea) {
  const PointCloud cloud = cloudOf(100000);
  std::vector<int> cells(36 * 18);
  for (const auto& p : cloud.make(0, cloud.count())) {
    const double lon = std::atan2(p.x, p.z), lat = std::asin(p.y / std::hypot(p.x, p.y, p.z));
    const int column = std::min(35, int((lon / 3.14159265 + 1) * 18));
    const int row = std::min(17, int((lat / 3.14159265 + 0.5) * 18));
    ++cells[std::size_t(column * 18 + row)];
  }
  const auto empty = std::count(cells.begin(), cells.end(), 0);
  EXPECT_GT(empty, 100);
  EXPECT_LT(empty, 500);
  EXPECT_GT(*std::max_element(cells.begin(), cells.end()), 10 * 100000 / int(cells.size()));
}

TEST(PointCloud, ComesFromAScenesText) {
  Progress progress;
  EXPECT_EQ(PointCloud::fromSpec("points:count=77", progress)->count(), 77u);
  EXPECT_EQ(PointCloud::fromSpec("points", progress)->count(), 200000u);
  EXPECT_FALSE(PointCloud::fromSpec("station", progress));
  EXPECT_THROW(PointCloud::fromSpec("points:count=55300001", progress), Error);
}

constexpr int kWidth = 480, kHeight = 270;

struct Depth {
  double mean = 0;                    // fragments per pixel, all parts together
  std::uint32_t mostOfNearlyAll = 0;  // 99.9 % of a part's pixels hold fewer
  std::uint32_t max = 0;              // of a pixel of a part
};

Depth depthOf(const std::string& spec) {
  Progress progress;
  const auto scene = loadScene(spec, progress);
  Depth depth;
  for (std::size_t part = 0; part < scene->parts.size(); ++part) {
    std::vector<std::uint32_t> counts =
        countFragments(*scene, part, scene->camera, kWidth, kHeight);
    depth.mean += double(std::accumulate(counts.begin(), counts.end(), std::uint64_t(0))) /
                  double(counts.size());
    std::sort(counts.begin(), counts.end());
    depth.max = std::max(depth.max, counts.back());
    depth.mostOfNearlyAll = std::max(depth.mostOfNearlyAll, counts[counts.size() * 999 / 1000]);
  }
  return depth;
}

void expectWithinTenPercent(double found, double paper) {
  EXPECT_GT(found, paper * 0.9);
  EXPECT_LT(found, paper * 1.1);
}

TEST(DepthComplexity, AtriumIsNearThePapers) {
  const Depth depth = depthOf("atrium");
  expectWithinTenPercent(depth.mean, 8.9);
  EXPECT_LE(depth.mostOfNearlyAll, 20u);
}

TEST(DepthComplexity, IsNearThePapers) {
  // Its lists reach into the hundreds: those of the interior alone to 300 and more.
  const Depth depth = depthOf("powerplant");
  expectWithinTenPercent(depth.mean, 18.5);
  EXPECT_GE(depth.max, 300u);
  EXPECT_LT(depth.max, 1000u);
  expectWithinTenPercent(depthOf("hairball").mean, 22.9);
  expectWithinTenPercent(depthOf("planes").mean, 63.3);
  // Planes cover two thirds of the height.
  Progress progress;
  const auto scene = loadScene("planes:count=1,spheres=0", progress);
  const auto counts = countFragments(*scene, 0, scene->camera, kWidth, kHeight);
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), 180 * 180);
  EXPECT_EQ(counts[std::size_t(kHeight / 2) * kWidth + kWidth / 2], 1u);
}

}  // namespace
}  // namespace fathom
