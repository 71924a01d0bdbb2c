// SPDX-License-Identifier: BSD-3-Clause
// What accumulation must do whatever the variant: early out leaves early, rounding in nodes stays
// small, alpha is what is asked for.
#include "app/engine/dof/splats/reference.h"
#include "tests/dof/pictures.h"
#include "tests/support/gpu_test.h"

namespace fathom::dof {
namespace {

const char* const kDefault = "block.peel.a.copy.block.direct.compute.ftb.float";

class Accumulate : public ::fathom::test::GpuTest {
 protected:
  Image render(const std::string& scene, const std::string& id, float epsilon) {
    const Variant variant = kSpace.parse(id);
    VariantRunner runner(context());
    test::UploadedLists lists(context(), test::accumulateScene(scene), nodeKind(variant));
    return test::renderVariant(context(), runner, variant, lists, epsilon);
  }
};

/// The largest difference of two images, relative to values above 1.
double difference(const Image& a, const Image& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c)
      worst = std::max(worst, std::abs(double(a.pixels[i][c]) - b.pixels[i][c]) /
                                  std::max(1.0, std::abs(double(b.pixels[i][c]))));
  return worst;
}

TEST_F(Accumulate, LayersSaturateMostPixels) {
  const test::AccumulateScene& scene = test::accumulateScene("six-layers");
  const auto picture = reference::accumulate(scene.lists(DOF_NODE_A_FLOAT), false, Operator::Over);
  int opaque = 0;
  for (const glm::dvec4& pixel : picture) opaque += pixel.a > 0.99;
  EXPECT_GT(opaque, int(picture.size()) * 9 / 10);
}

// With half of the light as threshold, what early out skips shows; without early out nothing does.
TEST_F(Accumulate, EarlyOutLinesRun) {
  for (const char* chunk : {"block", "warp"})
    for (const char* residual : {"check", "peel"}) {
      const auto run = [&](const char* early, float epsilon) {
        return render(
            "six-layers",
            fmt::format("{}.{}.a.copy.{}.direct.compute.ftb.float", chunk, residual, early),
            epsilon);
      };
      const Image whole = run("none", 0);
      EXPECT_EQ(difference(run("none", 0.5f), whole), 0);
      const Image byBlock = run("block", 0.5f), byEach = run("each", 0.5f);
      EXPECT_GT(difference(byBlock, whole), 0.01) << chunk << " " << residual;
      EXPECT_GT(difference(byEach, whole), 0.01) << chunk << " " << residual;
      EXPECT_GT(difference(byEach, byBlock), 0.001) << chunk << " " << residual;
    }
}

// Colors lose 11 bits, loaded alpha as many: 1e-3 end to end.
TEST_F(Accumulate, RoundingInNodesStaysSmall) {
  const test::AccumulateScene& scene = test::accumulateScene("discs");
  for (const bool coverage : {false, true}) {
    std::vector<glm::dvec4> expected;
    for (const reference::Sum& sum : reference::accumulate(
             {scene.size, scene.splats}, coverage ? Operator::Coverage : Operator::Over, {}))
      expected.emplace_back(glm::dvec3(sum.mean), sum.covered);
    for (const char* start :
         {"block.peel.a.copy.none.direct.compute", "block.peel.a.copy.none.direct.load",
          "block.peel.b.copy.none.direct.compute"}) {
      const std::string id = fmt::format("{}.{}.float", start, coverage ? "cov" : "ftb");
      const Image found = render("discs", id, 0);
      for (int i = 0; i < int(expected.size()); ++i)
        for (int c = 0; c < 4; ++c)
          ASSERT_NEAR(found.at(i % scene.size.x, i / scene.size.x)[c], expected[std::size_t(i)][c],
                      1e-3 * std::max(1.0, expected[std::size_t(i)][c]))
              << id;
    }
  }
}

TEST_F(Accumulate, AlphaIsOneWhereSplatsLieUnlessWeightsAreAskedFor) {
  const Variant variant = kSpace.parse(kDefault);
  VariantRunner runner(context());
  const test::UploadedLists lists(context(), test::accumulateScene("list-lengths"), 0);
  const gpu::Texture picture(context(), "picture", gpu::TextureFormat::Rgba32f, 32, 16);
  shared::Params params{};
  params.width = 32, params.height = 16, params.tilesX = 2, params.tilesY = params.tileRowCount = 1;
  runner.run(variant, lists.tileBegin, lists.nodes, params, shared::Optics{}, picture);
  gpu::barrier(gpu::Access::Transfer);
  const Image found = picture.downloadImage();
  int covered = 0;
  for (const glm::vec4& pixel : found.pixels) {
    EXPECT_TRUE(pixel.a == 0 || pixel.a == 1);
    covered += pixel.a == 1;
  }
  EXPECT_GT(covered, 0);        // the one splat of the second list
  EXPECT_LE(covered, 16 * 16);  // the first list is empty
}

// Computed alpha times the opacity in its place is the alpha that would have been loaded.
TEST_F(Accumulate, OpacityThinsComputedAlpha) {
  test::AccumulateScene scene = test::accumulateScene("borders");
  test::UploadedLists computed(context(), scene, DOF_NODE_A_FLOAT);
  const auto withAlpha = [](glm::uvec4 node, float alpha) {
    node.y = (node.y & 0xFFFFu) | (glm::packHalf2x16({0, alpha}) & 0xFFFF0000u);
    return node;
  };
  std::vector<glm::uvec4> nodes;
  for (glm::uvec4& node : computed.lists.nodes) {
    const double alpha = discAlpha(decodeNode(node, DOF_NODE_A_FLOAT).r2);
    nodes.push_back(withAlpha(node, 0.5f));
    node = withAlpha(node, float(0.5 * alpha));
  }
  computed.nodes.upload(nodes);
  const auto expected = reference::accumulate(computed.lists, true, Operator::Over);
  const gpu::Texture picture(context(), "picture", gpu::TextureFormat::Rgba32f, 37, 21);
  shared::Params params{};
  params.width = 37, params.height = 21, params.tilesX = 3, params.tilesY = params.tileRowCount = 2;
  VariantRunner runner(context());
  runner.run(kSpace.parse("block.peel.a.copy.none.direct.compute.ftb.float"), computed.tileBegin,
             computed.nodes, params, shared::Optics{}, picture, true);
  gpu::barrier(gpu::Access::Transfer);
  const Image found = picture.downloadImage();
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(found.pixels[i][c], expected[i][c], 1e-3) << i;
}

// Each part begins with what the parts before it have left in the picture.
TEST_F(Accumulate, ListsMayBeGoneThroughInParts) {
  VariantRunner runner(context());
  for (const char* scene : {"borders", "six-layers", "list-lengths"})
    for (const char* id : {"block.check.a.copy.none.direct.compute.ftb.float",
                           "block.peel.a.copy.block.l1.load.ftb.float",
                           "warp.check.b.inplace.each.direct.compute.ftb.float",
                           "warp.peel.a.copy.block.direct.compute.ftb.int", kDefault,
                           "block.peel.a.copy.none.direct.compute.btf.float",
                           "warp.check.b.copy.none.direct.compute.btf.float",
                           "block.peel.a.copy.each.direct.compute.cov.float",
                           "warp.peel.a.copy.none.direct.load.cov.int"})
      for (const std::uint32_t part : {100u, 256u}) {
        const Variant variant = kSpace.parse(id);
        test::UploadedLists lists(context(), test::accumulateScene(scene), nodeKind(variant));
        const Image found = test::renderVariant(context(), runner, variant, lists, 0, part);
        EXPECT_TRUE(test::matchesLists(found, lists, variant, 0)) << id << " on " << scene;
      }
}

TEST_F(Accumulate, ABackEndProvesItself) {
  VariantRunner runner(context());
  const std::vector<WarpBackEnd> offered = offeredBackEnds(context());
  EXPECT_EQ(runner.backEnd(), offered.front());
  EXPECT_EQ(offered.back(), WarpBackEnd::Emulated);
}

}  // namespace
}  // namespace fathom::dof
