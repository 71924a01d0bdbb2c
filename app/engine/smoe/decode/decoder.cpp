// SPDX-License-Identifier: BSD-3-Clause
// The order of work: slice, lists, shading, each in steps under the caller's budget, then the same
// for alpha; and what is read back from the lists.
#include "app/engine/smoe/decode/decoder.h"

#include "app/engine/core/image.h"
#include "app/engine/core/stages.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/smoe/decode/device_model.h"
#include "app/engine/smoe/decode/lists.h"
#include "app/engine/smoe/decode/shading.h"

namespace fathom::smoe {
namespace {

/// What was left out, what arithmetic can add, and both. With what shading has seen: colors further
/// than 0.6 from 1/2 widen them.
glm::dvec3 certificateOf(const shared::Tile& tile) {
  const auto extreme = double(std::bit_cast<float>(tile.extreme));
  const glm::dvec2 parts =
      glm::dvec2(tile.certificate, tile.rounding) * std::max(1.0, extreme / 0.6);
  return {parts, parts.x + parts.y};
}

}  // namespace

struct Decoder::State {
  State(gpu::Context& context, const DecoderForms& wanted) : gpu(context), forms(wanted) {}

  gpu::Context& gpu;
  DecoderForms forms;
  DeviceModel model{gpu};
  ListBuilder lists{gpu};
  Shading shading{gpu, forms.columns.value_or(gpu.device().software)};
  std::optional<ViewWindow> window;  // of the lists; none: they are out of date
  std::optional<ViewCoordinates> slicedAt;
  DecodeOptions options;
  std::uint64_t shaders = 0;  // generation that the lists were made with
  ListFacts facts;
  bool factsKnown = false;
  std::unique_ptr<Decoder> alpha;  // null: the model is opaque
  gpu::Texture alphaPicture;
  bool colorsShaded = false;  // and alpha is not

  void start(const ViewWindow& wanted, const DecodeOptions& wantedOptions, Lists sizes);
  bool spent(const TimeBudget& budget);
  void measure();
  void join(const gpu::Texture& result);
};

void Decoder::State::start(const ViewWindow& wanted, const DecodeOptions& wantedOptions,
                           Lists sizes) {
  FATHOM_CHECK(model.count() > 0);
  FATHOM_CHECK(wanted.size.x > 0 && wanted.size.y > 0 && wanted.step > 0 && wanted.samples > 0);
  window.reset();  // until the lists have begun
  if (slicedAt != wanted.at) model.slice(wanted.at);
  slicedAt = wanted.at;
  options = wantedOptions;
  shaders = gpu.shaderGeneration();
  factsKnown = false;
  shading.restart();
  colorsShaded = false;
  lists.begin(model, wanted, wantedOptions, sizes);
  window = wanted;
}

/// Where there is a limit: what is queued has not been spent yet.
bool Decoder::State::spent(const TimeBudget& budget) {
  if (!budget.limited()) return false;
  gpu.pace();
  return budget.spent();
}

void Decoder::State::measure() {
  lists.fit(true);
  lists.certify();
  const shared::Stats stats = lists.stats();
  const shared::Params& params = lists.params();
  facts = {};
  glm::dvec3 largest(0);
  for (const TileBand& band : lists.bands()) {
    facts.entries += band.entryCount;
    for (const shared::Tile& tile : band.tiles.download(0, band.params.tileCount))
      largest = glm::max(largest, certificateOf(tile));
  }
  facts.maxLeftOut = largest.x, facts.maxRounding = largest.y, facts.maxErrorBound = largest.z;
  facts.tiles = std::uint32_t(params.tiles.x * params.tiles.y);
  facts.longest = stats.longest;
  facts.emptyTiles = stats.emptyTiles;
  facts.kpb = double(facts.entries) / facts.tiles;
  facts.evaluationsPerSample = facts.kpb;
  if (options.masks && options.tilePixels == 16)
    facts.evaluationsPerSample =
        (double(stats.halvesLow) + 0x1p32 * stats.halvesHigh) / (8.0 * facts.tiles);
  if (!alpha) return;
  facts.maxErrorBound = std::max(facts.maxErrorBound, alpha->facts().maxErrorBound);
  facts.maxLeftOut = std::max(facts.maxLeftOut, alpha->facts().maxLeftOut);
  facts.maxRounding = std::max(facts.maxRounding, alpha->facts().maxRounding);
}

/// Colors and alpha to one picture.
void Decoder::State::join(const gpu::Texture& result) {
  gpu::Pass& pass = gpu.pass({"with alpha", "shaders/smoe/decode/with_alpha.comp", {}});
  pass.texture(SMOE_TEXTURE_ALPHA, alphaPicture)
      .image(SMOE_IMAGE_RESULT, result)
      .params(SMOE_BIND_PARAMS, lists.params());
  pass.dispatch(std::uint64_t(result.width()) * std::uint64_t(result.height()), gpu::Each{20});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer | gpu::Access::Storage);
}

Decoder::Decoder(gpu::Context& gpu, const DecoderForms& forms)
    : state_(std::make_unique<State>(gpu, forms)) {}
Decoder::~Decoder() = default;

void Decoder::setModel(const Model& model) {
  state_->window.reset();
  state_->slicedAt.reset();
  state_->shading.setModel(model);
  state_->model.upload(model);
  state_->colorsShaded = false;
  if (!model.alpha) {
    state_->alpha.reset();
    state_->alphaPicture = {};
    return;
  }
  if (!state_->alpha) state_->alpha = std::make_unique<Decoder>(state_->gpu, state_->forms);
  state_->alpha->setModel(*model.alpha);
}

bool Decoder::build(const ViewWindow& window, const DecodeOptions& options, double budgetMs,
                    Lists lists) {
  State& s = *state_;
  const TimeBudget budget(budgetMs);
  if (s.window != window || s.options != options || s.shaders != s.gpu.shaderGeneration())
    s.start(window, options, lists);
  while (!s.lists.finished()) {
    s.lists.step();
    if (!s.lists.finished() && s.spent(budget)) return false;
  }
  return !s.alpha || s.alpha->build(window, options, budget.leftMs(), lists);
}

bool Decoder::listsKnown(bool wait) {
  const ListBuilder::Fit fit = state_->lists.fit(wait);
  if (fit == ListBuilder::Fit::Outgrown) state_->window.reset();
  const bool alphaKnown = !state_->alpha || state_->alpha->listsKnown(wait);
  return fit != ListBuilder::Fit::Unknown && alphaKnown;
}

bool Decoder::listsUpToDate() const {
  return state_->window.has_value() && (!state_->alpha || state_->alpha->listsUpToDate());
}

bool Decoder::shade(const gpu::Texture& result, double budgetMs) {
  State& s = *state_;
  FATHOM_CHECK(s.window && s.lists.finished());
  const TimeBudget budget(budgetMs);
  s.factsKnown = false;  // colors out of range widen certificates
  const ShadingInput input{s.model, s.lists, s.options, *s.window};
  while (!s.colorsShaded) {
    s.colorsShaded = s.shading.step(input, result, !budget.limited());
    if (!s.colorsShaded && s.spent(budget)) return false;
  }
  if (s.alpha) {
    gpu::ensure(s.gpu, s.alphaPicture, "smoe alpha", gpu::TextureFormat::Rgba32f, result.size());
    if (!s.alpha->shade(s.alphaPicture, budget.leftMs())) return false;
    s.join(result);
  }
  s.colorsShaded = false;
  return true;
}

void Decoder::show(const gpu::Texture& result, Show what, float gain) {
  State& s = *state_;
  FATHOM_CHECK(s.window && s.lists.finished());
  if (what == Show::Certificate) s.lists.certify();
  s.colorsShaded = false;
  s.shading.show({s.model, s.lists, s.options, *s.window}, result, what, gain);
}

const ListFacts& Decoder::facts() const {
  State& s = *state_;
  if (!s.factsKnown) s.measure();
  s.factsKnown = true;
  return s.facts;
}

std::vector<Decoder::Entry> Decoder::downloadList(glm::ivec2 tile) const {
  const TileBand& band = state_->lists.bandOf(tile.y);
  const std::size_t index = std::size_t(tile.y) * std::size_t(band.params.tiles.x) +
                            std::size_t(tile.x) - band.params.firstTile;
  const std::vector<std::uint32_t> ends = band.starts.download(index, 2);
  std::vector<Entry> list;
  for (const glm::uvec2& entry : band.entries.download(ends[0], ends[1] - ends[0]))
    list.push_back({entry.x, entry.y});
  return list;
}

double Decoder::certificate(glm::ivec2 tile) const {
  state_->lists.certify();
  const TileBand& band = state_->lists.bandOf(tile.y);
  const std::size_t index = std::size_t(tile.y) * std::size_t(band.params.tiles.x) +
                            std::size_t(tile.x) - band.params.firstTile;
  return certificateOf(band.tiles.download(index, 1).front()).z;
}

Image Decoder::certificates() const {
  state_->lists.certify();
  const shared::Params& params = state_->lists.params();
  std::vector<glm::vec4> tiles;
  for (const TileBand& band : bands())
    for (const shared::Tile& tile : band.tiles.download(0, band.params.tileCount))
      tiles.emplace_back(certificateOf(tile), 1);
  const glm::ivec2 size = params.size / int(params.samples);
  Image map(size.x, size.y);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const glm::ivec2 at = glm::ivec2(x, y) * int(params.samples) / int(params.tilePixels);
      map.at(x, y) = tiles[std::size_t(at.y) * std::size_t(params.tiles.x) + std::size_t(at.x)];
    }
  if (!state_->alpha) return map;
  const Image alpha = state_->alpha->certificates();
  for (std::size_t i = 0; i < map.pixels.size(); ++i)
    map.pixels[i] = glm::max(map.pixels[i], alpha.pixels[i]);
  return map;
}

const std::deque<TileBand>& Decoder::bands() const { return state_->lists.bands(); }

std::vector<glm::vec4> Decoder::downloadRaw(const ViewWindow& window) {
  State& s = *state_;
  ViewWindow single = window;
  single.samples = 1;
  build(single, s.options, std::numeric_limits<double>::infinity());
  return s.shading.downloadRaw({s.model, s.lists, s.options, single});
}

}  // namespace fathom::smoe
