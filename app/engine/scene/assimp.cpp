// SPDX-License-Identifier: BSD-3-Clause
// glTF and STL as assimp reads them, without its post-processing: nodes are placed, and all
// else is done by the code that OBJ files pass through. Surfaces have two sides here, whatever a
// material says; cameras, lights, bones and morph targets are not read.
#include "app/engine/core/image.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/json.h"
#include "app/engine/scene/scene_builder.h"

#include <assimp/BaseImporter.h>
#include <assimp/GltfMaterial.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

namespace fathom {
namespace {

class ModelReader {
 public:
  ModelReader(Scene& scene, const std::filesystem::path& file, const aiScene& model)
      : builder_(scene, file), file_(file), model_(model) {
    for (unsigned i = 0; i < model.mNumMaterials; ++i) add(*model.mMaterials[i]);
  }

  void finish(const std::string& part, Progress& progress) {
    add(*model_.mRootNode, aiMatrix4x4(), progress);
    builder_.finish(part, std::move(colors_), progress);
  }

 private:
  struct Material {
    int number = 0, uvs = -1;  // which set of texture coordinates; -1: no texture
  };

  void add(const aiMaterial& from) {
    aiColor4D color(1, 1, 1, 1), emission(0, 0, 0, 0);
    aiString mode("BLEND"), path;
    float cutoff = 0.5f;
    int uvs = 0, texture = -1;
    from.Get(AI_MATKEY_COLOR_DIFFUSE, color), from.Get(AI_MATKEY_COLOR_EMISSIVE, emission);
    from.Get(AI_MATKEY_GLTF_ALPHAMODE, mode), from.Get(AI_MATKEY_GLTF_ALPHACUTOFF, cutoff);
    from.Get(AI_MATKEY_UVWSRC(aiTextureType_DIFFUSE, 0), uvs);
    const std::string alpha = mode.C_Str();
    if (from.GetTexture(aiTextureType_DIFFUSE, 0, &path) == AI_SUCCESS)
      texture = builder_.texture(
          fmt::format("{}\n{}\n{}", path.C_Str(), alpha, cutoff), [&](std::size_t bytes) {
            SceneTexture made = read(path, bytes);
            for (std::size_t i = 3; i < made.rgba.size(); i += 4)
              if (alpha != "BLEND")
                made.rgba[i] = alpha == "OPAQUE" || float(made.rgba[i]) >= cutoff * 255 ? 255 : 0;
            return made;
          });
    if (alpha != "BLEND") color.a = 1;
    // White is what assimp gives to files that know no materials.
    const bool none = !isGltf() && texture < 0 && color == aiColor4D(1, 1, 1, 1);
    materials_.push_back({none
                              ? 0
                              : builder_.addMaterial({color.r, color.g, color.b, color.a},
                                                     {emission.r, emission.g, emission.b}, texture),
                          texture < 0 ? -1 : uvs});
  }

  SceneTexture read(const aiString& path, std::size_t bytes) const {
    const aiTexture* const inside = model_.GetEmbeddedTexture(path.C_Str());
    if (!inside) return readTexture(file_.parent_path(), path.C_Str(), "", bytes);
    return decodeTexture(fmt::format("{}: texture {}", file_.string(), path.C_Str() + 1),
                         {reinterpret_cast<const char*>(inside->pcData), inside->mWidth}, bytes);
  }

  bool isGltf() const { return endingOf(file_).starts_with(".gl"); }

  void add(const aiNode& node, const aiMatrix4x4& parent, Progress& progress) {
    const aiMatrix4x4 placed = parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      progress.throwIfCancelled();
      builder_.group(node.mName.C_Str());
      add(*model_.mMeshes[node.mMeshes[i]], placed);
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i) add(*node.mChildren[i], placed, progress);
  }

  void add(const aiMesh& mesh, const aiMatrix4x4& placed) {
    if (!mesh.mVertices || !mesh.mFaces) return;
    const Material material = materials_.at(mesh.mMaterialIndex);
    const aiVector3D* const uvs = material.uvs >= 0 && material.uvs < AI_MAX_NUMBER_OF_TEXTURECOORDS
                                      ? mesh.mTextureCoords[material.uvs]
                                      : nullptr;
    const SceneCorner first{std::uint32_t(builder_.positions()),
                            std::uint32_t(builder_.texcoords()), std::uint32_t(builder_.normals())};
    const aiMatrix3x3 turned = aiMatrix3x3(placed).Inverse().Transpose();
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D p = placed * mesh.mVertices[i];
      builder_.position({p.x, p.y, p.z});
      if (uvs) builder_.texcoord({uvs[i].x, uvs[i].y});
      if (mesh.mNormals) {
        const aiVector3D n = turned * mesh.mNormals[i];
        builder_.normal({n.x, n.y, n.z});
      }
      if (!mesh.mColors[0]) continue;
      colors_.resize(builder_.positions(), 0xFFFFFF), colors_.back() = 0;
      for (unsigned c = 0; c < 3; ++c) {  // linear in glTF
        const float value = mesh.mColors[0][i][c];
        colors_.back() = colors_.back() << 8 | byteOf(isGltf() ? srgbFromLinear(value) : value);
      }
    }
    builder_.useMaterial(material.number);
    std::vector<SceneCorner> corners;
    for (const aiFace& face : std::span(mesh.mFaces, mesh.mNumFaces)) {
      corners.clear();
      for (const unsigned i : std::span(face.mIndices, face.mNumIndices)) {
        if (i >= mesh.mNumVertices)
          fail("{}: expected indices from 0 to {}, found {}", file_.string(),
               std::int64_t(mesh.mNumVertices) - 1, i);
        corners.push_back({first.position + i, uvs ? first.texcoord + i : kNone,
                           mesh.mNormals ? first.normal + i : kNone});
      }
      builder_.face(corners);
    }
  }

  SceneBuilder builder_;
  const std::filesystem::path& file_;
  const aiScene& model_;
  std::vector<Material> materials_;
  std::vector<std::uint32_t> colors_;  // 0xRRGGBB, sRGB, of each position
};

/// assimp follows brackets and nodes of glTF by recursion, and nodes as often as they are named.
void checkNesting(const std::filesystem::path& file) {
  constexpr int kDeepest = 256;
  std::string text = readFile(file);
  if (text.starts_with("glTF") && text.size() >= 20) {  // GLB: header, and that of the first chunk
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, text.data() + 12, sizeof bytes);
    text = text.substr(20, bytes);
  }
  const Json model = parseJson(text, file.string(), kDeepest);
  const Json nodes = model.is_object() ? model.value("nodes", Json()) : Json();
  if (!nodes.is_array()) return;
  std::vector<std::int64_t> parents(nodes.size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const Json& child : nodes[i].is_object() ? nodes[i].value("children", Json()) : Json()) {
      if (!child.is_number_unsigned() || child.get<std::uint64_t>() >= nodes.size()) continue;
      std::int64_t& parent = parents[child.get<std::size_t>()];
      if (parent >= 0)
        fail("{}: expected each node below one other, found node {} below two", file.string(),
             child.get<std::uint64_t>());
      parent = std::int64_t(i);
    }
  for (std::size_t i = 0; i < parents.size(); ++i) {
    int depth = 0;
    for (std::int64_t at = std::int64_t(i); at >= 0; at = parents[std::size_t(at)])
      if (++depth > kDeepest)
        fail("{}: expected nodes at most {} deep, found more", file.string(), kDeepest);
  }
}

}  // namespace

void readModel(Scene& scene, const std::filesystem::path& file, const std::string& part,
               Progress& progress) {
  const std::string ending = endingOf(file).substr(1);
  if (ending != "stl") checkNesting(file);
  Assimp::Importer importer;
  // A file that its own format's reader refuses is given to no other.
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    if (std::strstr(importer.GetImporterInfo(i)->mFileExtensions, ending.c_str())) continue;
    const std::unique_ptr<Assimp::BaseImporter> other(importer.GetImporter(i));
    importer.UnregisterLoader(other.get());
  }
  const aiScene* const model = importer.ReadFile(file.string(), 0);
  if (!model || !model->mRootNode)
    fail("{}: expected a {} file, assimp found: {}", file.string(), ending,
         printable(importer.GetErrorString()));
  ModelReader(scene, file, *model).finish(part, progress);
}

}  // namespace fathom
