// SPDX-License-Identifier: BSD-3-Clause
// OBJ files by tinyobjloader's streaming interface; polygons are triangulated by cutting ears in
// their own plane (of the Newell normal), and normals that a file lacks are averaged over the faces
// around a position, but not across creases.
#include "app/engine/scene/load_scene.h"

#include "app/engine/core/image.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/scene/scene.h"
#include "app/engine/scene/triangle_mesh.h"

#include <tiny_obj_loader.h>

namespace fathom {
namespace {

// Polygons and normals
// -------------------------------------------------------------------------------------------------

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
/// No packed normal has this value: snorm16 never gives -32768.
constexpr std::uint32_t kNoNormal = 0x80008000u;

struct ObjCorner {
  std::uint32_t position = 0, texcoord = kNone, normal = kNoNormal, material = 0;
  std::uint32_t next = kNone;  // the next corner of the same position
  bool same(const ObjCorner& o) const {
    return position == o.position && texcoord == o.texcoord && normal == o.normal &&
           material == o.material;
  }
};

struct ObjMesh {
  std::vector<glm::vec3> positions;
  std::vector<ObjCorner> corners;
  std::vector<std::uint32_t> indices;  // into corners, three per triangle
  std::vector<TriangleRun> runs;
};

constexpr float kCreaseCosine = 0.70710678f;  // 45 degrees
constexpr std::size_t kMaxEars = 2048;        // corners; ears cost the square of it

glm::vec3 areaVector(const ObjMesh& mesh, std::size_t triangle) {
  const std::uint32_t* c = &mesh.indices[triangle * 3];
  const glm::vec3 a = mesh.positions[mesh.corners[c[0]].position];
  const glm::vec3 b = mesh.positions[mesh.corners[c[1]].position];
  const glm::vec3 d = mesh.positions[mesh.corners[c[2]].position];
  return glm::cross(b - a, d - a);
}

float cross2(glm::vec2 a, glm::vec2 b) { return a.x * b.y - a.y * b.x; }

bool inside(glm::vec2 p, glm::vec2 a, glm::vec2 b, glm::vec2 c) {
  return cross2(b - a, p - a) >= 0 && cross2(c - b, p - b) >= 0 && cross2(a - c, p - c) >= 0;
}

/// The polygon in its own plane, counter-clockwise.
std::vector<glm::vec2> flattened(const ObjMesh& mesh, std::span<const std::uint32_t> polygon) {
  const auto at = [&](std::size_t i) {
    return mesh.positions[mesh.corners[polygon[i % polygon.size()]].position];
  };
  glm::vec3 normal(0);
  for (std::size_t i = 0; i < polygon.size(); ++i)
    normal += glm::cross(at(i) - at(0), at(i + 1) - at(0));
  // Drop the axis that the normal is nearest to; mirrored when it looks the other way.
  const glm::vec3 size = glm::abs(normal);
  const int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
  const float mirror = normal[axis] < 0 ? -1.0f : 1.0f;
  std::vector<glm::vec2> points;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    points.push_back({at(i)[(axis + 1) % 3] * mirror, at(i)[(axis + 2) % 3]});
  return points;
}

bool isConvex(const std::vector<glm::vec2>& points) {
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    const glm::vec2 a = points[i], b = points[(i + 1) % n], c = points[(i + 2) % n];
    if (cross2(b - a, c - b) < 0) return false;
  }
  return true;
}

void emit(ObjMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  mesh.indices.insert(mesh.indices.end(), {a, b, c});
}

void cutEars(ObjMesh& mesh, std::span<const std::uint32_t> polygon,
             const std::vector<glm::vec2>& points) {
  std::vector<std::size_t> left(polygon.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::size_t at = 0, misses = 0;
  while (left.size() > 3) {
    const std::size_t n = left.size(), ia = left[(at + n - 1) % n], ib = left[at % n],
                      ic = left[(at + 1) % n];
    const glm::vec2 a = points[ia], b = points[ib], c = points[ic];
    bool ear = cross2(b - a, c - b) > 0;
    for (std::size_t k = 0; ear && k < n; ++k) {
      const std::size_t i = left[k];
      if (i != ia && i != ib && i != ic && points[i] != a && points[i] != b && points[i] != c)
        ear = !inside(points[i], a, b, c);
    }
    // A polygon that crosses itself has no ear at some point: cut any.
    if (ear || misses > n) {
      emit(mesh, polygon[ia], polygon[ib], polygon[ic]);
      left.erase(left.begin() + std::ptrdiff_t(at % n));
      at = at % n, misses = 0;
      if (at >= left.size()) at = 0;
    } else {
      at = (at + 1) % n, ++misses;
    }
  }
  emit(mesh, polygon[left[0]], polygon[left[1]], polygon[left[2]]);
}

/// Which triangles touch each position, as lists one behind the other.
struct Neighbors {
  std::vector<std::uint32_t> offsets;    // uint[positionCount + 1]
  std::vector<std::uint32_t> triangles;  // uint[3 * triangleCount]

  explicit Neighbors(const ObjMesh& mesh) : offsets(mesh.positions.size() + 1, 0) {
    for (const std::uint32_t c : mesh.indices) ++offsets[mesh.corners[c].position + 1];
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    triangles.resize(mesh.indices.size());
    std::vector<std::uint32_t> cursor(offsets.begin(), offsets.end() - 1);
    for (std::size_t i = 0; i < mesh.indices.size(); ++i)
      triangles[cursor[mesh.corners[mesh.indices[i]].position]++] = std::uint32_t(i / 3);
  }
};

std::uint32_t creaseNormal(const std::vector<glm::vec3>& areas, const Neighbors& near,
                           std::size_t triangle, std::uint32_t position) {
  const glm::vec3 own = areas[triangle];
  const float ownSquare = glm::dot(own, own);
  const std::uint32_t first = near.offsets[position], last = near.offsets[position + 1];
  // A pole of a million triangles would make this quadratic: such a fan keeps its faces' normals.
  constexpr std::uint32_t kMaxNeighbors = 256;
  if (!(ownSquare > 0) || last - first > kMaxNeighbors) return packNormal(own);
  glm::vec3 sum(0);
  for (std::uint32_t i = first; i < last; ++i) {
    const glm::vec3 other = areas[near.triangles[i]];
    const float along = glm::dot(other, own);
    // cos >= kCreaseCosine, without square roots
    if (along >= 0 &&
        along * along >= kCreaseCosine * kCreaseCosine * ownSquare * glm::dot(other, other))
      sum += other;
  }
  return packNormal(sum);
}

/// Cuts a polygon (indices into corners) into triangles and appends them: a fan when it is convex,
/// ears otherwise.
void triangulate(ObjMesh& mesh, std::span<const std::uint32_t> polygon) {
  if (polygon.size() == 3) return emit(mesh, polygon[0], polygon[1], polygon[2]);
  const std::vector<glm::vec2> points = flattened(mesh, polygon);
  if (polygon.size() <= kMaxEars && !isConvex(points)) return cutEars(mesh, polygon, points);
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    emit(mesh, polygon[0], polygon[i], polygon[i + 1]);
}

/// Gives corners without a normal the area-weighted mean over the faces around their position whose
/// direction differs by less than 45 degrees from their own face's; edges sharper than that stay
/// sharp.
void computeMissingNormals(ObjMesh& mesh, Progress& progress) {
  const bool missing = std::any_of(mesh.corners.begin(), mesh.corners.end(),
                                   [](const ObjCorner& c) { return c.normal == kNoNormal; });
  if (!missing) return;
  const std::size_t triangleCount = mesh.indices.size() / 3;
  progress.begin("computing normals", double(triangleCount));
  const Neighbors near(mesh);
  std::vector<glm::vec3> areas(triangleCount);
  parallelFor(triangleCount, 65536, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) areas[t] = areaVector(mesh, t);
  });
  std::vector<std::uint32_t> normals(mesh.indices.size());  // packed, uint[3 * triangleCount]
  parallelFor(triangleCount, 16384, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      for (std::size_t k = t * 3; k < t * 3 + 3; ++k) {
        const ObjCorner& c = mesh.corners[mesh.indices[k]];
        normals[k] = c.normal != kNoNormal ? c.normal : creaseNormal(areas, near, t, c.position);
      }
      if (t % 16384 == 0) progress.throwIfCancelled();
    }
  });

  // A corner that got several normals becomes several: chained behind the first by `next`.
  for (ObjCorner& c : mesh.corners) c.next = kNone;
  for (std::size_t k = 0; k < normals.size(); ++k) {
    std::uint32_t at = mesh.indices[k];
    if (mesh.corners[at].normal == kNoNormal) mesh.corners[at].normal = normals[k];
    while (mesh.corners[at].normal != normals[k] && mesh.corners[at].next != kNone)
      at = mesh.corners[at].next;
    if (mesh.corners[at].normal != normals[k]) {
      ObjCorner copy = mesh.corners[at];
      copy.normal = normals[k];
      mesh.corners[at].next = std::uint32_t(mesh.corners.size());
      at = mesh.corners[at].next;
      mesh.corners.push_back(copy);
    }
    mesh.indices[k] = at;
    if (k % 49152 == 0) progress.advance(16384);
  }
}

// The file
// -------------------------------------------------------------------------------------------------

constexpr std::size_t kChunkBytes = 1 << 20;
constexpr std::size_t kMaxLine = 1 << 24;
constexpr std::uint64_t kMaxMaterialBytes = 1 << 24;
constexpr std::size_t kMaxCorners = 1 << 16;  // of one polygon

/// The file as a stream buffer that checks each line on its way and reports progress. Exceptions
/// pass through the parser when the stream's exception mask holds badbit.
class ObjSource : public std::streambuf {
 public:
  ObjSource(const std::filesystem::path& file, Progress& progress)
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
  explicit MaterialFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  bool operator()(const std::string& piece, std::vector<tinyobj::material_t>* materials,
                  std::map<std::string, int>* names, std::string* warnings,
                  std::string* errors) override {
    if (!pending_.empty()) pending_ += ' ';
    pending_ += piece;
    for (const std::string& name : {piece, pending_}) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(folder_ / name, ignored)) continue;
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
  std::filesystem::path folder_;
  std::string pending_;
};

class ObjBuilder {
 public:
  ObjBuilder(Scene& scene, const std::filesystem::path& file, ObjSource& source)
      : scene_(scene), file_(file), source_(source) {
    addMaterial(glm::vec4(0.7f, 0.7f, 0.7f, 1), glm::vec3(0), -1);  // of what has no material
  }

  void position(float x, float y, float z) {
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z))
      fail("{}: expected finite coordinates in line {}, found {}, {}, {}", file_.string(),
           source_.line(), x, y, z);
    if (mesh_.positions.size() >= kMaxElements) failTooMany("vertices");
    mesh_.positions.push_back({x, y, z});
    firstCorner_.push_back(kNone);
  }
  void normal(float x, float y, float z) {
    const glm::vec3 n(x, y, z);
    const float length = glm::length(n);
    // A normal without direction counts as none.
    normals_.push_back(std::isfinite(length) && length > 0 ? packNormal(n) : kNoNormal);
  }
  void texcoord(float u, float v) {
    texcoords_.push_back(std::isfinite(u) && std::isfinite(v) ? glm::vec2(u, v) : glm::vec2(0));
  }

  void face(const tinyobj::index_t* corners, int count) {
    if (count < 3) return;  // a point or line
    if (std::size_t(count) > kMaxCorners)
      fail("{}: expected faces of at most {} corners, line {} has {}", file_.string(), kMaxCorners,
           source_.line(), count);
    if (mesh_.indices.size() / 3 + std::size_t(count) >= kMaxElements / 3) failTooMany("triangles");
    polygon_.clear();
    for (int i = 0; i < count; ++i) polygon_.push_back(cornerIndex(corners[i]));
    beginRun();
    const std::size_t before = mesh_.indices.size();
    triangulate(mesh_, polygon_);
    mesh_.runs.back().triangleCount += std::uint32_t((mesh_.indices.size() - before) / 3);
  }

  void useMaterial(const std::string& name) {
    const auto found = materialNames_.find(std::string(trimmed(name)));
    material_ = found == materialNames_.end() ? 0 : found->second;
    if (found == materialNames_.end() && !name.empty() && !materialNames_.empty())
      warnOnce(fmt::format("{}: material \"{}\" not found", file_.string(), trimmed(name)));
  }
  void addMaterials(const tinyobj::material_t* materials, int count);

  void group(const std::string& name) {
    const std::string key = name.empty() ? "unnamed" : name;
    const auto [at, isNew] = partNames_.try_emplace(key, int(parts_.size()));
    if (isNew) parts_.push_back(key);
    part_ = at->second;
  }

  void warnOnce(const std::string& text) {
    auto& all = scene_.warnings;
    if (all.size() < 100 && std::ranges::find(all, text) == all.end()) all.push_back(text);
  }

  /// Hands everything to the scene.
  void finish(const std::string& part, Progress& progress);

 private:
  static constexpr std::size_t kMaxElements = 0x7FFFFFFF;
  [[noreturn]] void failTooMany(const char* what) const {
    fail("{}: expected fewer than {} {}, line {} goes beyond", file_.string(), kMaxElements, what,
         source_.line());
  }

  /// OBJ counts from 1, or back from the newest with negative numbers; 0 stands for "none".
  std::uint32_t resolve(int index, std::size_t count, const char* what, bool needed) const {
    if (index == 0 && !needed) return kNone;
    const std::int64_t at = index > 0 ? std::int64_t(index) - 1 : std::int64_t(count) + index;
    if (index == 0 || at < 0 || at >= std::int64_t(count))
      fail("{}: expected a {} index from 1 to {} in line {}, found {}", file_.string(), what, count,
           source_.line(), index);
    return std::uint32_t(at);
  }

  std::uint32_t cornerIndex(const tinyobj::index_t& index) {
    ObjCorner corner;
    corner.position = resolve(index.vertex_index, mesh_.positions.size(), "vertex", true);
    corner.texcoord = resolve(index.texcoord_index, texcoords_.size(), "texture coordinate", false);
    const std::uint32_t n = resolve(index.normal_index, normals_.size(), "normal", false);
    corner.normal = n == kNone ? kNoNormal : normals_[n];
    corner.material = std::uint32_t(material_);
    // Corners of one position form a chain; it is rarely longer than a handful.
    for (std::uint32_t c = firstCorner_[corner.position]; c != kNone; c = mesh_.corners[c].next)
      if (mesh_.corners[c].same(corner)) return c;
    corner.next = firstCorner_[corner.position];
    firstCorner_[corner.position] = std::uint32_t(mesh_.corners.size());
    mesh_.corners.push_back(corner);
    return firstCorner_[corner.position];
  }

  void beginRun() {
    if (part_ < 0) group("");
    const int texture = textureOf_[std::size_t(material_)];
    if (mesh_.runs.empty() || mesh_.runs.back().part != part_ ||
        mesh_.runs.back().texture != texture)
      mesh_.runs.push_back({part_, texture, std::uint32_t(mesh_.indices.size() / 3), 0});
  }

  void addMaterial(glm::vec4 color, glm::vec3 emission, int texture) {
    scene_.materials.push_back({color, glm::vec4(emission, texture >= 0 ? 1.0f : 0.0f),
                                glm::vec4(0, 0.15f, color.a > 0.75f ? 1.0f : 0.0f, 0)});
    textureOf_.push_back(texture);
  }
  int textureNamed(const std::string& color, const std::string& alpha);
  std::vector<std::string> choosePart(const std::string& part);
  void colorVertices(TriangleMesh& mesh);

  Scene& scene_;
  std::filesystem::path file_;
  ObjSource& source_;
  ObjMesh mesh_;
  std::vector<std::uint32_t> normals_;  // packed
  std::vector<glm::vec2> texcoords_;
  std::vector<std::uint32_t> firstCorner_;  // uint[position]
  std::vector<std::uint32_t> polygon_;
  std::vector<int> textureOf_;  // int[material]
  std::map<std::string, int> materialNames_;
  std::map<std::string, int> textureNames_;
  std::unordered_map<std::string, int> partNames_;
  std::vector<std::string> parts_;
  std::size_t textureBytes_ = 0;
  int material_ = 0, part_ = -1;
};

void ObjBuilder::addMaterials(const tinyobj::material_t* materials, int count) {
  // The parser hands out all materials so far; those already known keep their index.
  const auto unit = [](float v) { return std::isfinite(v) ? std::clamp(v, 0.0f, 1.0f) : 0.0f; };
  const auto positive = [](float v) { return std::isfinite(v) ? std::max(v, 0.0f) : 0.0f; };
  for (int i = 0; i < count; ++i) {
    const tinyobj::material_t& m = materials[i];
    const std::string name(trimmed(m.name));
    if (!materialNames_.try_emplace(name, int(textureOf_.size())).second) continue;
    addMaterial({unit(m.diffuse[0]), unit(m.diffuse[1]), unit(m.diffuse[2]), unit(m.dissolve)},
                {positive(m.emission[0]), positive(m.emission[1]), positive(m.emission[2])},
                textureNamed(m.diffuse_texname, m.alpha_texname));
  }
}

int ObjBuilder::textureNamed(const std::string& color, const std::string& alpha) {
  if (color.empty() && alpha.empty()) return -1;
  const auto [at, isNew] = textureNames_.try_emplace(color + "\n" + alpha, -1);
  if (!isNew) return at->second;
  try {
    SceneTexture texture = readTexture(file_.parent_path(), color, alpha, textureBytes_);
    textureBytes_ += texture.rgba.size();
    scene_.textures.push_back(std::move(texture));
    at->second = int(scene_.textures.size()) - 1;
  } catch (const Error& error) {
    warnOnce(error.what());
  }
  return at->second;
}

/// Renumbers the runs' parts to what is wanted and returns the parts' names.
std::vector<std::string> ObjBuilder::choosePart(const std::string& part) {
  auto& runs = mesh_.runs;
  const bool merged =
      part == "all" || (part.empty() && parts_.size() > kMaxObjParts) || parts_.size() == 1;
  if (!part.empty() && part != "all") {
    const auto found = partNames_.find(part);
    if (found == partNames_.end()) {
      std::string names = "all";
      for (std::size_t i = 0; i < parts_.size() && i < 30; ++i) names += ", " + parts_[i];
      fail("{}: expected a part out of {}{}, found \"{}\"", file_.string(), names,
           parts_.size() > 30 ? ", ..." : "", part);
    }
    std::erase_if(runs, [&](const TriangleRun& run) { return run.part != found->second; });
    if (runs.empty()) fail("{}: expected faces in part \"{}\", found none", file_.string(), part);
    for (TriangleRun& run : runs) run.part = 0;
    return {part};
  }
  if (merged) {
    for (TriangleRun& run : runs) run.part = 0;
    return {"all"};
  }
  // Groups that were named but hold no faces are no parts.
  std::vector<int> renumbered(parts_.size(), -1);
  std::vector<std::string> names;
  for (TriangleRun& run : runs) {
    int& number = renumbered[std::size_t(run.part)];
    if (number < 0) {
      number = int(names.size());
      names.push_back(parts_[std::size_t(run.part)]);
    }
    run.part = number;
  }
  return names;
}

/// A vertex with a color of its own has it in place of u; it has no texture.
void ObjBuilder::colorVertices(TriangleMesh& mesh) {
  const std::vector<std::uint32_t> colors = source_.takeColors();
  if (colors.empty()) return;
  for (std::size_t i = 0; i < mesh_.corners.size(); ++i) {
    if (mesh_.corners[i].texcoord != kNone) continue;
    mesh.vertices[i].u = float(colors.at(mesh_.corners[i].position));
    mesh.vertices[i].light |= SCENE_VERTEX_COLORED;
  }
  scene_.materials[0].color = glm::vec4(1);
  for (scene::shared::Material& material : scene_.materials) material.surface.w = 1;
}

void ObjBuilder::finish(const std::string& part, Progress& progress) {
  if (mesh_.indices.empty())
    fail("{}: expected an OBJ with faces, found {} vertices and no face", file_.string(),
         mesh_.positions.size());
  const std::vector<std::string> names = choosePart(part);
  firstCorner_ = {};
  normals_ = {};
  computeMissingNormals(mesh_, progress);

  TriangleMesh out;
  out.vertices.resize(mesh_.corners.size());
  for (std::size_t i = 0; i < mesh_.corners.size(); ++i) {
    const ObjCorner& c = mesh_.corners[i];
    const glm::vec3 p = mesh_.positions[c.position];
    const glm::vec2 uv = c.texcoord == kNone ? glm::vec2(0) : texcoords_[c.texcoord];
    out.vertices[i] = {p.x,  p.y,  p.z,        c.normal,
                       uv.x, uv.y, c.material, openLight(unpackNormal(c.normal))};
  }
  colorVertices(out);
  out.indices = std::move(mesh_.indices);
  out.runs = std::move(mesh_.runs);
  mesh_ = {};
  texcoords_ = {};
  finishScene(scene_, std::move(out), names, BatchOrder::Spatial, progress);
}

tinyobj::callback_t callbacks() {
  const auto self = [](void* user) -> ObjBuilder& { return *static_cast<ObjBuilder*>(user); };
  static const auto at = self;
  tinyobj::callback_t c;
  c.vertex_cb = [](void* u, float x, float y, float z, float) { at(u).position(x, y, z); };
  c.normal_cb = [](void* u, float x, float y, float z) { at(u).normal(x, y, z); };
  c.texcoord_cb = [](void* u, float x, float y, float) { at(u).texcoord(x, y); };
  c.index_cb = [](void* u, tinyobj::index_t* i, int count) { at(u).face(i, count); };
  c.usemtl_cb = [](void* u, const char* name, int) { at(u).useMaterial(name); };
  c.mtllib_cb = [](void* u, const tinyobj::material_t* m, int count) {
    at(u).addMaterials(m, count);
  };
  c.group_cb = [](void* u, const char** names, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
      if (i > 0) all += ' ';
      all += names[i];
    }
    at(u).group(all);
  };
  c.object_cb = [](void* u, const char* name) { at(u).group(std::string(trimmed(name))); };
  return c;
}

}  // namespace

void loadObj(Scene& scene, const std::filesystem::path& file, const std::string& part,
             Progress& progress) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) fail("{}: no such file", file.string());
  if (std::filesystem::is_directory(status))
    fail("{}: expected an OBJ file, found a folder", file.string());
  const auto bytes = std::filesystem::file_size(file, error);
  if (!error && bytes == 0) fail("{}: expected an OBJ file, found an empty file", file.string());

  progress.begin("reading " + file.filename().string(), error ? 0 : double(bytes));
  ObjSource source(file, progress);
  ObjBuilder builder(scene, file, source);
  MaterialFiles materials(file.parent_path());
  std::istream stream(&source);
  stream.exceptions(std::ios::badbit);  // lets what ObjSource throws pass
  std::string warnings, errors;
  tinyobj::LoadObjWithCallback(stream, callbacks(), &builder, &materials, &warnings, &errors);
  if (!materials.missing().empty())
    builder.warnOnce(
        fmt::format("{}: material file \"{}\" not found", file.string(), materials.missing()));
  builder.finish(part, progress);

  scene.camera.position = {0.7f, 0.5f, 1.0f};
  scene.camera.target = {0, 0, 0};
  scene.camera.frame(scene.bounds, 16.0f / 9.0f);
}

}  // namespace fathom
