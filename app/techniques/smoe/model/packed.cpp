// SPDX-License-Identifier: BSD-3-Clause
// Steps and predictors from the model, then one block after the other; reading the same back.
#include "app/techniques/smoe/model/packed.h"

#include "app/core/bytes.h"
#include "app/core/error.h"
#include "app/core/jobs.h"
#include "app/techniques/smoe/model/range_coder.h"
#include "app/techniques/smoe/model/sensitivity.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <glm/common.hpp>
#include <glm/gtc/packing.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>

namespace fathom::smoe {
namespace {

using P = PackedRecord;

constexpr int kFields = 28;
constexpr int kStepFeatures = 4;
constexpr int kLooksBack = 32;           // components among which neighbors are sought
constexpr int kCoordinateBits = 30;      // of a center on the grid
constexpr double kUnknownPsnr = 40;      // dB
constexpr double kLargestExponent = 60;  // of steps: ln, both ways

// Steps, predictors and grid
// -------------------------------------------------------------------------------------------------

/// Fields in the order in which they are coded: those that tell how precise the others must be come
/// first.
constexpr int kOrder[kFields] = {
    P::kW11,       P::kW22,       P::kC,         P::kH,        P::kH + 1,    P::kRatio,
    P::kColor,     P::kColor + 1, P::kColor + 2, P::kH + 2,    P::kH + 3,    P::kH + 4,
    P::kH + 5,     P::kLead,      P::kLead + 1,  P::kLead + 2, P::kLead + 3, P::kLead + 4,
    P::kLead + 5,  P::kLead + 6,  P::kLead + 7,  P::kLead + 8, P::kLead + 9, P::kLead + 10,
    P::kLead + 11, P::kLead + 12, P::kLead + 13, P::kLead + 14};

/// What sensitivities go by: the size along both axes, the weight, and how steep the expert is. A
/// component tells as many of them as have been decoded before the field at hand.
using StepFeatures = std::array<double, kStepFeatures>;
StepFeatures stepFeatures(const double* values, int field) {
  if (field == P::kW11 || field == P::kW22) return {};
  StepFeatures features{values[P::kW11], values[P::kW22], 0, 0};
  if (field == P::kC) return features;
  features[2] = values[P::kC];
  if (field == P::kH || field == P::kH + 1) return features;
  features[3] = std::log(std::max(std::hypot(values[P::kH], values[P::kH + 1]), 1e-3));
  return features;
}

/// How a field is rounded and predicted. All but `mean` are kept as half floats, so that decoder
/// and encoder agree.
struct FieldRow {
  float mean = 0;
  float level = 0;  // step = exp(level + by . features)
  std::array<float, kStepFeatures> by{};
  float byNeighbors = 0, byOwn = 0;  // predicted: mean + byNeighbors n + byOwn o

  double step(const StepFeatures& features) const {
    double exponent = double(level);
    for (int i = 0; i < kStepFeatures; ++i)
      exponent += double(by[std::size_t(i)]) * features[std::size_t(i)];
    return std::exp(std::clamp(exponent, -kLargestExponent, kLargestExponent));
  }
};

struct PackedPlan {
  int dims = 2;
  int gridBits = 0;                 // centers on multiples of 2^-gridBits px
  int mortonBits = 0;               // of the grid's places, both coordinates together
  std::int32_t lowX = 0, lowY = 0;  // of the grid, in its steps
  std::array<FieldRow, kFields> rows{};
  bool refits = false;  // of the encoder: what is rounded will be made up for
  int fields() const { return packedFields(dims); }
};

/// The model's own values that help to predict a field; 0: none.
double ownPredictor(const double* values, int field, int dims) {
  if (field == P::kW22) return values[P::kW11];
  if (field == P::kC) return values[P::kW11] + values[P::kW22];
  if (dims == 4 && field == P::kLead + 3) return values[P::kLead + 2];
  return 0;
}

float asHalf(double value) {
  return glm::unpackHalf1x16(glm::packHalf1x16(float(std::clamp(value, -6e4, 6e4))));
}

/// Interleaved bits of two coordinates: nearby places have nearby codes (G. M. Morton, 1966).
std::uint64_t spread(std::uint32_t v) {
  std::uint64_t x = v;
  x = (x | x << 16) & 0x0000FFFF0000FFFFull;
  x = (x | x << 8) & 0x00FF00FF00FF00FFull;
  x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Full;
  x = (x | x << 2) & 0x3333333333333333ull;
  return (x | x << 1) & 0x5555555555555555ull;
}
std::uint32_t gather(std::uint64_t x) {
  x &= 0x5555555555555555ull;
  x = (x | x >> 1) & 0x3333333333333333ull;
  x = (x | x >> 2) & 0x0F0F0F0F0F0F0F0Full;
  x = (x | x >> 4) & 0x00FF00FF00FF00FFull;
  x = (x | x >> 8) & 0x0000FFFF0000FFFFull;
  return std::uint32_t(x | x >> 16);
}
std::uint64_t mortonOf(glm::uvec2 at) { return spread(at.x) | spread(at.y) << 1; }
glm::uvec2 placeOf(std::uint64_t morton) { return {gather(morton), gather(morton >> 1)}; }

/// What is known of the components of a block before the one at hand.
class Neighborhood {
 public:
  explicit Neighborhood(int fields) : fields_(fields) {}

  /// Finds the two nearest; call before neighborMean() and context().
  void seek(glm::uvec2 place) {
    nearest_[0] = nearest_[1] = -1;
    double best[2] = {1e300, 1e300};
    const int from = std::max(0, int(places_.size()) - kLooksBack);
    for (int i = int(places_.size()) - 1; i >= from; --i) {
      const glm::dvec2 d = glm::dvec2(places_[std::size_t(i)]) - glm::dvec2(place);
      const double distance = d.x * d.x + d.y * d.y;
      if (distance < best[0]) {
        best[1] = best[0], nearest_[1] = nearest_[0];
        best[0] = distance, nearest_[0] = i;
      } else if (distance < best[1]) {
        best[1] = distance, nearest_[1] = i;
      }
    }
    place_ = place;
  }
  /// The mean of the neighbors' values less the field's mean; 0 without neighbors.
  double neighborMean(int field, double mean) const {
    double sum = 0;
    int count = 0;
    for (const int i : nearest_)
      if (i >= 0) sum += values_[std::size_t(i)][std::size_t(field)] - mean, ++count;
    return count ? sum / count : 0;
  }
  /// Large codes have large ones beside them.
  int context(int field) const {
    std::int64_t sum = 0;
    for (const int i : nearest_)
      if (i >= 0)
        sum += std::min<std::int64_t>(codes_[std::size_t(i)][std::size_t(field)], 1 << 20);
    return sum <= 0 ? 0 : sum <= 1 ? 1 : sum <= 3 ? 2 : sum <= 8 ? 3 : sum <= 24 ? 4 : 5;
  }
  void add(const std::array<double, kFields>& values,
           const std::array<std::int64_t, kFields>& codes) {
    places_.push_back(place_);
    values_.push_back(values);
    std::array<std::int64_t, kFields> sizes{};
    for (int f = 0; f < fields_; ++f) sizes[std::size_t(f)] = std::abs(codes[std::size_t(f)]);
    codes_.push_back(sizes);
  }

 private:
  int fields_;
  glm::uvec2 place_{0};
  int nearest_[2] = {-1, -1};
  std::vector<glm::uvec2> places_;
  std::vector<std::array<double, kFields>> values_;
  std::vector<std::array<std::int64_t, kFields>> codes_;
};

/// What a block's coder learns.
struct BlockModels {
  IntegerModel halves;
  std::array<IntegerModel, kFields> fields;
};

// Places
// -------------------------------------------------------------------------------------------------

/// A set of places is coded by how many of them lie in the first half of the grid, of that half,
/// and so on down to single places: that spends no bits on their order, and learns where many are.
int halvesContext(std::size_t count) {
  return std::clamp(int(std::bit_width(count - 1)) - 1, 0, IntegerModel::kContexts - 1);
}

void putPlaces(RangeEncoder& coder, IntegerModel& model, std::span<const std::uint64_t> mortons,
               int bits) {
  if (bits == 0 || mortons.empty()) return;
  const std::uint64_t half = std::uint64_t(1) << (bits - 1);
  if (mortons.size() == 1) {
    for (int i = bits - 1; i >= 0; --i) coder.putRaw(std::uint32_t(mortons[0] >> i & 1), 1);
    return;
  }
  const auto second = std::partition_point(mortons.begin(), mortons.end(),
                                           [&](std::uint64_t m) { return (m & half) == 0; });
  const auto first = std::size_t(second - mortons.begin());
  model.put(coder, halvesContext(mortons.size()),
            std::int64_t(first) - std::int64_t(mortons.size() / 2));
  putPlaces(coder, model, mortons.first(first), bits - 1);
  putPlaces(coder, model, mortons.subspan(first), bits - 1);
}

/// Damaged counts are clamped: the rest of the block is then wrong, but as long as it should be.
void takePlaces(RangeDecoder& coder, IntegerModel& model, std::span<std::uint64_t> mortons,
                int bits) {
  if (bits == 0 || mortons.empty()) return;
  if (mortons.size() == 1) {
    for (int i = bits - 1; i >= 0; --i) mortons[0] |= std::uint64_t(coder.takeRaw(1)) << i;
    return;
  }
  const auto size = std::int64_t(mortons.size());
  const auto first = std::size_t(std::clamp<std::int64_t>(
      model.take(coder, halvesContext(mortons.size())) + size / 2, 0, size));
  for (std::uint64_t& m : mortons.subspan(first)) m |= std::uint64_t(1) << (bits - 1);
  takePlaces(coder, model, mortons.first(first), bits - 1);
  takePlaces(coder, model, mortons.subspan(first), bits - 1);
}

// Planning
// -------------------------------------------------------------------------------------------------

/// Components in coding order, with their places on the grid.
struct Ordered {
  std::vector<std::uint32_t> order;
  std::vector<std::uint64_t> mortons;  // by rank
  std::vector<PackedRecord> records;   // by rank
};

/// ln of the squared step at which the fields together cost `loss` dB.
double budgetPerValue(const Model& model, double psnrOfIt, double loss) {
  const double psnr = psnrOfIt > 0 ? std::min(psnrOfIt, 80.0) : kUnknownPsnr;
  const double error = std::pow(10, -psnr / 10) * (std::pow(10, loss / 10) - 1);
  const double total = error * 3 * double(model.width) * double(model.height);
  const double values = double(model.components.size()) * (packedFields(model.dims) + 2);
  return std::log(12 * total / values);
}

/// How much coarser a number may be than what it costs alone says: others make up for sizes, and
/// colors for the slopes of their differences. Measured on pictures of the Kodak set.
double leeway(int field, const PackedPlan& plan) {
  const bool size = field == P::kW11 || field == P::kW22;
  const bool chromaSlope = field >= P::kH + 2 && field < P::kLead;
  return plan.refits && (size || chromaSlope) ? 1.8 : 1;
}

/// Steps at which every value costs the same error: step^2 = budget / sensitivity, and sensitivity
/// as powers of what a component tells of itself.
void planSteps(const std::vector<Sensitivity>& sensitivity,
               const std::vector<PackedRecord>& records, double budget, PackedPlan& plan) {
  constexpr double kTiny = 1e-12;
  using Row = Eigen::Matrix<double, kStepFeatures + 1, 1>;
  for (int f = 0; f < plan.fields(); ++f) {
    Eigen::Matrix<double, kStepFeatures + 1, kStepFeatures + 1> squares;
    squares.setIdentity();
    squares *= 1e-6;
    Row products = Row::Zero();
    for (std::size_t j = 0; j < records.size(); ++j) {
      const double s = sensitivity[j].values[std::size_t(f)];
      if (!(s > kTiny)) continue;
      Row x;
      x[0] = 1;
      const StepFeatures features = stepFeatures(records[j].values.data(), f);
      for (int i = 0; i < kStepFeatures; ++i) x[i + 1] = features[std::size_t(i)];
      squares += x * x.transpose();
      products += std::log(s) * x;
    }
    const Row solution = squares.ldlt().solve(products);
    FieldRow& row = plan.rows[std::size_t(f)];
    for (int i = 0; i < kStepFeatures; ++i)
      row.by[std::size_t(i)] = asHalf(-std::clamp(solution[i + 1], -4.0, 4.0) / 2);
    row.level = 0;
    double mean = 0;  // of the sensitivity over its power law
    for (std::size_t j = 0; j < records.size(); ++j) {
      const double step = row.step(stepFeatures(records[j].values.data(), f));
      mean += sensitivity[j].values[std::size_t(f)] * step * step;
    }
    mean /= double(records.size());
    row.level =
        asHalf((budget - std::log(std::max(mean, kTiny))) / 2 + std::log(leeway(f, plan)));
  }
}

void planGrid(const Model& model, const std::vector<Sensitivity>& sensitivity, double budget,
              PackedPlan& plan) {
  double mean = 0;
  for (const Sensitivity& s : sensitivity) mean += s.center;
  mean = std::max(mean / double(sensitivity.size()), 1e-12);
  const double step = std::exp((budget - std::log(mean)) / 2);
  glm::dvec2 low(1e300), high(-1e300);
  for (const Component& c : model.components) {
    const glm::dvec2 center = exact(c, model).center;
    low = glm::min(low, center), high = glm::max(high, center);
  }
  const double extent = std::max(high.x - low.x, high.y - low.y) + 1;
  const int most = std::min(model.centerFractionBits,
                            kCoordinateBits - 1 - std::max(0, int(std::ceil(std::log2(extent)))));
  plan.gridBits = std::clamp(int(std::lround(-std::log2(step))), 0, std::max(most, 0));
  const double scale = std::ldexp(1.0, plan.gridBits);
  plan.lowX = std::int32_t(std::floor(low.x * scale));
  plan.lowY = std::int32_t(std::floor(low.y * scale));
  const auto largest = std::uint32_t(std::ceil(extent * scale) + 1);
  plan.mortonBits = 2 * int(std::bit_width(largest));
}

Ordered ordered(const Model& model, const PackedPlan& plan) {
  const std::size_t count = model.components.size();
  std::vector<std::uint64_t> mortons(count);
  const double scale = std::ldexp(1.0, plan.gridBits);
  for (std::size_t j = 0; j < count; ++j) {
    const glm::dvec2 at = exact(model.components[j], model).center * scale;
    mortons[j] = mortonOf({std::uint32_t(std::int64_t(std::nearbyint(at.x)) - plan.lowX),
                           std::uint32_t(std::int64_t(std::nearbyint(at.y)) - plan.lowY)});
  }
  Ordered result;
  result.order.resize(count);
  std::iota(result.order.begin(), result.order.end(), 0u);
  std::stable_sort(result.order.begin(), result.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return mortons[a] < mortons[b]; });
  for (const std::uint32_t j : result.order) {
    result.mortons.push_back(mortons[j]);
    result.records.push_back(
        packedRecord(exact(model.components[j], model), model.dims, model.colorSpace));
  }
  return result;
}

/// Least squares of each field on its neighbors and on what the component itself tells of it.
void planPredictors(const Ordered& all, PackedPlan& plan) {
  const std::size_t count = all.records.size();
  for (int f = 0; f < plan.fields(); ++f) {
    double sum = 0;
    for (const PackedRecord& r : all.records) sum += r.values[std::size_t(f)];
    plan.rows[std::size_t(f)].mean = float(sum / double(count));
  }
  std::array<double, kFields> ownMean{};
  for (const PackedRecord& r : all.records)
    for (int f = 0; f < plan.fields(); ++f)
      ownMean[std::size_t(f)] += ownPredictor(r.values.data(), f, plan.dims) / double(count);
  std::array<Eigen::Matrix2d, kFields> squares;
  std::array<Eigen::Vector2d, kFields> products;
  squares.fill(Eigen::Matrix2d::Zero()), products.fill(Eigen::Vector2d::Zero());
  for (std::size_t first = 0; first < count; first += kPackedBlock) {
    Neighborhood near(plan.fields());
    for (std::size_t i = first; i < std::min(count, first + kPackedBlock); ++i) {
      near.seek(placeOf(all.mortons[i]));
      const double* values = all.records[i].values.data();
      for (int f = 0; f < plan.fields(); ++f) {
        const double mean = double(plan.rows[std::size_t(f)].mean);
        const Eigen::Vector2d x(near.neighborMean(f, mean),
                                ownPredictor(values, f, plan.dims) - ownMean[std::size_t(f)]);
        squares[std::size_t(f)] += x * x.transpose();
        products[std::size_t(f)] += x * (values[f] - mean);
      }
      near.add(all.records[i].values, {});
    }
  }
  for (int f = 0; f < plan.fields(); ++f) {
    FieldRow& row = plan.rows[std::size_t(f)];
    Eigen::Matrix2d a = squares[std::size_t(f)];
    a.diagonal().array() += 1e-9 * (a.trace() + 1);
    const Eigen::Vector2d by = a.ldlt().solve(products[std::size_t(f)]);
    row.byNeighbors = asHalf(std::clamp(by[0], -2.0, 2.0));
    row.byOwn = asHalf(std::clamp(by[1], -8.0, 8.0));
  }
}

// Blocks
// -------------------------------------------------------------------------------------------------

double predicted(const FieldRow& row, int field, const double* values, const Neighborhood& near,
                 const PackedPlan& plan, const std::array<double, kFields>& ownMean) {
  return double(row.mean) + double(row.byNeighbors) * near.neighborMean(field, double(row.mean)) +
         double(row.byOwn) * (ownPredictor(values, field, plan.dims) - ownMean[std::size_t(field)]);
}

/// The mean of the own predictor follows from the means of the fields that it is made of.
std::array<double, kFields> ownMeans(const PackedPlan& plan) {
  std::array<double, kFields> means{}, values{};
  for (int f = 0; f < plan.fields(); ++f)
    values[std::size_t(f)] = double(plan.rows[std::size_t(f)].mean);
  for (int f = 0; f < plan.fields(); ++f)
    means[std::size_t(f)] = ownPredictor(values.data(), f, plan.dims);
  return means;
}

/// Values whose code would be above n by less than this are rounded to n: what is nearer to what
/// was predicted costs fewer bits.
double towardZero(const PackedPlan& plan) { return plan.refits ? 0.08 : 0.15; }  // of a step

std::int64_t codeOf(double difference, double step, double toZero) {
  const double steps = std::abs(difference / step);
  const double code = std::min(std::floor(steps + 0.5 - toZero), 1e15);
  return std::int64_t(difference < 0 ? -code : code);
}

/// Rounds the components of a block one after the other, as a decoder will find them: `coded` takes
/// each field's context and code, `rounded` the values of a whole component.
template <class Coded, class Rounded>
void roundBlock(const Ordered& all, std::size_t first, std::size_t last, const PackedPlan& plan,
                const Coded& coded, const Rounded& rounded) {
  const std::array<double, kFields> own = ownMeans(plan);
  Neighborhood near(plan.fields());
  for (std::size_t i = first; i < last; ++i) {
    near.seek(placeOf(all.mortons[i]));
    std::array<double, kFields> values{};
    std::array<std::int64_t, kFields> codes{};
    for (int k = 0; k < plan.fields(); ++k) {
      const int f = kOrder[k];
      const auto at = std::size_t(f);
      const double guess = predicted(plan.rows[at], f, values.data(), near, plan, own);
      const double step = plan.rows[at].step(stepFeatures(values.data(), f));
      codes[at] = codeOf(all.records[i].values[at] - guess, step, towardZero(plan));
      values[at] = guess + step * double(codes[at]);
      coded(at, near.context(f), codes[at]);
    }
    near.add(values, codes);
    rounded(i, values);
  }
}

std::vector<std::byte> packBlock(const Ordered& all, std::size_t first, std::size_t last,
                                 const PackedPlan& plan) {
  auto models = std::make_unique<BlockModels>();
  RangeEncoder coder;
  putPlaces(coder, models->halves, std::span(all.mortons).subspan(first, last - first),
            plan.mortonBits);
  roundBlock(
      all, first, last, plan,
      [&](std::size_t field, int context, std::int64_t code) {
        models->fields[field].put(coder, context, code);
      },
      [](std::size_t, const auto&) {});
  return coder.finish();
}

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

std::size_t blockCount(std::size_t components) {
  return (components + kPackedBlock - 1) / kPackedBlock;
}

/// Largest sigma and the box of the centers, for the table of blocks.
void storeBlock(std::byte* at, const Model& model, const Ordered& all, std::size_t first,
                std::size_t last, std::size_t bytes) {
  glm::vec2 low(INFINITY), high(-INFINITY);
  double sigma = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Record r = exact(model.components[all.order[i]], model);
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

Component componentAt(std::uint64_t morton, const std::array<double, kFields>& values,
                      const PackedPlan& plan, const Model& frame) {
  Record record;
  const glm::uvec2 place = placeOf(morton);
  record.center = glm::dvec2(double(place.x) + plan.lowX, double(place.y) + plan.lowY) *
                  std::ldexp(1.0, -plan.gridBits);
  PackedRecord packed;
  packed.values = values;
  unpackRecord(packed, plan.dims, frame.colorSpace, record);
  return rounded(record, frame);
}

/// Rounds what the refitter leaves alone, has the rest suit it, and keeps what was rounded: it will
/// be rounded to the same.
void refitRounded(Ordered& all, const PackedPlan& plan, const Model& frame, Refit what,
                  const Refitter& refit) {
  const auto kept = [&](int field) {
    if (what == Refit::Gates) return field == P::kW11 || field == P::kW22;
    return field < P::kColor || (what == Refit::Colors && field >= P::kH);
  };
  const std::size_t count = all.records.size(), blocks = blockCount(count);
  parallelFor(blocks, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b)
      roundBlock(
          all, b * kPackedBlock, std::min(count, (b + 1) * kPackedBlock), plan,
          [](std::size_t, int, std::int64_t) {},
          [&](std::size_t i, const auto& values) {
            for (int f = 0; f < plan.fields(); ++f)
              if (kept(f)) all.records[i].values[std::size_t(f)] = values[std::size_t(f)];
          });
  });
  Model rough = frame;
  for (std::size_t i = 0; i < count; ++i)
    rough.components[i] = componentAt(all.mortons[i], all.records[i].values, plan, frame);
  refit(rough, what);
  for (std::size_t i = 0; i < count; ++i) {
    const PackedRecord now =
        packedRecord(exact(rough.components[i], rough), plan.dims, frame.colorSpace);
    for (int f = 0; f < plan.fields(); ++f)
      if (!kept(f)) all.records[i].values[std::size_t(f)] = now.values[std::size_t(f)];
  }
}

}  // namespace

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
  planGrid(model_, sensitivity_, budget, plan);
  Ordered all = ordered(model_, plan);
  std::vector<Sensitivity> byRank;
  for (const std::uint32_t j : all.order) byRank.push_back(sensitivity_[j]);
  planSteps(byRank, all.records, budget, plan);
  planPredictors(all, plan);
  if (refit)
    for (const Refit what : {Refit::Gates, Refit::Experts, Refit::Colors})
      refitRounded(all, plan, model_, what, refit);

  const std::size_t count = model_.components.size(), blocks = blockCount(count);
  std::vector<std::vector<std::byte>> streams(blocks);
  parallelFor(blocks, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b)
      streams[b] = packBlock(all, b * kPackedBlock, std::min(count, (b + 1) * kPackedBlock), plan);
  });
  std::vector<std::byte> payload(leastPackedBytes(model_.dims, count));
  store(payload.data(), std::uint16_t(plan.gridBits));
  store(payload.data() + 2, std::uint16_t(plan.mortonBits));
  store(payload.data() + 4, plan.lowX), store(payload.data() + 8, plan.lowY);
  for (int f = 0; f < plan.fields(); ++f)
    storeRow(payload.data() + kPackedPrefix + kPackedFieldRow * std::size_t(f),
             plan.rows[std::size_t(f)]);
  const std::size_t table = kPackedPrefix + kPackedFieldRow * std::size_t(plan.fields());
  for (std::size_t b = 0; b < blocks; ++b) {
    storeBlock(payload.data() + table + kPackedBlockRow * b, model_, all, b * kPackedBlock,
               std::min(count, (b + 1) * kPackedBlock), streams[b].size());
    payload.insert(payload.end(), streams[b].begin(), streams[b].end());
  }
  return payload;
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
