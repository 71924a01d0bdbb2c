// SPDX-License-Identifier: BSD-3-Clause
// The passes of exact density estimation: every kernel at every bucket.
#include "app/techniques/flame/develop.h"

#include "app/gpu/memory_account.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

namespace fathom::flame {
namespace {

constexpr std::int64_t kBandBytes = 64 << 20;
// Taps of a band: some 50 ms on an ordinary GPU, far from any watchdog.
constexpr std::int64_t kBandTaps = std::int64_t(4) << 30;

std::uint32_t bits(double value) { return std::bit_cast<std::uint32_t>(float(value)); }

/// How far the widest kernel reaches, in buckets.
int reachOf(const EstimatorTable& table) {
  return table.empty() ? 0 : int(*std::max_element(table.widths.begin(), table.widths.end()));
}

}  // namespace

/// Two tables, one after the other in use: kernel numbers for measure_density.comp, then what
/// scale_buckets.comp needs of each.
void Developer::uploadKernels(const Plan& plan) {
  std::vector<std::uint32_t> numbers(std::max<std::size_t>(1, plan.table.widths.size()));
  std::iota(numbers.begin(), numbers.end(), 0u);
  ensure(table_, "flame kernel table", std::int64_t(numbers.size()) * 4);
  table_.upload(numbers);

  std::vector<std::uint32_t> entries;
  for (const double width : plan.table.widths) {
    const double exponent = -4.5 * std::numbers::log2e / (width * width);
    const std::vector<double> kernel = estimatorKernel(width, plan.table.widths.front());
    const double middle = kernel[kernel.size() / 2];  // its weight before it was divided is 1
    entries.insert(entries.end(), {bits(exponent), bits(middle), bits(width * width), 0u});
  }
  entries.resize(std::max<std::size_t>(4, entries.size()));
  ensure(wide_, "flame kernel shapes", std::int64_t(entries.size()) * 4);
  wide_.upload(entries);

  std::vector<std::uint32_t> weights;
  for (const double tap : plan.filter.taps) weights.push_back(bits(tap));
  ensure(weights_, "flame filter taps", std::int64_t(weights.size()) * 4);
  weights_.upload(weights);
}

int Developer::exactBandRows(const Plan& plan) const {
  const shared::DevelopParams& p = plan.params;
  const std::int64_t most = std::min(kBandBytes, gpu_.memory().blockLimit());
  const std::int64_t bucketRows =
      most / (std::int64_t(p.buckets.x) * std::max(16, plan.histogram->shape.words() * 4));
  const int halo = 2 * (reachOf(plan.table) + p.filterGutter + p.supersample + FLAME_DEVELOP_TILE);
  const std::int64_t side = 2 * reachOf(plan.table) + FLAME_DEVELOP_TILE;
  const std::int64_t taps = side * side * p.buckets.x * p.supersample;
  const std::int64_t rows = std::max<std::int64_t>(
      1,
      std::min((bucketRows - halo) / p.supersample, std::max<std::int64_t>(64, kBandTaps / taps)));
  return int(bandRows_ > 0 ? std::min<std::int64_t>(bandRows_, rows) : rows);
}

void Developer::developExactly(Plan& plan) {
  uploadKernels(plan);
  const int rows = exactBandRows(plan);
  for (int row = 0; row < plan.params.pixels.y; row += rows)
    exactBand(plan, row, std::min(rows, plan.params.pixels.y - row));
}

void Developer::exactBand(Plan& plan, int rowFirst, int rowCount) {
  shared::DevelopParams& p = plan.params;
  const int os = p.supersample, reach = reachOf(plan.table) + p.filterGutter;
  const int window = countWindow(os).reach;
  p.rowFirst = rowFirst;
  p.rowCount = rowCount;
  // Whole tiles, so that sums have one order in every band.
  p.kernelsFirst =
      std::max(0, os * rowFirst + p.gutter - reach) / FLAME_DEVELOP_TILE * FLAME_DEVELOP_TILE;
  p.kernelsCount =
      std::min(p.buckets.y, os * (rowFirst + rowCount) + p.gutter + reach) - p.kernelsFirst;
  const gpu::RawBuffer& words =
      bindWords(plan, std::max(0, p.kernelsFirst - window),
                std::min(p.buckets.y, p.kernelsFirst + p.kernelsCount + window));
  const bool hasKernels = !plan.table.empty();
  if (hasKernels) measure(plan, words);

  const glm::ivec2 tiles =
      (glm::ivec2(p.buckets.x, p.kernelsCount) + FLAME_DEVELOP_TILE - 1) / FLAME_DEVELOP_TILE;
  const std::int64_t buckets = std::int64_t(p.buckets.x) * p.kernelsCount;
  ensure(scaled_, "flame scaled buckets", 16 * buckets);
  gpu::Pass& scale =
      pass("scale buckets", "scale_buckets.comp",
           {{"KERNELS", hasKernels ? 1 : 0}, {"WORDS", plan.histogram->shape.words()}});
  scale.storage(FLAME_DEVELOP_BIND_WORDS, words).storage(FLAME_DEVELOP_BIND_SCALED, scaled_);
  if (hasKernels) {
    ensure(exponents_, "flame exponents", 4 * buckets);
    ensure(reaches_, "flame tile reaches", 4 * std::int64_t(tiles.x) * tiles.y);
    scale.storage(FLAME_DEVELOP_BIND_KERNELS, kernels_)
        .storage(FLAME_DEVELOP_BIND_TABLE, wide_)
        .storage(FLAME_DEVELOP_BIND_EXPONENTS, exponents_)
        .storage(FLAME_DEVELOP_BIND_REACHES, reaches_);
  }
  scale.params(FLAME_DEVELOP_BIND_PARAMS, p);
  scale.dispatchGrid(unsigned(tiles.x), unsigned(tiles.y));
  gpu::barrier(gpu::Reader::Storage);  // spread exactly, filter exactly

  if (hasKernels) {
    ensure(spread_, "flame spread buckets", 16 * buckets);
    p.reachTiles = (reachOf(plan.table) + FLAME_DEVELOP_TILE - 1) / FLAME_DEVELOP_TILE;
    p.tileSide = FLAME_DEVELOP_TILE;
    gpu::Pass& spread = pass("spread exactly", "spread_exactly.comp");
    spread.storage(FLAME_DEVELOP_BIND_SCALED, scaled_)
        .storage(FLAME_DEVELOP_BIND_EXPONENTS, exponents_)
        .storage(FLAME_DEVELOP_BIND_REACHES, reaches_)
        .storage(FLAME_DEVELOP_BIND_SPREAD, spread_)
        .params(FLAME_DEVELOP_BIND_PARAMS, p);
    const int stacks = (tiles.y + FLAME_DEVELOP_STACK - 1) / FLAME_DEVELOP_STACK;
    spread.dispatchGrid(unsigned(tiles.x), unsigned(stacks));
    gpu::barrier(gpu::Reader::Storage);  // filter exactly
  }
  gpu::Pass& filter = pass("filter exactly", "filter_exactly.comp");
  filter.storage(FLAME_DEVELOP_BIND_SPREAD, hasKernels ? spread_ : scaled_)
      .storage(FLAME_DEVELOP_BIND_WEIGHTS, weights_)
      .image(FLAME_DEVELOP_IMAGE, filtered_)
      .params(FLAME_DEVELOP_BIND_PARAMS, p);
  filter.dispatch(std::uint64_t(p.pixels.x) * std::uint64_t(rowCount));
  gpu::barrier(gpu::Reader::Texture | gpu::Reader::Storage);  // tone map; the next band
}

}  // namespace fathom::flame
