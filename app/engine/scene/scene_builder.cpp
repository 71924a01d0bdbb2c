// SPDX-License-Identifier: BSD-3-Clause
// Triangles and normals of polygons, corners that are shared, parts by name.
#include "app/engine/scene/scene_builder.h"

#include "app/engine/core/jobs.h"
#include "app/engine/io/deflate.h"
#include "app/engine/scene/load_scene.h"

namespace fathom {
namespace {

using Corner = SceneBuilder::Corner;
using Mesh = SceneBuilder::Mesh;

// ---- Polygons and normals

/// No packed normal has this value: snorm16 never gives -32768.
constexpr std::uint32_t kNoNormal = 0x80008000u;

constexpr float kCreaseCosine = 0.70710678f;  // 45 degrees
constexpr std::size_t kMaxEars = 2048;        // corners; ears cost the square of it

/// `c`: the corners of a triangle.
glm::vec3 areaVector(const Mesh& mesh, const std::uint32_t* c) {
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
std::vector<glm::vec2> flattened(const Mesh& mesh, std::span<const std::uint32_t> polygon) {
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

void emit(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  mesh.indices.insert(mesh.indices.end(), {a, b, c});
}

void cutEars(Mesh& mesh, std::span<const std::uint32_t> polygon,
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

/// Which triangles of the mesh touch each position of some of them, as lists one behind the other.
struct Neighbors {
  std::vector<std::uint32_t> offsets;    // uint[positionCount + 1]
  std::vector<std::uint32_t> triangles;  // uint[3 * triangleCount]

  Neighbors(const Mesh& mesh, const std::vector<std::uint32_t>& some)
      : offsets(mesh.positions.size() + 1, 0) {
    std::vector<bool> touched(mesh.positions.size());
    for (const std::uint32_t c : some) touched[mesh.corners[c].position] = true;
    for (const std::uint32_t c : mesh.indices) {
      const std::uint32_t p = mesh.corners[c].position;
      if (touched[p]) ++offsets[p];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    triangles.resize(offsets.back());
    for (std::size_t i = mesh.indices.size(); i-- > 0;)  // each list from its end
      if (const std::uint32_t p = mesh.corners[mesh.indices[i]].position; touched[p])
        triangles[--offsets[p]] = std::uint32_t(i / 3);
  }
};

std::uint32_t creaseNormal(const Mesh& mesh, const Neighbors& near, const std::uint32_t* triangle,
                           std::uint32_t position) {
  const glm::vec3 own = areaVector(mesh, triangle);
  const float ownSquare = glm::dot(own, own);
  const std::uint32_t first = near.offsets[position], last = near.offsets[position + 1];
  // A pole of a million triangles would make this quadratic: such a fan keeps its faces' normals.
  constexpr std::uint32_t kMaxNeighbors = 256;
  if (!(ownSquare > 0) || last - first > kMaxNeighbors) return packNormal(own);
  glm::vec3 sum(0);
  for (std::uint32_t i = first; i < last; ++i) {
    const glm::vec3 other = areaVector(mesh, &mesh.indices[std::size_t(near.triangles[i]) * 3]);
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
void triangulate(Mesh& mesh, std::span<const std::uint32_t> polygon) {
  if (polygon.size() == 3) return emit(mesh, polygon[0], polygon[1], polygon[2]);
  const std::vector<glm::vec2> points = flattened(mesh, polygon);
  if (polygon.size() <= kMaxEars && !isConvex(points)) return cutEars(mesh, polygon, points);
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    emit(mesh, polygon[0], polygon[i], polygon[i + 1]);
}

/// Makes `index` that of its corner with this normal. A corner that got several normals becomes
/// several: chained behind the first by `next`.
void chooseCorner(Mesh& mesh, std::uint32_t& index, std::uint32_t normal) {
  std::uint32_t at = index;
  if (mesh.corners[at].normal == kNoNormal) mesh.corners[at].normal = normal;
  while (mesh.corners[at].normal != normal && mesh.corners[at].next != kNone)
    at = mesh.corners[at].next;
  if (mesh.corners[at].normal != normal) {
    Corner copy = mesh.corners[at];
    copy.normal = normal;
    mesh.corners[at].next = std::uint32_t(mesh.corners.size());
    at = mesh.corners[at].next;
    mesh.corners.push_back(copy);
  }
  index = at;
}

/// Gives corners of these triangles that have no normal the area-weighted mean over the faces
/// around their position whose direction differs by less than 45 degrees from their own face's;
/// edges sharper than that stay sharp.
void computeMissingNormals(Mesh& mesh, std::vector<std::uint32_t>& indices, Progress& progress) {
  std::vector<bool> given;  // by corner
  for (const Corner& c : mesh.corners) given.push_back(c.normal != kNoNormal);
  if (std::ranges::find(given, false) == given.end()) return;
  const std::size_t triangleCount = indices.size() / 3;
  progress.begin("computing normals", double(triangleCount));
  const Neighbors near(mesh, indices);
  for (Corner& c : mesh.corners) c.next = kNone;
  constexpr std::size_t kBlock = 1 << 18;          // triangles at a time, which bounds `normals`
  std::vector<std::uint32_t> normals(kBlock * 3);  // packed
  for (std::size_t from = 0; from < triangleCount; from += kBlock) {
    const std::size_t count = std::min(kBlock, triangleCount - from);
    parallelFor(count, 16384, [&](std::size_t first, std::size_t last) {
      progress.throwIfCancelled();
      for (std::size_t k = first * 3; k < last * 3; ++k) {
        const std::uint32_t at = indices[from * 3 + k];
        const Corner& c = mesh.corners[at];
        normals[k] = given[at] ? c.normal
                               : creaseNormal(mesh, near, &indices[(from + k / 3) * 3], c.position);
      }
    });
    for (std::size_t k = 0; k < count * 3; ++k)
      chooseCorner(mesh, indices[from * 3 + k], normals[k]);
    progress.advance(double(count));
  }
}

}  // namespace

// ---- The scene

constexpr std::size_t kMaxCorners = 1 << 16;  // of one polygon
constexpr std::size_t kMaxElements = 0x7FFFFFFF;

SceneBuilder::SceneBuilder(Scene& scene, fs::path file, std::function<std::string()> where)
    : scene_(scene), file_(std::move(file)), where_(std::move(where)) {
  addMaterial(glm::vec4(0.7f, 0.7f, 0.7f, 1), glm::vec3(0), -1);
}

void SceneBuilder::failTooMany(const char* what) const {
  fail("{}: expected fewer than {} {}, found more{}", file_.string(), kMaxElements, what, where());
}

void SceneBuilder::position(glm::vec3 p) {
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
    fail("{}: expected finite coordinates{}, found {}, {}, {}", file_.string(), where(), p.x, p.y,
         p.z);
  if (mesh_.positions.size() >= kMaxElements) failTooMany("vertices");
  mesh_.positions.push_back(p);
  firstCorner_.push_back(kNone);
}

void SceneBuilder::normal(glm::vec3 n) {
  const float length = glm::length(n);
  normals_.push_back(std::isfinite(length) && length > 0 ? packNormal(n) : kNoNormal);
}

void SceneBuilder::texcoord(glm::vec2 uv) {
  texcoords_.push_back(std::isfinite(uv.x) && std::isfinite(uv.y) ? uv : glm::vec2(0));
}

void SceneBuilder::face(std::span<const SceneCorner> corners) {
  if (corners.size() < 3) return;  // a point or line
  if (corners.size() > kMaxCorners)
    fail("{}: expected faces of at most {} corners, found {}{}", file_.string(), kMaxCorners,
         corners.size(), where());
  if (mesh_.indices.size() / 3 + corners.size() >= kMaxElements / 3) failTooMany("triangles");
  polygon_.clear();
  for (const SceneCorner& corner : corners) polygon_.push_back(cornerIndex(corner));
  beginRun();
  const std::size_t before = mesh_.indices.size();
  triangulate(mesh_, polygon_);
  mesh_.runs.back().triangleCount += std::uint32_t((mesh_.indices.size() - before) / 3);
}

int SceneBuilder::addMaterial(glm::vec4 color, glm::vec3 emission, int texture) {
  const auto unit = [](float v) { return std::isfinite(v) ? std::clamp(v, 0.0f, 1.0f) : 0.0f; };
  for (int i = 0; i < 4; ++i) color[i] = unit(color[i]);
  for (int i = 0; i < 3; ++i)
    emission[i] = std::isfinite(emission[i]) ? std::max(emission[i], 0.0f) : 0.0f;
  scene_.materials.push_back({color, glm::vec4(emission, texture >= 0 ? 1.0f : 0.0f),
                              glm::vec4(0, 0.15f, color.a > 0.75f ? 1.0f : 0.0f, 0)});
  textureOf_.push_back(texture);
  return int(textureOf_.size()) - 1;
}

int SceneBuilder::texture(const std::string& key,
                          const std::function<SceneTexture(std::size_t)>& read) {
  const auto [at, isNew] = textures_.try_emplace(key, -1);
  if (!isNew) return at->second;
  try {
    SceneTexture made = read(textureBytes_);
    textureBytes_ += made.rgba.size();
    scene_.textures.push_back(std::move(made));
    at->second = int(scene_.textures.size()) - 1;
  } catch (const Error& error) {
    warnOnce(error.what());
  }
  return at->second;
}

void SceneBuilder::group(const std::string& name) {
  const std::string key = name.empty() ? "unnamed" : name;
  const auto [at, isNew] = partNames_.try_emplace(key, int(parts_.size()));
  if (isNew) parts_.push_back(key);
  part_ = at->second;
}

void SceneBuilder::warnOnce(const std::string& text) {
  auto& all = scene_.warnings;
  if (all.size() < 100 && std::ranges::find(all, text) == all.end()) all.push_back(text);
}

std::uint32_t SceneBuilder::cornerIndex(const SceneCorner& from) {
  Corner corner{from.position, from.texcoord,
                from.normal == kNone ? kNoNormal : normals_[from.normal], std::uint32_t(material_)};
  // Corners of one position form a chain; it is rarely longer than a handful.
  for (std::uint32_t c = firstCorner_[corner.position]; c != kNone; c = mesh_.corners[c].next)
    if (mesh_.corners[c].same(corner)) return c;
  corner.next = firstCorner_[corner.position];
  firstCorner_[corner.position] = std::uint32_t(mesh_.corners.size());
  mesh_.corners.push_back(corner);
  return firstCorner_[corner.position];
}

void SceneBuilder::beginRun() {
  if (part_ < 0) group("");
  const int texture = textureOf_[std::size_t(material_)];
  if (mesh_.runs.empty() || mesh_.runs.back().part != part_ || mesh_.runs.back().texture != texture)
    mesh_.runs.push_back({part_, texture, std::uint32_t(mesh_.indices.size() / 3), 0});
}

/// Renumbers the runs' parts to what is wanted and returns the parts' names.
std::vector<std::string> SceneBuilder::choosePart(const std::string& part) {
  auto& runs = mesh_.runs;
  const bool merged =
      part == "all" || (part.empty() && parts_.size() > kMaxFileParts) || parts_.size() == 1;
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

/// The corners of the triangles that a share keeps; runs become theirs. Notes what the whole is.
std::vector<std::uint32_t> SceneBuilder::takeShare(SceneShare& share) {
  const auto corner = [this](std::uint32_t triangle, std::size_t i) {
    return mesh_.positions[mesh_.corners[mesh_.indices[std::size_t(triangle) * 3 + i]].position];
  };
  std::map<std::pair<int, int>, std::uint64_t> groups;  // triangles, by part and texture
  for (const TriangleRun& run : mesh_.runs) {
    groups[{run.part, run.texture}] += run.triangleCount;
    share.triangles += run.triangleCount;
    for (std::uint32_t t = 0; t < run.triangleCount; ++t)
      for (std::size_t i = 0; i < 3; ++i) share.bounds.add(corner(run.firstTriangle + t, i));
  }
  const std::uint64_t n = share.triangles, ranks = std::uint64_t(share.ranks),
                      first = n * std::uint64_t(share.rank) / ranks,
                      end = n * std::uint64_t(share.rank + 1) / ranks;
  std::vector<std::uint32_t> kept;
  std::vector<TriangleRun> runs;
  std::uint64_t before = 0;
  for (int last = -1; const auto& [group, count] : groups) {
    const auto [part, texture] = group;
    share.parts += part != std::exchange(last, part);
    std::uint64_t from = 0, to = part % share.ranks == share.rank ? count : 0;
    if (share.byTriangles)
      from = std::clamp(first, before, before + count) - before,
      to = std::clamp(end, before, before + count) - before;
    before += count;
    if (from == to) continue;
    const auto order = trianglesOf(
        mesh_.runs, part, texture, share.bounds, BatchOrder::Spatial,
        [&](std::uint32_t t) { return (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3.0f; });
    runs.push_back({part, texture, std::uint32_t(kept.size() / 3), std::uint32_t(to - from)});
    for (std::uint64_t i = from; i < to; ++i)
      kept.insert(kept.end(), &mesh_.indices[std::size_t(order[i].triangle) * 3],
                  &mesh_.indices[std::size_t(order[i].triangle) * 3] + 3);
  }
  mesh_.runs = std::move(runs);
  return kept;
}

/// A vertex with a color of its own has it in place of u; it has no texture.
void SceneBuilder::colorVertices(TriangleMesh& mesh, std::vector<std::uint32_t> colors) {
  if (colors.empty()) return;
  colors.resize(mesh_.positions.size(), 0xFFFFFF);
  for (std::size_t i = 0; i < mesh_.corners.size(); ++i) {
    if (mesh_.corners[i].texcoord != kNone) continue;
    mesh.vertices[i].u = float(colors[mesh_.corners[i].position]);
    mesh.vertices[i].light |= SCENE_VERTEX_COLORED;
  }
  scene_.materials[0].color = glm::vec4(1);
  for (scene::shared::Material& material : scene_.materials) material.surface.w = 1;
}

void SceneBuilder::finish(const std::string& part, std::vector<std::uint32_t> colors,
                          Progress& progress) {
  if (mesh_.indices.empty())
    fail("{}: expected faces, found {} vertices and no face", file_.string(),
         mesh_.positions.size());
  const std::vector<std::string> names = choosePart(part);
  std::vector<std::uint32_t>().swap(firstCorner_);
  std::vector<std::uint32_t>().swap(normals_);
  if (scene_.share) {
    const auto sum = [](const auto& values) { return crc32(std::as_bytes(std::span(values))); };
    const std::uint32_t sums[] = {sum(mesh_.positions), sum(mesh_.corners), sum(mesh_.indices),
                                  sum(texcoords_), sum(colors)};
    scene_.share->checksum = sum(sums);
    std::vector<std::uint32_t> kept = takeShare(*scene_.share);
    computeMissingNormals(mesh_, kept, progress);
    mesh_.indices = std::move(kept);
  } else {
    computeMissingNormals(mesh_, mesh_.indices, progress);
  }

  TriangleMesh out;
  out.vertices.resize(mesh_.corners.size());
  for (std::size_t i = 0; i < mesh_.corners.size(); ++i) {
    const Corner& c = mesh_.corners[i];
    const glm::vec3 p = mesh_.positions[c.position];
    const glm::vec2 uv = c.texcoord == kNone ? glm::vec2(0) : texcoords_[c.texcoord];
    out.vertices[i] = {p.x,  p.y,  p.z,        c.normal,
                       uv.x, uv.y, c.material, openLight(unpackNormal(c.normal))};
  }
  colorVertices(out, std::move(colors));
  out.indices = std::move(mesh_.indices);
  out.runs = std::move(mesh_.runs);
  mesh_ = {};
  std::vector<glm::vec2>().swap(texcoords_);
  finishScene(scene_, std::move(out), names, BatchOrder::Spatial, progress);
  scene_.camera.position = {0.7f, 0.5f, 1.0f};
  scene_.camera.target = {0, 0, 0};
  scene_.camera.frame(scene_.share ? scene_.share->bounds : scene_.bounds, 16.0f / 9.0f);
}

}  // namespace fathom
