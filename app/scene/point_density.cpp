// SPDX-License-Identifier: BSD-3-Clause
#include "app/scene/point_density.h"

#include "app/core/jobs.h"
#include "app/core/random.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace fathom {
namespace {

using glm::vec3;
constexpr float kPi = 3.14159265f;
constexpr int kColumns = PointDensity::kColumns, kRows = PointDensity::kRows;
constexpr int kCities = 2600;
constexpr float kMaxWeight = 50000;  // of a cell; 10^6 cells of it stay below 2^36

float hash(int x, int y, int z, std::uint32_t seed) {
  std::uint32_t h = std::uint32_t(x) * 0x9E3779B1u ^ std::uint32_t(y) * 0x85EBCA77u ^
                    std::uint32_t(z) * 0xC2B2AE3Du ^ seed * 0x27D4EB2Fu;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  return float((h ^ (h >> 15)) >> 8) * 0x1p-24f;
}

/// Value noise, 0..1.
float noise(vec3 p, std::uint32_t seed) {
  const vec3 f(std::floor(p.x), std::floor(p.y), std::floor(p.z)), t = p - f;
  const vec3 s = t * t * (3.0f - 2.0f * t);
  const int x = int(f.x), y = int(f.y), z = int(f.z);
  const auto row = [&](int dy, int dz) {
    return hash(x, y + dy, z + dz, seed) * (1 - s.x) + hash(x + 1, y + dy, z + dz, seed) * s.x;
  };
  const float front = row(0, 0) * (1 - s.y) + row(1, 0) * s.y;
  const float back = row(0, 1) * (1 - s.y) + row(1, 1) * s.y;
  return front * (1 - s.z) + back * s.z;
}

float fractal(vec3 p, int octaves, std::uint32_t seed) {
  float sum = 0, weight = 0.5f;
  for (int i = 0; i < octaves; ++i, weight *= 0.5f, p = p * 2.03f)
    sum += weight * noise(p + vec3(17.0f), seed + std::uint32_t(i));
  return sum;
}

float smoothstep(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

/// 0 on the sea, 1 inland.
float land(vec3 direction, std::uint32_t seed) {
  return smoothstep(0.485f, 0.535f, fractal(direction * 1.7f, 7, seed));
}

float latitude(int row) { return (float(row) + 0.5f) / kRows * kPi - kPi / 2; }
float longitude(int column) { return ((float(column) + 0.5f) / kColumns * 2 - 1) * kPi; }
vec3 directionOf(float lon, float lat) {
  return {std::cos(lat) * std::sin(lon), std::sin(lat), std::cos(lat) * std::cos(lon)};
}

/// People per area around a city: a bell with a long foot.
void addCity(std::vector<float>& density, vec3 center, float size) {
  const float radius = 0.006f + 0.022f * size, reach = 4 * radius;
  const float lat = std::asin(center.y), lon = std::atan2(center.x, center.z);
  const int row = int((lat + kPi / 2) / kPi * kRows), rows = int(reach / kPi * kRows) + 1;
  const float widen = 1 / std::max(0.05f, std::cos(lat));
  const int column = int((lon + kPi) / (2 * kPi) * kColumns);
  const int columns = std::min(kColumns / 2, int(reach * widen / (2 * kPi) * kColumns) + 1);
  for (int c = column - columns; c < column + columns; ++c) {
    const int wrapped = (c + kColumns) % kColumns;
    for (int r = std::max(0, row - rows); r <= std::min(kRows - 1, row + rows); ++r) {
      const float d = glm::distance(directionOf(longitude(wrapped), latitude(r)), center) / radius;
      density[std::size_t(wrapped) * kRows + std::size_t(r)] +=
          60 * size * (std::exp(-d * d) + 0.04f * std::exp(-d));
    }
  }
}

}  // namespace

PointDensity makePointDensity(std::uint64_t seed, Progress& progress) {
  const auto noiseSeed = std::uint32_t(seed * 0x9E3779B97F4A7C15ull >> 32);
  std::vector<float> ground(std::size_t(kColumns) * kRows), density(ground.size());
  progress.begin("settling the globe", kColumns);
  parallelFor(kColumns, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      for (int r = 0; r < kRows; ++r) {
        const vec3 p = directionOf(longitude(int(c)), latitude(r));
        const float cold = 1 - smoothstep(0.80f, 0.97f, std::fabs(p.y));
        const std::size_t cell = c * kRows + std::size_t(r);
        ground[cell] = land(p, noiseSeed) * cold;
        if (ground[cell] == 0) continue;
        const float fertile = fractal(p * 6.0f, 4, noiseSeed + 100);
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
    if (land(p, noiseSeed) * fractal(p * 6.0f, 4, noiseSeed + 100) < 0.25f + 0.5f * luck) continue;
    addCity(density, p, 0.02f / (0.02f + size));
    ++placed;
  }
  PointDensity result;
  result.weights.resize(ground.size());
  result.looks.resize(ground.size());
  for (std::size_t cell = 0; cell < ground.size(); ++cell) {
    const float people = ground[cell] * density[cell];
    const float area = std::cos(latitude(int(cell % kRows)));
    result.weights[cell] = std::uint32_t(std::min(people * area * 200, kMaxWeight));
    const float scale = std::log2(1 + people) / 6.0f;
    result.looks[cell] = std::uint16_t(std::min(scale, 1.0f) * 65535);
  }
  return result;
}

}  // namespace fathom
