// SPDX-License-Identifier: BSD-3-Clause
// Triangulation by cutting ears in the polygon's own plane (its Newell normal), and crease-aware
// normals from the faces around each position.
#include "app/engine/scene/obj_normals.h"

#include "app/engine/core/jobs.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom {
namespace {

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

}  // namespace

void triangulate(ObjMesh& mesh, std::span<const std::uint32_t> polygon) {
  if (polygon.size() == 3) return emit(mesh, polygon[0], polygon[1], polygon[2]);
  const std::vector<glm::vec2> points = flattened(mesh, polygon);
  if (polygon.size() <= kMaxEars && !isConvex(points)) return cutEars(mesh, polygon, points);
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    emit(mesh, polygon[0], polygon[i], polygon[i + 1]);
}

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

}  // namespace fathom
