// SPDX-License-Identifier: BSD-3-Clause
// Choosing a back end for subgroups by trying it, and running a variant over the lists of a band.
#include "app/engine/dof/variants/variant_runner.h"

#include "app/engine/core/log.h"
#include "app/engine/core/random.h"
#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/shader_loader.h"
#include "app/engine/dof/splats/reference.h"
#include "app/engine/tuning.h"

#include <algorithm>
#include <cmath>

namespace fathom::dof {
namespace {

const char* const kTemplate = "shaders/dof/accumulate.comp";
const char* const kFeatures = "shaders/dof/features";

gpu::Features featuresOf(const Variant& variant, WarpBackEnd backEnd, bool translucent) {
  gpu::Features features{kFeatures, targetsOf(kSpace, variant)};
  if (variant[kChunk] == kWarpChunk) {
    // Shared memory is read as in chunks of the whole group, except where a file says otherwise.
    TargetChain chain{nameOf(backEnd)};
    if (backEnd != WarpBackEnd::Arb) chain.push_back("chunk-block");
    features.targets.push_back(std::move(chain));
  }
  if (translucent) features.targets.push_back({"translucent"});
  return features;
}

/// Two tiles with lists of several chunks and a rest, opaque splats in between.
NodeLists smallLists() {
  Random random(1);
  SplatList list{{32, 16}, {}};
  for (int i = 0; i < 700; ++i) {
    const float radius = random.uniform() < 0.2f ? 0.0f : random.uniform(1, 6);
    const glm::ivec2 pixel{int(random.below(32)), int(random.below(16))};
    const glm::vec3 color{random.uniform(), random.uniform(), random.uniform()};
    list.splats.push_back({pixel, random.uniform(1, 9), throughHalf(radius * radius), 1, color});
  }
  return reference::nodeLists(list, DOF_NODE_A_FLOAT);
}

/// Whether warp chunks of this back end give the reference's picture here.
bool provesItself(gpu::Context& gpu, WarpBackEnd backEnd) try {
  const NodeLists lists = smallLists();
  const std::vector<glm::dvec4> expected = reference::accumulate(lists, false, Operator::Over);
  const gpu::Buffer<std::uint32_t> tileBegin(gpu, "probe tiles", lists.tileBegin);
  const gpu::Buffer<glm::uvec4> nodes(gpu, "probe nodes", lists.nodes);
  const gpu::Texture picture(gpu, "probe picture", gpu::TextureFormat::Rgba32f, 32, 16);
  shared::Params params{};
  params.width = 32, params.height = 16, params.tilesX = 2, params.tilesY = params.tileRowCount = 1;
  shared::Optics optics{};
  optics.coverageAlpha = 1;
  VariantRunner runner(gpu, backEnd);
  for (const char* id : {"warp.check.a.copy.each.direct.compute.ftb.float",
                         "warp.peel.a.inplace.block.direct.compute.ftb.float"}) {
    runner.run(kSpace.parse(id), tileBegin, nodes, params, optics, picture);
    gpu::barrier(gpu::Reader::Transfer | gpu::Reader::Storage);  // and the next variant
    const Image found = picture.downloadImage();
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (int c = 0; c < 4; ++c)
        if (!(std::abs(found.pixels[i][c] - expected[i][c]) <= 1e-4)) return false;
  }
  return true;
} catch (const Error& error) {
  log::info("accumulate with {}: {}", nameOf(backEnd), error.what());
  return false;
}

}  // namespace

const char* nameOf(WarpBackEnd backEnd) {
  static const char* const names[] = {"khr", "arb", "emu"};
  return names[int(backEnd)];
}

std::vector<WarpBackEnd> offeredBackEnds(const gpu::Context& gpu) {
  const gpu::Capabilities& can = gpu.capabilities();
  std::vector<WarpBackEnd> offered;
  // Slices of shared memory need full subgroups.
  if (can.subgroups && can.subgroupVote && can.subgroupSize > 0 &&
      DOF_TILE_PIXELS % can.subgroupSize == 0)
    offered.push_back(WarpBackEnd::Khr);
  if (can.shaderBallot && can.groupVote) offered.push_back(WarpBackEnd::Arb);
  offered.push_back(WarpBackEnd::Emulated);
  return offered;
}

gpu::PassKey accumulateKey(const Variant& variant, WarpBackEnd backEnd, bool translucent) {
  return {"accumulate", kTemplate, {}, {}, featuresOf(variant, backEnd, translucent)};
}

std::string variantSource(const Variant& variant, WarpBackEnd backEnd) {
  return fmt::format("// {}\n", kSpace.id(variant)) +
         gpu::loadShader(kTemplate, {}, {}, featuresOf(variant, backEnd, false)).text;
}

std::string templateHash() {
  std::vector<std::string> files = gpu::FeatureFiles({kFeatures, {}}).paths();
  files.insert(files.end(), {kTemplate, "shaders/dof/node.glsl", "shaders/dof/shared.h"});
  return hashOfShaders(files);
}

WarpBackEnd VariantRunner::backEnd() {
  if (backEnd_) return *backEnd_;
  for (const WarpBackEnd candidate : offeredBackEnds(*gpu_)) {
    backEnd_ = candidate;
    if (candidate == WarpBackEnd::Emulated || provesItself(*gpu_, candidate)) break;
    log::warn("subgroups by {} give wrong results on this device, falling back", nameOf(candidate));
  }
  return *backEnd_;
}

WarpBackEnd VariantRunner::backEndFor(const Variant& variant) {
  return variant[kChunk] == kWarpChunk ? backEnd() : WarpBackEnd::Emulated;
}

void VariantRunner::run(const Variant& variant, const gpu::RawBuffer& tileBegin,
                        const gpu::RawBuffer& nodes, const shared::Params& params,
                        const shared::Optics& optics, const gpu::Texture& result,
                        bool translucent) {
  FATHOM_CHECK(kSpace.valid(variant));
  FATHOM_CHECK(!translucent || variant[kNode] == kNodeA);
  gpu::Pass& pass = gpu_->pass(accumulateKey(variant, backEndFor(variant), translucent));
  if (variant[kFetch] == kCachedFetch) {
    if (!texels_.shows(nodes)) texels_ = gpu::TexelView(*gpu_, nodes);
    pass.texels(DOF_TEXELS_NODES, texels_);
  } else {
    pass.storage(DOF_BIND_NODES, nodes);
  }
  pass.params(DOF_BIND_PARAMS, params)
      .params(DOF_BIND_OPTICS, optics)
      .storage(DOF_BIND_TILE_BEGIN, tileBegin)
      .image(DOF_IMAGE_RESULT, result);
  // Each node of a list is tested for each pixel of its tile, and some are laid over it.
  constexpr double kNodeBytes = 16, kPerPixel = 16;  // operations
  gpu::dispatchGrid(pass, params.tilesX, params.tileRowCount,
                    gpu::DispatchCost{double(nodes.bytes()) / kNodeBytes * DOF_TILE_PIXELS * kPerPixel});
}

}  // namespace fathom::dof
