// SPDX-License-Identifier: BSD-3-Clause
// OBJ files by tinyobjloader's streaming interface.
#include "app/engine/core/image.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/scene_builder.h"

#include <tiny_obj_loader.h>

namespace fathom {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20;
constexpr std::size_t kMaxLine = 1 << 24;
constexpr std::uint64_t kMaxMaterialBytes = 1 << 24;

/// The file as a stream buffer that checks each line on its way and reports progress. Exceptions
/// pass through the parser when the stream's exception mask holds badbit.
class ObjSource : public std::streambuf {
 public:
  ObjSource(const fs::path& file, Progress& progress)
      : name_(file.string()), progress_(progress), stream_(openFile(file)) {
    chunk_.resize(kChunkBytes);
  }

  /// The line that the parser has just taken, counted from 1; counts within the chunk, so only for
  /// messages.
  std::size_t line() const { return linesBefore_ + std::size_t(std::count(eback(), gptr(), '\n')); }

  /// 0xRRGGBB, sRGB, of each vertex ("v x y z r g b", which the parser passes over), white where it
  /// has none; empty where no vertex has one. Complete at the end of the file.
  std::vector<std::uint32_t> takeColors() {
    endVertex();
    if (!colors_.empty()) colors_.resize(vertices_, kWhite);
    return std::move(colors_);
  }

 private:
  int_type underflow() override {
    if (gptr() && gptr() < egptr()) return traits_type::to_int_type(*gptr());
    linesBefore_ += std::size_t(std::count(eback(), egptr(), '\n'));
    stream_.read(chunk_.data(), std::streamsize(chunk_.size()));
    const auto got = std::size_t(stream_.gcount());
    setg(chunk_.data(), chunk_.data(), chunk_.data() + got);
    if (got == 0) {
      if (stream_.bad()) fail("{}: expected a readable file, reading failed", name_);
      return traits_type::eof();
    }
    check(got);
    progress_.advance(double(got));
    return traits_type::to_int_type(*gptr());
  }

  void check(std::size_t count) {
    std::size_t line = linesBefore_ + 1;
    for (std::size_t i = 0; i < count; ++i) {
      char& c = chunk_[i];
      if (c == '\n') {
        // A backslash at the end of a line joins it with the next; the parser does not know that.
        if (previous_ == '\\' && i > 0)
          chunk_[i - 1] = ' ', c = ' ';
        else
          endVertex(), place_ = Place::LineStart;
        ++line, lineBytes_ = 0;
      } else {
        checkCharacter(c, line);
      }
      previous_ = c;
    }
  }

  void checkCharacter(char c, std::size_t line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 && c != '\t' && c != '\r' && c != '\f' && c != '\v' && c != 0x1A)
      fail("{}: expected an OBJ text file, found binary data in line {}", name_, line);
    if (++lineBytes_ > kMaxLine)
      fail("{}: expected lines of at most {} bytes, line {} is longer", name_, kMaxLine, line);
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    switch (place_) {
      case Place::LineStart:
        if (!blank) place_ = c == 'v' ? Place::AfterV : Place::Other;
        break;
      case Place::AfterV:
        if (blank) inVertex_ = true;
        place_ = blank ? Place::Numbers : (c == 'n' || c == 't') ? Place::AfterVn : Place::Other;
        break;
      case Place::AfterVn:
        place_ = blank ? Place::Numbers : Place::Other;
        break;
      case Place::Numbers:
        if (c == '#' && (previous_ == ' ' || previous_ == '\t'))
          place_ = Place::Other;
        else if (!blank && !std::strchr("0123456789+-.eE", c))
          fail("{}: expected numbers in line {}, found '{}'", name_, line,
               byte < 127 ? std::string(1, c) : fmt::format("\\x{:02x}", byte));
        if (inVertex_) vertex_ += c;
        break;
      case Place::Other:
        break;
    }
  }

  void endVertex() {
    if (!std::exchange(inVertex_, false)) return;
    std::istringstream numbers(std::exchange(vertex_, {}));
    float color[3], skipped;
    ++vertices_;
    if (!(numbers >> skipped >> skipped >> skipped >> color[0] >> color[1] >> color[2])) return;
    colors_.resize(vertices_, kWhite);
    colors_.back() = 0;
    for (const float c : color) colors_.back() = colors_.back() << 8 | byteOf(c);
  }

  static constexpr std::uint32_t kWhite = 0xFFFFFF;
  enum class Place { LineStart, AfterV, AfterVn, Numbers, Other };
  bool inVertex_ = false;
  std::string vertex_;  // the numbers of the vertex that is being read
  std::size_t vertices_ = 0;
  std::vector<std::uint32_t> colors_;
  std::string name_;
  Progress& progress_;
  std::ifstream stream_;
  std::vector<char> chunk_;
  std::size_t linesBefore_ = 0, lineBytes_ = 0;
  Place place_ = Place::LineStart;
  char previous_ = '\n';
};

/// Reads material files beside the OBJ. The parser cuts `mtllib my chair.mtl` at the space, so
/// pieces that are no file are kept and tried again together with the next.
class MaterialFiles : public tinyobj::MaterialReader {
 public:
  explicit MaterialFiles(fs::path folder) : folder_(std::move(folder)) {}

  bool operator()(const std::string& piece, std::vector<tinyobj::material_t>* materials,
                  std::map<std::string, int>* names, std::string* warnings,
                  std::string* errors) override {
    if (!pending_.empty()) pending_ += ' ';
    pending_ += piece;
    for (const std::string& name : {piece, pending_}) {
      std::error_code ignored;
      if (!fs::is_regular_file(folder_ / name, ignored)) continue;
      std::istringstream stream(readFile(folder_ / name, kMaxMaterialBytes));
      tinyobj::LoadMtl(names, materials, &stream, warnings, errors);
      pending_.clear();
      return !materials->empty();
    }
    return false;
  }
  /// The name that was asked for last and not found; empty after success.
  const std::string& missing() const { return pending_; }

 private:
  fs::path folder_;
  std::string pending_;
};

/// What the parser calls, with what it says resolved: indices, names of materials.
struct ObjReader {
  SceneBuilder& builder;
  const fs::path& file;
  const ObjSource& source;
  std::map<std::string, int> materials = {};
  std::vector<SceneCorner> corners = {};

  /// OBJ counts from 1, or back from the newest with negative numbers; 0 stands for "none".
  std::uint32_t resolve(int index, std::size_t count, const char* what, bool needed) const {
    if (index == 0 && !needed) return kNone;
    const std::int64_t at = index > 0 ? std::int64_t(index) - 1 : std::int64_t(count) + index;
    if (index == 0 || at < 0 || at >= std::int64_t(count))
      fail("{}: expected a {} index from 1 to {} in line {}, found {}", file.string(), what, count,
           source.line(), index);
    return std::uint32_t(at);
  }

  void face(std::span<const tinyobj::index_t> indices) {
    if (indices.size() < 3) return;  // a point or line
    corners.clear();
    for (const tinyobj::index_t& i : indices)
      corners.push_back(
          {resolve(i.vertex_index, builder.positions(), "vertex", true),
           resolve(i.texcoord_index, builder.texcoords(), "texture coordinate", false),
           resolve(i.normal_index, builder.normals(), "normal", false)});
    builder.face(corners);
  }

  void useMaterial(const std::string& name) {
    const auto found = materials.find(std::string(trimmed(name)));
    builder.useMaterial(found == materials.end() ? 0 : found->second);
    if (found == materials.end() && !name.empty() && !materials.empty())
      builder.warnOnce(fmt::format("{}: material \"{}\" not found", file.string(), trimmed(name)));
  }

  /// The parser hands out all materials so far; those already known keep their index.
  void addMaterials(std::span<const tinyobj::material_t> all) {
    for (const tinyobj::material_t& m : all) {
      const auto [at, isNew] = materials.try_emplace(std::string(trimmed(m.name)), 0);
      if (!isNew) continue;
      const std::string &color = m.diffuse_texname, &alpha = m.alpha_texname;
      const int texture = color.empty() && alpha.empty()
                              ? -1
                              : builder.texture(color + "\n" + alpha, [&](std::size_t bytes) {
                                  return readTexture(file.parent_path(), color, alpha, bytes);
                                });
      at->second = builder.addMaterial({m.diffuse[0], m.diffuse[1], m.diffuse[2], m.dissolve},
                                       {m.emission[0], m.emission[1], m.emission[2]}, texture);
    }
  }
};

tinyobj::callback_t callbacks() {
  static const auto at = [](void* user) -> ObjReader& { return *static_cast<ObjReader*>(user); };
  tinyobj::callback_t c;
  c.vertex_cb = [](void* u, float x, float y, float z, float) {
    at(u).builder.position({x, y, z});
  };
  c.normal_cb = [](void* u, float x, float y, float z) { at(u).builder.normal({x, y, z}); };
  c.texcoord_cb = [](void* u, float x, float y, float) { at(u).builder.texcoord({x, y}); };
  c.index_cb = [](void* u, tinyobj::index_t* i, int count) {
    at(u).face({i, std::size_t(std::max(count, 0))});
  };
  c.usemtl_cb = [](void* u, const char* name, int) { at(u).useMaterial(name); };
  c.mtllib_cb = [](void* u, const tinyobj::material_t* m, int count) {
    at(u).addMaterials({m, std::size_t(std::max(count, 0))});
  };
  c.group_cb = [](void* u, const char** names, int count) {
    at(u).builder.group(fmt::format("{}", fmt::join(names, names + std::max(count, 0), " ")));
  };
  c.object_cb = [](void* u, const char* name) { at(u).builder.group(std::string(trimmed(name))); };
  return c;
}

}  // namespace

void readObj(Scene& scene, const fs::path& file, const std::string& part, Progress& progress) {
  ObjSource source(file, progress);
  SceneBuilder builder(scene, file, [&] { return fmt::format(" in line {}", source.line()); });
  ObjReader reader{builder, file, source};
  MaterialFiles materials(file.parent_path());
  std::istream stream(&source);
  stream.exceptions(std::ios::badbit);  // lets what ObjSource throws pass
  std::string warnings, errors;
  tinyobj::LoadObjWithCallback(stream, callbacks(), &reader, &materials, &warnings, &errors);
  if (!materials.missing().empty())
    builder.warnOnce(
        fmt::format("{}: material file \"{}\" not found", file.string(), materials.missing()));
  builder.finish(part, source.takeColors(), progress);
}

}  // namespace fathom
