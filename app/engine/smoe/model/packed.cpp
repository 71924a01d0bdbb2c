// SPDX-License-Identifier: BSD-3-Clause
// The payload, with its table of fields and blocks: written, and read back.
#include "app/engine/smoe/model/packed.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/io/deflate.h"
#include "app/engine/smoe/model/file_format.h"
#include "app/engine/smoe/model/packed_plan.h"
#include "app/engine/smoe/model/packed_rounding.h"

#include <glm/gtc/packing.hpp>

namespace fathom::smoe {
namespace {

// Of the table of blocks, bytes; Fathom 0.1.0 had one box and one size.
constexpr std::size_t kBlockRow = 24 + 4 * PackedBlock::kDistances.size(), kFirstBlockRow = 24;

std::int8_t inSteps(float value, double steps) { return std::int8_t(std::lround(value * steps)); }

void putRow(ByteWriter& out, const FieldRow& row, int field, int dims) {
  out.put(glm::packHalf1x16(row.mean)), out.put(glm::packHalf1x16(row.level));
  for (int i = 0; i < stepFeatureCount(field); ++i)
    out.put(inSteps(row.by[std::size_t(i)], kPowerSteps));
  out.put(inSteps(row.byNeighbors, kPowerSteps));
  if (predictsItself(field, dims)) out.put(inSteps(row.byOwn, kOwnSteps));
}

FieldRow takeRow(ByteReader& in, int field, int dims, bool first) {
  const auto half = [&] { return glm::unpackHalf1x16(in.take<std::uint16_t>()); };
  if (first) return {in.take<float>(), half(), {half(), half(), half(), half()}, half(), half()};
  const auto steps = [&](double perUnit) { return float(in.take<std::int8_t>() / perUnit); };
  FieldRow row;
  row.mean = half(), row.level = half();
  for (int i = 0; i < stepFeatureCount(field); ++i) row.by[std::size_t(i)] = steps(kPowerSteps);
  row.byNeighbors = steps(kPowerSteps);
  if (predictsItself(field, dims)) row.byOwn = steps(kOwnSteps);
  return row;
}

/// What tells where a block's components matter, for the table of blocks.
void putBlock(ByteWriter& out, const Model& frame, const Ordered& all, const PackedPlan& plan,
              std::size_t first, std::span<const std::byte> bytes) {
  const std::size_t last = std::min(all.records.size(), first + packedBlock(all.records.size()));
  glm::vec2 low(INFINITY), high(-INFINITY);
  PackedBlock block;
  block.weights.fill(-INFINITY);
  for (std::size_t i = first; i < last; ++i) {
    const Record r = recordAt(all, i, plan, frame);
    // One step of the grid more than the centers, which are rounded; as float32, outward.
    low = glm::min(low, glm::vec2(glm::floor(r.center - 1.0)));
    high = glm::max(high, glm::vec2(glm::ceil(r.center + 1.0)));
    const double sigma = Axes(r).major;
    for (std::size_t k = 0; k < block.weights.size(); ++k) {
      const double sigmas = block.kDistances[k] / sigma;
      block.weights[k] = std::max(block.weights[k], float(r.c - sigmas * sigmas / 2));
    }
  }
  out.put(std::uint32_t(bytes.size()), crc32(bytes));
  out.put(low, high, block.weights);
}

/// What all blocks need, the table of blocks where there are several, and the blocks.
std::vector<std::byte> payloadOf(const Ordered& all, const PackedPlan& plan, const Model& frame,
                                 const std::vector<std::vector<std::byte>>& streams) {
  ByteWriter out;
  out.put(std::uint8_t(plan.gridBits), std::uint8_t(plan.mortonBits), plan.lowX, plan.lowY);
  for (int f = 0; f < plan.fields(); ++f) putRow(out, plan.rows[std::size_t(f)], f, plan.dims);
  for (std::size_t b = 0; streams.size() > 1 && b < streams.size(); ++b)
    putBlock(out, frame, all, plan, b * packedBlock(all.records.size()), streams[b]);
  for (const std::vector<std::byte>& stream : streams) out.append(stream);
  return out.bytes();
}

PackedPlan takePlan(ByteReader& in, int dims, bool first) {
  const auto bits = [&] {
    return first ? int(in.take<std::uint16_t>()) : int(in.take<std::uint8_t>());
  };
  PackedPlan plan{.dims = dims, .gridBits = bits(), .mortonBits = bits()};
  if (plan.gridBits > 20 || plan.mortonBits > 2 * kCoordinateBits || plan.mortonBits % 2 != 0)
    fail("{}: expected a grid of at most 20 binary places and 60 bits, found {} and {}", in.name(),
         plan.gridBits, plan.mortonBits);
  plan.lowX = in.take<std::int32_t>(), plan.lowY = in.take<std::int32_t>();
  for (int f = 0; f < plan.fields(); ++f) {
    FieldRow& row = plan.rows[std::size_t(f)];
    row = takeRow(in, f, dims, first);
    for (const float value : {row.mean, row.level, row.by[0], row.by[1], row.by[2], row.by[3],
                              row.byNeighbors, row.byOwn})
      if (!std::isfinite(value))
        fail("{}: field {}: expected finite numbers, found {}", in.name(), f, value);
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
  PackedPlan plan{.dims = model_.dims, .refits = bool(refit)};
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
  constexpr std::size_t kGrid = 10, kRow = 5;
  const std::size_t blocks = blockCount(count);
  return kGrid + kRow * std::size_t(packedFields(dims)) + (blocks > 1 ? kBlockRow * blocks : 0);
}

std::vector<PackedBlock> packedBlocks(std::span<const std::byte> payload, int dims,
                                      std::size_t count, const std::string& name, bool first) {
  ByteReader in(payload, name + ": packed");
  takePlan(in, dims, first);
  const std::size_t size = first ? kPackedBlock : packedBlock(count);
  std::vector<PackedBlock> blocks((count + size - 1) / size);
  const bool hasTable = first || blocks.size() > 1;
  const std::size_t row = first ? kFirstBlockRow : kBlockRow;
  ByteReader table(in.takeBytes(hasTable ? row * blocks.size() : 0), in.name());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    PackedBlock& block = blocks[b];
    block.first = b * size, block.count = std::min(size, count - block.first);
    block.begin = payload.size() - in.rest().size(), block.bytes = in.rest().size();
    if (hasTable) block.bytes = table.take<std::uint32_t>();
    if (first) {
      table.takeBytes(row - 4);
    } else if (hasTable) {
      block.crc = table.take<std::uint32_t>();
      block.low = table.take<glm::vec2>(), block.high = table.take<glm::vec2>();
      block.weights = table.take<std::array<float, PackedBlock::kDistances.size()>>();
    }
    in.takeBytes(block.bytes);
  }
  if (!in.rest().empty())
    fail("{}: packed: expected all bytes in blocks, found {} behind them", name, in.rest().size());
  return blocks;
}

double PackedBlock::upperBound(const reference::SampleBox& box) const {
  return upperBound(glm::length(glm::max(glm::max(box.low - high, low - box.high), glm::dvec2(0))));
}

double PackedBlock::upperBound(double distance) const {
  constexpr double kRounding = 1e-3;  // of float32
  const auto i = std::size_t(std::ranges::upper_bound(kDistances, distance) - kDistances.begin());
  if (i == kDistances.size()) return weights[i - 1] + kRounding;
  // Each falls on a straight line by the squared distance, so the largest lies below its chords.
  const double from = kDistances[i - 1] * kDistances[i - 1], to = kDistances[i] * kDistances[i];
  return glm::mix(double(weights[i - 1]), double(weights[i]),
                  (distance * distance - from) / (to - from)) +
         kRounding;
}

std::vector<Component> unpackBlock(std::span<const std::byte> payload, const PackedBlock& block,
                                   const Model& frame, const std::string& name, bool first,
                                   const PackedPart* part) {
  ByteReader in(payload, name + ": packed");
  const PackedPlan plan = takePlan(in, frame.dims, first);
  const std::array<double, kFields> own = ownMeans(plan);
  auto models = std::make_unique<BlockModels>();
  const std::span<const std::byte> bytes = payload.subspan(block.begin, block.bytes);
  if (block.crc && crc32(bytes) != *block.crc)
    fail("{}: packed: block of component {}: expected CRC {:08x}, found {:08x}: it is damaged",
         name, block.first, *block.crc, crc32(bytes));
  RangeDecoder coder(bytes);
  Neighborhood near(plan.fields());
  std::vector<Component> components;
  std::vector<std::uint64_t> mortons(block.count, 0);
  codePlaces(coder, models->halves, mortons, plan.mortonBits);
  const auto isAskedFor = [&](std::uint64_t morton) {
    if (!part) return true;
    const glm::dvec2 center = centerAt(morton, plan);
    const double away = glm::distance(center, glm::clamp(center, part->box.low, part->box.high));
    return block.upperBound(away) >= part->least;
  };
  while (!mortons.empty() && !isAskedFor(mortons.back())) mortons.pop_back();
  for (const std::uint64_t morton : mortons) {
    near.seek(placeOf(morton));
    std::array<double, kFields> values{};
    std::array<std::int64_t, kFields> codes{};
    StepFeatures features{};
    for (int k = 0; k < plan.fields(); ++k) {
      const int f = kOrder[k];
      if (k <= 5) features = stepFeatures(values.data(), f);  // all of them are known then
      const auto at = std::size_t(f);
      const double guess = predicted(plan.rows[at], f, values.data(), near, plan, own);
      codes[at] = models->fields[at].code(coder, near.context(f));
      values[at] = guess;
      if (codes[at] != 0) values[at] += plan.rows[at].step(features) * double(codes[at]);
    }
    near.add(values, codes);
    if (isAskedFor(morton)) components.push_back(componentAt(morton, values, plan, frame));
  }
  if (coder.overran())
    fail("{}: packed: block of component {}: expected more than {} bytes, found their end", name,
         block.first, block.bytes);
  return components;
}

void unpack(std::span<const std::byte> payload, Model& model, const std::string& name,
            Progress& progress, bool first) {
  const std::vector<PackedBlock> blocks =
      packedBlocks(payload, model.dims, model.components.size(), name, first);
  parallelForEach(blocks.size(), 1, [&](std::size_t b) {
    const std::vector<Component> part = unpackBlock(payload, blocks[b], model, name, first);
    std::ranges::copy(part, model.components.begin() + std::ptrdiff_t(blocks[b].first));
    progress.advance(double(part.size()));
  });
}

}  // namespace fathom::smoe
