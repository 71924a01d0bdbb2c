// SPDX-License-Identifier: BSD-3-Clause
// Ambient light: 24 rays per vertex through a grid of bits, a few cells to the meter. Coarse, but it
// runs at every start of the program, so it must take a few dozen milliseconds.
#include "app/scene/bake_light.h"

#include "app/core/jobs.h"
#include "app/scene/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>

namespace fathom {
namespace {

constexpr int kCellsAcross = 200;  // along the longest side
constexpr int kRays = 24;
constexpr float kNearReach = 1.6f;  // m within which surroundings darken

class VoxelGrid {
 public:
  VoxelGrid(const Box& bounds) : low_(bounds.low) {
    const glm::vec3 size = bounds.size();
    cell_ = std::max({size.x, size.y, size.z}) / float(kCellsAcross);
    nx_ = int(size.x / cell_) + 1, ny_ = int(size.y / cell_) + 1, nz_ = int(size.z / cell_) + 1;
    bits_.assign((std::size_t(nx_) * std::size_t(ny_) * std::size_t(nz_) + 31) / 32, 0);
  }
  float cell() const { return cell_; }
  glm::vec3 toGrid(glm::vec3 p) const { return (p - low_) / cell_; }
  bool inside(glm::vec3 g) const {
    return g.x >= 0 && g.y >= 0 && g.z >= 0 && g.x < float(nx_) && g.y < float(ny_) &&
           g.z < float(nz_);
  }
  bool full(glm::vec3 g) const {
    const std::size_t i = index(g);
    return bits_[i >> 5] >> (i & 31) & 1;
  }
  /// Marks every cell that the triangle passes, by points at less than a cell's distance.
  void mark(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    a = toGrid(a), b = toGrid(b), c = toGrid(c);
    const float longest = std::max({glm::length(b - a), glm::length(c - a), glm::length(c - b)});
    const int n = std::clamp(int(longest * 1.4f) + 1, 1, 1024);
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        const glm::vec3 g = a + (b - a) * (float(i) / float(n)) + (c - a) * (float(j) / float(n));
        if (!inside(g)) continue;
        const std::size_t k = index(g);
        bits_[k >> 5] |= 1u << (k & 31);
      }
  }

 private:
  std::size_t index(glm::vec3 g) const {
    return (std::size_t(g.y) * std::size_t(nz_) + std::size_t(g.z)) * std::size_t(nx_) +
           std::size_t(g.x);
  }
  glm::vec3 low_;
  float cell_;
  int nx_, ny_, nz_;
  std::vector<std::uint32_t> bits_;
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

/// What one side of a vertex sees. Rays that leave the grid upward see the sky; what they hit is lit
/// too, the less the nearer it is.
Openness opennessAt(const VoxelGrid& grid, const std::array<glm::vec3, kRays>& directions,
                    glm::vec3 position, glm::vec3 normal) {
  const glm::vec3 side = glm::normalize(
      std::abs(normal.y) < 0.9f ? glm::cross(normal, glm::vec3(0, 1, 0))
                                : glm::cross(normal, glm::vec3(1, 0, 0)));
  const glm::vec3 other = glm::cross(normal, side);
  const glm::vec3 start = grid.toGrid(position) + normal * 1.3f;
  Openness open;
  for (const glm::vec3& d : directions) {
    const glm::vec3 ray = side * d.x + other * d.y + normal * d.z;
    float at = 0.4f, step = 0.9f;
    glm::vec3 g = start + ray * at;
    bool hit = false;
    while (grid.inside(g) && !(hit = grid.full(g))) {
      at += step;
      step = std::min(step * 1.12f, 2.2f);
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

}  // namespace

void bakeLight(Scene& scene, const Box& bounds, Progress& progress) {
  progress.begin("baking light", double(scene.vertices.size()));
  VoxelGrid grid(bounds);
  for (std::size_t i = 0; i < scene.indices.size(); i += 3) {
    const auto& v = scene.vertices[scene.indices[i]];
    if (scene.materials[v.material].surface.z == 0) continue;
    grid.mark(positionOf(v), positionOf(scene.vertices[scene.indices[i + 1]]),
              positionOf(scene.vertices[scene.indices[i + 2]]));
  }
  const auto directions = cosineDirections();
  parallelFor(scene.vertices.size(), 4096, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      auto& v = scene.vertices[i];
      const glm::vec3 p = positionOf(v), n = unpackNormal(v.normal);
      if (!grid.inside(grid.toGrid(p))) continue;
      Openness open = opennessAt(grid, directions, p, n);
      // Thin cloth and leaves take light from both sides.
      if (scene.materials[v.material].surface.x > 0) {
        const Openness back = opennessAt(grid, directions, p, -n);
        open.sky = 0.6f * open.sky + 0.4f * back.sky;
        open.ground = 0.6f * open.ground + 0.4f * back.ground;
      }
      v.light = packLight(open.sky, open.ground);
    }
    progress.advance(double(last - first));
  });
}

}  // namespace fathom
