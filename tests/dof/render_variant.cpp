// SPDX-License-Identifier: BSD-3-Clause
// A variant runs on uploaded lists; bounds follow from rounding and from what early out may skip.
#include "tests/dof/render_variant.h"

#include "app/engine/dof/splats/reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace fathom::dof::test {
namespace {

/// The largest color value in the list of each tile: what early out may miss is below
/// eps / (1 - eps) of it.
std::vector<double> largestColors(const NodeLists& lists) {
  std::vector<double> largest;
  for (std::size_t tile = 0; tile + 1 < lists.tileBegin.size(); ++tile) {
    double value = 0;
    for (std::uint32_t i = lists.tileBegin[tile]; i < lists.tileBegin[tile + 1]; ++i) {
      const glm::dvec3 color = decodeNode(lists.nodes[i], lists.kind).color;
      value = std::max({value, color.r, color.g, color.b});
    }
    largest.push_back(value);
  }
  return largest;
}

}  // namespace

UploadedLists::UploadedLists(gpu::Context& gpu, const AccumulateScene& scene, int kind)
    : lists(scene.lists(kind)),
      firstTileRow(scene.firstTileRow),
      tileBegin(gpu, "tiles of " + scene.name,
                std::span(lists.tileBegin).subspan(std::size_t(firstTileRow * lists.tiles().x))),
      nodes(gpu, "nodes of " + scene.name, lists.nodes),
      largest(largestColors(lists)) {}

const std::vector<glm::dvec4>& UploadedLists::picture(const Variant& variant) {
  const bool loaded = variant[kAlpha] == kLoadedAlpha, coverage = variant[kOrder] == kCoverage;
  auto& slot = pictures_[{loaded, coverage}];
  if (slot.empty())
    slot = reference::accumulate(lists, loaded, coverage ? Operator::Coverage : Operator::Over);
  return slot;
}

Image renderVariant(gpu::Context& gpu, VariantRunner& runner, const Variant& variant,
                    const UploadedLists& scene, float epsilon) {
  // Code generation depends on whether sizes are powers of two: no size is one.
  const auto padded = [](int n) { return std::has_single_bit(unsigned(n)) ? n + 1 : n; };
  const gpu::Texture picture(gpu, "picture", gpu::TextureFormat::Rgba32f,
                             padded(scene.lists.size.x), padded(scene.lists.size.y));
  shared::Params params{};
  params.width = unsigned(scene.lists.size.x), params.height = unsigned(scene.lists.size.y);
  params.tilesX = unsigned(scene.lists.tiles().x);
  params.tilesY = unsigned(scene.lists.tiles().y);
  params.firstTileRow = unsigned(scene.firstTileRow);
  params.tileRowCount = params.tilesY - params.firstTileRow;
  shared::Optics optics{};
  optics.epsilon = epsilon;
  optics.coverageAlpha = 1;
  runner.run(variant, scene.tileBegin, scene.nodes, params, optics, picture);
  gpu::barrier(gpu::Reader::Transfer);
  return picture.downloadImage();
}

::testing::AssertionResult matchesLists(const Image& found, UploadedLists& scene,
                                        const Variant& variant, float epsilon) {
  constexpr double kRounding = 2e-5;
  const std::vector<glm::dvec4>& expected = scene.picture(variant);
  const int width = scene.lists.size.x;
  const std::size_t first = std::size_t(scene.firstTileRow * DOF_TILE * width);
  for (std::size_t i = first; i < expected.size(); ++i) {
    const int x = int(i) % width, y = int(i) / width;
    const int tile = y / DOF_TILE * scene.lists.tiles().x + x / DOF_TILE;
    for (int c = 0; c < 4; ++c) {
      const double most = c == 3 ? 1 : scene.largest[std::size_t(tile)];
      const double cut = variant[kEarly] == kNoEarlyOut ? 0 : epsilon / (1 - epsilon) * most;
      const double bound = kRounding * std::max(1.0, std::abs(expected[i][c])) + cut;
      if (std::abs(found.at(x, y)[c] - expected[i][c]) <= bound) continue;
      return ::testing::AssertionFailure()
             << "pixel " << x << ", " << y << " channel " << c << ": expected " << expected[i][c]
             << " within " << bound << ", found " << found.at(x, y)[c];
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace fathom::dof::test
