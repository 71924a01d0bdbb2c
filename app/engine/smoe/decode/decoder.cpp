// SPDX-License-Identifier: BSD-3-Clause
// The order of work: slice, lists, shading, each in steps under the caller's budget, then the same
// for alpha; and what is read back from the lists.
#include "app/engine/smoe/decode/decoder.h"

#include "app/engine/core/image.h"
#include "app/engine/core/stages.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/smoe/decode/device_model.h"
#include "app/engine/smoe/decode/lists.h"

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

std::size_t indexIn(const TileBand& band, glm::ivec2 tile) {
  return std::size_t(tile.y) * std::size_t(band.params.tiles.x) + std::size_t(tile.x) -
         band.params.firstTile;
}

}  // namespace

struct Decoder::State {
  State(gpu::Context& context, const DecoderForms& wanted) : gpu(context), forms(wanted) {}

  gpu::Context& gpu;
  DecoderForms forms;
  DeviceModel model{gpu};
  ListBuilder lists{gpu};
  std::optional<ViewWindow> window;  // of the lists; none: they are out of date
  std::optional<ViewCoordinates> slicedAt;
  DecodeOptions options;
  std::uint64_t shaders = 0;  // generation that the lists were made with
  ListFacts facts;
  bool factsKnown = false;
  std::unique_ptr<Decoder> alpha;  // null: the model is opaque
  gpu::Texture alphaPicture;
  bool colorsShaded = false;  // and alpha is not
  /// Samples in columns fetch records for themselves; else through shared memory.
  bool columns = forms.columns.value_or(gpu.device().software);
  std::uint32_t row = 0;              // of tiles, to be shaded next
  Model paperModel;                   // for the paper's modes
  gpu::Buffer<float> paper;           // float[K][], see batch_paper.glsl; empty: not asked for yet
  gpu::Buffer<glm::vec4> sampleRows;  // colors of single samples, of some rows of tiles

  void start(const ViewWindow& wanted, const DecodeOptions& wantedOptions, Lists sizes);
  bool spent(const TimeBudget& budget);
  void measure();
  void join(const gpu::Texture& result);

  /// Rows of tiles, all of one band, and what becomes of them.
  struct Rows {
    const TileBand& band;
    std::uint32_t first, count;
    int output;  // SMOE_SHADE_*
    float gain = 1;
    const gpu::Texture* result = nullptr;
    const gpu::RawBuffer* raw = nullptr;
  };
  bool shadeNext(const gpu::Texture& result, bool all);
  void show(const gpu::Texture& result, Show what, float gain);
  std::vector<glm::vec4> downloadRaw();
  void shadePicture(Rows rows);
  void shadeRows(const Rows& rows);
  void averageRows(const Rows& rows);
  void showTiles(const TileBand& band, const gpu::Texture& result, bool certificate, float gain);
  gpu::Pass& passFor(int output);
  void uploadPaper();
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
  row = 0;
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
  state_->row = 0;
  state_->paperModel = model;
  state_->paper = {};
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
  while (!s.colorsShaded) {
    s.colorsShaded = s.shadeNext(result, !budget.limited());
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
  s.show(result, what, gain);
}

const ListFacts& Decoder::facts() const {
  State& s = *state_;
  if (!s.factsKnown) s.measure();
  s.factsKnown = true;
  return s.facts;
}

std::vector<Decoder::Entry> Decoder::downloadList(glm::ivec2 tile) const {
  const TileBand& band = state_->lists.bandOf(tile.y);
  const std::size_t index = indexIn(band, tile);
  const std::vector<std::uint32_t> ends = band.starts.download(index, 2);
  std::vector<Entry> list;
  for (const glm::uvec2& entry : band.entries.download(ends[0], ends[1] - ends[0]))
    list.push_back({entry.x, entry.y});
  return list;
}

double Decoder::certificate(glm::ivec2 tile) const {
  state_->lists.certify();
  const TileBand& band = state_->lists.bandOf(tile.y);
  return certificateOf(band.tiles.download(indexIn(band, tile), 1).front()).z;
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
  return s.downloadRaw();
}

// From lists to pictures: the passes that evaluate components per sample, a few rows of tiles at a
// time, into the picture or into a buffer that is averaged, and the views of the same data
// -------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint32_t kSliceSamples = 1 << 16;  // of a slice of shading, on software renderers
constexpr std::uint32_t kRowSamples = 1 << 20;    // that are kept to be averaged

void appendPaper(const Gaussian& gaussian, int dims, std::vector<float>& out) {
  const auto add = [&](double value) { out.push_back(float(value)); };
  const auto at = [&](int row, int column) {
    return gaussian.covariance[std::size_t(row)][std::size_t(column)];
  };
  add(std::log2(gaussian.prior));
  for (int i = 0; i < dims; ++i) add(gaussian.mean[std::size_t(i)]);
  for (int i = 0; i < dims; ++i)
    for (int j = 0; j <= i; ++j) add(at(i, j));
  for (int color = 0; color < 3; ++color)
    for (int i = 0; i < dims; ++i) add(at(dims + color, i));
  for (int color = 0; color < 3; ++color) add(gaussian.mean[std::size_t(dims + color)]);
}

}  // namespace

/// Shades the next rows of tiles into the picture, or all of them; true when it is complete.
bool Decoder::State::shadeNext(const gpu::Texture& result, bool all) {
  const shared::Params& params = lists.params();
  FATHOM_CHECK_OP(result.width() * window->samples, ==, params.size.x);
  FATHOM_CHECK_OP(result.height() * window->samples, ==, params.size.y);
  const auto rowCount = std::uint32_t(params.tiles.y);
  const std::uint32_t rowSamples = std::uint32_t(params.size.x) * params.tilePixels;
  const std::uint32_t slice =
      all || !gpu.device().software ? rowCount : std::max(1u, kSliceSamples / rowSamples);
  const std::uint32_t end = std::min(rowCount, row + slice);
  while (row < end) {
    const TileBand& band = lists.bandOf(int(row));
    std::uint32_t count = std::min(end, band.firstRow + band.rowCount) - row;
    count = std::min(count, std::max(1u, kRowSamples / rowSamples));
    shadePicture({band, row, count, SMOE_SHADE_PICTURE, 1, &result});
    row += count;
  }
  // display, saving, comparison
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer | gpu::Access::Storage);
  if (row < rowCount) return false;
  row = 0;
  return true;
}

/// Directly into the picture, or through a buffer: where samples are averaged, and where that is
/// faster than storing texels one by one (software renderers).
void Decoder::State::shadePicture(Rows rows) {
  const bool averages = window->samples > 1;
  if (averages || gpu.device().software) {
    const glm::ivec2 size = rows.band.params.size;
    const std::uint32_t tile = rows.band.params.tilePixels;
    const std::size_t samples = std::size_t(size.x) * rows.count * tile;
    if (sampleRows.count() < samples)
      sampleRows = gpu::Buffer<glm::vec4>(gpu, "smoe samples", samples);
    rows.output = SMOE_SHADE_SAMPLES;
    rows.raw = &sampleRows;
    shadeRows(rows);
    const auto first = int(rows.first * tile),
               last = std::min(first + int(rows.count * tile), size.y);
    if (averages)
      averageRows(rows);
    else
      rows.result->copyRows(sampleRows, first, last - first);
  } else {
    shadeRows(rows);
  }
}

/// The pass of this mode, with what only that mode binds.
gpu::Pass& Decoder::State::passFor(int output) {
  const gpu::Define tile("SMOE_TILE", options.tilePixels), write("SMOE_OUTPUT", output);
  if (options.mode == Mode::Record) {
    const char* shader =
        columns ? "shaders/smoe/decode/shade_columns.comp" : "shaders/smoe/decode/shade.comp";
    gpu::Pass& pass = gpu.pass({"shade", shader, {tile, write}});
    pass.storage(SMOE_BIND_SHADE, model.shade());
    if (columns)
      pass.texels(SMOE_TEXELS_CULL, model.cullTexels())
          .texels(SMOE_TEXELS_SHADE, model.shadeTexels());
    return pass;
  }
  if (!paper) uploadPaper();
  const bool fast = options.mode == Mode::PaperFast;
  gpu::Pass& pass =
      gpu.pass({"shade as the paper does",
                "shaders/smoe/decode/shade.comp",
                {tile, write, {"SMOE_PAPER", fast ? 1 : 2}, {"SMOE_DIMS", 2 + model.leading()}}});
  pass.storage(SMOE_BIND_PAPER, paper);
  return pass;
}

void Decoder::State::shadeRows(const Rows& rows) {
  shared::Params params = rows.band.params;
  params.firstRow = rows.first;
  params.rowCount = rows.count;
  params.gain = rows.gain;
  gpu::Pass& pass = passFor(rows.output);
  pass.storage(SMOE_BIND_CULL, model.cull())
      .storage(SMOE_BIND_AXES, lists.axes())
      .storage(SMOE_BIND_TILE_COUNTS, rows.band.starts)
      .storage(SMOE_BIND_ENTRIES, rows.band.entries)
      .storage(SMOE_BIND_TILES, rows.band.tiles)
      .params(SMOE_BIND_PARAMS, params);
  if (rows.raw) pass.storage(SMOE_BIND_RAW, *rows.raw);
  if (rows.result && rows.output != SMOE_SHADE_SAMPLES) pass.image(SMOE_IMAGE_RESULT, *rows.result);
  if (rows.output == SMOE_SHADE_DISPARITY) pass.storage(SMOE_BIND_LEAD, model.lead());
  const bool blocks = columns && options.mode == Mode::Record;
  const int tile = int(params.tilePixels), side = blocks ? 16 : std::min(tile, 16);
  const glm::ivec2 pixels(params.size.x, int(rows.count) * tile),
      groups = (pixels + side - 1) / side;
  // Each entry of a tile's list at each of its samples; the band's lists share its rows evenly.
  const double share = double(rows.count) / rows.band.rowCount,
               entries = double(rows.band.entries.count());
  pass.dispatchGrid({groups.x * pass.groupSize(), groups.y},
                    gpu::DispatchCost{40.0 * tile * tile * entries * share});
}

void Decoder::State::averageRows(const Rows& rows) {
  gpu::barrier(gpu::Access::Storage);  // average samples
  shared::Params params = rows.band.params;
  params.firstRow = rows.first;
  params.rowCount = rows.count;
  gpu::Pass& pass = gpu.pass({"average samples", "shaders/smoe/decode/average_samples.comp", {}});
  pass.storage(SMOE_BIND_RAW, *rows.raw)
      .image(SMOE_IMAGE_RESULT, *rows.result)
      .params(SMOE_BIND_PARAMS, params);
  const std::uint64_t height = rows.count * params.tilePixels / params.samples + 2;
  pass.dispatch(std::uint64_t(rows.result->width()) * height,
                gpu::Each{20 + 40.0 * params.samples * params.samples});
  gpu::barrier(gpu::Access::Storage);  // the next rows write and average again
}

void Decoder::State::showTiles(const TileBand& band, const gpu::Texture& result, bool certificate,
                               float gain) {
  shared::Params params = band.params;
  params.gain = gain;
  gpu::Pass& pass = gpu.pass({"show tiles",
                              "shaders/smoe/decode/show_tiles.comp",
                              {{"SMOE_CERTIFICATE", certificate ? 1 : 0}}});
  pass.storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_TILES, band.tiles)
      .image(SMOE_IMAGE_RESULT, result)
      .params(SMOE_BIND_PARAMS, params);
  pass.dispatch(std::uint64_t(result.width()) * std::uint64_t(result.height()), gpu::Each{60});
}

void Decoder::State::show(const gpu::Texture& result, Show what, float gain) {
  int output = SMOE_SHADE_WEIGHT;
  if (what == Show::Winner) output = SMOE_SHADE_WINNER;
  if (what == Show::Disparity && model.leading() == 2) output = SMOE_SHADE_DISPARITY;
  row = 0;  // a picture that was being shaded is not continued in another texture
  if (what == Show::Picture || what == Show::Error) {
    shadeNext(result, true);
    return;
  }
  for (const TileBand& band : lists.bands()) {
    if (what == Show::Lists || what == Show::Certificate) {
      showTiles(band, result, what == Show::Certificate, gain);
    } else {
      Rows rows{band, band.firstRow, band.rowCount, output, gain};
      rows.result = &result;
      shadeRows(rows);
    }
  }
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer |
               gpu::Access::Storage);  // who shows it
}

std::vector<glm::vec4> Decoder::State::downloadRaw() {
  const shared::Params& params = lists.params();
  gpu::Buffer<glm::vec4> raw(gpu, "smoe raw colors",
                             std::size_t(params.size.x) * std::size_t(params.size.y));
  for (const TileBand& band : lists.bands()) {
    Rows rows{band, band.firstRow, band.rowCount, SMOE_SHADE_RAW};
    rows.raw = &raw;
    shadeRows(rows);
  }
  gpu::barrier(gpu::Access::Transfer);  // the host
  return raw.download();
}

void Decoder::State::uploadPaper() {
  std::vector<float> values;
  for (const Component& component : paperModel.components)
    appendPaper(unwhiten(exact(component, paperModel), paperModel.dims), paperModel.dims, values);
  paper = gpu::Buffer<float>(gpu, "smoe mixture", values);
}

}  // namespace fathom::smoe
