// SPDX-License-Identifier: BSD-3-Clause
// Ambient light: 12 rays per vertex through a grid of bits, a few cells to the meter. Coarse, but
// it runs at every start of the program, so it must take a few dozen milliseconds. Vertices in one
// cell that look the same way share their rays.
#include "app/engine/scene/built_in/built_in.h"

#include "app/engine/core/jobs.h"
#include "app/engine/scene/triangle_mesh.h"

namespace fathom {
namespace {

constexpr int kCellsAcross = 180;  // along the longest side
constexpr int kRays = 12;
constexpr float kNearReach = 1.6f;  // m within which surroundings darken

class VoxelGrid {
 public:
  VoxelGrid(const Box& bounds) : low_(bounds.low) {
    const glm::vec3 size = bounds.size();
    cell_ = std::max({size.x, size.y, size.z}) / float(kCellsAcross);
    cells_ = glm::ivec3(size / cell_) + 1;
    blocks_ = cells_ / kBlock + 3;
    bits_.assign(indexIn(cells_, cells_ - 1) / 32 + 1, 0);
    near_.assign(indexIn(blocks_, blocks_ - 1) + 1, 0);
  }
  float cell() const { return cell_; }
  glm::vec3 toGrid(glm::vec3 p) const { return (p - low_) / cell_; }
  bool inside(glm::vec3 g) const {
    return g.x >= 0 && g.y >= 0 && g.z >= 0 && g.x < float(cells_.x) && g.y < float(cells_.y) &&
           g.z < float(cells_.z);
  }
  bool full(glm::vec3 g) const {
    const std::size_t i = indexIn(cells_, glm::ivec3(g));
    return bits_[i >> 5] >> (i & 31) & 1;
  }
  /// True when a full cell may be within kBlock cells of g.
  bool isNear(glm::vec3 g) const { return near_[blockIndex(g, glm::ivec3(0))] != 0; }
  static constexpr int kBlock = 4;

  /// Marks every cell that the triangle passes, by points at less than a cell's distance.
  void mark(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    a = toGrid(a), b = toGrid(b), c = toGrid(c);
    // Walk from the corner between the two shorter edges, so that slivers cost little.
    float ab = glm::length(b - a), bc = glm::length(c - b), ca = glm::length(a - c);
    if (ab >= bc && ab >= ca)
      std::swap(a, c), std::swap(ab, bc);
    else if (ca >= ab && ca >= bc)
      std::swap(a, b), std::swap(ca, bc);
    const int n = std::clamp(int(ab * 1.4f) + 1, 1, 1024);
    for (int i = 0; i <= n; ++i) {
      const float s = float(i) / float(n), left = 1 - s;
      const int m = std::clamp(int(ca * left * 1.4f) + 1, 1, 1024);
      for (int j = 0; j <= m; ++j) {
        const glm::vec3 g = a + (b - a) * s + (c - a) * (left * float(j) / float(m));
        if (inside(g)) markCell(g);
      }
    }
  }

 private:
  void markCell(glm::vec3 g) {
    const std::size_t k = indexIn(cells_, glm::ivec3(g));
    if (bits_[k >> 5] >> (k & 31) & 1) return;
    bits_[k >> 5] |= 1u << (k & 31);
    for (int dy = -1; dy <= 1; ++dy)
      for (int dz = -1; dz <= 1; ++dz)
        for (int dx = -1; dx <= 1; ++dx) near_[blockIndex(g, {dx, dy, dz})] = 1;
  }
  /// One block of margin on every side.
  std::size_t blockIndex(glm::vec3 g, glm::ivec3 beside) const {
    return indexIn(blocks_, glm::ivec3(g) / kBlock + 1 + beside);
  }
  static std::size_t indexIn(glm::ivec3 size, glm::ivec3 at) {
    return (std::size_t(at.y) * std::size_t(size.z) + std::size_t(at.z)) * std::size_t(size.x) +
           std::size_t(at.x);
  }
  glm::vec3 low_;
  float cell_;
  glm::ivec3 cells_, blocks_;        // blocks of kBlock^3 cells, and a margin
  std::vector<std::uint32_t> bits_;  // by cell
  std::vector<std::uint8_t> near_;   // by block: it or a neighbor holds a full cell
};

/// Directions over the half sphere around +z, denser where the cosine is large.
std::array<glm::vec3, kRays> cosineDirections() {
  std::array<glm::vec3, kRays> directions;
  for (int i = 0; i < kRays; ++i) {
    const float r = std::sqrt((float(i) + 0.5f) / kRays), angle = 2.399963f * float(i);
    directions[std::size_t(i)] = {r * std::cos(angle), r * std::sin(angle), std::sqrt(1 - r * r)};
  }
  return directions;
}

struct Openness {
  float sky = 0, ground = 0;
};

/// What one side of a vertex sees. Rays that leave the grid upward see the sky; what they hit is
/// lit too, the less the nearer it is.
Openness opennessAt(const VoxelGrid& grid, const std::array<glm::vec3, kRays>& directions,
                    glm::vec3 position, glm::vec3 normal) {
  const glm::vec3 side =
      glm::normalize(std::abs(normal.y) < 0.9f ? glm::cross(normal, glm::vec3(0, 1, 0))
                                               : glm::cross(normal, glm::vec3(1, 0, 0)));
  const glm::vec3 other = glm::cross(normal, side);
  const glm::vec3 start = grid.toGrid(position) + normal * 1.3f;
  Openness open;
  for (const glm::vec3& d : directions) {
    const glm::vec3 ray = side * d.x + other * d.y + normal * d.z;
    float at = 0.4f, step = 0.9f;
    glm::vec3 g = start + ray * at;
    bool hit = false;
    while (grid.inside(g)) {
      if (!grid.isNear(g)) {
        at += float(VoxelGrid::kBlock);
      } else {
        if ((hit = grid.full(g))) break;
        at += step;
        step = std::min(step * 1.15f, 1.8f);
      }
      g = start + ray * at;
    }
    const float distance = at * grid.cell();
    if (hit)
      open.ground += 0.35f + 0.65f * std::min(distance / kNearReach, 1.0f);
    else
      (ray.y > 0 ? open.sky : open.ground) += 1;
  }
  const float groundRays = float(kRays) - open.sky;
  open.ground = groundRays > 0 ? open.ground / groundRays : 1;
  open.sky /= float(kRays);
  return open;
}

/// What a vertex has in common with those that share its rays: its cell, its direction to about
/// 20 degrees, and whether light shines through.
std::uint64_t placeKey(glm::vec3 cell, std::uint32_t packedNormal, bool thin) {
  const auto x = std::uint64_t(cell.x), y = std::uint64_t(cell.y), z = std::uint64_t(cell.z);
  const std::uint64_t nx = ((packedNormal & 0xFFFF) ^ 0x8000) >> 13;
  const std::uint64_t ny = ((packedNormal >> 16) ^ 0x8000) >> 13;
  return x | y << 12 | z << 24 | nx << 36 | ny << 40 | std::uint64_t(thin) << 44;
}

std::uint32_t lightAt(const VoxelGrid& grid, const std::array<glm::vec3, kRays>& directions,
                      const scene::shared::Vertex& v, bool thin) {
  const glm::vec3 p = positionOf(v), n = unpackNormal(v.normal);
  Openness open = opennessAt(grid, directions, p, n);
  if (thin) {  // cloth and leaves take light from both sides
    const Openness back = opennessAt(grid, directions, p, -n);
    open.sky = 0.6f * open.sky + 0.4f * back.sky;
    open.ground = 0.6f * open.ground + 0.4f * back.ground;
  }
  return packLight(open.sky, open.ground);
}

}  // namespace

void bakeLight(Scene& scene, const Box& bounds, Progress& progress) {
  progress.begin("baking light", 0);
  VoxelGrid grid(bounds);
  for (std::size_t i = 0; i < scene.indices.size(); i += 3) {
    const auto& v = scene.vertices[scene.indices[i]];
    if (scene.materials[v.material].surface.z == 0) continue;
    grid.mark(positionOf(v), positionOf(scene.vertices[scene.indices[i + 1]]),
              positionOf(scene.vertices[scene.indices[i + 2]]));
  }

  // The first vertex of each place stands for all of it.
  constexpr std::uint32_t kOutside = 0xFFFFFFFFu;
  const std::size_t vertexCount = scene.vertices.size();
  std::vector<std::uint32_t> placeOf(vertexCount, kOutside), first;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;  // of places, in order of first use
  numbers.reserve(vertexCount);
  const auto isThin = [&](const scene::shared::Vertex& v) {
    return scene.materials[v.material].surface.x > 0;
  };
  for (std::size_t i = 0; i < vertexCount; ++i) {
    const auto& v = scene.vertices[i];
    const glm::vec3 cell = grid.toGrid(positionOf(v));
    if (!grid.inside(cell)) continue;
    const auto [number, isNew] =
        numbers.try_emplace(placeKey(cell, v.normal, isThin(v)), std::uint32_t(first.size()));
    placeOf[i] = number->second;
    if (isNew) first.push_back(std::uint32_t(i));
  }
  progress.begin("baking light", double(first.size()));
  const auto directions = cosineDirections();
  std::vector<std::uint32_t> light(first.size());
  parallelFor(first.size(), 2048, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& v = scene.vertices[first[i]];
      light[i] = lightAt(grid, directions, v, isThin(v));
    }
    progress.advance(double(end - begin));
  });
  for (std::size_t i = 0; i < vertexCount; ++i)
    if (placeOf[i] != kOutside) scene.vertices[i].light = light[placeOf[i]];
}

}  // namespace fathom
