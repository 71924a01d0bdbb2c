// SPDX-License-Identifier: BSD-3-Clause
// The scenes made by code: what they hold, that they come out alike each time, and what is said to
// wrong parameters.
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/scene_cut.h"
#include "tests/support/message.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace fathom {
namespace {

std::shared_ptr<const Scene> load(const std::string& spec) {
  Progress progress;
  return loadScene(spec, progress);
}

std::string messageOf(const std::string& spec) {
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
  EXPECT_EQ(messageOf("points:count=1000000"),
            "points: expected a count of at most 500000 as triangles, found 1000000; active-pixel "
            "draws more");
}

TEST(BuiltIn, PartsAnswerToTheirNumber) {
  const auto byName = load("station#engine-1"), byNumber = load("station#4");
  ASSERT_EQ(byNumber->parts.size(), 1u);
  EXPECT_EQ(byNumber->parts[0].name, "engine-1");
  EXPECT_EQ(byName->parts[0].bounds.low, byNumber->parts[0].bounds.low);
  EXPECT_NE(messageOf("station#35").find("or its number, found \"35\""), std::string::npos);
  EXPECT_NE(messageOf("station#0").find("found \"0\""), std::string::npos);
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
    EXPECT_NE(word.parameters.find("seed=1"), std::string::npos) << word.name;
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
  const auto scene = load("atrium#interior");
  EXPECT_EQ(partNames(*scene), Names{"interior"});
  EXPECT_EQ(scene->camera, load("atrium")->camera);
}

TEST(BuiltIn, ParametersAndPartTogether) {
  const auto scene = load("hairball:strands=10,seed=3#spheres");
  EXPECT_EQ(partNames(*scene), Names{"spheres"});
}

TEST(BuiltInError, UnknownParameterNamesThoseThatExist) {
  const std::string message = messageOf("hairball:stands=3");
  EXPECT_NE(message.find("stands"), std::string::npos);
  EXPECT_NE(message.find("strands, segments, spheres, seed, alpha"), std::string::npos) << message;
}

TEST(BuiltInError, UnknownPartNamesThoseThatExist) {
  EXPECT_NE(messageOf("atrium#roof").find("interior, exterior"), std::string::npos);
}

TEST(BuiltInError, ValuesOutsideTheRange) {
  for (const char* spec :
       {"hairball:strands=0", "hairball:strands=1000000000", "planes:count=-3", "planes:alpha=1.5",
        "planes:alpha=nan", "planes:count=2.5", "planes:count=", "planes:count", "planes:count=3x",
        "planes:seed=-1", "planes:", "planes:count=3,", "hairball:strands=200000,segments=200"})
    EXPECT_NE(messageOf(spec), "no error") << spec;
}

TEST(BuiltInError, AnUnknownWordNamesTheScenes) {
  EXPECT_NE(messageOf("atrum").find("atrium, forest, hairball, planes"), std::string::npos);
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

}  // namespace
}  // namespace fathom
