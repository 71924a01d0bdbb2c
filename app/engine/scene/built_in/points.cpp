// SPDX-License-Identifier: BSD-3-Clause
// The globe in two steps: how dense its cells are, by noise for continents and bells for cities;
// and the points of any stretch, each drawn from its own number, so that shares of the globe can be
// made apart. The density is float and the places are double: their helpers are not
// interchangeable.
#include "app/engine/scene/built_in/points.h"

#include "app/engine/core/jobs.h"
#include "app/engine/core/random.h"
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom {
namespace {

using glm::vec3;
constexpr int kGlobeColumns = PointDensity::kColumns, kGlobeRows = PointDensity::kRows;

// ---- Density

constexpr int kCities = 2600;
constexpr float kMaxWeight = 50000;  // of a cell; 10^6 cells of it stay below 2^36

/// Value globeNoise, 0..1.
float globeNoise(vec3 p, std::uint32_t seed) {
  const vec3 f(std::floor(p.x), std::floor(p.y), std::floor(p.z)), t = p - f;
  const vec3 s = t * t * (3.0f - 2.0f * t);
  const int x = int(f.x), y = int(f.y), z = int(f.z);
  const auto row = [&](int dy, int dz) {
    return latticeHash(x, y + dy, z + dz, seed) * (1 - s.x) +
           latticeHash(x + 1, y + dy, z + dz, seed) * s.x;
  };
  const float front = row(0, 0) * (1 - s.y) + row(1, 0) * s.y;
  const float back = row(0, 1) * (1 - s.y) + row(1, 1) * s.y;
  return front * (1 - s.z) + back * s.z;
}

float globeFractal(vec3 p, int octaves, std::uint32_t seed) {
  float sum = 0, weight = 0.5f;
  for (int i = 0; i < octaves; ++i, weight *= 0.5f, p = p * 2.03f)
    sum += weight * globeNoise(p + vec3(17.0f), seed + std::uint32_t(i));
  return sum;
}

/// 0 on the sea, 1 inland.
float land(vec3 direction, std::uint32_t seed) {
  return smoothstep(0.485f, 0.535f, globeFractal(direction * 1.7f, 7, seed));
}

/// Of the middle of a cell.
float cellLatitude(int row) { return (float(row) + 0.5f) / kGlobeRows * kPi - kPi / 2; }
float cellLongitude(int column) { return ((float(column) + 0.5f) / kGlobeColumns * 2 - 1) * kPi; }
vec3 cellDirection(float lon, float lat) {
  return {std::cos(lat) * std::sin(lon), std::sin(lat), std::cos(lat) * std::cos(lon)};
}

/// People per area around a city: a bell with a long foot.
void addCity(std::vector<float>& density, vec3 center, float size) {
  const float radius = 0.006f + 0.022f * size, reach = 4 * radius;
  const float lat = std::asin(center.y), lon = std::atan2(center.x, center.z);
  const int row = int((lat + kPi / 2) / kPi * kGlobeRows), rows = int(reach / kPi * kGlobeRows) + 1;
  const float widen = 1 / std::max(0.05f, std::cos(lat));
  const int column = int((lon + kPi) / (2 * kPi) * kGlobeColumns);
  const int columns =
      std::min(kGlobeColumns / 2, int(reach * widen / (2 * kPi) * kGlobeColumns) + 1);
  for (int c = column - columns; c < column + columns; ++c) {
    const int wrapped = (c + kGlobeColumns) % kGlobeColumns;
    for (int r = std::max(0, row - rows); r <= std::min(kGlobeRows - 1, row + rows); ++r) {
      const float d =
          glm::distance(cellDirection(cellLongitude(wrapped), cellLatitude(r)), center) / radius;
      density[std::size_t(wrapped) * kGlobeRows + std::size_t(r)] +=
          60 * size * (std::exp(-d * d) + 0.04f * std::exp(-d));
    }
  }
}

}  // namespace

PointDensity makePointDensity(std::uint64_t seed, Progress& progress) {
  const auto noiseSeed = std::uint32_t(seed * 0x9E3779B97F4A7C15ull >> 32);
  std::vector<float> ground(std::size_t(kGlobeColumns) * kGlobeRows), density(ground.size());
  progress.begin("settling the globe", kGlobeColumns);
  parallelFor(kGlobeColumns, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      for (int r = 0; r < kGlobeRows; ++r) {
        const vec3 p = cellDirection(cellLongitude(int(c)), cellLatitude(r));
        const float cold = 1 - smoothstep(0.80f, 0.97f, std::fabs(p.y));
        const std::size_t cell = c * kGlobeRows + std::size_t(r);
        ground[cell] = land(p, noiseSeed) * cold;
        if (ground[cell] == 0) continue;
        const float fertile = globeFractal(p * 6.0f, 4, noiseSeed + 100);
        density[cell] = 0.25f + 3.0f * fertile * fertile * fertile;
      }
    }
    progress.advance(double(last - first));
  });
  // Cities stand on land, where the ground is good, sized by a power law.
  Random random(seed, 5);
  for (int placed = 0, tried = 0; placed < kCities && tried < 100 * kCities; ++tried) {
    const vec3 p = random.direction();
    const float luck = random.uniform(), size = random.uniform();
    if (land(p, noiseSeed) * globeFractal(p * 6.0f, 4, noiseSeed + 100) < 0.25f + 0.5f * luck)
      continue;
    addCity(density, p, 0.02f / (0.02f + size));
    ++placed;
  }
  PointDensity result;
  result.weights.resize(ground.size());
  result.looks.resize(ground.size());
  for (std::size_t cell = 0; cell < ground.size(); ++cell) {
    const float people = ground[cell] * density[cell];
    const float area = std::cos(cellLatitude(int(cell % kGlobeRows)));
    result.weights[cell] = std::uint32_t(std::min(people * area * 200, kMaxWeight));
    const float scale = std::log2(1 + people) / 6.0f;
    result.looks[cell] = std::uint16_t(std::min(scale, 1.0f) * 65535);
  }
  return result;
}

// ---- Points

namespace {

constexpr float kLandShare = 0.3f;  // of the globe's surface, about
constexpr float kTallest = 0.012f;  // how far the densest cells rise above the globe
constexpr std::uint64_t kMaxTriangleSpheres = 500'000;
constexpr int kPointColors = 24;

glm::vec3 pointDirection(double lon, double lat) {
  return {float(std::cos(lat) * std::sin(lon)), float(std::sin(lat)),
          float(std::cos(lat) * std::cos(lon))};
}
double pointLongitude(double column) { return (column / kGlobeColumns * 2 - 1) * kPi; }
double pointLatitude(double row) { return row / kGlobeRows * kPi - kPi / 2; }

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
      const double column = double(cell / kGlobeRows) + random.uniform();
      const double row = double(cell % kGlobeRows) + random.uniform();
      const std::uint32_t look = density_.looks[cell];
      const glm::vec3 p = pointDirection(pointLongitude(column), pointLatitude(row)) *
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
    const auto column = double(cell / kGlobeRows), row = double(cell % kGlobeRows);
    for (int corner = 0; corner < 4; ++corner) {
      const glm::vec3 p =
          pointDirection(pointLongitude(column + (corner & 1)), pointLatitude(row + corner / 2));
      box.add(p), box.add(p * (1 + kTallest));
    }
  }
  // A cell bulges by 5e-6 beyond its corners.
  const glm::vec3 margin(radius_.x + radius_.y + 1e-5f);
  box.low -= margin, box.high += margin;
  return box;
}

Camera PointCloud::camera() const {
  Camera camera{.position = {1.08f, 1.32f, 2.3f}, .target = {0, 0, 0}, .verticalFovDeg = 42};
  camera.fitDepth(bounds());
  return camera;
}

namespace {

/// From cool and sparse to hot and dense, as shaders/scene/points.glsl has it.
glm::vec3 densityColor(float d) {
  const glm::vec3 low(0.025f, 0.17f, 0.34f), middle(0.95f, 0.33f, 0.055f), high(1.0f, 0.93f, 0.72f);
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
  for (int i = 0; i < kPointColors; ++i) {
    const glm::vec3 color = densityColor(float(i) / (kPointColors - 1));
    mesh.addMaterial({.color = color, .emission = color * 0.4f});
  }
  progress.begin("making spheres", double(count));
  for (const auto& point : cloud.make(0, count)) {
    const float density = float(point.look & 0xFFFF) / 65535;
    mesh.setMaterial(int(density * (kPointColors - 1) + 0.5f));
    addOctahedron(mesh, {point.x, point.y, point.z}, cloud.radius().x + cloud.radius().y * density);
  }
  progress.advance(double(count));
  finishScene(scene, mesh.take(), {"points"}, BatchOrder::Spatial, progress);
}

}  // namespace

BuiltInScene pointsScene() {
  return {"points",
          "a globe of points, larger and hotter where they are dense",
          {{"count", 1, 55'300'000, 200'000, true, "points"},
           {"size", 0.05, 20, 1, false, "scale of the spheres"}},
          makePoints};
}

}  // namespace fathom
