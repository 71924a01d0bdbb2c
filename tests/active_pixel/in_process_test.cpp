// SPDX-License-Identifier: BSD-3-Clause
// Parts folded inside one process against the reference, which composites whole frames two by two;
// and the reference against IceT's own compressor.
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/image/reference.h"
#include "tests/active_pixel/frames.h"

namespace fathom::active_pixel {
namespace {

CompositorSetup setupOf(const Format& format) {
  CompositorSetup setup{.format = format, .size = {37, 21}};
  setup.tiles = tilesOf(setup.size, {1, 1}, 1);
  return setup;
}

/// Parts that blend to finite colors: alpha in 0..1.
std::vector<Frame> parts(const Format& format) {
  std::vector<Frame> frames;
  for (int part = 0; part < 4; ++part) {
    Frame frame = test::randomFrame(std::uint64_t(part), 37, 21, format, 0.5);
    for (std::size_t i = 0; i < frame.pixelCount(); ++i) {
      if (format.compositing == Compositing::Blend)
        frame.setColor(i, glm::vec4(0.3f, 0.1f * float(part), 0.2f, 0.4f) *
                              float((i + std::size_t(part)) % 3 > 0));
      else if (frame.depth[i] < 1)
        frame.depth[i] = float((i * 7 + std::size_t(part)) % 4) / 4;  // many ties
    }
    frames.push_back(std::move(frame));
  }
  return frames;
}

TEST(InProcess, FoldsFramesAndSparseImagesAsTheReferenceDoes) {
  for (const Format& format : test::allFormats()) {
    const std::vector<Frame> frames = parts(format);
    const Frame right = reference::compositeAll(frames);
    std::vector<SparseImage> images;
    std::vector<TileImage> sparse, whole;
    for (const Frame& frame : frames) {
      images.push_back(reference::encode(frame));
      whole.push_back({{}, &frame, {0, 0, 37, 21}});
    }
    for (const SparseImage& image : images) sparse.push_back({image.words, nullptr, {}});
    const CompositorSetup setup = setupOf(format);
    for (const auto& inputs : {sparse, whole}) {
      const Frame result = compositeInProcess(setup, setup.tiles[0], inputs);
      for (std::size_t i = 0; i < right.pixelCount(); ++i) {
        if (!reference::isActive(right, i)) continue;  // the reference keeps colors of nothing
        ASSERT_EQ(result.colorOf(i), right.colorOf(i)) << test::formatName(format) << " " << i;
        if (!right.depth.empty()) {
          ASSERT_EQ(result.depth[i], right.depth[i]);
        }
      }
    }
  }
}

TEST(InProcess, PixelsOutsideOfTheRegionCountAsInactive) {
  const Format format;
  const Frame frame(format, 37, 21, glm::vec4(1));
  Frame near = frame;
  for (float& depth : near.depth) depth = 0.5f;
  CompositorSetup setup = setupOf(format);
  setup.background = {0, 0, 1, 1};
  const TileImage input{{}, &near, {3, 4, 10, 5}};
  const Frame result = compositeInProcess(setup, setup.tiles[0], {&input, 1});
  for (std::size_t i = 0; i < result.pixelCount(); ++i) {
    const int x = int(i) % 37, y = int(i) / 37;
    const bool inside = x >= 3 && x < 13 && y >= 4 && y < 9;
    ASSERT_EQ(result.colorOf(i), inside ? glm::vec4(1) : setup.background);
    ASSERT_EQ(result.depth[i], inside ? 0.5f : 1.0f);
  }
}

TEST(InProcess, NoPartsGiveTheBackground) {
  CompositorSetup setup = setupOf({Color::Rgba32f, Depth::None, Compositing::Blend});
  setup.background = {0.5f, 0.25f, 0.125f, 1};
  const std::vector<TileImage> nothing(3);
  const Frame result = compositeInProcess(setup, setup.tiles[0], nothing);
  EXPECT_EQ(result.colorOf(0), setup.background);
}

TEST(InProcess, BlendsInTheOrderGivenOverTheBackground) {
  const Format format{Color::Rgba32f, Depth::None, Compositing::Blend};
  const Frame red(format, 37, 21, {0.5f, 0, 0, 0.5f}), green(format, 37, 21, {0, 0.5f, 0, 0.5f});
  CompositorSetup setup = setupOf(format);
  setup.background = {0, 0, 1, 1};
  const Region all{0, 0, 37, 21};
  const std::vector<TileImage> inputs{{{}, &red, all}, {{}, &green, all}};
  const std::vector<int> greenFirst{1, 0};
  EXPECT_EQ(compositeInProcess(setup, setup.tiles[0], inputs).colorOf(5),
            glm::vec4(0.5f, 0.25f, 0.25f, 1));
  EXPECT_EQ(compositeInProcess(setup, setup.tiles[0], inputs, greenFirst).colorOf(5),
            glm::vec4(0.25f, 0.5f, 0.25f, 1));
}

TEST(InProcess, ASparseImageOfAnotherSizeIsRefused) {
  SparseImage image = reference::encode(Frame(Format{}, 36, 21));
  const TileImage input{image.words, nullptr, {}};
  const CompositorSetup setup = setupOf({});
  EXPECT_THROW(compositeInProcess(setup, setup.tiles[0], {&input, 1}), Error);
}

TEST(Tiles, CoverThePictureOnceAndGoRoundTheRanks) {
  const std::vector<Tile> tiles = tilesOf({101, 53}, {3, 2}, 4);
  ASSERT_EQ(tiles.size(), 6u);
  std::vector<int> covered(101 * 53);
  for (const Tile& tile : tiles)
    for (int y = 0; y < tile.area.height; ++y)
      for (int x = 0; x < tile.area.width; ++x)
        ++covered[std::size_t((tile.area.y + y) * 101 + tile.area.x + x)];
  EXPECT_EQ(covered, std::vector<int>(101 * 53, 1));
  EXPECT_EQ(tiles[5].displayRank, 1);
  EXPECT_THROW(tilesOf({4, 4}, {5, 1}, 1), UsageError);
  EXPECT_THROW(tilesOf({4, 4}, {0, 1}, 1), UsageError);
}

class Icet : public testing::Test {
  void SetUp() override {
    if (!icetAvailable()) GTEST_SKIP() << icetMissing();
  }
};

TEST_F(Icet, LaysOutImagesAsThisProgramDoes) { EXPECT_TRUE(icet::acceptsCompressed()); }

TEST_F(Icet, CompressesEveryFormatToTheBytesOfTheReference) {
  for (const Format& format : test::allFormats())
    for (const auto pattern : {test::Pattern::Blobs, test::Pattern::Noise, test::Pattern::Stripes})
      for (const double coverage : {0.0, 0.3, 1.0}) {
        const Frame frame = test::randomFrame(7, 61, 23, format, coverage, pattern);
        EXPECT_EQ(icet::compressFrame(frame), reference::encode(frame))
            << test::formatName(format) << " pattern " << int(pattern) << " " << coverage;
      }
}

TEST_F(Icet, RefusesAFormatWithoutARule) {
  EXPECT_THROW(icet::compressFrame(Frame({Color::Rgba8, Depth::None, Compositing::ZBuffer}, 4, 4)),
               Error);
}

}  // namespace
}  // namespace fathom::active_pixel
