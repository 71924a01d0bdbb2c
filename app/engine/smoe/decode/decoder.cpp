// SPDX-License-Identifier: BSD-3-Clause
// The order of work: slice, lists, shading, each in steps under the caller's budget, then the same
// for alpha; and what is read back from the lists.
#include "app/engine/smoe/decode/decoder.h"

#include "app/engine/core/image.h"

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

/// Of a model of so many dimensions, for what is written (SMOE_SHADE_*).
gpu::PassKey shadeKey(const DecodeOptions& options, bool columns, int dims, int output) {
  std::vector<gpu::Define> defines{{"SMOE_TILE", options.tilePixels}, {"SMOE_OUTPUT", output}};
  if (options.mode == Mode::Record)
    return {"shade",
            columns ? "shaders/smoe/decode/shade_columns.comp" : "shaders/smoe/decode/shade.comp",
            std::move(defines)};
  defines.emplace_back("SMOE_PAPER", options.mode == Mode::PaperFast ? 1 : 2);
  defines.emplace_back("SMOE_DIMS", dims);
  return {"shade as the paper does", "shaders/smoe/decode/shade.comp", std::move(defines)};
}

gpu::PassKey averageKey() { return gpu::keyIn("shaders/smoe/decode/", "average samples"); }
gpu::PassKey joinKey() { return gpu::keyIn("shaders/smoe/decode/", "with alpha"); }

}  // namespace

void Decoder::start(const ViewWindow& wanted, const DecodeOptions& wantedOptions, Lists sizes) {
  FATHOM_CHECK(model_.count() > 0);
  FATHOM_CHECK(wanted.size.x > 0 && wanted.size.y > 0 && wanted.step > 0 && wanted.samples > 0);
  window_.reset();  // until the lists have begun
  const bool averages = wanted.samples > 1, buffers = averages || gpu_.device().software;
  std::vector<gpu::PassKey> keys{shadeKey(wantedOptions, columns_, 2 + model_.leading(),
                                          buffers ? SMOE_SHADE_SAMPLES : SMOE_SHADE_PICTURE)};
  if (averages) keys.push_back(averageKey());
  if (alpha_) keys.push_back(joinKey());
  gpu_.request(keys);
  if (slicedAt_ != wanted.at) model_.slice(wanted.at);
  slicedAt_ = wanted.at;
  options_ = wantedOptions;
  shaders_ = gpu_.shaderGeneration();
  factsKnown_ = false;
  row_ = 0;
  colorsShaded_ = false;
  lists_.begin(model_, wanted, wantedOptions, sizes);
  window_ = wanted;
}

/// Where there is a limit: what is queued has not been spent yet.
bool Decoder::spent(const TimeBudget& budget) {
  if (!budget.limited()) return false;
  gpu_.pace();
  return budget.spent();
}

void Decoder::measure() const {
  lists_.fit(true);
  lists_.certify();
  const shared::Stats stats = lists_.stats();
  const shared::Params& params = lists_.params();
  facts_ = {};
  glm::dvec3 largest(0);
  for (const TileBand& band : lists_.bands()) {
    facts_.entries += band.entryCount;
    for (const shared::Tile& tile : band.tiles.download(0, band.params.tileCount))
      largest = glm::max(largest, certificateOf(tile));
  }
  facts_.maxLeftOut = largest.x, facts_.maxRounding = largest.y, facts_.maxErrorBound = largest.z;
  facts_.tiles = std::uint32_t(params.tiles.x * params.tiles.y);
  facts_.longest = stats.longest;
  facts_.emptyTiles = stats.emptyTiles;
  facts_.kpb = double(facts_.entries) / facts_.tiles;
  facts_.evaluationsPerSample = facts_.kpb;
  if (options_.masks && options_.tilePixels == 16)
    facts_.evaluationsPerSample =
        (double(stats.halvesLow) + 0x1p32 * stats.halvesHigh) / (8.0 * facts_.tiles);
  if (!alpha_) return;
  facts_.maxErrorBound = std::max(facts_.maxErrorBound, alpha_->facts().maxErrorBound);
  facts_.maxLeftOut = std::max(facts_.maxLeftOut, alpha_->facts().maxLeftOut);
  facts_.maxRounding = std::max(facts_.maxRounding, alpha_->facts().maxRounding);
}

/// Colors and alpha to one picture.
void Decoder::join(const gpu::Texture& result) {
  gpu::Pass& pass = gpu_.pass(joinKey());
  pass.texture(SMOE_TEXTURE_ALPHA, alphaPicture_)
      .image(SMOE_IMAGE_RESULT, result)
      .params(SMOE_BIND_PARAMS, lists_.params());
  pass.dispatch(std::uint64_t(result.width()) * std::uint64_t(result.height()), gpu::Each{20});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer | gpu::Access::Storage);
}

void Decoder::setModel(const Model& model) {
  window_.reset();
  slicedAt_.reset();
  row_ = 0;
  paperModel_ = model;
  paper_ = {};
  model_.upload(model);
  colorsShaded_ = false;
  if (!model.alpha) {
    alpha_.reset();
    alphaPicture_ = {};
    return;
  }
  if (!alpha_) alpha_ = std::make_unique<Decoder>(gpu_, forms_);
  alpha_->setModel(*model.alpha);
}

bool Decoder::build(const ViewWindow& window, const DecodeOptions& options, double budgetMs,
                    Lists lists) {
  const TimeBudget budget(budgetMs);
  if (window_ != window || options_ != options || shaders_ != gpu_.shaderGeneration())
    start(window, options, lists);
  while (!lists_.finished()) {
    lists_.step();
    if (!lists_.finished() && spent(budget)) return false;
  }
  return !alpha_ || alpha_->build(window, options, budget.leftMs(), lists);
}

bool Decoder::listsKnown(bool wait) {
  const ListBuilder::Fit fit = lists_.fit(wait);
  if (fit == ListBuilder::Fit::Outgrown) window_.reset();
  const bool alphaKnown = !alpha_ || alpha_->listsKnown(wait);
  return fit != ListBuilder::Fit::Unknown && alphaKnown;
}

bool Decoder::shade(const gpu::Texture& result, double budgetMs) {
  FATHOM_CHECK(window_ && lists_.finished());
  const TimeBudget budget(budgetMs);
  factsKnown_ = false;  // colors out of range widen certificates
  while (!colorsShaded_) {
    colorsShaded_ = shadeNext(result, !budget.limited());
    if (!colorsShaded_ && spent(budget)) return false;
  }
  if (alpha_) {
    gpu::ensure(gpu_, alphaPicture_, "smoe alpha", gpu::TextureFormat::Rgba32f, result.size());
    if (!alpha_->shade(alphaPicture_, budget.leftMs())) return false;
    join(result);
  }
  colorsShaded_ = false;
  return true;
}

const ListFacts& Decoder::facts() const {
  if (!factsKnown_) measure();
  factsKnown_ = true;
  return facts_;
}

std::vector<Decoder::Entry> Decoder::downloadList(glm::ivec2 tile) const {
  const TileBand& band = lists_.bandOf(tile.y);
  const std::size_t index = indexIn(band, tile);
  const std::vector<std::uint32_t> ends = band.starts.download(index, 2);
  std::vector<Entry> list;
  for (const glm::uvec2& entry : band.entries.download(ends[0], ends[1] - ends[0]))
    list.push_back({entry.x, entry.y});
  return list;
}

double Decoder::certificate(glm::ivec2 tile) const {
  lists_.certify();
  const TileBand& band = lists_.bandOf(tile.y);
  return certificateOf(band.tiles.download(indexIn(band, tile), 1).front()).z;
}

Image Decoder::certificates() const {
  lists_.certify();
  const shared::Params& params = lists_.params();
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
  if (!alpha_) return map;
  const Image alpha = alpha_->certificates();
  for (std::size_t i = 0; i < map.pixels.size(); ++i)
    map.pixels[i] = glm::max(map.pixels[i], alpha.pixels[i]);
  return map;
}

// ---- From lists to pictures: the passes that evaluate components per sample, a few rows of tiles
// at a time, into the picture or into a buffer that is averaged, and the views of the same data

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
bool Decoder::shadeNext(const gpu::Texture& result, bool all) {
  const shared::Params& params = lists_.params();
  FATHOM_CHECK_OP(result.width() * window_->samples, ==, params.size.x);
  FATHOM_CHECK_OP(result.height() * window_->samples, ==, params.size.y);
  const auto rowCount = std::uint32_t(params.tiles.y);
  const std::uint32_t rowSamples = std::uint32_t(params.size.x) * params.tilePixels;
  const std::uint32_t slice =
      all || !gpu_.device().software ? rowCount : std::max(1u, kSliceSamples / rowSamples);
  const std::uint32_t end = std::min(rowCount, row_ + slice);
  while (row_ < end) {
    const TileBand& band = lists_.bandOf(int(row_));
    const std::uint32_t count =
        std::min(std::min(end, band.firstRow + band.rowCount) - row_, rowsAtOnce());
    shadePicture({band, row_, count, SMOE_SHADE_PICTURE, 1, &result});
    row_ += count;
  }
  // display, saving, comparison
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer | gpu::Access::Storage);
  if (row_ < rowCount) return false;
  row_ = 0;
  return true;
}

/// Rows of tiles whose samples are kept together.
std::uint32_t Decoder::rowsAtOnce() const {
  const shared::Params& params = lists_.params();
  return std::max(1u, kRowSamples / (std::uint32_t(params.size.x) * params.tilePixels));
}

const gpu::RawBuffer& Decoder::roomForSamples(const Rows& rows) {
  const shared::Params& params = rows.band.params;
  const std::size_t samples = std::size_t(params.size.x) * rows.count * params.tilePixels;
  if (sampleRows_.count() < samples)
    sampleRows_ = gpu::Buffer<glm::vec4>(gpu_, "smoe samples", samples);
  return sampleRows_;
}

/// Directly into the picture, or through a buffer: where samples are averaged, and where that is
/// faster than storing texels one by one (software renderers).
void Decoder::shadePicture(Rows rows) {
  const bool averages = window_->samples > 1;
  if (averages || gpu_.device().software) {
    const glm::ivec2 size = rows.band.params.size;
    const std::uint32_t tile = rows.band.params.tilePixels;
    rows.output = SMOE_SHADE_SAMPLES;
    rows.raw = &roomForSamples(rows);
    shadeRows(rows);
    const auto first = int(rows.first * tile),
               last = std::min(first + int(rows.count * tile), size.y);
    if (averages)
      averageRows(rows);
    else
      rows.result->copyRows(sampleRows_, first, last - first);
  } else {
    shadeRows(rows);
  }
}

/// The pass of this mode, with what only that mode binds.
gpu::Pass& Decoder::passFor(int output) {
  gpu::Pass& pass = gpu_.pass(shadeKey(options_, columns_, 2 + model_.leading(), output));
  if (options_.mode == Mode::Record) {
    pass.storage(SMOE_BIND_SHADE, model_.shade());
    if (columns_)
      pass.texels(SMOE_TEXELS_CULL, model_.cullTexels())
          .texels(SMOE_TEXELS_SHADE, model_.shadeTexels());
    return pass;
  }
  if (!paper_) uploadPaper();
  pass.storage(SMOE_BIND_PAPER, paper_);
  return pass;
}

void Decoder::shadeRows(const Rows& rows) {
  shared::Params params = rows.band.params;
  params.firstRow = rows.first;
  params.rowCount = rows.count;
  params.gain = rows.gain;
  gpu::Pass& pass = passFor(rows.output);
  pass.storage(SMOE_BIND_CULL, model_.cull())
      .storage(SMOE_BIND_AXES, lists_.axes())
      .storage(SMOE_BIND_TILE_COUNTS, rows.band.starts)
      .storage(SMOE_BIND_ENTRIES, rows.band.entries)
      .storage(SMOE_BIND_TILES, rows.band.tiles)
      .params(SMOE_BIND_PARAMS, params);
  if (rows.raw) pass.storage(SMOE_BIND_RAW, *rows.raw);
  if (rows.result && rows.output != SMOE_SHADE_SAMPLES) pass.image(SMOE_IMAGE_RESULT, *rows.result);
  if (rows.output == SMOE_SHADE_DISPARITY) pass.storage(SMOE_BIND_LEAD, model_.lead());
  const bool blocks = columns_ && options_.mode == Mode::Record;
  const int tile = int(params.tilePixels), side = blocks ? 16 : std::min(tile, 16);
  const glm::ivec2 pixels(params.size.x, int(rows.count) * tile),
      groups = (pixels + side - 1) / side;
  // Each entry of a tile's list at each of its samples; the band's lists share its rows evenly.
  const double share = double(rows.count) / rows.band.rowCount,
               entries = double(rows.band.entries.count());
  pass.dispatchGrid({groups.x * pass.groupSize(), groups.y},
                    gpu::DispatchCost{40.0 * tile * tile * entries * share});
}

void Decoder::averageRows(const Rows& rows) {
  gpu::barrier(gpu::Access::Storage);  // average samples
  shared::Params params = rows.band.params;
  params.firstRow = rows.first;
  params.rowCount = rows.count;
  gpu::Pass& pass = gpu_.pass(averageKey());
  pass.storage(SMOE_BIND_RAW, *rows.raw)
      .image(SMOE_IMAGE_RESULT, *rows.result)
      .params(SMOE_BIND_PARAMS, params);
  const std::uint64_t height = rows.count * params.tilePixels / params.samples + 2;
  pass.dispatch(std::uint64_t(rows.result->width()) * height,
                gpu::Each{20 + 40.0 * params.samples * params.samples});
  gpu::barrier(gpu::Access::Storage);  // the next rows write and average again
}

void Decoder::showTiles(const TileBand& band, const gpu::Texture& result, bool certificate,
                        float gain) {
  shared::Params params = band.params;
  params.gain = gain;
  gpu::Pass& pass = gpu_.pass({"show tiles",
                               "shaders/smoe/decode/show_tiles.comp",
                               {{"SMOE_CERTIFICATE", certificate ? 1 : 0}}});
  pass.storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_TILES, band.tiles)
      .image(SMOE_IMAGE_RESULT, result)
      .params(SMOE_BIND_PARAMS, params);
  pass.dispatch(std::uint64_t(result.width()) * std::uint64_t(result.height()), gpu::Each{60});
}

void Decoder::show(const gpu::Texture& result, Show what, float gain) {
  FATHOM_CHECK(window_ && lists_.finished());
  if (what == Show::Certificate) lists_.certify();
  colorsShaded_ = false;
  int output = SMOE_SHADE_WEIGHT;
  if (what == Show::Winner) output = SMOE_SHADE_WINNER;
  if (what == Show::Disparity && model_.leading() == 2) output = SMOE_SHADE_DISPARITY;
  row_ = 0;  // a picture that was being shaded is not continued in another texture
  if (what == Show::Picture || what == Show::Error) {
    shadeNext(result, true);
    return;
  }
  for (const TileBand& band : lists_.bands()) {
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

std::vector<glm::vec4> Decoder::downloadRaw(const ViewWindow& window) {
  ViewWindow single = window;
  single.samples = 1;
  build(single, options_, std::numeric_limits<double>::infinity());
  const glm::ivec2 size = lists_.params().size;
  const auto tile = int(lists_.params().tilePixels);
  const std::uint32_t most = rowsAtOnce();
  std::vector<glm::vec4> colors(std::size_t(size.x) * std::size_t(size.y));
  for (const TileBand& band : lists_.bands())
    for (std::uint32_t done = 0; done < band.rowCount; done += most) {
      Rows rows{band, band.firstRow + done, std::min(most, band.rowCount - done), SMOE_SHADE_RAW};
      rows.raw = &roomForSamples(rows);
      shadeRows(rows);
      const int first = int(rows.first) * tile,
                count = std::min(int(rows.count) * tile, size.y - first);
      gpu::barrier(gpu::Access::Transfer);  // the host
      rows.raw->read(colors.data() + std::size_t(first) * std::size_t(size.x),
                     std::int64_t(count) * size.x * std::int64_t(sizeof(glm::vec4)));
    }
  return colors;
}

void Decoder::uploadPaper() {
  std::vector<float> values;
  for (const Component& component : paperModel_.components)
    appendPaper(unwhiten(exact(component, paperModel_), paperModel_.dims), paperModel_.dims,
                values);
  paper_ = gpu::Buffer<float>(gpu_, "smoe mixture", values);
}

}  // namespace fathom::smoe
