// SPDX-License-Identifier: BSD-3-Clause
// Choosing a back end for subgroups by trying it, running a variant or smooth discs over the lists
// of a band, and which of them a shot uses: the profile is asked once per picture.
#include "app/engine/dof/variants/accumulate.h"

#include "app/engine/core/progress.h"
#include "app/engine/core/random.h"
#include "app/engine/dof/splats/reference.h"
#include "app/engine/gpu/shader_loader.h"

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
  const gpu::Words tileBegin(gpu, "probe tiles", lists.tileBegin);
  const gpu::Buffer<glm::uvec4> nodes(gpu, "probe nodes", lists.nodes);
  const gpu::Texture picture(gpu, "probe image", gpu::TextureFormat::Rgba32f, 32, 16);
  shared::Params params{};
  params.width = 32, params.height = 16, params.tilesX = 2, params.tilesY = params.tileRowCount = 1;
  shared::Optics optics{};
  optics.coverageAlpha = 1;
  VariantRunner runner(gpu, backEnd);
  for (const char* id : {"warp.check.a.copy.each.direct.compute.ftb.float",
                         "warp.peel.a.inplace.block.direct.compute.ftb.float"}) {
    runner.run(kSpace.parse(id), tileBegin, nodes, params, optics, picture);
    gpu::barrier(gpu::Access::Transfer | gpu::Access::Storage);  // and the next variant
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

// ---- Variants

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

std::uint32_t listPart(const gpu::Context& gpu) {
  return gpu.device().software ? DOF_LIST_PART : UINT32_MAX;
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
                        const gpu::RawBuffer& nodes, const shared::Params& band,
                        const shared::Optics& optics, const gpu::Texture& result, bool translucent,
                        std::uint32_t longest) {
  FATHOM_CHECK(kSpace.valid(variant));
  FATHOM_CHECK(!translucent || variant[kNode] == kNodeA);
  gpu::PassKey key = accumulateKey(variant, backEndFor(variant), translucent);
  shared::Params params = band;
  if (params.partEntries == 0) params.partEntries = listPart(*gpu_);
  if (longest > params.partEntries) key.defines = {{"PARTS", 1}};
  gpu::Pass& pass = gpu_->pass(key);
  if (variant[kFetch] == kCachedFetch && !texels_.shows(nodes))
    texels_ = gpu::TexelView(*gpu_, nodes);
  for (std::uint64_t begin = 0; begin == 0 || begin < longest; begin += params.partEntries) {
    params.part = std::uint32_t(begin / params.partEntries);
    if (variant[kFetch] == kCachedFetch)
      pass.texels(DOF_TEXELS_NODES, texels_);
    else
      pass.storage(DOF_BIND_NODES, nodes);
    pass.params(DOF_BIND_PARAMS, params)
        .params(DOF_BIND_OPTICS, optics)
        .storage(DOF_BIND_TILE_BEGIN, tileBegin)
        .image(DOF_IMAGE_RESULT, result);
    // Each node of a list is tested for each pixel of its tile, and some are laid over it.
    constexpr double kNodeBytes = 16, kPerPixel = 16;  // operations
    pass.dispatchGrid(
        glm::ivec2(params.tilesX, params.tileRowCount) * DOF_TILE,
        gpu::DispatchCost{double(nodes.bytes()) / kNodeBytes * DOF_TILE_PIXELS * kPerPixel});
    if (key.defines.size() > 0) gpu::barrier(gpu::Access::Storage);  // its next part
  }
}

// ---- Smooth discs

gpu::PassKey accumulateKey(const gpu::Context& gpu, const Pipeline& pipeline, Operator op,
                           int keyWords, int slices, int data) {
  const bool software = readsRecordTexels(gpu);
  const bool tells = software && gpu.capabilities().shaderBallot && gpu.capabilities().groupVote;
  std::vector<gpu::Define> defines = apertureDefines(pipeline.request());
  const bool ranks = op == Operator::Coverage || op == Operator::LensCells;
  const bool hidden = ranks && pipeline.source().kind() != 0;
  const HoldOut* held = pipeline.request().held;
  defines.insert(defines.end(), {{"OPERATOR", int(op)},
                                 {"HIDDEN", hidden ? 1 : 0},
                                 {"KEY_WORDS", keyWords},
                                 {"ROWS", software ? 4 : 1},
                                 {"HELD", held ? held->samples : 0},
                                 {"SLICES", slices},
                                 {"DATA", data},
                                 {"RECORD_TEXELS", software ? 1 : 0},
                                 {"SUBGROUP_READS", tells ? 1 : 0}});
  return {"accumulate", "shaders/dof/accumulate_area.comp", std::move(defines)};
}

namespace {

/// Tiles of the band, or groups that want values, whose lists are not gone through at once.
std::vector<std::uint32_t> longListsOf(const Pipeline& pipeline, const ListValues* wanted,
                                       const shared::Params& params) {
  std::vector<std::uint32_t> found;
  const TileLists& lists = pipeline.lists();
  // 0 where lists were queued, which then are short, or are made again.
  if (lists.longest <= params.partEntries) return found;
  const auto begins = lists.tileBegin->download(0, lists.tileCount() + 1);
  const auto groups = wanted ? wanted->wanted.download() : std::vector<std::uint32_t>();
  for (std::uint32_t i = 0; i < params.choice; ++i) {
    const std::uint32_t tile = wanted ? groups[std::size_t((DOF_IDS + 1) * i)] : i;
    if (begins[tile + 1] - begins[tile] > params.partEntries) found.push_back(i);
  }
  return found;
}

}  // namespace

void accumulateArea(gpu::Context& gpu, const Pipeline& pipeline, const shared::Optics& optics,
                    Operator op, const gpu::Texture& picture, const ListSlices* slices,
                    const ListValues* values) {
  FATHOM_CHECK(pipeline.request().area && pipeline.request().tables);
  const bool wanted = values && values->groups > 0;
  gpu::PassKey key =
      accumulateKey(gpu, pipeline, op, pipeline.keyWords(), slices ? slices->count : 0,
                    wanted   ? 2
                    : values ? 1
                             : 0);
  const TileLists& lists = pipeline.lists();
  const HoldOut* held = pipeline.request().held;
  shared::Params params = lists.params;
  params.choice = wanted ? values->groups : lists.tileCount();
  // Knots, and cells where the hidden and the seen have loops of their own, take more rounds.
  if (params.partEntries == 0)
    params.partEntries = listPart(gpu) / (held || pipeline.request().cells ? 3 : 1);
  const std::vector<std::uint32_t> longLists =
      longListsOf(pipeline, wanted ? values : nullptr, params);
  gpu::Words items, carried;
  const auto dispatch = [&](std::uint64_t entries) {
    gpu::Pass& pass = gpu.pass(key);
    if (wanted) pass.storage(DOF_BIND_WANTED, values->wanted);
    if (values) pass.texels(DOF_TEXELS_VALUES, values->texels);
    pass.storage(DOF_BIND_TILE_BEGIN, *lists.tileBegin)
        .storage(DOF_BIND_KEYS, pipeline.keys())
        .storage(DOF_BIND_COLORS, pipeline.records())
        .texture(DOF_TEXTURE_APERTURE, pipeline.request().tables->map())
        .params(DOF_BIND_PARAMS, params)
        .params(DOF_BIND_OPTICS, optics)
        .storage(DOF_BIND_STATS, pipeline.stats())
        .image(DOF_IMAGE_RESULT, picture);
    if (readsRecordTexels(gpu)) pass.texels(DOF_TEXELS_RECORDS, pipeline.recordTexels());
    if (pipeline.request().cells)
      pass.params(DOF_BIND_CELLS, pipeline.request().tables->cells())
          .texture(DOF_TEXTURE_CELLS, pipeline.request().tables->cellAsks());
    if (slices)
      pass.storage(DOF_BIND_SLICE_ENDS, slices->ends).storage(DOF_BIND_SLICES, slices->light);
    if (held) pass.storage(DOF_BIND_HELD_BEGIN, held->begins).storage(DOF_BIND_HELD, held->knots);
    if (held || op == Operator::Slabs) pass.storage(DOF_BIND_DEPTHS, pipeline.depths());
    if (items) pass.storage(DOF_BIND_LONG, items).storage(DOF_BIND_CARRIED, carried);
    // An entry is tested for each sub-tile, and where it reaches for its pixels.
    pass.dispatchGroups(params.choice, gpu::DispatchCost{20.0 * DOF_TILE_PIXELS * double(entries)});
    gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
  };
  dispatch(lists.params.capacity);
  if (longLists.empty()) return;
  key.defines.emplace_back("CARRIED", 1);
  params.choice = std::uint32_t(longLists.size());
  items = gpu::Words(gpu, "dof long lists", longLists);
  carried = gpu::Words(gpu, "dof carried light",
                       std::size_t(params.choice) * DOF_CARRIED_WORDS * DOF_TILE_PIXELS);
  for (std::uint64_t begin = 0; begin < lists.longest; begin += params.partEntries) {
    dispatch(std::uint64_t(params.choice) * params.partEntries);
    ++params.part;
  }
}

// ---- The choice

std::string workloadClass(int radius, bool coverage) {
  return fmt::format("r{}{}", radius, coverage ? "-coverage" : "");
}

void VariantChoice::update(const gpu::Context& gpu, VariantRunner& runner, const Shot& shot) {
  automatic_ = kDefaultVariant;
  const Settings& s = shot.settings;
  if (s.variant != "tuned") return tuned_.forget();
  const auto key = [&] {
    return TuneKey{workloadClass(s.radius(), s.op == Operator::Coverage), shot.size, templateHash(),
                   nameOf(runner.backEnd())};
  };
  if (const auto tuned = tuned_.choose(gpu, key)) automatic_ = kSpace.id(*tuned);
}

Variant VariantChoice::of(const Shot& shot) const {
  const Settings& s = shot.settings;
  Variant v = kSpace.parse(s.variant == "auto" || s.variant == "tuned" ? automatic_ : s.variant);
  const bool coverage = s.op == Operator::Coverage;
  if (coverage != (v[kOrder] == kCoverage))
    v = kSpace.with(v, kOrder, coverage ? kCoverage : kFrontToBack);
  // Only nodes of layout a have room for the opacity of translucent fragments.
  if (shot.layered() && v[kNode] == kNodeB) v = kSpace.with(v, kNode, kNodeA);
  return v;
}

}  // namespace fathom::dof
