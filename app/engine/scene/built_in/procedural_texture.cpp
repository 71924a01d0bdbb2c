// SPDX-License-Identifier: BSD-3-Clause
// Noise that repeats.
#include "app/engine/scene/built_in/procedural_texture.h"

namespace fathom {

float cellHash(int x, int y, std::uint32_t seed) {
  std::uint32_t h =
      std::uint32_t(x) * 0x9E3779B1u ^ std::uint32_t(y) * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  return float((h ^ (h >> 15)) >> 8) * 0x1p-24f;
}

float tileNoise(glm::vec2 p, int period, std::uint32_t seed) {
  const float fx = std::floor(p.x), fy = std::floor(p.y);
  const auto wrap = [&](int i) { return ((i % period) + period) % period; };
  const int x0 = wrap(int(fx)), y0 = wrap(int(fy)), x1 = wrap(x0 + 1), y1 = wrap(y0 + 1);
  const auto smooth = [](float t) { return t * t * (3 - 2 * t); };
  const float u = smooth(p.x - fx), v = smooth(p.y - fy);
  const float top = cellHash(x0, y0, seed) * (1 - u) + cellHash(x1, y0, seed) * u;
  const float bottom = cellHash(x0, y1, seed) * (1 - u) + cellHash(x1, y1, seed) * u;
  return top * (1 - v) + bottom * v;
}

float tileFractal(glm::vec2 p, int cells, int octaves, std::uint32_t seed) {
  float sum = 0, weight = 1, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * tileNoise(p * float(cells), cells, seed + std::uint32_t(i));
    total += weight;
    weight *= 0.5f, cells *= 2;
  }
  return sum / total;
}

}  // namespace fathom
