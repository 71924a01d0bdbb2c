// SPDX-License-Identifier: BSD-3-Clause
// What SceneRenderer draws, against known pixels and against the counting rasterizer on the CPU.
#include "app/engine/scene/built_in/mesh_builder.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/scene_renderer.h"
#include "tests/scene/count_fragments.h"
#include "tests/support/gpu_test.h"

#include <glm/gtc/type_ptr.hpp>

namespace fathom {
namespace {

struct Size {
  int width, height, spareX = 0, spareY = 0;
};

class SceneRendererTest : public test::GpuTest {
 protected:
  static std::shared_ptr<const Scene> load(const std::string& spec) {
    Progress progress;
    return loadScene(spec, progress);
  }
  struct Drawn {
    std::vector<std::uint32_t> counts;
    std::vector<glm::vec4> last;
    std::uint64_t sum() const {
      return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
    }
  };
  static Drawn draw(SceneRenderer& renderer, std::size_t part, const Camera& camera, int width,
                    int height, const char* shader, Rect region = {0, 0, 1 << 20, 1 << 20},
                    const SceneDraw& how = {}) {
    const std::size_t pixels = std::size_t(width) * std::size_t(height);
    const gpu::Target target(context(), "target", width, height);
    gpu::Buffer<std::uint32_t> counts(context(), "counts", pixels);
    gpu::Buffer<glm::vec4> last(context(), "last", pixels);
    counts.clear();
    last.clear();
    gpu::RasterPass& pass = context().rasterPass(
        {shader, "shaders/scene/scene.vert", std::string("tests/scene/data/") + shader, {}});
    pass.storage(0, counts).storage(1, last).params(0, Size{width, height});
    renderer.drawPart(pass, target, part, camera, {0, 0, width, height}, region, how);
    gpu::barrier(gpu::Access::Transfer);
    return {counts.download(), last.download()};
  }
};

/// A triangle of exactly half a 16 x 12 picture at Z = 2, facing the camera: its top left half.
std::shared_ptr<const Scene> halfPicture(float alpha = 1) {
  auto scene = std::make_shared<Scene>();
  scene->camera.position = {0, 0, 2};
  scene->camera.target = {0, 0, 0};
  scene->camera.verticalFovDeg = 2 * 45;
  MeshBuilder mesh(*scene);
  const MaterialLook look{.color = {0.5f, 0.25f, 1.0f}, .alpha = alpha};
  mesh.addMaterial(look);
  const float x = 2 * 16.0f / 12.0f, y = 2;
  mesh.vertex({-x, y, 0}, {0, 0, 1});
  mesh.vertex({-x, -y, 0}, {0, 0, 1});
  mesh.vertex({x, y, 0}, {0, 0, 1});
  mesh.triangle(0, 1, 2);
  Progress progress;
  finishScene(*scene, mesh.take(), {"all"}, BatchOrder::Spatial, progress);
  scene->lighting.sun = scene->lighting.ground = glm::vec3(0);
  scene->lighting.sky = glm::vec3(1);
  return scene;
}

TEST_F(SceneRendererTest, RowZeroIsTheTopRow) {
  const auto scene = halfPicture();
  SceneRenderer renderer(context(), scene);
  const Drawn drawn = draw(renderer, 0, scene->camera, 16, 12, "shade.frag");
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 16; ++x) {
      const float edge = 16 - (float(y) + 0.5f) * 16 / 12;     // the diagonal, from the left
      if (std::abs(float(x) + 0.5f - edge) < 0.01f) continue;  // a tie on the edge
      EXPECT_EQ(drawn.counts[std::size_t(y * 16 + x)], float(x) + 0.5f < edge ? 1u : 0u)
          << x << "," << y;
    }
}

TEST_F(SceneRendererTest, DepthIsTheDistanceAlongTheAxis) {
  const auto scene = halfPicture();
  SceneRenderer renderer(context(), scene);
  const Drawn drawn = draw(renderer, 0, scene->camera, 16, 12, "shade.frag");
  // The corner of the picture is farther from the eye, but its Z is the same.
  EXPECT_NEAR(drawn.last[0].w, 2, 1e-5f);
  EXPECT_NEAR(drawn.last[5 * 16 + 7].w, 2, 1e-5f);
}

TEST_F(SceneRendererTest, SkyAloneLightsByDirection) {
  const auto scene = halfPicture();
  SceneRenderer renderer(context(), scene);
  const Drawn drawn = draw(renderer, 0, scene->camera, 16, 12, "shade.frag");
  // A wall sees half of the sky: half of its color, in steps of 1/255 of light.
  EXPECT_NEAR(drawn.last[0].r, 0.25f, 0.002f);
  EXPECT_NEAR(drawn.last[0].g, 0.125f, 0.002f);
  EXPECT_NEAR(drawn.last[0].b, 0.5f, 0.002f);
}

TEST_F(SceneRendererTest, CountAndCaptureSeeTheSameFragments) {
  for (const char* spec : {"atrium", "hairball:strands=300", "planes:count=40"}) {
    const auto scene = load(spec);
    SceneRenderer renderer(context(), scene);
    for (std::size_t part = 0; part < scene->parts.size(); ++part) {
      const Drawn count = draw(renderer, part, scene->camera, 201, 113, "count.frag");
      const Drawn capture = draw(renderer, part, scene->camera, 201, 113, "shade.frag");
      EXPECT_EQ(count.counts, capture.counts) << spec << " part " << part;
      EXPECT_GT(count.sum(), 0u);
    }
  }
}

TEST_F(SceneRendererTest, EverySurfaceIsOpaqueOrTranslucent) {
  using Surfaces = SceneDraw::Surfaces;
  const Rect everywhere{0, 0, 1 << 20, 1 << 20};
  for (const float alpha : {1.0f, 0.5f}) {
    const auto scene = halfPicture(alpha);
    SceneRenderer renderer(context(), scene);
    const auto count = [&](Surfaces surfaces) {
      return draw(renderer, 0, scene->camera, 16, 12, "count.frag", everywhere,
                  {.surfaces = surfaces})
          .sum();
    };
    EXPECT_EQ(count(Surfaces::Opaque) > 0, alpha == 1);
    EXPECT_EQ(count(Surfaces::Translucent) > 0, alpha < 1);
  }
  const auto scene = load("atrium");  // leaves are cut out by their textures
  SceneRenderer renderer(context(), scene);
  const auto draws = [&](Surfaces surfaces) {
    return draw(renderer, 0, scene->camera, 201, 113, "count.frag", everywhere,
                {.surfaces = surfaces});
  };
  const Drawn all = draws(Surfaces::All), opaque = draws(Surfaces::Opaque);
  Drawn both = draws(Surfaces::Translucent);
  EXPECT_GT(opaque.sum(), 0u);
  EXPECT_GT(both.sum(), 0u);
  for (std::size_t i = 0; i < both.counts.size(); ++i) both.counts[i] += opaque.counts[i];
  EXPECT_EQ(both.counts, all.counts);
}

TEST_F(SceneRendererTest, DrawsWhatTheCpuCounts) {
  for (const char* spec : {"hairball:strands=300", "planes:count=40"}) {
    const auto scene = load(spec);
    SceneRenderer renderer(context(), scene);
    for (std::size_t part = 0; part < scene->parts.size(); ++part) {
      const Drawn drawn = draw(renderer, part, scene->camera, 160, 90, "count.frag");
      const auto expected = countFragments(*scene, part, scene->camera, 160, 90);
      // GL snaps corners to 1/256 pixel: pixels on an edge may fall to either side.
      std::uint64_t differing = 0;
      for (std::size_t i = 0; i < expected.size(); ++i)
        differing += std::uint64_t(std::abs(int(expected[i]) - int(drawn.counts[i])));
      EXPECT_LT(double(differing), 0.01 * double(drawn.sum())) << spec << " part " << part;
    }
  }
}

TEST_F(SceneRendererTest, CullingLosesNothing) {
  const auto scene = load("hairball:strands=3000");
  ASSERT_GT(scene->parts[0].batches.size(), 50u);
  SceneRenderer renderer(context(), scene);
  // Narrow views in several directions, so that most batches lie outside.
  for (const float yaw : {-0.2f, 0.0f, 0.15f}) {
    Camera camera = scene->camera;
    camera.verticalFovDeg = 6;
    camera.look(yaw, 0.1f);
    const Drawn drawn = draw(renderer, 0, camera, 96, 54, "count.frag");
    const auto expected = countFragments(*scene, 0, camera, 96, 54);
    const auto sum = std::accumulate(expected.begin(), expected.end(), std::uint64_t(0));
    EXPECT_GT(sum, 1000u);
    EXPECT_NEAR(double(drawn.sum()), double(sum), 0.003 * double(sum)) << yaw;
  }
}

TEST_F(SceneRendererTest, RegionsTogetherAreTheWhole) {
  const auto scene = load("atrium");
  SceneRenderer renderer(context(), scene);
  const Drawn whole = draw(renderer, 1, scene->camera, 120, 67, "count.frag");
  std::vector<std::uint32_t> sum(whole.counts.size());
  for (const Rect region :
       {Rect{0, 0, 120, 8}, Rect{0, 8, 120, 24}, Rect{0, 32, 50, 35}, Rect{50, 32, 70, 100}}) {
    const Drawn band = draw(renderer, 1, scene->camera, 120, 67, "count.frag", region);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += band.counts[i];
  }
  EXPECT_EQ(sum, whole.counts);
}

TEST_F(SceneRendererTest, NothingOutsideTheRegion) {
  const auto scene = load("planes:count=4");
  SceneRenderer renderer(context(), scene);
  const Drawn band = draw(renderer, 0, scene->camera, 64, 36, "count.frag", {0, 10, 64, 5});
  for (int y = 0; y < 36; ++y)
    for (int x = 0; x < 64; ++x)
      if (y < 10 || y >= 15) {
        EXPECT_EQ(band.counts[std::size_t(y * 64 + x)], 0u);
      }
  EXPECT_GT(band.sum(), 0u);
}

TEST_F(SceneRendererTest, SmallStorageBlocksChangeNothing) {
  const auto scene = load("hairball:strands=2000");
  SceneRenderer one(context(), scene);
  const Drawn expected = draw(one, 0, scene->camera, 96, 54, "count.frag");
  const std::int64_t before = context().memory().blockLimit();
  context().memory().setBlockLimit(400'000);
  SceneRenderer many(context(), scene);
  context().memory().setBlockLimit(before);
  EXPECT_EQ(draw(many, 0, scene->camera, 96, 54, "count.frag").counts, expected.counts);
}

TEST_F(SceneRendererTest, OnePartIsDrawnAsInTheWhole) {
  const auto all = load("atrium"), exterior = load("atrium#exterior");
  SceneRenderer a(context(), all), b(context(), exterior);
  EXPECT_EQ(draw(b, 0, all->camera, 96, 54, "count.frag").counts,
            draw(a, 1, all->camera, 96, 54, "count.frag").counts);
}

TEST_F(SceneRendererTest, AnEmptyPartDrawsNothing) {
  const auto scene = load("planes:count=3,spheres=0");
  SceneRenderer renderer(context(), scene);
  EXPECT_EQ(draw(renderer, 1, scene->camera, 16, 9, "count.frag").sum(), 0u);
}

TEST_F(SceneRendererTest, BytesAreInTheAccount) {
  const auto scene = load("planes");
  const std::int64_t before = context().memory().totalBytes();
  SceneRenderer renderer(context(), scene);
  EXPECT_EQ(context().memory().totalBytes() - before, renderer.bytes());
}

}  // namespace
}  // namespace fathom
