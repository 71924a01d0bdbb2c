// SPDX-License-Identifier: BSD-3-Clause
// What readers of scene files have in common: they hand over positions, normals, texture
// coordinates, materials and polygons one by one, and a Scene comes out, with its limits kept.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/scene/scene.h"
#include "app/engine/scene/triangle_mesh.h"

namespace fathom {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct SceneCorner {
  std::uint32_t position = 0, texcoord = kNone, normal = kNone;  // in the order they were added
};

/// Of a share, its triangles alone get normals and batches: until then it holds positions, corners
/// and indices of the whole. Polygons are triangulated by cutting ears in their own plane (of the
/// Newell normal); normals that a file lacks are averaged over the faces around a position, but not
/// across creases.
class SceneBuilder {
 public:
  /// `where`: of the file, for messages: " in line 7". Material 0 is that of what has none.
  SceneBuilder(Scene& scene, fs::path file, std::function<std::string()> where = {});

  void position(glm::vec3 p);  // finite, or Error
  void normal(glm::vec3 n);    // any length; one without direction counts as none
  void texcoord(glm::vec2 uv);
  std::size_t positions() const { return mesh_.positions.size(); }
  std::size_t normals() const { return normals_.size(); }
  std::size_t texcoords() const { return texcoords_.size(); }

  /// Corners within what has been added; fewer than three make no face.
  void face(std::span<const SceneCorner> corners);

  /// Of the faces that follow.
  void useMaterial(int material) { material_ = material; }
  /// Linear, straight alpha. Returns the material's number.
  int addMaterial(glm::vec4 color, glm::vec3 emission, int texture);
  /// What `read` gives for bytes of textures so far, once per key; -1 after Error, which warns.
  int texture(const std::string& key, const std::function<SceneTexture(std::size_t)>& read);
  /// The object that the faces that follow belong to.
  void group(const std::string& name);
  void warnOnce(const std::string& text);

  /// Hands everything to the scene, of all groups or one. `colors`: 0xRRGGBB, sRGB, of the
  /// positions, white for what is beyond; empty: none. Frames the camera.
  void finish(const std::string& part, std::vector<std::uint32_t> colors, Progress& progress);

  struct Corner {
    std::uint32_t position = 0, texcoord = kNone, normal = 0, material = 0;
    std::uint32_t next = kNone;  // the next corner of the same position
    bool same(const Corner& o) const {
      return position == o.position && texcoord == o.texcoord && normal == o.normal &&
             material == o.material;
    }
  };
  struct Mesh {
    std::vector<glm::vec3> positions;
    std::vector<Corner> corners;
    std::vector<std::uint32_t> indices;  // into corners, three per triangle
    std::vector<TriangleRun> runs;
  };

 private:
  [[noreturn]] void failTooMany(const char* what) const;
  std::string where() const { return where_ ? where_() : ""; }
  std::uint32_t cornerIndex(const SceneCorner& from);
  void beginRun();
  std::vector<std::string> choosePart(const std::string& part);
  std::vector<std::uint32_t> takeShare(SceneShare& share);
  void colorVertices(TriangleMesh& mesh, std::vector<std::uint32_t> colors);

  Scene& scene_;
  fs::path file_;
  std::function<std::string()> where_;
  Mesh mesh_;
  std::vector<std::uint32_t> normals_;  // packed
  std::vector<glm::vec2> texcoords_;
  std::vector<std::uint32_t> firstCorner_;  // uint[position]
  std::vector<std::uint32_t> polygon_;
  std::vector<int> textureOf_;  // int[material]
  std::map<std::string, int> textures_;
  std::unordered_map<std::string, int> partNames_;
  std::vector<std::string> parts_;
  std::size_t textureBytes_ = 0;
  int material_ = 0, part_ = -1;
};

// Readers of files that are there and not empty: each fills the scene as loadSceneFile() says

void readObj(Scene& scene, const fs::path& file, const std::string& part, Progress& progress);
void readPly(Scene& scene, const fs::path& file, const std::string& part, Progress& progress);
void readGltf(Scene& scene, const fs::path& file, const std::string& part, Progress& progress);
void readStl(Scene& scene, const fs::path& file, const std::string& part, Progress& progress);

}  // namespace fathom
