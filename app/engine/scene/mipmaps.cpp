// SPDX-License-Identifier: BSD-3-Clause
// A box of 2 x 2 texels, each weighted by its alpha.
#include "app/engine/scene/mipmaps.h"

#include "app/engine/core/jobs.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom {
namespace {

constexpr int kSteps = 4096;  // of the way back to sRGB

struct Tables {
  std::array<float, 256> toLinear;
  std::array<std::uint8_t, kSteps + 1> toSrgb;
  Tables() {
    for (std::size_t i = 0; i < 256; ++i) {
      const float c = float(i) / 255;
      toLinear[i] = c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
    }
    for (std::size_t i = 0; i <= kSteps; ++i) {
      const float c = float(i) / kSteps;
      const float s = c <= 0.0031308f ? c * 12.92f : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
      toSrgb[i] = std::uint8_t(std::lround(s * 255));
    }
  }
};

const Tables& tables() {
  static const Tables t;
  return t;
}

struct Size {
  int width, height;
};
Size sizeOf(const SceneTexture& texture, int level) {
  return {std::max(1, texture.width >> level), std::max(1, texture.height >> level)};
}

void halve(const std::uint8_t* from, Size size, std::uint8_t* to, Size half) {
  const Tables& t = tables();
  parallelFor(std::size_t(half.height), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t y = first; y < last; ++y)
      for (int x = 0; x < half.width; ++x) {
        float color[3] = {}, plain[3] = {}, weight = 0;
        for (int k = 0; k < 4; ++k) {
          const int sx = std::min(2 * x + (k & 1), size.width - 1);
          const int sy = std::min(2 * int(y) + (k >> 1), size.height - 1);
          const std::uint8_t* texel =
              from + (std::size_t(sy) * std::size_t(size.width) + std::size_t(sx)) * 4;
          const float alpha = float(texel[3]);
          for (int c = 0; c < 3; ++c) {
            color[c] += t.toLinear[texel[c]] * alpha;
            plain[c] += t.toLinear[texel[c]];
          }
          weight += alpha;
        }
        std::uint8_t* out = to + (y * std::size_t(half.width) + std::size_t(x)) * 4;
        for (int c = 0; c < 3; ++c) {
          const float mean = weight > 0 ? color[c] / weight : plain[c] / 4;
          out[c] = t.toSrgb[std::size_t(std::min(mean, 1.0f) * kSteps + 0.5f)];
        }
        out[3] = std::uint8_t(weight / 4 + 0.5f);
      }
  });
}

}  // namespace

int mipmapLevels(const SceneTexture& texture) {
  int levels = 1;
  for (int side = std::max(texture.width, texture.height); side > 1; side /= 2) ++levels;
  return levels;
}

std::size_t mipmapBytes(const SceneTexture& texture, int level) {
  const Size size = sizeOf(texture, level);
  return std::size_t(size.width) * std::size_t(size.height) * 4;
}

void addMipmaps(SceneTexture& texture) {
  const int levels = mipmapLevels(texture);
  std::size_t all = 0;
  for (int level = 0; level < levels; ++level) all += mipmapBytes(texture, level);
  texture.rgba.resize(all);
  std::uint8_t* from = texture.rgba.data();
  for (int level = 1; level < levels; ++level) {
    std::uint8_t* to = from + mipmapBytes(texture, level - 1);
    halve(from, sizeOf(texture, level - 1), to, sizeOf(texture, level));
    from = to;
  }
}

}  // namespace fathom
