// SPDX-License-Identifier: BSD-3-Clause
// Sorting triangles into batches along a Morton curve. Indices and vertices move to the
// scene in turn, so that at most one of them is held twice: meshes of ten million triangles pass
// through here.
#include "app/engine/scene/triangle_mesh.h"

#include "app/engine/core/jobs.h"

#include <glm/gtc/bitfield.hpp>
#include <glm/gtc/packing.hpp>

namespace fathom {
namespace {

float signNotZero(float v) { return v < 0 ? -1.0f : 1.0f; }

/// Gives the batches of a scene vertices of their own, one batch after the other.
class BatchWriter {
 public:
  BatchWriter(Scene& scene, const std::vector<scene::shared::Vertex>& vertices)
      : scene_(scene), vertices_(vertices) {
    newIndex_.assign(vertices.size(), 0);
    scene.vertices.reserve(vertices.size() + vertices.size() / 8);
  }

  /// The batch's indices are the mesh's and become the scene's.
  void write(SceneBatch& batch) {
    batch.firstVertex = std::uint32_t(scene_.vertices.size());
    for (std::uint32_t i = 0; i < batch.indexCount; i += 3)
      writeTriangle(&scene_.indices[batch.firstIndex + i], batch);
    batch.vertexCount = std::uint32_t(scene_.vertices.size()) - batch.firstVertex;
  }

 private:
  void writeTriangle(std::uint32_t* corner, SceneBatch& batch) {
    const auto& a = vertices_[corner[0]];
    const auto& b = vertices_[corner[1]];
    const auto& c = vertices_[corner[2]];
    const glm::vec3 pa = positionOf(a), pb = positionOf(b), pc = positionOf(c);
    const glm::vec3 facing =
        unpackNormal(a.normal) + unpackNormal(b.normal) + unpackNormal(c.normal);
    if (glm::dot(glm::cross(pb - pa, pc - pa), facing) < 0) std::swap(corner[1], corner[2]);
    for (int i = 0; i < 3; ++i) {
      batch.bounds.add(positionOf(vertices_[corner[i]]));
      corner[i] = indexInBatch(corner[i], batch.firstVertex);
    }
  }

  /// The vertex's index in the scene; copied at its first use in this batch.
  std::uint32_t indexInBatch(std::uint32_t old, std::uint32_t firstVertex) {
    // An index from an earlier batch is below firstVertex; 0 is also "never".
    std::uint32_t& mapped = newIndex_[old];
    if (mapped <= firstVertex) {
      scene_.vertices.push_back(vertices_[old]);
      mapped = std::uint32_t(scene_.vertices.size());  // one more than the index
    }
    return mapped - 1;
  }

  Scene& scene_;
  const std::vector<scene::shared::Vertex>& vertices_;
  std::vector<std::uint32_t> newIndex_;  // uint[old vertex], index in the scene plus 1
};

}  // namespace

std::uint32_t mortonCode(glm::vec3 p, const Box& bounds) {
  const glm::vec3 size = glm::max(bounds.size(), glm::vec3(1e-20f));
  const glm::vec3 q = glm::clamp((p - bounds.low) / size, 0.0f, 1.0f) * 1023.0f;
  const glm::uvec3 cell(q);
  return std::uint32_t(glm::bitfieldInterleave(cell.x, cell.y, cell.z));
}

std::uint32_t packNormal(glm::vec3 n) {
  const float sum = std::abs(n.x) + std::abs(n.y) + std::abs(n.z);
  if (!(sum > 0)) return packNormal(glm::vec3(0, 1, 0));
  glm::vec2 p = glm::vec2(n.x, n.y) / sum;
  if (n.z < 0)
    p = glm::vec2((1 - std::abs(p.y)) * signNotZero(p.x), (1 - std::abs(p.x)) * signNotZero(p.y));
  return glm::packSnorm2x16(p);
}

glm::vec3 unpackNormal(std::uint32_t packed) {
  const float x = float(std::int16_t(packed & 0xFFFF)) / 32767.0f;
  const float y = float(std::int16_t(packed >> 16)) / 32767.0f;
  glm::vec3 n(x, y, 1 - std::abs(x) - std::abs(y));
  if (n.z < 0) {
    n.x = (1 - std::abs(y)) * signNotZero(x);
    n.y = (1 - std::abs(x)) * signNotZero(y);
  }
  return glm::normalize(n);
}

std::uint32_t packLight(float sky, float ground) { return glm::packUnorm2x8({sky, ground}); }

std::uint32_t openLight(glm::vec3 n) { return packLight(0.5f + 0.5f * n.y, 1); }

std::vector<Keyed> trianglesOf(const std::vector<TriangleRun>& runs, int part, int texture,
                               const Box& bounds, BatchOrder order,
                               const std::function<glm::vec3(std::uint32_t)>& center) {
  const auto isOther = [&](const auto& run) { return run.part != part || run.texture != texture; };
  std::size_t count = 0;
  for (const TriangleRun& run : runs) count += isOther(run) ? 0 : run.triangleCount;
  std::vector<Keyed> triangles;
  triangles.reserve(count);
  for (const TriangleRun& run : runs) {
    if (isOther(run)) continue;
    for (std::uint32_t t = run.firstTriangle; t < run.firstTriangle + run.triangleCount; ++t)
      triangles.push_back({0, t});
  }
  if (order == BatchOrder::Kept || triangles.size() <= kBatchTriangles) return triangles;
  parallelForEach(triangles.size(), 65536, [&](std::size_t i) {
    triangles[i].code = mortonCode(center(triangles[i].triangle), bounds);
  });
  std::sort(triangles.begin(), triangles.end(), [](const Keyed& x, const Keyed& y) {
    return x.code != y.code ? x.code < y.code : x.triangle < y.triangle;
  });
  return triangles;
}

void finishScene(Scene& scene, TriangleMesh mesh, const std::vector<std::string>& partNames,
                 BatchOrder order, Progress& progress) {
  for (SceneTexture& texture : scene.textures) addMipmaps(texture);
  progress.begin("sorting triangles", double(mesh.indices.size() / 3));
  Box bounds;
  for (const auto& v : mesh.vertices) bounds.add(positionOf(v));

  // Which textures each part uses, so that no part is searched for those it lacks.
  std::vector<std::vector<int>> textures(partNames.size());
  for (const TriangleRun& run : mesh.runs) {
    auto& used = textures[std::size_t(run.part)];
    if (run.triangleCount && std::find(used.begin(), used.end(), run.texture) == used.end())
      used.push_back(run.texture);
  }

  const auto center = [&mesh](std::uint32_t triangle) {
    const std::uint32_t* corner = &mesh.indices[std::size_t(triangle) * 3];
    return (positionOf(mesh.vertices[corner[0]]) + positionOf(mesh.vertices[corner[1]]) +
            positionOf(mesh.vertices[corner[2]])) /
           3.0f;
  };
  const std::size_t firstPart = scene.parts.size();
  scene.indices.reserve(scene.indices.size() + mesh.indices.size());
  for (std::size_t p = 0; p < partNames.size(); ++p) {
    ScenePart& part = scene.parts.emplace_back();
    part.name = partNames[p];
    for (const int texture : textures[p]) {
      const std::vector<Keyed> triangles =
          trianglesOf(mesh.runs, int(p), texture, bounds, order, center);
      for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (i % kBatchTriangles == 0)
          part.batches.emplace_back().firstIndex = std::uint32_t(scene.indices.size());
        const std::uint32_t* corner = &mesh.indices[std::size_t(triangles[i].triangle) * 3];
        scene.indices.insert(scene.indices.end(), corner, corner + 3);
        part.batches.back().texture = texture;
        part.batches.back().indexCount += 3;
      }
    }
  }

  std::vector<std::uint32_t>().swap(mesh.indices);  // before the scene's vertices are made
  BatchWriter writer(scene, mesh.vertices);
  for (ScenePart& part : std::span(scene.parts).subspan(firstPart)) {
    for (SceneBatch& batch : part.batches) {
      writer.write(batch);
      part.bounds.add(batch.bounds);
      progress.advance(batch.indexCount / 3);
    }
    scene.bounds.add(part.bounds);
  }
}

}  // namespace fathom
