// SPDX-License-Identifier: BSD-3-Clause
// Dispatching the shading passes row by row: into the picture, into a buffer that is averaged, or
// as one of the other views of the same lists.
#include "app/engine/smoe/decode/shading.h"

#include "app/engine/gpu/pass.h"

namespace fathom::smoe {
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

void Shading::setModel(const Model& model) {
  restart();
  model_ = model;
  paper_ = {};
}

bool Shading::step(const ShadingInput& input, const gpu::Texture& result, bool all) {
  const shared::Params& params = input.lists.params();
  FATHOM_CHECK_OP(result.width() * input.window.samples, ==, params.size.x);
  FATHOM_CHECK_OP(result.height() * input.window.samples, ==, params.size.y);
  const auto rowCount = std::uint32_t(params.tiles.y);
  const std::uint32_t rowSamples = std::uint32_t(params.size.x) * params.tilePixels;
  const std::uint32_t slice =
      all || !gpu_.device().software ? rowCount : std::max(1u, kSliceSamples / rowSamples);
  const std::uint32_t end = std::min(rowCount, row_ + slice);
  while (row_ < end) {
    const TileBand& band = input.lists.bandOf(int(row_));
    std::uint32_t count = std::min(end, band.firstRow + band.rowCount) - row_;
    count = std::min(count, std::max(1u, kRowSamples / rowSamples));
    shadePicture(input, {band, row_, count, SMOE_SHADE_PICTURE, 1, &result});
    row_ += count;
  }
  // display, saving, comparison
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer | gpu::Access::Storage);
  if (row_ < rowCount) return false;
  row_ = 0;
  return true;
}

/// Directly into the picture, or through a buffer: where samples are averaged, and where that is
/// faster than storing texels one by one (software renderers).
void Shading::shadePicture(const ShadingInput& input, Rows rows) {
  const bool averages = input.window.samples > 1;
  if (averages || gpu_.device().software) {
    const glm::ivec2 size = rows.band.params.size;
    const std::uint32_t tile = rows.band.params.tilePixels;
    const std::size_t samples = std::size_t(size.x) * rows.count * tile;
    if (rows_.count() < samples) rows_ = gpu::Buffer<glm::vec4>(gpu_, "smoe samples", samples);
    rows.output = SMOE_SHADE_SAMPLES;
    rows.raw = &rows_;
    shadeRows(input, rows);
    const auto first = int(rows.first * tile),
               last = std::min(first + int(rows.count * tile), size.y);
    if (averages)
      averageRows(rows);
    else
      rows.result->copyRows(rows_, first, last - first);
  } else {
    shadeRows(input, rows);
  }
}

/// The pass of this mode, with what only that mode binds.
gpu::Pass& Shading::passFor(const ShadingInput& input, int output) {
  const gpu::Define tile("SMOE_TILE", input.options.tilePixels), write("SMOE_OUTPUT", output);
  if (input.options.mode == Mode::Record) {
    const char* shader =
        columns_ ? "shaders/smoe/decode/shade_columns.comp" : "shaders/smoe/decode/shade.comp";
    gpu::Pass& pass = gpu_.pass({"shade", shader, {tile, write}});
    pass.storage(SMOE_BIND_SHADE, input.model.shade());
    if (columns_)
      pass.texels(SMOE_TEXELS_CULL, input.model.cullTexels())
          .texels(SMOE_TEXELS_SHADE, input.model.shadeTexels());
    return pass;
  }
  if (!paper_) uploadPaper();
  const bool fast = input.options.mode == Mode::PaperFast;
  gpu::Pass& pass = gpu_.pass(
      {"shade as the paper does",
       "shaders/smoe/decode/shade.comp",
       {tile, write, {"SMOE_PAPER", fast ? 1 : 2}, {"SMOE_DIMS", 2 + input.model.leading()}}});
  pass.storage(SMOE_BIND_PAPER, paper_);
  return pass;
}

void Shading::shadeRows(const ShadingInput& input, const Rows& rows) {
  shared::Params params = rows.band.params;
  params.firstRow = rows.first;
  params.rowCount = rows.count;
  params.gain = rows.gain;
  gpu::Pass& pass = passFor(input, rows.output);
  pass.storage(SMOE_BIND_CULL, input.model.cull())
      .storage(SMOE_BIND_AXES, input.lists.axes())
      .storage(SMOE_BIND_TILE_COUNTS, rows.band.starts)
      .storage(SMOE_BIND_ENTRIES, rows.band.entries)
      .storage(SMOE_BIND_TILES, rows.band.tiles)
      .params(SMOE_BIND_PARAMS, params);
  if (rows.raw) pass.storage(SMOE_BIND_RAW, *rows.raw);
  if (rows.result && rows.output != SMOE_SHADE_SAMPLES) pass.image(SMOE_IMAGE_RESULT, *rows.result);
  if (rows.output == SMOE_SHADE_DISPARITY) pass.storage(SMOE_BIND_LEAD, input.model.lead());
  const bool blocks = columns_ && input.options.mode == Mode::Record;
  const int tile = int(params.tilePixels), side = blocks ? 16 : std::min(tile, 16);
  const glm::ivec2 pixels(params.size.x, int(rows.count) * tile),
      groups = (pixels + side - 1) / side;
  // Each entry of a tile's list at each of its samples; the band's lists share its rows evenly.
  const double share = double(rows.count) / rows.band.rowCount,
               entries = double(rows.band.entries.count());
  pass.dispatchGrid({groups.x * pass.groupSize(), groups.y},
                    gpu::DispatchCost{40.0 * tile * tile * entries * share});
}

void Shading::averageRows(const Rows& rows) {
  gpu::barrier(gpu::Access::Storage);  // average samples
  shared::Params params = rows.band.params;
  params.firstRow = rows.first;
  params.rowCount = rows.count;
  gpu::Pass& pass = gpu_.pass({"average samples", "shaders/smoe/decode/average_samples.comp", {}});
  pass.storage(SMOE_BIND_RAW, *rows.raw)
      .image(SMOE_IMAGE_RESULT, *rows.result)
      .params(SMOE_BIND_PARAMS, params);
  const std::uint64_t height = rows.count * params.tilePixels / params.samples + 2;
  pass.dispatch(std::uint64_t(rows.result->width()) * height,
                gpu::Each{20 + 40.0 * params.samples * params.samples});
  gpu::barrier(gpu::Access::Storage);  // the next rows write and average again
}

void Shading::showTiles(const TileBand& band, const gpu::Texture& result, bool certificate,
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

void Shading::show(const ShadingInput& input, const gpu::Texture& result, Show what, float gain) {
  int output = SMOE_SHADE_WEIGHT;
  if (what == Show::Winner) output = SMOE_SHADE_WINNER;
  if (what == Show::Disparity && input.model.leading() == 2) output = SMOE_SHADE_DISPARITY;
  restart();  // a picture that was being shaded is not continued in another texture
  if (what == Show::Picture || what == Show::Error) {
    step(input, result, true);
    return;
  }
  for (const TileBand& band : input.lists.bands()) {
    if (what == Show::Lists || what == Show::Certificate) {
      showTiles(band, result, what == Show::Certificate, gain);
    } else {
      Rows rows{band, band.firstRow, band.rowCount, output, gain};
      rows.result = &result;
      shadeRows(input, rows);
    }
  }
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer |
               gpu::Access::Storage);  // who shows it
}

std::vector<glm::vec4> Shading::downloadRaw(const ShadingInput& input) {
  const shared::Params& params = input.lists.params();
  gpu::Buffer<glm::vec4> raw(gpu_, "smoe raw colors",
                             std::size_t(params.size.x) * std::size_t(params.size.y));
  for (const TileBand& band : input.lists.bands()) {
    Rows rows{band, band.firstRow, band.rowCount, SMOE_SHADE_RAW};
    rows.raw = &raw;
    shadeRows(input, rows);
  }
  gpu::barrier(gpu::Access::Transfer);  // the host
  return raw.download();
}

void Shading::uploadPaper() {
  std::vector<float> values;
  for (const Component& component : model_.components)
    appendPaper(unwhiten(exact(component, model_), model_.dims), model_.dims, values);
  paper_ = gpu::Buffer<float>(gpu_, "smoe mixture", values);
}

}  // namespace fathom::smoe
