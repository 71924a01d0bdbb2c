// SPDX-License-Identifier: BSD-3-Clause
// Sizes are checked from the file's header before any pixel is decoded.
#include "app/engine/scene/scene.h"

#include "app/engine/core/error.h"
#include "app/engine/core/image.h"
#include "app/engine/core/jobs.h"
#include "app/engine/io/atomic_file.h"

#include <stb_image.h>

namespace fathom {
namespace {

constexpr int kMaxSide = 16384;
constexpr std::size_t kMaxBytes = std::size_t(1) << 30;  // of all textures of a scene

SceneTexture decode(const fs::path& folder, std::string name, std::size_t bytesSoFar) {
  std::replace(name.begin(), name.end(), '\\', '/');
  return decodeTexture((folder / name).string(), fathom::readFile(folder / name, kMaxBytes),
                       bytesSoFar);
}

}  // namespace

SceneTexture decodeTexture(const std::string& name, std::string_view data, std::size_t bytesSoFar) {
  const auto* const start = reinterpret_cast<const stbi_uc*>(data.data());
  SceneTexture texture;
  texture.name = name;
  int channels = 0;
  if (!stbi_info_from_memory(start, int(data.size()), &texture.width, &texture.height, &channels))
    fail("{}: expected a PNG, JPEG, BMP or TGA, found {}", name, stbi_failure_reason());
  const std::size_t bytes = std::size_t(texture.width) * std::size_t(texture.height) * 4;
  if (texture.width > kMaxSide || texture.height > kMaxSide)
    fail("{}: expected at most {} pixels a side, found {} x {}", name, kMaxSide, texture.width,
         texture.height);
  if (bytesSoFar + bytes > kMaxBytes)
    fail("{}: expected textures of at most {} MiB together, found more", name, kMaxBytes >> 20);
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(start, int(data.size()), &texture.width, &texture.height, &channels, 4),
      stbi_image_free);
  if (!pixels) fail("{}: expected a PNG, JPEG, BMP or TGA, found {}", name, stbi_failure_reason());
  texture.rgba.assign(pixels.get(), pixels.get() + bytes);
  return texture;
}

SceneTexture readTexture(const fs::path& folder, const std::string& color, const std::string& alpha,
                         std::size_t bytesSoFar) {
  if (alpha.empty() || alpha == color) return decode(folder, color, bytesSoFar);
  const SceneTexture mask = decode(folder, alpha, bytesSoFar);
  SceneTexture texture = mask;
  if (color.empty())
    for (std::size_t i = 0; i < texture.rgba.size(); ++i)
      if (i % 4 != 3) texture.rgba[i] = 255;
  if (!color.empty()) texture = decode(folder, color, bytesSoFar + mask.rgba.size());
  // The mask's green is the alpha; nearest texel where the sizes differ.
  for (int y = 0; y < texture.height; ++y)
    for (int x = 0; x < texture.width; ++x) {
      const std::size_t mx = std::size_t(x) * std::size_t(mask.width) / std::size_t(texture.width);
      const std::size_t my =
          std::size_t(y) * std::size_t(mask.height) / std::size_t(texture.height);
      texture.rgba[(std::size_t(y) * std::size_t(texture.width) + std::size_t(x)) * 4 + 3] =
          mask.rgba[(my * std::size_t(mask.width) + mx) * 4 + 1];
    }
  return texture;
}

namespace {

constexpr int kSteps = 4096;  // of the way back to sRGB

struct Tables {
  std::array<float, 256> toLinear;
  std::array<std::uint8_t, kSteps + 1> toSrgb;
  Tables() {
    for (std::size_t i = 0; i < 256; ++i) toLinear[i] = linearFromSrgb(float(i) / 255);
    for (std::size_t i = 0; i <= kSteps; ++i)
      toSrgb[i] = std::uint8_t(std::lround(srgbFromLinear(float(i) / kSteps) * 255));
  }
};

const Tables& tables() {
  static const Tables t;
  return t;
}

glm::ivec2 sizeOf(const SceneTexture& texture, int level) {
  return {std::max(1, texture.width >> level), std::max(1, texture.height >> level)};
}

void halve(const std::uint8_t* from, glm::ivec2 size, std::uint8_t* to, glm::ivec2 half) {
  const Tables& t = tables();
  parallelForEach(std::size_t(half.y), 64, [&](std::size_t y) {
    for (int x = 0; x < half.x; ++x) {
      float color[3] = {}, plain[3] = {}, weight = 0;
      for (int k = 0; k < 4; ++k) {
        const int sx = std::min(2 * x + (k & 1), size.x - 1);
        const int sy = std::min(2 * int(y) + (k >> 1), size.y - 1);
        const std::uint8_t* texel =
            from + (std::size_t(sy) * std::size_t(size.x) + std::size_t(sx)) * 4;
        const float alpha = float(texel[3]);
        for (int c = 0; c < 3; ++c) {
          color[c] += t.toLinear[texel[c]] * alpha;
          plain[c] += t.toLinear[texel[c]];
        }
        weight += alpha;
      }
      std::uint8_t* out = to + (y * std::size_t(half.x) + std::size_t(x)) * 4;
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
  const glm::ivec2 size = sizeOf(texture, level);
  return std::size_t(size.x) * std::size_t(size.y) * 4;
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
