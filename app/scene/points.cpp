// SPDX-License-Identifier: BSD-3-Clause
#include "app/scene/points.h"

#include "app/core/jobs.h"
#include "app/scene/built_in.h"
#include "app/scene/mesh_builder.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom {
namespace {

constexpr float kPi = 3.14159265f;
constexpr int kColumns = PointDensity::kColumns, kRows = PointDensity::kRows;
constexpr float kLandShare = 0.3f;  // of the globe's surface, about
constexpr float kTallest = 0.012f;  // how far the densest cells rise above the globe
constexpr std::uint64_t kMaxTriangleSpheres = 500'000;
constexpr int kColors = 24;

glm::vec3 directionOf(double lon, double lat) {
  return {float(std::cos(lat) * std::sin(lon)), float(std::sin(lat)),
          float(std::cos(lat) * std::cos(lon))};
}
double longitude(double column) { return (column / kColumns * 2 - 1) * kPi; }
double latitude(double row) { return row / kRows * kPi - kPi / 2; }

}  // namespace

PointCloud::PointCloud(std::uint64_t count, std::uint64_t seed, float size, Progress& progress)
    : density_(makePointDensity(seed, progress)), seed_(seed) {
  // Spheres nearly touch where the land is settled evenly.
  const float spacing = std::sqrt(4 * kPi * kLandShare / float(std::max<std::uint64_t>(count, 1)));
  radius_ = glm::vec2(0.38f, 0.5f) * std::min(spacing, 0.05f) * size;
  std::uint64_t total = 0, before = 0;
  for (const std::uint32_t weight : density_.weights) total += weight;
  FATHOM_CHECK(total > 0 && total < UINT64_MAX / std::max<std::uint64_t>(count, 1));
  starts_.reserve(density_.weights.size() + 1);
  for (const std::uint32_t weight : density_.weights) {
    starts_.push_back(count * before / total);
    before += weight;
  }
  starts_.push_back(count);
}

std::optional<PointCloud> PointCloud::fromSpec(const std::string& spec, Progress& progress) {
  const std::optional<BuiltInSpec> parsed = parseBuiltIn(spec);
  if (!parsed || parsed->scene->name != "points" || parsed->part) return std::nullopt;
  const SceneArguments& arguments = parsed->arguments;
  return PointCloud(std::uint64_t(arguments.get("count")), arguments.seed(),
                    float(arguments.get("size")), progress);
}

std::size_t PointCloud::cellOf(std::uint64_t point) const {
  return std::size_t(std::upper_bound(starts_.begin(), starts_.end(), point) - starts_.begin()) - 1;
}

std::vector<scene::shared::ScenePoint> PointCloud::make(std::uint64_t first,
                                                        std::uint64_t end) const {
  FATHOM_CHECK(first <= end && end <= count());
  std::vector<scene::shared::ScenePoint> points(end - first);
  parallelFor(points.size(), 65536, [&](std::size_t from, std::size_t to) {
    std::size_t cell = from < to ? cellOf(first + from) : 0;
    for (std::size_t i = from; i < to; ++i) {
      const std::uint64_t index = first + i;
      while (starts_[cell + 1] <= index) ++cell;
      Random random(index, seed_);
      const double column = double(cell / kRows) + random.uniform();
      const double row = double(cell % kRows) + random.uniform();
      const std::uint32_t look = density_.looks[cell];
      const glm::vec3 p = directionOf(longitude(column), latitude(row)) *
                          (1 + kTallest * float(look) / 65535 * random.uniform());
      points[i] = {p.x, p.y, p.z, look | (random.next() & 0xFFFF0000u)};
    }
  });
  return points;
}

Box PointCloud::boundsOf(std::uint64_t first, std::uint64_t end) const {
  Box box;
  if (first >= end) return box;
  for (std::size_t cell = cellOf(first); starts_[cell] < end; ++cell) {
    if (starts_[cell] == starts_[cell + 1]) continue;
    const auto column = double(cell / kRows), row = double(cell % kRows);
    for (int corner = 0; corner < 4; ++corner) {
      const glm::vec3 p = directionOf(longitude(column + (corner & 1)), latitude(row + corner / 2));
      box.add(p), box.add(p * (1 + kTallest));
    }
  }
  // A cell bulges by 5e-6 beyond its corners.
  const glm::vec3 margin(radius_.x + radius_.y + 1e-5f);
  box.low -= margin, box.high += margin;
  return box;
}

Camera PointCloud::camera() const {
  Camera camera;
  camera.position = {1.08f, 1.32f, 2.3f};
  camera.target = {0, 0, 0};
  camera.verticalFovDeg = 42;
  camera.fitDepth(bounds());
  return camera;
}

namespace {

/// From cool and sparse to hot and dense, as shaders/scene/points.glsl has it.
glm::vec3 densityColor(float d) {
  const glm::vec3 low(0.025f, 0.17f, 0.34f), middle(0.95f, 0.33f, 0.055f),
      high(1.0f, 0.93f, 0.72f);
  return d < 0.5f ? low + (middle - low) * (d * 2) : middle + (high - middle) * (d * 2 - 1);
}

void addOctahedron(MeshBuilder& mesh, glm::vec3 center, float radius) {
  std::uint32_t corner[2][3];
  for (int side = 0; side < 2; ++side)
    for (int axis = 0; axis < 3; ++axis) {
      glm::vec3 direction(0);
      direction[axis] = side ? -1.0f : 1.0f;
      corner[side][axis] = mesh.vertex(center + direction * radius, direction);
    }
  for (int octant = 0; octant < 8; ++octant)
    mesh.triangle(corner[octant & 1][0], corner[octant >> 1 & 1][1], corner[octant >> 2][2]);
}

/// Eight triangles for each point.
void makePoints(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  const auto count = std::uint64_t(arguments.get("count"));
  if (count > kMaxTriangleSpheres)
    fail("points: expected a count of at most {} as triangles, found {}; active-pixel draws more",
         kMaxTriangleSpheres, count);
  const PointCloud cloud(count, arguments.seed(), float(arguments.get("size")), progress);
  scene.camera = cloud.camera();
  MeshBuilder mesh(scene);
  for (int i = 0; i < kColors; ++i) {
    const glm::vec3 color = densityColor(float(i) / (kColors - 1));
    MaterialLook look;
    look.color = color, look.emission = color * 0.4f;
    mesh.addMaterial(look);
  }
  progress.begin("making spheres", double(count));
  for (const auto& point : cloud.make(0, count)) {
    const float density = float(point.look & 0xFFFF) / 65535;
    mesh.setMaterial(int(density * (kColors - 1) + 0.5f));
    addOctahedron(mesh, {point.x, point.y, point.z}, cloud.radius().x + cloud.radius().y * density);
  }
  progress.advance(double(count));
  overrideAlpha(scene, arguments.get("alpha"));
  finishScene(scene, mesh.take(), {"points"}, BatchOrder::Spatial, progress);
}

}  // namespace

BuiltInScene pointsScene() {
  return {"points",
          "a globe of points, larger and hotter where they are dense",
          {{"count", 1, 55'300'000, 200'000, true, "points"},
           {"size", 0.05, 20, 1, false, "scale of the spheres"},
           seedParameter(),
           alphaParameter()},
          makePoints};
}

}  // namespace fathom
