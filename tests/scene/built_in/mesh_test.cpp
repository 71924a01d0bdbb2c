// SPDX-License-Identifier: BSD-3-Clause
// Packed normals, and sorting triangles into batches.
#include "app/engine/core/random.h"
#include "app/engine/scene/built_in/mesh_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <glm/geometric.hpp>

namespace fathom {
namespace {

TEST(PackNormal, ComesBackWithinRounding) {
  Random random(3);
  for (int i = 0; i < 10000; ++i) {
    const glm::vec3 n = random.direction();
    // Two steps of 1/32767 in each coordinate of the octahedron.
    ASSERT_LT(glm::length(unpackNormal(packNormal(n)) - n), 2e-4f);
  }
}

TEST(PackNormal, AxesAreExact) {
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.0f, 1.0f}) {
      glm::vec3 n(0);
      n[axis] = sign;
      EXPECT_LT(glm::length(unpackNormal(packNormal(n)) - n), 1e-6f);
    }
}

TEST(PackNormal, NoDirectionIsNoNaN) {
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

}  // namespace
}  // namespace fathom
