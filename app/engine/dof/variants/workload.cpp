// SPDX-License-Identifier: BSD-3-Clause
// Lists are built once per node layout; a variant is checked in a sample of tiles.
#include "app/engine/dof/variants/workload.h"

#include "app/engine/core/random.h"
#include "app/engine/dof/splats/source.h"

namespace fathom::dof {
namespace {

constexpr std::uint32_t kSampledTiles = 240;  // all of 320 x 180
constexpr double kRounding = 2e-5;            // relative to values above 1

/// Far discs are out of focus by up to the radius, near ones too; some are sharp.
Lens variantLens(glm::ivec2 size, int radius) {
  Lens lens;
  lens.focalLength = 50, lens.sensorWidth = 36, lens.pictureWidth = size.x;
  lens.focus = 4, lens.maxRadius = radius, lens.fNumber = 1;
  lens.fNumber = lens.farRadius() / (1.2 * radius);
  return lens;
}

}  // namespace

Image variantPicture(glm::ivec2 size, std::uint64_t seed) {
  Random random(seed);
  Image picture(size.x, size.y, glm::vec4(0.2f, 0.3f, 0.4f, 25));
  const float scale = float(size.x) / 1280;
  for (int i = 0; i < 200; ++i) {
    const float centerY = random.uniform(0, float(size.y));
    const glm::vec2 center(random.uniform(0, float(size.x)), centerY);
    const float radius = std::max(1.0f, random.uniform(10, 90) * scale), z = random.uniform(1, 20);
    const float blue = random.uniform(), green = random.uniform();
    const glm::vec3 color(random.uniform(), green, blue);
    const glm::ivec2 low = glm::max(glm::ivec2(center - radius), 0);
    const glm::ivec2 high = glm::min(glm::ivec2(center + radius), size - 1);
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x) {
        const glm::vec2 way = glm::vec2(x, y) - center;
        if (way.x * way.x + way.y * way.y <= radius * radius && picture.at(x, y).a > z)
          picture.at(x, y) = glm::vec4(color * random.uniform(0.6f, 1.0f), z);
      }
  }
  return picture;
}

VariantWorkload::VariantWorkload(gpu::Context& gpu, glm::ivec2 size, int radius, std::uint64_t seed)
    : TuneWorkload(gpu, kSpace),
      runner_(gpu),
      picture_(gpu, "variant image", gpu::TextureFormat::Rgba32f, size.x, size.y) {
  buildLists(size, radius, seed);
  sampleTiles();
}

/// A class of radius 16 is "r16" or "r16-coverage" (workloadClass).
VariantWorkload::VariantWorkload(gpu::Context& gpu, const TuneRequest& request, Progress&)
    : VariantWorkload(gpu, request.size, std::atoi(request.workload.c_str() + 1), request.seed) {}

/// In each of the node layouts.
void VariantWorkload::buildLists(glm::ivec2 size, int radius, std::uint64_t seed) {
  gpu::Texture input(gpu_, "variant input", gpu::TextureFormat::Rgba32f, size.x, size.y);
  input.upload(variantPicture(size, seed));
  PictureSource source(gpu_, input);
  const Settings settings;
  ListRequest request;
  request.optics = optics_ = opticsOf(variantLens(size, radius), Aperture{}, settings);
  request.reach = radius;
  optics_.coverageAlpha = 1;
  Pipeline pipeline(gpu_);
  for (int kind = 0; kind < int(layouts_.size()); ++kind) {
    request.nodes = {kind, true};
    pipeline.begin(source, request);
    const TileLists& lists = pipeline.build(0);
    if (pipeline.bands().size() != 1)
      fail("{} x {} with radius {}: expected lists that fit this device at once, found {} bands",
           size.x, size.y, radius, pipeline.bands().size());
    Layout& layout = layouts_[std::size_t(kind)];
    layout.nodes = gpu::Buffer<glm::uvec4>(gpu_, "variant nodes", lists.entryCount);
    layout.nodes.copyFrom(*lists.nodes, 16 * std::int64_t(lists.entryCount));
    params_ = lists.params;
    entryCount_ = lists.entryCount;
    if (kind == 0) tileBegin_ = gpu::Words(gpu_, "variant tiles", lists.tileBegin->download());
  }
}

/// Tiles to be checked, spread evenly, with their nodes in each layout.
void VariantWorkload::sampleTiles() {
  const std::vector<std::uint32_t> begin = tileBegin_.download();
  const std::uint32_t count = params_.tilesX * params_.tileRowCount;
  const std::uint32_t step = (count + kSampledTiles - 1) / kSampledTiles;
  sampledBegin_ = {0};
  for (std::uint32_t tile = 0; tile < count; tile += step) {
    tiles_.push_back(tile);
    sampledBegin_.push_back(sampledBegin_.back() + begin[tile + 1] - begin[tile]);
    for (Layout& layout : layouts_) {
      const auto nodes = layout.nodes.download(begin[tile], begin[tile + 1] - begin[tile]);
      layout.sampled.insert(layout.sampled.end(), nodes.begin(), nodes.end());
    }
  }
}

void VariantWorkload::run(const Variant& variant, float epsilon) {
  optics_.epsilon = epsilon;
  runner_.run(variant, tileBegin_, layouts_[std::size_t(nodeKind(variant))].nodes, params_, optics_,
              picture_);
}

/// The sampled tiles in a row, as if they were a picture one tile high.
NodeLists VariantWorkload::sampledLists(int kind) const {
  return {{int(tiles_.size()) * DOF_TILE, DOF_TILE},
          kind,
          sampledBegin_,
          layouts_[std::size_t(kind)].sampled};
}

const std::vector<glm::dvec4>& VariantWorkload::expected(const Variant& variant) {
  const int kind = nodeKind(variant);
  const bool coverage = variant[kOrder] == kCoverage;
  auto& slot = expected_[{kind, variant[kAlpha], coverage}];
  if (slot.empty())
    slot = reference::accumulate(sampledLists(kind), variant[kAlpha] == kLoadedAlpha,
                                 coverage ? Operator::Coverage : Operator::Over);
  return slot;
}

CheckResult VariantWorkload::runAndCompare(const Variant& variant) {
  picture_.clear(glm::vec4(-1));
  run(variant, 0);
  gpu::barrier(gpu::Access::Transfer);
  const Image found = picture_.downloadImage();
  const std::vector<glm::dvec4>& right = expected(variant);
  const int rowLength = int(tiles_.size()) * DOF_TILE;
  double worst = 0;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    const int left = int(tiles_[t] % params_.tilesX) * DOF_TILE;
    const int top = int(tiles_[t] / params_.tilesX) * DOF_TILE;
    for (int y = 0; y < std::min(DOF_TILE, found.height - top); ++y)
      for (int x = 0; x < std::min(DOF_TILE, found.width - left); ++x)
        for (int c = 0; c < 4; ++c) {
          const double e = right[std::size_t(y * rowLength + int(t) * DOF_TILE + x)][c];
          const double off =
              std::abs(found.at(left + x, top + y)[c] - e) / std::max(1.0, std::abs(e));
          worst = std::isnan(off) ? INFINITY : std::max(worst, off);
        }
  }
  return {worst <= kRounding, fmt::format("rounding {}", kRounding),
          fmt::format("differs by {}", worst)};
}

}  // namespace fathom::dof
