// SPDX-License-Identifier: BSD-3-Clause
// Small textures made by code: a function of the place, on a noise that repeats at the edges.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

namespace fathom {

/// Value noise on an integer grid that repeats every `period` cells; 0..1.
float tileNoise(glm::vec2 p, int period, std::uint32_t seed);
/// Octaves of tileNoise, each of half size and weight; p in 0..1 covers the tile, `cells` the first
/// octave's period. 0..1.
float tileFractal(glm::vec2 p, int cells, int octaves, std::uint32_t seed);
/// 0 up to `low`, 1 from `high` on, smooth between.
inline float smoothstep(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}
/// A number in 0..1 for a cell.
float cellHash(int x, int y, std::uint32_t seed);

/// color(uv) gives sRGB and alpha, all 0..1; uv from the top left corner, v down.
template <class Color>
SceneTexture makeTexture(std::string name, int width, int height, Color&& color) {
  SceneTexture texture;
  texture.name = std::move(name);
  texture.width = width, texture.height = height;
  texture.rgba.resize(std::size_t(width) * std::size_t(height) * 4);
  parallelFor(std::size_t(height), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t y = first; y < last; ++y)
      for (int x = 0; x < width; ++x) {
        const glm::vec4 c =
            color(glm::vec2((float(x) + 0.5f) / float(width), (float(y) + 0.5f) / float(height)));
        for (int i = 0; i < 4; ++i)
          texture.rgba[(y * std::size_t(width) + std::size_t(x)) * 4 + std::size_t(i)] =
              std::uint8_t(std::lround(std::fmin(std::fmax(c[i], 0.0f), 1.0f) * 255.0f));
      }
  });
  return texture;
}

}  // namespace fathom
