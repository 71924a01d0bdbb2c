// SPDX-License-Identifier: BSD-3-Clause
// Triangles on their way into a Scene: as the file or the code made them, in runs of one part and
// texture. finishScene() sorts them into batches that lie together, so that what is outside the
// picture is skipped by the batch.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/scene/scene.h"

namespace fathom {

struct TriangleRun {
  int part = 0;      // into the names given to finishScene
  int texture = -1;  // into Scene::textures; -1: none
  std::uint32_t firstTriangle = 0, triangleCount = 0;
};

struct TriangleMesh {
  std::vector<scene::shared::Vertex> vertices;
  std::vector<std::uint32_t> indices;  // three per triangle
  std::vector<TriangleRun> runs;       // together all triangles, in order
};

enum class BatchOrder {
  Spatial,  // triangles may be put in another order
  Kept,     // within a part and texture they are drawn as they were made
};

constexpr std::uint32_t kBatchTriangles = 2048;  // at most

/// Octahedral, two snorm16 (Cigolla et al. 2014, "oct32"); `normal` has any length but 0.
std::uint32_t packNormal(glm::vec3 normal);
glm::vec3 unpackNormal(std::uint32_t packed);

/// The Morton code (Morton 1966) of a point in a box: 10 bits of each coordinate.
std::uint32_t mortonCode(glm::vec3 p, const Box& bounds);

struct Keyed {
  std::uint32_t code, triangle;
};
/// The triangles of one part and texture, in the order in which they shall be drawn. `center`: of a
/// triangle's number.
std::vector<Keyed> trianglesOf(const std::vector<TriangleRun>& runs, int part, int texture,
                               const Box& bounds, BatchOrder order,
                               const std::function<glm::vec3(std::uint32_t)>& center);

inline glm::vec3 positionOf(const scene::shared::Vertex& v) { return {v.px, v.py, v.pz}; }

/// Vertex::light from the share of the sky that is seen and from the share of the ground's light
/// that arrives, both 0..1.
std::uint32_t packLight(float sky, float ground);
/// Vertex::light of a surface that nothing stands around.
std::uint32_t openLight(glm::vec3 unitNormal);

/// Fills vertices, indices, parts, bounds and the textures' mipmaps. Every triangle is wound
/// counter-clockwise around its vertex normals. Parts without triangles are kept, with empty
/// bounds.
void finishScene(Scene& scene, TriangleMesh mesh, const std::vector<std::string>& partNames,
                 BatchOrder order, Progress& progress);

}  // namespace fathom
