// SPDX-License-Identifier: BSD-3-Clause
// What is drawn: triangles in parts, with materials and textures. load_scene.h makes one from an
// OBJ file or from the name of a built-in scene.
#pragma once

#include "app/engine/scene/camera.h"
#include "shaders/scene/shared.h"

namespace fathom {

struct SceneTexture {
  std::string name;
  int width = 0, height = 0;
  /// sRGB bytes, straight alpha, top row first; behind the picture its mipmap levels, each half the
  /// size of the one before (rounded down, at least 1), the last 1 x 1.
  std::vector<std::uint8_t> rgba;
};

/// Triangles that lie together and are drawn with one texture binding. The vertices of a batch are
/// its own, so that scenes beyond one storage block can be cut between batches.
struct SceneBatch {
  std::uint32_t firstIndex = 0, indexCount = 0;
  std::uint32_t firstVertex = 0, vertexCount = 0;
  int texture = -1;  // into Scene::textures; -1: none
  Box bounds;
};

/// A named share of the scene ("interior"); a part becomes one deep image.
struct ScenePart {
  std::string name;
  std::vector<SceneBatch> batches;
  Box bounds;
};

/// Light from one sun, from the sky above and from the ground below; colors are linear.
struct Lighting {
  glm::vec3 toSun{0.45f, 0.8f, 0.4f};  // any length
  glm::vec3 sun{0.72f, 0.68f, 0.6f};
  glm::vec3 sky{0.42f, 0.46f, 0.52f};
  glm::vec3 ground{0.24f, 0.22f, 0.2f};
  Box shadowBounds;  // where surfaces keep the sun off others; empty: nowhere
};

struct Scene {
  std::string name;  // the word or file it came from
  std::vector<scene::shared::Vertex> vertices;
  std::vector<std::uint32_t> indices;  // three per triangle
  std::vector<scene::shared::Material> materials;
  std::vector<SceneTexture> textures;
  std::vector<ScenePart> parts;  // at least one
  Box bounds;
  Camera camera;  // a good first view
  Lighting lighting;
  std::vector<std::string> warnings;  // "chair.obj: material file chair.mtl not found"
  std::uint64_t triangleCount() const { return indices.size() / 3; }
};

}  // namespace fathom
