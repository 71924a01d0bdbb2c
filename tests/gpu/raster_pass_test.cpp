// SPDX-License-Identifier: BSD-3-Clause
// Drawing pulls its vertices, obeys the state it is given and leaves none behind.
#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

constexpr int kWidth = 8, kHeight = 6;
constexpr Rect kAll{0, 0, kWidth, kHeight};

class RasterPassTest : public test::GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    color_ = Texture(context(), "color", TextureFormat::Rgba32f, kWidth, kHeight);
    depth_ = Texture(context(), "depth", TextureFormat::Depth32f, kWidth, kHeight);
    target_ = Target(context(), "target", &color_, &depth_);
    target_.clear(glm::vec4(0));
  }
  void TearDown() override {
    target_ = Target();
    color_ = Texture();
    depth_ = Texture();
    GpuTest::TearDown();
  }

  /// Two triangles over the whole of clip space, at one depth.
  static Buffer<glm::vec4> quad(float z) {
    return {context(), "quad",
            std::vector<glm::vec4>{{-1, -1, z, 1},
                                   {1, -1, z, 1},
                                   {1, 1, z, 1},
                                   {-1, -1, z, 1},
                                   {1, 1, z, 1},
                                   {-1, 1, z, 1}}};
  }
  static RasterPass& fill() {
    return context().rasterPass(
        {"fill", "tests/gpu/data/quad.vert", "tests/gpu/data/color.frag", {}});
  }
  void drawQuad(const DrawState& state, glm::vec4 color, float z = 0) {
    const Buffer<glm::vec4> positions = quad(z);
    fill().storage(0, positions).params(0, color);
    fill().draw(target_, state, 0, 6);
  }
  /// Zero everywhere but in `where`.
  static Image expected(const Rect& where, glm::vec4 color) {
    Image image(kWidth, kHeight);
    for (int y = where.y; y < where.bottom(); ++y)
      for (int x = where.x; x < where.right(); ++x) image.at(x, y) = color;
    return image;
  }

  Texture color_, depth_;
  Target target_;
};

const glm::vec4 kRed(1, 0, 0, 1), kHalfGreen(0, 0.5f, 0, 0.5f);

TEST_F(RasterPassTest, FillsTheViewport) {
  const Rect viewport{2, 1, 3, 4};
  drawQuad({.viewport = viewport}, kRed);
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected(viewport, kRed), 0));
}

TEST_F(RasterPassTest, KeepsToTheScissor) {
  const Rect scissor{0, 0, 8, 2};
  drawQuad({.viewport = kAll, .scissor = scissor}, kRed);
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected(scissor, kRed), 0));
}

TEST_F(RasterPassTest, LeavesNoScissorBehind) {
  drawQuad({.viewport = kAll, .scissor = {0, 0, 1, 1}}, kRed);
  target_.clear(kRed);
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected(kAll, kRed), 0));
}

TEST_F(RasterPassTest, BlendsPremultipliedOver) {
  drawQuad({.viewport = kAll}, kRed);
  drawQuad({.viewport = kAll, .blend = Blend::Over}, kHalfGreen);
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected(kAll, {0.5f, 0.5f, 0, 1}), 1e-6f));
}

TEST_F(RasterPassTest, HidesWhatIsFarther) {
  const DrawState state{.viewport = kAll, .depthTest = true, .depthWrite = true};
  drawQuad(state, kRed, -0.5f);
  drawQuad(state, kHalfGreen, 0.5f);
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected(kAll, kRed), 0));
}

TEST_F(RasterPassTest, ShowsWhatIsEquallyNear) {
  const DrawState state{.viewport = kAll, .depthTest = true, .depthWrite = true};
  drawQuad(state, kRed, 0.25f);
  drawQuad(state, kHalfGreen, 0.25f);
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected(kAll, kHalfGreen), 0));
}

TEST_F(RasterPassTest, WritesDepthOnlyWhenAsked) {
  drawQuad({.viewport = kAll, .depthTest = true}, kRed, -0.5f);
  std::vector<float> depths(kWidth * kHeight);
  depth_.read(depths.data(), std::int64_t(depths.size() * 4));
  EXPECT_EQ(depths, std::vector<float>(depths.size(), 1.0f));
}

TEST_F(RasterPassTest, DrawsByIndexInRanges) {
  const Buffer<glm::vec4> positions(
      context(), "corners",
      std::vector<glm::vec4>{{-1, -1, 0, 1}, {1, -1, 0, 1}, {1, 1, 0, 1}, {-1, 1, 0, 1}});
  const Buffer<std::uint32_t> indices(context(), "indices",
                                      std::vector<std::uint32_t>{9, 9, 9, 0, 1, 2, 0, 2, 3});
  fill().storage(0, positions).params(0, kRed);
  fill().begin(target_, {.viewport = kAll}, &indices);
  fill().drawRange(3, 3);
  fill().drawRange(6, 3);
  fill().end();
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected(kAll, kRed), 0));
}

TEST_F(RasterPassTest, TakesBindingsBetweenRanges) {
  const Buffer<glm::vec4> positions = quad(0);
  fill().storage(0, positions).params(0, kRed);
  fill().begin(target_, {.viewport = kAll});
  fill().drawRange(0, 3);
  fill().params(0, kHalfGreen);
  fill().drawRange(3, 3);
  fill().end();
  const Image image = color_.downloadImage();
  EXPECT_EQ(image.at(kWidth - 1, 0), kRed);
  EXPECT_EQ(image.at(0, kHeight - 1), kHalfGreen);
}

TEST_F(RasterPassTest, DrawsFromALaterVertex) {
  const Buffer<glm::vec4> positions = quad(0);
  fill().storage(0, positions).params(0, kRed);
  fill().draw(target_, {.viewport = kAll}, 3, 3);
  const Image image = color_.downloadImage();
  EXPECT_EQ(image.at(0, kHeight - 1), kRed);
  EXPECT_EQ(image.at(kWidth - 1, 0), glm::vec4(0));
}

TEST_F(RasterPassTest, DrawsLines) {
  const Buffer<glm::vec4> positions(context(), "line",
                                    std::vector<glm::vec4>{{-1, -0.9f, 0, 1}, {1.2f, -0.9f, 0, 1}});
  fill().storage(0, positions).params(0, kRed);
  fill().draw(target_, {.viewport = kAll, .lines = true}, 0, 2);
  EXPECT_TRUE(test::rounding(color_.downloadImage(), expected({0, 0, kWidth, 1}, kRed), 0));
}

TEST_F(RasterPassTest, DrawsWithoutAttachments) {
  const Target bare(context(), "bare", 33, 7);
  const Buffer<glm::vec4> positions = quad(0);
  Buffer<std::uint32_t> count(context(), "count", 1);
  count.clear();
  RasterPass& pass =
      context().rasterPass({"count", "tests/gpu/data/quad.vert", "tests/gpu/data/count.frag", {}});
  pass.storage(0, positions).storage(1, count);
  pass.draw(bare, {.viewport = {0, 0, 33, 7}}, 0, 6);
  EXPECT_EQ(count.download()[0], 33u * 7);
}

TEST_F(RasterPassTest, EncodesIntoSrgbTargets) {
  const Texture srgb(context(), "srgb", TextureFormat::SrgbA8, 4, 4);
  Target target(context(), "srgb", &srgb, nullptr);
  target.clear(glm::vec4(0));
  const Buffer<glm::vec4> positions = quad(0);
  fill().storage(0, positions).params(0, glm::vec4(0.2140411f, 0, 1, 1));
  fill().draw(target, {.viewport = {0, 0, 4, 4}}, 0, 6);
  std::vector<std::uint8_t> bytes(64);
  srgb.read(bytes.data(), 64);
  EXPECT_NEAR(bytes[0], 127.5, 1.0);
  EXPECT_EQ(bytes[2], 255);
}

}  // namespace
}  // namespace fathom::gpu
