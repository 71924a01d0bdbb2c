// SPDX-License-Identifier: BSD-3-Clause
// glTF 2.0 (Khronos; ISO/IEC 12113), .gltf and .glb. Surfaces have two sides here, whatever a
// material says; cameras, lights, skins, morph targets and animations are not read. assimp 5.2
// reads more, but crashes at a damaged skin and waits for the pipe that a buffer may name.
#include "app/engine/core/image.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/io/json.h"
#include "app/engine/scene/scene_builder.h"

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>

namespace fathom {
namespace {

constexpr int kDeepest = 256;  // levels of JSON, and of nodes
constexpr std::size_t kUnbacked = 1 << 24;
constexpr std::size_t kFreeCopies = 1 << 23, kCostOfOne = 64;  // vertices and corners

constexpr std::string_view kShapes[] = {"-", "SCALAR", "VEC2", "VEC3", "VEC4"};
constexpr std::size_t kSizes[] = {1, 1, 2, 2, 0, 4, 4};  // in bytes, of component types from 5120

/// The values of an accessor (section 3.6.2), one behind the other.
struct Values {
  std::string bytes;
  std::size_t count = 0, components = 0, type = 0;  // 5120 + type
  bool normalized = false;

  template <class T>
  T at(std::size_t index) const {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  float share(std::size_t index) const {
    const auto value = float(at<T>(index));
    return normalized ? std::max(value / float(std::numeric_limits<T>::max()), -1.0f) : value;
  }
  float operator()(std::size_t i, std::size_t component) const {
    const std::size_t index = i * components + component;
    switch (type) {
      case 0:
        return share<std::int8_t>(index);
      case 1:
        return share<std::uint8_t>(index);
      case 2:
        return share<std::int16_t>(index);
      case 3:
        return share<std::uint16_t>(index);
      case 5:
        return float(at<std::uint32_t>(index));
      default:
        return at<float>(index);
    }
  }
  std::uint32_t whole(std::size_t i) const {
    return type == 1   ? at<std::uint8_t>(i)
           : type == 3 ? at<std::uint16_t>(i)
                       : at<std::uint32_t>(i);
  }
};

class GltfReader {
 public:
  GltfReader(Scene& scene, const fs::path& file)
      : file_(file), text_(readFile(file)), builder_(scene, file), bytes_(text_.size()) {
    std::string_view json = text_;
    if (json.starts_with("glTF")) {  // a header of 12 bytes, then length, kind and data of chunks
      json = chunkAt(12);
      if (json.size() + 28 <= text_.size()) inside_ = chunkAt(20 + (json.size() + 3) / 4 * 4);
    }
    model_ = parseJson(json, file.string(), kDeepest);
    const std::string version = model_.at("asset").at("version").get<std::string>();
    if (!version.starts_with("2.")) wrong("glTF 2", "version " + printable(version));
    buffers_.resize(list("buffers").size());
    visited_.resize(list("nodes").size());
    for (const Json& name : list("extensionsRequired")) {
      const auto extension = printable(name.get<std::string>());
      if (extension.find("compression") != extension.npos)
        wrong("meshes that are not compressed", extension);
      if (extension != "KHR_mesh_quantization")
        builder_.warnOnce(
            fmt::format("{}: its extension {} is not read", file_.string(), extension));
    }
  }

  void read(const std::string& part, Progress& progress) {
    const Json& scenes = list("scenes");
    if (scenes.empty()) wrong("a scene", "none");
    for (const Json& root : list(element("scenes", whole(model_, "scene", 0)), "nodes"))
      node(numberOf(root), glm::mat4(1), 0, progress);
    builder_.finish(part, std::move(colors_), progress);
  }

 private:
  [[noreturn]] void wrong(const std::string& expected, const std::string& found) const {
    fail("{}: expected {}, found {}", file_.string(), expected, found);
  }

  std::string_view chunkAt(std::size_t start) const {
    std::uint32_t length = 0;
    if (start + 8 <= text_.size()) std::memcpy(&length, text_.data() + start, sizeof length);
    if (start + 8 > text_.size() || length > text_.size() - start - 8)
      wrong(fmt::format("a chunk of {} bytes at {}", length, start),
            fmt::format("a file of {}", text_.size()));
    return std::string_view(text_).substr(start + 8, length);
  }

  // What the document holds

  std::size_t numberOf(const Json& value) const {
    if (!value.is_number_unsigned()) wrong("a whole number", shownJson(value));
    return value.get<std::size_t>();
  }
  std::size_t whole(const Json& object, const char* key, std::optional<std::size_t> other) const {
    if (object.contains(key)) return numberOf(object[key]);
    if (!other) wrong(fmt::format("\"{}\"", key), shownJson(object));
    return *other;
  }
  static const Json& at(const Json& object, const char* key) {
    static const Json none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
  }
  const Json& list(const Json& object, const char* key) const {
    const Json& found = at(object, key);
    if (!found.is_null() && !found.is_array())
      wrong(fmt::format("a list of {}", key), shownJson(found));
    return found;
  }
  const Json& list(const char* key) const { return list(model_, key); }
  const Json& element(const char* key, std::size_t index) const {
    const Json& all = list(key);
    if (index >= all.size())
      wrong(fmt::format("an index into {} {}", all.size(), key), std::to_string(index));
    return all[index];
  }
  /// The numbers of a vector or matrix, column by column.
  template <class T>
  T numbers(const Json& object, const char* key, T value) const {
    constexpr std::size_t kCount = sizeof(T) / sizeof(float);
    const Json& from = list(object, key);
    if (!from.empty() && from.size() != kCount)
      wrong(fmt::format("{} numbers for \"{}\"", kCount, key), shownJson(from));
    for (std::size_t i = 0; i < from.size(); ++i) glm::value_ptr(value)[i] = from[i].get<float>();
    return value;
  }

  // Bytes

  /// Of a data URI, or of a file beside this one.
  std::string fetch(std::string_view uri) const {
    if (uri.starts_with("data:")) return decodedBase64(uri.substr(uri.find(',') + 1));
    try {
      return readFile(file_.parent_path() / pathOf(uri));
    } catch (const Error& error) {
      wrong("a buffer", error.what());
    }
  }
  static std::string pathOf(std::string_view uri) {
    std::string path;
    for (std::size_t i = 0; i < uri.size(); ++i) {
      const auto byte =
          uri[i] == '%' ? numberIn<std::uint8_t>(uri.substr(i + 1, 2), 16) : std::nullopt;
      path += byte ? char(*byte) : uri[i];
      if (byte) i += 2;
    }
    return path;
  }

  std::string_view buffer(std::size_t index) {
    const Json& from = element("buffers", index);
    if (!from.contains("uri")) return inside_;
    std::optional<std::string>& bytes = buffers_[index];
    if (!bytes) {
      bytes = fetch(from["uri"].get_ref<const std::string&>());
      bytes_ += bytes->size();
    }
    return *bytes;
  }

  /// From `offset` within the view on.
  std::string_view view(std::size_t index, std::size_t offset) {
    const Json& from = element("bufferViews", index);
    const std::string_view all = buffer(whole(from, "buffer", std::nullopt));
    const std::size_t first = whole(from, "byteOffset", 0);
    const std::size_t length = whole(from, "byteLength", std::nullopt);
    if (first > all.size() || length > all.size() - first || offset > length)
      wrong(fmt::format("view {} within {} bytes", index, all.size()),
            fmt::format("{} from {} on", length, first));
    return all.substr(first + offset, length - offset);
  }

  Values accessor(std::size_t index) {
    const Json& from = element("accessors", index);
    Values values;
    values.type = whole(from, "componentType", std::nullopt) - 5120;
    values.normalized = from.value("normalized", false);
    values.components = std::size_t(std::ranges::find(kShapes, from.value("type", "")) - kShapes);
    if (values.type >= std::size(kSizes) || kSizes[values.type] == 0 ||
        values.components >= std::size(kShapes))
      wrong("an accessor of numbers or vectors", shownJson(from));
    values.count = whole(from, "count", std::nullopt);
    const std::size_t size = kSizes[values.type] * values.components;
    if (from.contains("bufferView")) {
      values.bytes = strided(from, values.count, size, index);
    } else {
      if (values.count > kUnbacked / size) wrong("an accessor with a view", shownJson(from));
      values.bytes.resize(values.count * size);
    }
    if (const Json& sparse = at(from, "sparse"); sparse.is_object()) {
      Values where;
      where.type = whole(at(sparse, "indices"), "componentType", std::nullopt) - 5120;
      where.count = whole(sparse, "count", std::nullopt);
      checkIndices(where.type, sparse);
      where.bytes = strided(at(sparse, "indices"), where.count, kSizes[where.type], index);
      const std::string with = strided(at(sparse, "values"), where.count, size, index);
      for (std::size_t i = 0; i < where.count; ++i) {
        if (where.whole(i) >= values.count)
          wrong(fmt::format("indices below {}", values.count), std::to_string(where.whole(i)));
        values.bytes.replace(where.whole(i) * size, size, with, i * size, size);
      }
    }
    return values;
  }

  void checkIndices(std::size_t type, const Json& of) const {
    if (type != 1 && type != 3 && type != 5) wrong("whole numbers as indices", shownJson(of));
  }

  /// `count` values of `size` bytes where a reference with "bufferView" and "byteOffset" says.
  std::string strided(const Json& from, std::size_t count, std::size_t size, std::size_t accessor) {
    const std::size_t index = whole(from, "bufferView", std::nullopt);
    const std::string_view bytes = view(index, whole(from, "byteOffset", 0));
    const std::size_t stride =
        std::max(whole(element("bufferViews", index), "byteStride", size), size);
    if (count > 0 && (bytes.size() < size || count - 1 > (bytes.size() - size) / stride))
      wrong(fmt::format("{} values of accessor {} in view {}", count, accessor, index),
            fmt::format("{} bytes", bytes.size()));
    std::string values;
    values.reserve(count * size);
    for (std::size_t i = 0; i < count; ++i) values += bytes.substr(i * stride, size);
    return values;
  }

  // Materials

  struct Material {
    int number = 0;
    std::string uvs;  // the attribute with texture coordinates; empty: no texture
  };

  const Material& material(const Json& primitive) {
    const std::size_t index = whole(primitive, "material", SIZE_MAX);
    const auto [at, isNew] = materials_.try_emplace(index);
    if (isNew) at->second = made(index == SIZE_MAX ? Json() : element("materials", index));
    return at->second;
  }

  Material made(const Json& from) {
    const Json& old = at(at(from, "extensions"), "KHR_materials_pbrSpecularGlossiness");
    const Json& surface = old.is_object() ? old : at(from, "pbrMetallicRoughness");
    const bool isOld = &surface == &old;
    const Json& textured = at(surface, isOld ? "diffuseTexture" : "baseColorTexture");
    const Json& mode = at(from, "alphaMode");
    const Json& cutoff = at(from, "alphaCutoff");
    glm::vec4 color = numbers(surface, isOld ? "diffuseFactor" : "baseColorFactor", glm::vec4(1));
    if (mode != "BLEND") color.a = 1;
    const float least = mode != "MASK" ? 0 : cutoff.is_number() ? cutoff.get<float>() : 0.5f;
    const int texture = textured.is_object()
                            ? this->texture(whole(textured, "index", std::nullopt), mode, least)
                            : -1;
    Material made;
    made.number =
        builder_.addMaterial(color, numbers(from, "emissiveFactor", glm::vec3(0)), texture);
    if (texture >= 0) made.uvs = fmt::format("TEXCOORD_{}", whole(textured, "texCoord", 0));
    return made;
  }

  /// Opaque, where a mode says so, from `least` alpha on.
  int texture(std::size_t index, const Json& mode, float least) {
    return builder_.texture(
        fmt::format("{} {} {}", index, mode.dump(), least), [&](std::size_t bytes) {
          const Json& image =
              element("images", whole(element("textures", index), "source", std::nullopt));
          const std::string uri = image.value("uri", "");
          const std::string name = fmt::format("{}: texture {}", file_.string(), index);
          SceneTexture made =
              image.contains("bufferView")
                  ? decodeTexture(name, view(whole(image, "bufferView", std::nullopt), 0), bytes)
              : uri.starts_with("data:") ? decodeTexture(name, fetch(uri), bytes)
                                         : readTexture(file_.parent_path(), pathOf(uri), "", bytes);
          for (std::size_t i = 3; i < made.rgba.size(); i += 4)
            if (mode != "BLEND") made.rgba[i] = float(made.rgba[i]) >= least * 255 ? 255 : 0;
          return made;
        });
  }

  // Nodes and meshes

  void node(std::size_t index, const glm::mat4& parent, int depth, Progress& progress) {
    const Json& from = element("nodes", index);
    if (depth >= kDeepest) wrong(fmt::format("nodes at most {} deep", kDeepest), "more");
    if (visited_[index])
      wrong("each node below one other", fmt::format("node {} below two", index));
    visited_[index] = true;
    progress.throwIfCancelled();
    const glm::vec4 q = numbers(from, "rotation", glm::vec4(0, 0, 0, 1));
    const auto moved = glm::translate(glm::mat4(1), numbers(from, "translation", glm::vec3(0)));
    const glm::mat4 own = moved * glm::mat4_cast(glm::quat(q.w, q.x, q.y, q.z)) *
                          glm::scale(glm::mat4(1), numbers(from, "scale", glm::vec3(1)));
    const glm::mat4 placed = parent * numbers(from, "matrix", own);
    if (from.contains("mesh")) {
      builder_.group(from.value("name", fmt::format("nodes[{}]", index)));
      for (const Json& primitive :
           list(element("meshes", whole(from, "mesh", std::nullopt)), "primitives"))
        mesh(primitive, placed);
    }
    for (const Json& child : list(from, "children"))
      node(numberOf(child), placed, depth + 1, progress);
  }

  Values attribute(const Json& primitive, const std::string& name, std::size_t count,
                   std::size_t components) {
    const Json& all = at(primitive, "attributes");
    if (name.empty() || !all.contains(name)) return {};
    Values values = accessor(numberOf(all[name]));
    if (values.count < count || values.components < components)
      wrong(fmt::format("{} vectors of {} for {}", count, components, name),
            fmt::format("{} of {}", values.count, values.components));
    return values;
  }

  void mesh(const Json& primitive, const glm::mat4& placed) {
    const std::size_t mode = whole(primitive, "mode", 4);
    if (mode < 4 || mode > 6 || !at(primitive, "attributes").contains("POSITION")) return;
    const Material& material = this->material(primitive);
    const Values positions = attribute(primitive, "POSITION", 0, 3);
    const std::size_t count = positions.count;
    const Values normals = attribute(primitive, "NORMAL", count, 3);
    const Values uvs = attribute(primitive, material.uvs, count, 2);
    const Values colors = attribute(primitive, "COLOR_0", count, 3);
    Values indices;
    if (primitive.contains("indices")) {
      indices = accessor(numberOf(primitive["indices"]));
      checkIndices(indices.type, primitive);
    }
    const std::size_t corners = indices.count > 0 ? indices.count : count;
    // A small file may name a mesh from many nodes: copies beyond what it holds are bounded.
    if ((copies_ += count + corners + kCostOfOne) > kFreeCopies + bytes_)
      wrong(fmt::format("at most {} vertices and corners in all nodes", kFreeCopies + bytes_),
            "more");
    const auto first = std::uint32_t(builder_.positions());
    const auto firstUv = std::uint32_t(builder_.texcoords());
    const auto firstNormal = std::uint32_t(builder_.normals());
    const glm::mat3 turned = glm::inverseTranspose(glm::mat3(placed));
    const auto vec3 = [](const Values& v, std::size_t i) {
      return glm::vec3(v(i, 0), v(i, 1), v(i, 2));
    };
    for (std::size_t i = 0; i < count; ++i) {
      builder_.position(placed * glm::vec4(vec3(positions, i), 1));
      if (uvs.count > 0) builder_.texcoord({uvs(i, 0), 1 - uvs(i, 1)});
      if (normals.count > 0) builder_.normal(turned * vec3(normals, i));
      if (colors.count == 0) continue;
      colors_.resize(builder_.positions(), 0xFFFFFF), colors_.back() = 0;
      for (std::size_t c = 0; c < 3; ++c)  // linear
        colors_.back() = colors_.back() << 8 | byteOf(srgbFromLinear(colors(i, c)));
    }
    builder_.useMaterial(material.number);
    const auto corner = [&](std::size_t at) {
      const auto i = indices.count > 0 ? indices.whole(at) : std::uint32_t(at);
      if (i >= count) wrong(fmt::format("indices below {}", count), std::to_string(i));
      return SceneCorner{first + i, uvs.count > 0 ? firstUv + i : kNone,
                         normals.count > 0 ? firstNormal + i : kNone};
    };
    for (std::size_t i = 0; i + 3 <= corners; i += mode == 4 ? 3 : 1) {
      const bool odd = mode == 5 && i % 2 == 1;  // of a strip; 6: a fan
      builder_.face(std::array{corner(mode == 6 ? 0 : i), corner(odd ? i + 2 : i + 1),
                               corner(odd ? i + 1 : i + 2)});
    }
  }

  fs::path file_;
  std::string text_;
  std::string_view inside_;  // the binary chunk of GLB
  Json model_;
  SceneBuilder builder_;
  std::vector<std::optional<std::string>> buffers_;
  std::vector<bool> visited_;  // nodes
  std::map<std::size_t, Material> materials_;
  std::vector<std::uint32_t> colors_;  // 0xRRGGBB, sRGB, of each position
  std::size_t bytes_ = 0, copies_ = 0;
};

}  // namespace

void readGltf(Scene& scene, const fs::path& file, const std::string& part, Progress& progress) {
  try {
    GltfReader(scene, file).read(part, progress);
  } catch (const Json::exception& error) {
    fail("{}: expected glTF 2, found: {}", file.string(), problemOf(error));
  }
}

}  // namespace fathom
