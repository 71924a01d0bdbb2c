// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/decoder_shading.h"

#include <algorithm>

namespace fathom::smoe {
namespace {

// Samples that a slice of shading holds on software renderers.
constexpr std::uint32_t kSliceSamples = 1 << 16;

}  // namespace

void Shading::setModel(const Model&) { restart(); }

bool Shading::step(const ShadingInput& input, const gpu::Texture& result, bool all) {
  const shared::Params& params = input.lists.params();
  FATHOM_CHECK_OP(result.width(), ==, params.size.x);
  FATHOM_CHECK_OP(result.height(), ==, params.size.y);
  const auto rows = std::uint32_t(params.tiles.y);
  const std::uint32_t rowSamples = std::uint32_t(params.size.x) * params.tilePixels;
  const std::uint32_t slice =
      all || !gpu_.device().software ? rows : std::max(1u, kSliceSamples / rowSamples);
  const std::uint32_t end = std::min(rows, row_ + slice);
  while (row_ < end) {
    const TileBand& band = input.lists.bandOf(int(row_));
    const std::uint32_t count = std::min(end, band.firstRow + band.rowCount) - row_;
    shadeRows(input, band, row_, count, SMOE_SHADE_PICTURE, 1, &result, nullptr);
    row_ += count;
  }
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer |
               gpu::Reader::Storage);  // who shows it
  if (row_ < rows) return false;
  row_ = 0;
  return true;
}

void Shading::shadeRows(const ShadingInput& input, const TileBand& band, std::uint32_t firstRow,
                        std::uint32_t rowCount, int output, float gain, const gpu::Texture* result,
                        const gpu::RawBuffer* raw) {
  shared::Params params = band.params;
  params.firstRow = firstRow;
  params.gain = gain;
  const int tile = int(params.tilePixels), side = std::min(tile, 16);
  gpu::Pass& pass = gpu_.pass(
      {"shade", "shaders/smoe/shade.comp", {{"SMOE_TILE", tile}, {"SMOE_OUTPUT", output}}});
  pass.storage(SMOE_BIND_CULL, input.model.cull())
      .storage(SMOE_BIND_SHADE, input.model.shade())
      .storage(SMOE_BIND_AXES, input.lists.axes())
      .storage(SMOE_BIND_TILE_COUNTS, band.starts)
      .storage(SMOE_BIND_ENTRIES, band.entries)
      .storage(SMOE_BIND_TILES, band.tiles)
      .params(SMOE_BIND_PARAMS, params);
  if (result) pass.image(SMOE_IMAGE_RESULT, *result);
  if (raw) pass.storage(SMOE_BIND_RAW, *raw);
  if (output == SMOE_SHADE_DISPARITY) pass.storage(SMOE_BIND_LEAD, input.model.lead());
  const auto perTile = std::uint32_t(tile / side);
  pass.dispatchGrid(unsigned((params.size.x + side - 1) / side), rowCount * perTile);
}

void Shading::show(const ShadingInput& input, const gpu::Texture& result, Show what, float gain) {
  int output = SMOE_SHADE_PICTURE;
  if (what == Show::Winner) output = SMOE_SHADE_WINNER;
  if (what == Show::Disparity && input.model.leading() == 2) output = SMOE_SHADE_DISPARITY;
  if (what == Show::Weight) output = SMOE_SHADE_WEIGHT;
  for (const TileBand& band : input.lists.bands()) {
    if (what == Show::Lists || what == Show::Certificate) {
      shared::Params params = band.params;
      params.gain = gain;
      gpu::Pass& pass = gpu_.pass({"show tiles",
                                   "shaders/smoe/show_tiles.comp",
                                   {{"SMOE_CERTIFICATE", what == Show::Certificate ? 1 : 0}}});
      pass.storage(SMOE_BIND_TILE_COUNTS, band.starts)
          .storage(SMOE_BIND_TILES, band.tiles)
          .image(SMOE_IMAGE_RESULT, result)
          .params(SMOE_BIND_PARAMS, params);
      pass.dispatch(std::uint64_t(result.width()) * std::uint64_t(result.height()));
    } else {
      shadeRows(input, band, band.firstRow, band.rowCount, output, gain, &result, nullptr);
    }
  }
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Transfer |
               gpu::Reader::Storage);  // who shows it
}

std::vector<glm::vec4> Shading::downloadRaw(const ShadingInput& input) {
  const shared::Params& params = input.lists.params();
  gpu::Buffer<glm::vec4> raw(gpu_, "smoe raw colors",
                             std::size_t(params.size.x) * std::size_t(params.size.y));
  for (const TileBand& band : input.lists.bands())
    shadeRows(input, band, band.firstRow, band.rowCount, SMOE_SHADE_RAW, 1, nullptr, &raw);
  gpu::barrier(gpu::Reader::Transfer);  // the host
  return raw.download();
}

}  // namespace fathom::smoe
