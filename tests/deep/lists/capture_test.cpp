// SPDX-License-Identifier: BSD-3-Clause
// Capturing scenes: every layout holds the same fragments, whatever the order in which the device
// delivered them.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/reference.h"
#include "app/engine/scene/load_scene.h"
#include "tests/deep/deep_images.h"
#include "tests/support/gpu_test.h"

namespace fathom::deep {
namespace {

using test::kLayouts;
using test::sameWords;

constexpr glm::ivec2 kSize{61, 35};

class PipelineCapture : public test::GpuTest {
 protected:
  void load(const std::string& spec) {
    Progress progress;
    scene_ = loadScene(spec, progress);
    camera_ = scene_->camera;
    camera_.fitDepth(scene_->bounds);
    renderer_ = std::make_unique<SceneRenderer>(context(), scene_);
  }
  DeepImage captured(const ListShape& shape, std::size_t part = 0, glm::ivec2 size = kSize) {
    pipeline_.scenes.capture(*renderer_, part, {camera_, size, {0, 0, size.x, size.y}}, shape,
                             lists_);
    DeepImage like;
    like.format = shape.format;
    return downloadLists(pipeline_, lists_, {0, 0}, like);
  }
  ListShape shape(Layout layout) const {
    const Settings s{.layout = layout};
    return shapeOf(s, FragmentFormat::Half);
  }
  /// All parts in all layouts against the linearized one.
  void expectSameInEveryLayout() {
    for (std::size_t part = 0; part < scene_->parts.size(); ++part) {
      const DeepImage expected = captured(shape(Layout::Linearized), part);
      EXPECT_TRUE(test::isSorted(expected));
      EXPECT_GT(expected.fragmentCount(), 0u);
      for (const Layout layout : kLayouts)
        EXPECT_TRUE(sameWords(captured(shape(layout), part), expected))
            << scene_->name << ", part " << part << ", layout " << int(layout);
    }
  }

  Pipeline pipeline_{context()};
  std::shared_ptr<const Scene> scene_;
  std::unique_ptr<SceneRenderer> renderer_;
  Camera camera_;
  FragmentLists lists_;
};

TEST_F(PipelineCapture, OfHairIsTheSameInEveryLayout) {
  load("hairball:strands=200,spheres=8");
  expectSameInEveryLayout();
}

TEST_F(PipelineCapture, OfPlanesIsTheSameInEveryLayout) {
  load("planes:count=32,spheres=8");
  expectSameInEveryLayout();
}

TEST_F(PipelineCapture, IntoRgba8IsTheSameInEveryLayout) {
  load("planes:count=32,spheres=8");
  ListShape small = shape(Layout::Linearized);
  small.format = FragmentFormat::Rgba8;
  const DeepImage expected = captured(small);
  for (const Layout layout : kLayouts) {
    small.layout = layout;
    EXPECT_TRUE(sameWords(captured(small), expected)) << "layout " << int(layout);
  }
}

TEST_F(PipelineCapture, IsTheSameInEverySlotOrderAndBlockSize) {
  load("planes:count=32,spheres=8");
  const DeepImage expected = captured(shape(Layout::Linearized));
  for (const Slots slots : {Slots::Raster, Slots::Tile2x8})
    for (const int block : {1, 4, 16})
      EXPECT_TRUE(sameWords(captured({Layout::RankInterleaved, block, slots, FragmentFormat::Half}),
                            expected))
          << "slots " << int(slots) << ", block " << block;
  for (const auto& [layout, block, slots] :
       {std::tuple(Layout::BlockInterleaved, 16, Slots::Tile2x8),
        std::tuple(Layout::BlockInterleaved, 4, Slots::Raster),
        std::tuple(Layout::AlignedBlocks, 8, Slots::Raster)})
    EXPECT_TRUE(sameWords(captured({layout, block, slots, FragmentFormat::Half}), expected))
        << "layout " << int(layout) << ", slots " << int(slots) << ", block " << block;
}

TEST_F(PipelineCapture, KeepsListsBeyond512) {
  load("planes:count=2000,spheres=1");
  const glm::ivec2 size{12, 9};
  const DeepImage expected = captured(shape(Layout::Linearized), 0, size);
  EXPECT_GT(expected.fragmentCount(), 12u * 9 * 512);
  for (const Layout layout : kLayouts)
    EXPECT_TRUE(sameWords(captured(shape(layout), 0, size), expected)) << "layout " << int(layout);
}

TEST_F(PipelineCapture, IntoAPoolThatIsTooSmallIsRepeated) {
  // 64 fragments per pixel, where the first guess of the pool is 4; then the same lists, grown.
  load("planes:count=64,spheres=1");
  for (const glm::ivec2 size : {glm::ivec2(16, 8), glm::ivec2(33, 31), glm::ivec2(5, 3)}) {
    const DeepImage found = captured(shape(Layout::LinkedList), 0, size);
    EXPECT_GT(found.fragmentCount(), std::size_t(size.x * size.y) * 4);
    EXPECT_GT(lists_.capacity, lists_.fragmentCount);
    EXPECT_TRUE(sameWords(found, captured(shape(Layout::Linearized), 0, size)));
  }
}

TEST_F(PipelineCapture, InPiecesGivesTheWholePicture) {
  load("hairball:strands=200,spheres=8");
  const ListShape bia = shape(Layout::BlockInterleaved);
  const DeepImage whole = captured(bia);
  DeepImage together;
  for (const Rect region : {Rect{0, 0, 61, 16}, Rect{0, 16, 24, 19}, Rect{24, 16, 37, 19}}) {
    pipeline_.scenes.capture(*renderer_, 0, {camera_, kSize, region}, bia, lists_);
    const DeepImage piece = downloadLists(pipeline_, lists_, {0, 0}, whole);
    together = together.dataWindow.empty() ? piece : reference::merge(together, piece);
  }
  EXPECT_TRUE(sameWords(together, whole));
}

TEST_F(PipelineCapture, IntoTooSmallABlockDoesNotFit) {
  load("planes:count=64,spheres=1");
  context().memory().setBlockLimit(64 * 1024);
  for (const Layout layout : kLayouts)
    EXPECT_THROW(captured(shape(layout)), gpu::DoesNotFit) << "layout " << int(layout);
}

TEST(CutRegion, GoesByRowsThenByColumnsDownToABlock) {
  // Goes by rows then by columns.
  const gpu::DoesNotFit twice("", 1.2, 1);
  EXPECT_EQ(cut({0, 0, 61, 35}, twice), (std::vector<Rect>{{0, 0, 61, 24}, {0, 24, 61, 11}}));
  EXPECT_EQ(cut({0, 24, 61, 8}, twice), (std::vector<Rect>{{0, 24, 32, 8}, {32, 24, 29, 8}}));
  // Makes as many pieces as the need asks for.
  EXPECT_EQ(gpu::DoesNotFit("", 4, 1).pieces(), 5);
  EXPECT_EQ(cut({0, 8, 61, 40}, gpu::DoesNotFit("", 4, 1)).size(), 5U);
  EXPECT_EQ(cut({0, 8, 61, 40}, gpu::DoesNotFit("", 400, 1)).size(), 5U);
  // Ends at one block.
  EXPECT_THROW(cut({0, 0, 4, 8}, gpu::DoesNotFit("too deep", 2, 1)), Error);
}

}  // namespace
}  // namespace fathom::deep
