// SPDX-License-Identifier: BSD-3-Clause
// Sizes are checked from the file's header before any pixel is decoded.
#include "app/engine/scene/texture_file.h"

#include "app/engine/core/error.h"

#include <stb_image.h>

#include <algorithm>
#include <memory>

namespace fathom {
namespace {

constexpr int kMaxSide = 16384;
constexpr std::size_t kMaxBytes = std::size_t(1) << 30;  // of all textures of a scene

SceneTexture readFile(const std::filesystem::path& folder, std::string name,
                      std::size_t bytesSoFar) {
  std::replace(name.begin(), name.end(), '\\', '/');
  const std::filesystem::path path = folder / name;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    fail("{}: expected a texture, found no such file", path.string());
  SceneTexture texture;
  texture.name = name;
  int channels = 0;
  if (!stbi_info(path.c_str(), &texture.width, &texture.height, &channels))
    fail("{}: expected a picture, found {}", path.string(), stbi_failure_reason());
  const std::size_t bytes = std::size_t(texture.width) * std::size_t(texture.height) * 4;
  if (texture.width > kMaxSide || texture.height > kMaxSide)
    fail("{}: expected at most {} pixels a side, found {} x {}", path.string(), kMaxSide,
         texture.width, texture.height);
  if (bytesSoFar + bytes > kMaxBytes)
    fail("{}: expected textures of at most {} MiB together, found more", path.string(),
         kMaxBytes >> 20);
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &texture.width, &texture.height, &channels, 4), stbi_image_free);
  if (!pixels) fail("{}: expected a picture, found {}", path.string(), stbi_failure_reason());
  texture.rgba.assign(pixels.get(), pixels.get() + bytes);
  return texture;
}

}  // namespace

SceneTexture readTexture(const std::filesystem::path& folder, const std::string& color,
                         const std::string& alpha, std::size_t bytesSoFar) {
  if (alpha.empty() || alpha == color) return readFile(folder, color, bytesSoFar);
  const SceneTexture mask = readFile(folder, alpha, bytesSoFar);
  SceneTexture texture = mask;
  if (color.empty())
    for (std::size_t i = 0; i < texture.rgba.size(); ++i)
      if (i % 4 != 3) texture.rgba[i] = 255;
  if (!color.empty()) texture = readFile(folder, color, bytesSoFar + mask.rgba.size());
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

}  // namespace fathom
