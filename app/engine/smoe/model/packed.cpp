// SPDX-License-Identifier: BSD-3-Clause
// The payload, with its table of fields and blocks: written, and read back.
#include "app/engine/smoe/model/packed.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/smoe/model/packed_plan.h"
#include "app/engine/smoe/model/packed_rounding.h"

#include <glm/gtc/packing.hpp>

namespace fathom::smoe {
namespace {

constexpr int kRowHalves = kStepFeatures + 3;
static_assert(4 + 2 * kRowHalves == kPackedFieldRow);

void storeRow(std::byte* at, const FieldRow& row) {
  store(at, row.mean);
  const float halves[kRowHalves] = {row.level, row.by[0],       row.by[1], row.by[2],
                                    row.by[3], row.byNeighbors, row.byOwn};
  for (int i = 0; i < kRowHalves; ++i) store(at + 4 + 2 * i, glm::packHalf1x16(halves[i]));
}
FieldRow loadRow(const std::byte* at) {
  const auto half = [&](int i) { return glm::unpackHalf1x16(load<std::uint16_t>(at + 4 + 2 * i)); };
  return {load<float>(at), half(0), {half(1), half(2), half(3), half(4)}, half(5), half(6)};
}

/// Largest sigma and the box of the centers, for the table of blocks.
void storeBlock(std::byte* at, const Model& frame, const Ordered& all, const PackedPlan& plan,
                std::size_t first, std::size_t last, std::size_t bytes) {
  glm::vec2 low(INFINITY), high(-INFINITY);
  double sigma = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Record r = recordAt(all, i, plan, frame);
    // One step of the grid more than the centers, which are rounded; as float32, outward.
    low = glm::min(low, glm::vec2(glm::floor(r.center - 1.0)));
    high = glm::max(high, glm::vec2(glm::ceil(r.center + 1.0)));
    const double sum = r.w11 * r.w11 + r.w21 * r.w21 + r.w22 * r.w22, det = r.w11 * r.w22;
    const double larger = (sum + std::sqrt(std::max(0.0, sum * sum - 4 * det * det))) / 2;
    sigma = std::max(sigma, std::sqrt(larger) / det);
  }
  store(at, std::uint32_t(bytes));
  store(at + 4, low.x), store(at + 8, low.y), store(at + 12, high.x), store(at + 16, high.y);
  store(at + 20, float(sigma));
}

/// What all blocks need, and the blocks behind it.
std::vector<std::byte> payloadOf(const Ordered& all, const PackedPlan& plan, const Model& frame,
                                 const std::vector<std::vector<std::byte>>& streams) {
  const std::size_t count = all.records.size();
  std::vector<std::byte> payload(leastPackedBytes(plan.dims, count));
  store(payload.data(), std::uint16_t(plan.gridBits));
  store(payload.data() + 2, std::uint16_t(plan.mortonBits));
  store(payload.data() + 4, plan.lowX), store(payload.data() + 8, plan.lowY);
  for (int f = 0; f < plan.fields(); ++f)
    storeRow(payload.data() + kPackedPrefix + kPackedFieldRow * std::size_t(f),
             plan.rows[std::size_t(f)]);
  const std::size_t table = kPackedPrefix + kPackedFieldRow * std::size_t(plan.fields());
  for (std::size_t b = 0; b < streams.size(); ++b) {
    storeBlock(payload.data() + table + kPackedBlockRow * b, frame, all, plan, b * kPackedBlock,
               std::min(count, (b + 1) * kPackedBlock), streams[b].size());
    payload.insert(payload.end(), streams[b].begin(), streams[b].end());
  }
  return payload;
}

PackedPlan readPlan(std::span<const std::byte> payload, int dims, const std::string& name) {
  PackedPlan plan;
  plan.dims = dims;
  plan.gridBits = int(load<std::uint16_t>(payload.data()));
  plan.mortonBits = int(load<std::uint16_t>(payload.data() + 2));
  if (plan.gridBits > 20 || plan.mortonBits > 2 * kCoordinateBits || plan.mortonBits % 2 != 0)
    fail("{}: packed: expected a grid of at most 20 binary places and 60 bits, found {} and {}",
         name, plan.gridBits, plan.mortonBits);
  plan.lowX = load<std::int32_t>(payload.data() + 4);
  plan.lowY = load<std::int32_t>(payload.data() + 8);
  for (int f = 0; f < plan.fields(); ++f) {
    FieldRow& row = plan.rows[std::size_t(f)];
    row = loadRow(payload.data() + kPackedPrefix + kPackedFieldRow * std::size_t(f));
    for (const float value : {row.mean, row.level, row.by[0], row.by[1], row.by[2], row.by[3],
                              row.byNeighbors, row.byOwn})
      if (!std::isfinite(value))
        fail("{}: packed: field {}: expected finite numbers, found {}", name, f, value);
  }
  return plan;
}

}  // namespace

Packer::~Packer() = default;

/// Alpha may be far better than the colors; more than twice as good as they are shows in nothing.
Packer::Packer(const Model& model, double psnr)
    : model_(model), psnr_(psnr), sensitivity_(sensitivities(model)) {
  constexpr double kTwice = 6;  // dB
  if (!model.alpha) return;
  const double own = model.alpha->psnr;
  alpha_.reset(new Packer(*model.alpha, psnr > 0 ? std::min(own, psnr + kTwice) : own));
}

std::vector<std::byte> Packer::pack(double loss, const Refitter& refit) const {
  PackedPlan plan;
  plan.dims = model_.dims;
  plan.refits = bool(refit);
  const double budget = budgetPerValue(model_, psnr_, loss);
  plan.budget = std::exp(budget);
  planGrid(model_, sensitivity_, budget, plan);
  std::vector<Record> records;
  std::vector<PackedRecord> packed;
  for (const Component& c : model_.components) {
    records.push_back(exact(c, model_));
    packed.push_back(packedRecord(records.back(), model_.dims, model_.colorSpace));
  }
  planSteps(sensitivity_, packed, budget, plan);
  if (refit) choosePlaces(records, plan, model_, refit.source(model_));
  Ordered all = ordered(records, model_, plan);
  planPredictors(all, plan);
  return payloadOf(all, plan, model_,
                   refit ? roundedInStages(all, plan, model_, refit) : rounded(all, plan));
}

std::vector<std::byte> pack(const Model& model, double loss) { return Packer(model).pack(loss); }

std::size_t leastPackedBytes(int dims, std::size_t count) {
  return kPackedPrefix + kPackedFieldRow * std::size_t(packedFields(dims)) +
         kPackedBlockRow * blockCount(count);
}

std::vector<PackedBlock> packedBlocks(std::span<const std::byte> payload, int dims,
                                      std::size_t count, const std::string& name) {
  const std::size_t least = leastPackedBytes(dims, count);
  if (payload.size() < least)
    fail("{}: packed: expected at least {} bytes for {} components, found {}", name, least, count,
         payload.size());
  std::vector<PackedBlock> blocks(blockCount(count));
  std::size_t begin = least;
  const std::byte* table = payload.data() + least - kPackedBlockRow * blocks.size();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::byte* row = table + kPackedBlockRow * b;
    PackedBlock& block = blocks[b];
    block.begin = begin, block.bytes = load<std::uint32_t>(row);
    block.first = b * kPackedBlock, block.count = std::min(kPackedBlock, count - block.first);
    block.low = {double(load<float>(row + 4)), double(load<float>(row + 8))};
    block.high = {double(load<float>(row + 12)), double(load<float>(row + 16))};
    block.largestSigma = double(load<float>(row + 20));
    if (block.bytes > payload.size() - begin)
      fail("{}: packed: block {}: expected at most {} bytes, found {}", name, b,
           payload.size() - begin, block.bytes);
    begin += block.bytes;
  }
  if (begin != payload.size())
    fail("{}: packed: expected {} bytes in all blocks, found {}", name, begin, payload.size());
  return blocks;
}

std::vector<Component> unpackBlock(std::span<const std::byte> payload, const PackedBlock& block,
                                   const Model& frame, const std::string& name) {
  const PackedPlan plan = readPlan(payload, frame.dims, name);
  const std::array<double, kFields> own = ownMeans(plan);
  auto models = std::make_unique<BlockModels>();
  RangeDecoder coder(payload.subspan(block.begin, block.bytes));
  Neighborhood near(plan.fields());
  std::vector<Component> components;
  components.reserve(block.count);
  std::vector<std::uint64_t> mortons(block.count, 0);
  takePlaces(coder, models->halves, mortons, plan.mortonBits);
  for (const std::uint64_t morton : mortons) {
    near.seek(placeOf(morton));
    std::array<double, kFields> values{};
    std::array<std::int64_t, kFields> codes{};
    for (int k = 0; k < plan.fields(); ++k) {
      const int f = kOrder[k];
      const auto at = std::size_t(f);
      const double guess = predicted(plan.rows[at], f, values.data(), near, plan, own);
      const double step = plan.rows[at].step(stepFeatures(values.data(), f));
      codes[at] = models->fields[at].take(coder, near.context(f));
      values[at] = guess + step * double(codes[at]);
    }
    near.add(values, codes);
    components.push_back(componentAt(morton, values, plan, frame));
  }
  if (coder.overran())
    fail("{}: packed: block of component {}: expected more than {} bytes, found their end", name,
         block.first, block.bytes);
  return components;
}

void unpack(std::span<const std::byte> payload, Model& model, const std::string& name,
            Progress& progress) {
  const std::vector<PackedBlock> blocks =
      packedBlocks(payload, model.dims, model.components.size(), name);
  parallelFor(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const std::vector<Component> part = unpackBlock(payload, blocks[b], model, name);
      std::copy(part.begin(), part.end(),
                model.components.begin() + std::ptrdiff_t(blocks[b].first));
      progress.advance(double(part.size()));
    }
  });
}

}  // namespace fathom::smoe
