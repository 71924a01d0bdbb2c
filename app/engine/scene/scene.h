// SPDX-License-Identifier: BSD-3-Clause
// What is drawn: triangles in parts, with materials and textures. load_scene.h makes one from a
// file or from the name of a built-in scene. Textures of materials (PNG, JPEG, TGA, BMP)
// with their mipmaps; and scenes taken apart and put together: shares that hold no more than their
// own triangles, vertices and textures.
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

/// A file of which one of several ranks keeps its share.
struct SceneShare {
  int rank = 0, ranks = 1;
  bool byTriangles = false;  // as many for each; else parts rank, rank + ranks, ...
  // Of the whole
  Box bounds = {};
  std::uint64_t parts = 0, triangles = 0;
  std::uint32_t checksum = 0;  // of its mesh
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
  std::optional<SceneShare> share;    // none: this is the whole
  std::uint64_t triangleCount() const { return indices.size() / 3; }
};

/// Reads a color texture, an alpha texture or both into one RGBA texture; either name may be empty.
/// Names are relative to `folder`. `bytesSoFar` counts against the limit for all textures of a
/// scene. Throws Error when a file is missing, damaged or too large.
SceneTexture readTexture(const fs::path& folder, const std::string& color, const std::string& alpha,
                         std::size_t bytesSoFar);

/// The same of bytes of a PNG, JPEG, BMP or TGA.
SceneTexture decodeTexture(const std::string& name, std::string_view data, std::size_t bytesSoFar);

// Mipmaps, each level half the size of the one before, in linear light

int mipmapLevels(const SceneTexture& texture);
/// Bytes of one level; level 0 is the picture.
std::size_t mipmapBytes(const SceneTexture& texture, int level);
/// Appends all levels below the picture, which must be all that `rgba` holds.
void addMipmaps(SceneTexture& texture);

/// Some triangles of a part, counted from the part's first in drawing order.
struct PartRange {
  std::size_t part = 0;
  std::uint64_t firstTriangle = 0, triangleCount = 0;
};

/// Triangles of a part.
std::uint64_t triangleCount(const ScenePart& part);

/// The ranges of all parts of which a share [first, end) of the scene's triangles, in drawing
/// order, consists.
std::vector<PartRange> rangesOf(const Scene& scene, std::uint64_t first, std::uint64_t end);

/// A scene of these ranges alone, each a part of the old name. Materials are kept, of the textures
/// those in use; nothing casts shadows any more, because a share does not know what the others
/// hold.
Scene cut(const Scene& scene, const std::vector<PartRange>& ranges);

/// Adds all parts of `other`. Throws Error when the sum has more vertices or indices than 2^32.
void append(Scene& scene, const Scene& other);

}  // namespace fathom
