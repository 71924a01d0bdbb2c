// SPDX-License-Identifier: BSD-3-Clause
// Batches are copied with the vertices that they use; indices are renumbered on the way.
#include "app/engine/scene/scene.h"

#include "app/engine/core/error.h"
#include "app/engine/scene/triangle_mesh.h"

namespace fathom {
namespace {

/// Moves batches of one scene into another, each with its own vertices.
class Cutter {
 public:
  Cutter(Scene& to, const Scene& from) : to_(to), from_(from) {
    newTexture_.assign(from.textures.size(), -1);
  }

  /// Triangles [first, end) of the batch.
  SceneBatch copy(const SceneBatch& batch, std::uint32_t first, std::uint32_t end) {
    SceneBatch copied = batch;
    copied.firstVertex = std::uint32_t(to_.vertices.size());
    copied.firstIndex = std::uint32_t(to_.indices.size());
    copied.indexCount = (end - first) * 3;
    copied.texture = textureOf(batch.texture);
    const auto vertices = from_.vertices.begin() + batch.firstVertex;
    to_.vertices.insert(to_.vertices.end(), vertices, vertices + batch.vertexCount);
    if (copied.indexCount < batch.indexCount) copied.bounds = {};
    for (std::uint32_t i = batch.firstIndex + first * 3; i < batch.firstIndex + end * 3; ++i) {
      const std::uint32_t index = from_.indices[i];
      to_.indices.push_back(index - batch.firstVertex + copied.firstVertex);
      if (copied.indexCount < batch.indexCount)
        copied.bounds.add(positionOf(from_.vertices[index]));
    }
    return copied;
  }

 private:
  int textureOf(int texture) {
    if (texture < 0) return -1;
    int& mapped = newTexture_[std::size_t(texture)];
    if (mapped < 0) {
      mapped = int(to_.textures.size());
      to_.textures.push_back(from_.textures[std::size_t(texture)]);
    }
    return mapped;
  }

  Scene& to_;
  const Scene& from_;
  std::vector<int> newTexture_;
};

}  // namespace

std::uint64_t triangleCount(const ScenePart& part) {
  std::uint64_t count = 0;
  for (const SceneBatch& batch : part.batches) count += batch.indexCount / 3;
  return count;
}

std::vector<PartRange> rangesOf(const Scene& scene, std::uint64_t first, std::uint64_t end) {
  std::vector<PartRange> ranges;
  std::uint64_t before = 0;
  for (std::size_t p = 0; p < scene.parts.size(); ++p) {
    const std::uint64_t count = triangleCount(scene.parts[p]);
    const std::uint64_t from = std::clamp(first, before, before + count);
    const std::uint64_t to = std::clamp(end, before, before + count);
    if (to > from) ranges.push_back({p, from - before, to - from});
    before += count;
  }
  return ranges;
}

Scene cut(const Scene& scene, const std::vector<PartRange>& ranges) {
  Scene share;
  share.name = scene.name;
  share.materials = scene.materials;
  share.camera = scene.camera;
  share.lighting = scene.lighting;
  share.lighting.shadowBounds = {};
  Cutter cutter(share, scene);
  for (const PartRange& range : ranges) {
    const ScenePart& part = scene.parts[range.part];
    ScenePart kept;
    kept.name = part.name;
    std::uint64_t before = 0;
    for (const SceneBatch& batch : part.batches) {
      const std::uint64_t count = batch.indexCount / 3,
                          end = range.firstTriangle + range.triangleCount;
      const std::uint64_t from = std::clamp(range.firstTriangle, before, before + count) - before;
      const std::uint64_t to = std::clamp(end, before, before + count) - before;
      before += count;
      if (to <= from) continue;
      kept.batches.push_back(cutter.copy(batch, std::uint32_t(from), std::uint32_t(to)));
      kept.bounds.add(kept.batches.back().bounds);
    }
    share.bounds.add(kept.bounds);
    share.parts.push_back(std::move(kept));
  }
  return share;
}

void append(Scene& scene, const Scene& other) {
  constexpr std::uint64_t kMaxCount = UINT32_MAX;
  if (scene.vertices.size() + other.vertices.size() > kMaxCount ||
      scene.indices.size() + other.indices.size() > kMaxCount)
    fail("{}: expected at most {} vertices and indices in one share, found more", other.name,
         kMaxCount);
  const auto firstVertex = std::uint32_t(scene.vertices.size());
  const auto firstIndex = std::uint32_t(scene.indices.size());
  const auto firstMaterial = std::uint32_t(scene.materials.size());
  const auto firstTexture = int(scene.textures.size());
  for (auto vertex : other.vertices) {
    vertex.material += firstMaterial;
    scene.vertices.push_back(vertex);
  }
  for (const std::uint32_t index : other.indices) scene.indices.push_back(index + firstVertex);
  scene.materials.insert(scene.materials.end(), other.materials.begin(), other.materials.end());
  scene.textures.insert(scene.textures.end(), other.textures.begin(), other.textures.end());
  for (ScenePart part : other.parts) {
    for (SceneBatch& batch : part.batches) {
      batch.firstVertex += firstVertex, batch.firstIndex += firstIndex;
      if (batch.texture >= 0) batch.texture += firstTexture;
    }
    scene.parts.push_back(std::move(part));
  }
  scene.bounds.add(other.bounds);
  scene.warnings.insert(scene.warnings.end(), other.warnings.begin(), other.warnings.end());
}

}  // namespace fathom
