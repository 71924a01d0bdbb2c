// SPDX-License-Identifier: BSD-3-Clause
// A rank's frames: the next one is begun before the last one is composited, each is what a
// compressor alone makes of it, and a frame costs one wait and no memory.
#include "app/engine/active_pixel/distribute/distributed.h"
#include "app/engine/core/progress.h"
#include "app/engine/gpu/timings.h"
#include "tests/support/gpu_test.h"

namespace fathom::active_pixel {
namespace {

class PainterTest : public test::GpuTest {};

std::vector<std::uint32_t> alone(gpu::Context& gpu, const std::shared_ptr<const Share>& share,
                                 const Camera& camera, const PaintSetup& setup, const Tile& tile) {
  ShareRenderer renderer(gpu, share);
  const auto drawn = renderer.draw(camera, setup.size, setup.format);
  Placement placement{intersect(drawn.region, tile.area), intersect(drawn.region, tile.area)};
  placement.target.x -= tile.area.x, placement.target.y -= tile.area.y;
  Compressor compressor(gpu);
  const auto result = compressor.result(compressor.compress(
      {drawn.color, drawn.depth, setup.format, tile.area.width, tile.area.height, placement},
      Method::Fused));
  return {result.words.begin(), result.words.end()};
}

TEST_F(PainterTest, WaitsOncePerFrameAndAsksForNoMemory) {
  Progress progress;
  const auto share = openInput("station", progress)->take(0, 2, Split::Objects, progress);
  for (const bool late : {false, true}) {
    const glm::ivec2 columnsRows(late ? 1 : 2, 1);
    const glm::ivec2 size(320, 180);
    const PaintSetup setup{Format{}, size, tilesOf(size, columnsRows, 1), std::nullopt};
    PaintBox box(context(), {Mode::Gpu, Method::Fused}, setup.tiles.size());
    box.compressesLate = late;
    Painter painter(box, share, setup);
    const auto cameraOf = [&](int frame) {
      Camera camera = share->whole.camera;
      camera.orbit(glm::radians(2.0f * float(frame)), 0);
      return camera;
    };
    constexpr int kFrames = 8, kWarm = 4;
    gpu::WorkCounts before;
    std::vector<std::vector<std::uint32_t>> images;
    painter.begin(cameraOf(0));
    for (int frame = 0; frame < kFrames; ++frame) {
      if (frame == kWarm) before = gpu::workCounts();
      const std::vector<TileInput>& taken = painter.take();
      if (frame + 1 < kFrames) painter.begin(cameraOf(frame + 1));
      for (const TileInput& tile : taken) {
        images.emplace_back(tile.sparse.begin(), tile.sparse.end());
        std::fill(tile.sparse.begin(), tile.sparse.end(), 0xDEADu);  // as IceT does
      }
    }
    const gpu::WorkCounts work = gpu::workCounts() - before;
    EXPECT_LE(work.synchronizations(), std::uint64_t(kFrames - kWarm) * setup.tiles.size());
    EXPECT_EQ(work.allocations, 0u);
    for (const int frame : {1, kFrames - 1})
      for (std::size_t t = 0; t < setup.tiles.size(); ++t)
        EXPECT_TRUE(test::exact(images[std::size_t(frame) * setup.tiles.size() + t],
                                alone(context(), share, cameraOf(frame), setup, setup.tiles[t])))
            << "frame " << frame << " tile " << t;
  }
}

TEST_F(PainterTest, CopiesAgainWhatHasGrownMoreThanExpected) {
  Progress progress;
  const auto share = openInput("station", progress)->take(0, 1, Split::Objects, progress);
  const glm::ivec2 size(400, 300);
  const PaintSetup setup{Format{}, size, tilesOf(size, {1, 1}, 1), std::nullopt};
  PaintBox box(context(), {Mode::Gpu, Method::Fused}, 1);
  Painter painter(box, share, setup);
  Camera far = share->whole.camera;
  far.position = far.target + 8.0f * (far.position - far.target);
  const Camera near = share->whole.camera;
  std::vector<std::vector<std::uint32_t>> images;
  for (const Camera& camera : {far, near, far, near}) {
    painter.begin(camera);
    const TileInput& tile = painter.take().front();
    images.emplace_back(tile.sparse.begin(), tile.sparse.end());
  }
  ASSERT_GT(images[1].size(), images[0].size() + images[0].size() / 8 + 1024);
  EXPECT_TRUE(test::exact(images[3], alone(context(), share, near, setup, setup.tiles[0])));
  EXPECT_TRUE(test::exact(images[2], images[0]));
}

}  // namespace
}  // namespace fathom::active_pixel
