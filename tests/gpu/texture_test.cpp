// SPDX-License-Identifier: BSD-3-Clause
// Textures hold what was written, and windows draw into them by code of their own.
#include "app/engine/gpu/texture.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

Image ramp(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.at(x, y) = {x, y, x * 0.25f, 1};
  return image;
}

class TextureTest : public test::GpuTest {};

TEST_F(TextureTest, GivesBackTheBytesThatWereWritten) {
  for (const TextureFormat format :
       {TextureFormat::Rgba8, TextureFormat::SrgbA8, TextureFormat::Rgba16f, TextureFormat::Rgba32f,
        TextureFormat::R32f, TextureFormat::R32ui, TextureFormat::Depth32f}) {
    const std::int64_t size = 17 * 9 * bytesPerTexel(format);
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < size; ++i) bytes.push_back(std::uint8_t(i % 61));
    Texture texture(context(), "odd", format, 17, 9);
    texture.write(bytes.data(), size);
    std::vector<std::uint8_t> back(bytes.size());
    texture.read(back.data(), size);
    EXPECT_TRUE(test::exact(back, bytes)) << int(format);
  }
}

TEST_F(TextureTest, KeepsFloatsAndWhatHalvesCanHoldExactly) {
  const Image image = ramp(17, 9);
  for (const TextureFormat format : {TextureFormat::Rgba32f, TextureFormat::Rgba16f}) {
    Texture texture(context(), "floats", format, 17, 9);
    texture.upload(image);
    EXPECT_TRUE(test::rounding(texture.downloadImage(), image, 0)) << int(format);
  }
}

TEST_F(TextureTest, HasItsTopRowFirst) {
  Texture texture(context(), "rows", TextureFormat::Rgba32f, 4, 3);
  texture.upload(ramp(4, 3));
  EXPECT_EQ(texture.texel(1, 2), glm::vec4(1, 2, 0.25f, 1));
}

TEST_F(TextureTest, ClearsToAColor) {
  Texture texture(context(), "color", TextureFormat::Rgba8, 3, 3);
  texture.clear({1, 0, 0.2f, 1});
  EXPECT_TRUE(test::rounding(texture.downloadImage(), Image(3, 3, {1, 0, 0.2f, 1}), 0.5f / 255));
}

TEST_F(TextureTest, KeepsItsTopLevelBesideSmallerOnes) {
  Texture texture(context(), "mipmaps", TextureFormat::Rgba32f, 4, 4, 10);
  texture.upload(ramp(4, 4));
  const Image half(2, 2, {9, 9, 9, 9});
  texture.writeLevel(1, half.pixels.data(), 2 * 2 * 16);
  texture.setRepeat(true);
  texture.setNearest(false);
  EXPECT_EQ(texture.texel(3, 3), glm::vec4(3, 3, 0.75f, 1));
}

TEST_F(TextureTest, EnsureKeepsATextureOfTheSameFormatAndSize) {
  Texture texture;
  EXPECT_TRUE(ensure(context(), texture, "picture", TextureFormat::R32f, {3, 2}));
  const GlId first = texture.id();
  EXPECT_FALSE(ensure(context(), texture, "picture", TextureFormat::R32f, {3, 2}));
  EXPECT_EQ(texture.id(), first);
  EXPECT_TRUE(ensure(context(), texture, "picture", TextureFormat::R32f, {2, 3}));
  EXPECT_TRUE(ensure(context(), texture, "picture", TextureFormat::Rgba8, {2, 3}));
  EXPECT_EQ(texture.format(), TextureFormat::Rgba8);
}

TEST_F(TextureTest, MovesItsContents) {
  Texture from(context(), "texture", TextureFormat::R32f, 2, 2);
  from.clear({3, 0, 0, 0});
  const Texture to = std::move(from);
  EXPECT_FALSE(from);
  EXPECT_EQ(to.texel(1, 1).r, 3);
}

TEST_F(TextureTest, TargetClearsColorAndDepth) {
  const Texture color(context(), "color", TextureFormat::Rgba32f, 5, 4);
  const Texture depth(context(), "depth", TextureFormat::Depth32f, 5, 4);
  Target target(context(), "target", &color, &depth);
  EXPECT_EQ(target.width(), 5);
  EXPECT_EQ(target.height(), 4);
  target.clear({0.5f, 0, 2, 1}, 0.25f);
  EXPECT_EQ(color.texel(4, 3), glm::vec4(0.5f, 0, 2, 1));
  std::vector<float> depths(20);
  depth.read(depths.data(), 80);
  EXPECT_EQ(depths, std::vector<float>(20, 0.25f));
}

using PresentTest = test::GpuTest;

TEST_F(PresentTest, CopyHoldsTheSameAndStaysWhenTheSourceChanges) {
  for (const TextureFormat format : {TextureFormat::Rgba32f, TextureFormat::Rgba16f}) {
    Texture source(context(), "source", format, 17, 9);
    Image image(17, 9, {0.25f, 0.5f, 2, 1});
    image.at(16, 8) = {1, 0, 0, 0.5f};
    source.upload(image);
    const Texture copy = copyOf(context(), "copy", source);
    source.clear({0, 0, 0, 0});
    EXPECT_EQ(copy.format(), format);
    EXPECT_TRUE(test::exact(copy.downloadImage().pixels, image.pixels));
  }
}

TEST_F(PresentTest, CopyStandsInTheMemoryAccount) {
  const std::int64_t before = context().memory().totalBytes();
  Texture source(context(), "source", TextureFormat::Rgba32f, 10, 10);
  const Texture copy = copyOf(context(), "copy", source);
  EXPECT_EQ(context().memory().totalBytes() - before, 2 * 10 * 10 * 16);
}

}  // namespace
}  // namespace fathom::gpu
