// SPDX-License-Identifier: BSD-3-Clause
// Mipmaps of scene textures.
#include "app/engine/scene/texture.h"

#include <gtest/gtest.h>

#include <array>

namespace fathom {
namespace {

using Texel = std::array<std::uint8_t, 4>;

SceneTexture checker(int width, int height, Texel even, Texel odd) {
  SceneTexture texture;
  texture.width = width, texture.height = height;
  texture.rgba.resize(std::size_t(width * height * 4));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 4; ++c)
        texture.rgba[std::size_t(y * width + x) * 4 + c] = (x + y) % 2 ? odd[c] : even[c];
  return texture;
}

TEST(Mipmaps, EndAtOneTexel) {
  SceneTexture texture = checker(17, 9, {9, 9, 9, 255}, {9, 9, 9, 255});
  addMipmaps(texture);
  EXPECT_EQ(mipmapLevels(texture), 5);
  EXPECT_EQ(mipmapBytes(texture, 4), 4u);
  EXPECT_EQ(texture.rgba.size(), 4u * (17 * 9 + 8 * 4 + 4 * 2 + 2 * 1 + 1));
}

TEST(Mipmaps, ALoneTexelNeedsNone) {
  SceneTexture texture = checker(1, 1, {1, 2, 3, 4}, {0, 0, 0, 0});
  addMipmaps(texture);
  EXPECT_EQ(texture.rgba.size(), 4u);
}

TEST(Mipmaps, HalfBlackHalfWhiteIsHalfTheLight) {
  SceneTexture texture = checker(2, 2, {0, 0, 0, 255}, {255, 255, 255, 255});
  addMipmaps(texture);
  EXPECT_NEAR(texture.rgba[16], 188, 1);  // 0.5 linear in sRGB
  EXPECT_EQ(texture.rgba[19], 255);
}

TEST(Mipmaps, HiddenColorDoesNotShowThrough) {
  SceneTexture texture = checker(2, 2, {200, 100, 50, 255}, {0, 0, 0, 0});
  addMipmaps(texture);
  EXPECT_NEAR(texture.rgba[16], 200, 1);
  EXPECT_NEAR(texture.rgba[17], 100, 1);
  EXPECT_NEAR(texture.rgba[19], 128, 1);
}

}  // namespace
}  // namespace fathom
