// SPDX-License-Identifier: BSD-3-Clause
// The picture of the model while components are rounded, and rounding: number by number, places
// first, then field by field with refits between.
#include "app/engine/smoe/model/packed_rounding.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "shaders/smoe/fit/shared.h"

namespace fathom::smoe {
// ---- The picture

namespace {

using P = PackedRecord;

constexpr double kReach = 8;         // components below exp(-8) of the strongest are left out
constexpr double kMinWeight = 1e-3;  // of those pixels that tell how the error changes
constexpr double kMinSum = 1e-30;    // keeps quotients sound where a component was alone
constexpr double kMaxExponent = 60;

/// What the sums over pixels are made of: derivatives by the four numbers of the gate, and by a
/// channel of the expert's three coefficients.
struct ErrorSums {
  static constexpr int kGate = 4, kExpert = 3;
  double gates[kGate][kGate] = {}, experts[kExpert][kExpert] = {};
  glm::dvec3 mixed[kGate][kExpert] = {};  // per channel
  double gateSlope[kGate] = {};
  glm::dvec3 expertSlope[kExpert] = {};

  void add(const Record& r, const Evaluation& at, double w, glm::dvec3 off, glm::dvec3 error) {
    const GateSlopes slopes(r, at, w, off);
    const auto& gate = slopes.gate;
    const double expert[kExpert] = {w, w * at.z.x, w * at.z.y};
    for (int a = 0; a < kGate; ++a) {
      for (int b = 0; b <= a; ++b) gates[a][b] += glm::dot(gate[a], gate[b]);
      for (int b = 0; b < kExpert; ++b) mixed[a][b] += gate[a] * expert[b];
      gateSlope[a] += glm::dot(gate[a], error);
    }
    for (int a = 0; a < kExpert; ++a) {
      for (int b = 0; b <= a; ++b) experts[a][b] += expert[a] * expert[b];
      expertSlope[a] += expert[a] * error;
    }
  }
};

/// The field of a coefficient of a color.
std::size_t expertField(int color, int coefficient) {
  return std::size_t(coefficient == 0 ? P::kColor + color : P::kH + 2 * color + coefficient - 1);
}

RoundingError roundingErrorOf(const ErrorSums& sums, const glm::dmat3& basis) {
  constexpr std::size_t kGateFields[ErrorSums::kGate] = {P::kW11, P::kW22, P::kRatio, P::kC};
  RoundingError error;
  const auto set = [&](std::size_t a, std::size_t b, double value) {
    error.curvature[a][b] = error.curvature[b][a] = value;
  };
  for (int a = 0; a < ErrorSums::kGate; ++a) {
    error.slope[kGateFields[a]] = sums.gateSlope[a];
    for (int b = 0; b <= a; ++b) set(kGateFields[a], kGateFields[b], sums.gates[a][b]);
    for (int b = 0; b < ErrorSums::kExpert; ++b)
      for (int k = 0; k < 3; ++k)
        set(kGateFields[a], expertField(k, b), glm::dot(sums.mixed[a][b], basis[k]));
  }
  for (int a = 0; a < ErrorSums::kExpert; ++a)
    for (int k = 0; k < 3; ++k) {
      error.slope[expertField(k, a)] = glm::dot(sums.expertSlope[a], basis[k]);
      for (int b = 0; b < ErrorSums::kExpert; ++b)
        for (int l = 0; l < 3; ++l)
          set(expertField(k, a), expertField(l, b),
              sums.experts[std::max(a, b)][std::min(a, b)] * glm::dot(basis[k], basis[l]));
    }
  return error;
}

}  // namespace

RoundingPicture::RoundingPicture(std::vector<Record> records, glm::ivec2 size, ColorSpace space,
                                 std::span<const glm::vec4> target)
    : records_(std::move(records)),
      size_(size),
      space_(space),
      target_(target),
      lists_(buildComponentLists(records_, {{0, 0}, size}, kReach)),
      pixels_(std::size_t(size.x) * std::size_t(size.y)) {
  FATHOM_CHECK_OP(target.size(), ==, pixels_.size());
  for (std::size_t j = 0; j < records_.size(); ++j) add(j, records_[j], 1);
}

template <class Visit>
void RoundingPicture::eachPixel(std::size_t component, const Record& as, const Visit& visit) const {
  for (std::uint32_t s = lists_.componentEnds[component]; s < lists_.componentEnds[component + 1];
       ++s) {
    const std::uint32_t tile = lists_.slotTiles[lists_.slots[s]];
    const glm::ivec2 low =
        glm::ivec2(int(tile) % lists_.tiles.x, int(tile) / lists_.tiles.x) * FIT_TILE;
    const glm::ivec2 high = glm::min(low + FIT_TILE, size_);
    const double offset = double(lists_.offsets[tile]);
    for (int y = low.y; y < high.y; ++y)
      for (int x = low.x; x < high.x; ++x) {
        const Evaluation at(as, {x + 0.5, y + 0.5});
        visit(std::size_t(y) * std::size_t(size_.x) + std::size_t(x), at,
              std::exp(std::min(at.log - offset, kMaxExponent)));
      }
  }
}

void RoundingPicture::add(std::size_t component, const Record& as, float sign) {
  eachPixel(component, as, [&](std::size_t pixel, const Evaluation& at, double weight) {
    pixels_[pixel].weight += sign * float(weight);
    pixels_[pixel].color += sign * glm::vec3(weight * at.color(as));
  });
}

void RoundingPicture::take(std::size_t component) { add(component, records_[component], -1); }

void RoundingPicture::put(std::size_t component, const Record& as) {
  records_[component] = as;
  add(component, as, 1);
}

RoundingError RoundingPicture::errorWith(std::size_t component, const Record& as) const {
  ErrorSums sums;
  double now = 0;
  eachPixel(component, as, [&](std::size_t pixel, const Evaluation& at, double weight) {
    const Pixel& rest = pixels_[pixel];
    const double all = weight + std::max(double(rest.weight), kMinSum), w = weight / all;
    const glm::dvec3 own = at.color(as);
    const glm::dvec3 color = (glm::dvec3(rest.color) + weight * own) / all;
    const glm::dvec3 error = color - glm::dvec3(target_[pixel]);
    now += glm::dot(error, error);
    if (w > kMinWeight) sums.add(as, at, w, own - color, error);
  });
  RoundingError result = roundingErrorOf(sums, packedBasis(space_));
  result.now = now;
  return result;
}

double RoundingPicture::error() const {
  double sum = 0;
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    const double all = std::max(double(pixels_[i].weight), kMinSum);
    const glm::dvec3 error = glm::dvec3(pixels_[i].color) / all - glm::dvec3(target_[i]);
    sum += glm::dot(error, error);
  }
  return sum;
}

namespace {

constexpr double kDamping = 0.02;  // of the curvature, against directions that are nearly flat
constexpr double kFlat = 1e-9;
constexpr double kTrust = 2;  // steps that a number may be moved by what the quadratic error says
/// What a bit may cost, over the error of a whole step: along the curve of uniform steps s, errors
/// s^2 / 12 fall fourfold per bit, so by 2 ln 2 / 12 for the first part of one.
constexpr double kBitPrice = 0.1155;
/// Numbers whose code would be above n by less than this are rounded to n: what is nearer to what
/// was predicted costs fewer bits. Of those that are rounded by themselves.
constexpr double kTowardZero = 0.15;  // of a step

// ---- One number

std::int64_t codeOf(double difference, double step, double toZero) {
  const double steps = std::abs(difference / step);
  const double code = std::min(std::floor(steps + 0.5 - toZero), 1e15);
  return std::int64_t(difference < 0 ? -code : code);
}

/// The cheapest of both codes around `steps`, and of 0.
std::int64_t codeByPrice(double steps, double errorOfStep, double bitPrice,
                         const IntegerModel& model, int context) {
  constexpr double kNearZero = 3;  // steps
  const double low = std::clamp(std::floor(steps), -1e15, 1e15);
  std::int64_t best = 0;
  double least = std::abs(steps) < kNearZero ? INFINITY : -1;
  const auto consider = [&](double code) {
    const double cost = errorOfStep * (code - steps) * (code - steps) +
                        bitPrice * model.cost(context, std::int64_t(code));
    if (least < 0 || cost < least) least = cost, best = std::int64_t(code);
  };
  if (least > 0) consider(0);
  consider(low), consider(low + 1);
  return best;
}

/// What becomes of a field in a stage: it has its code already, gets it, or only a better value.
enum class Fate { Kept, Rounded, Free };
using Fates = std::array<Fate, kFields>;

// ---- Blocks

/// Rounds and writes components one after the other, as a decoder will find them.
class BlockRounder {
 public:
  BlockRounder(Ordered& all, const PackedPlan& plan) : all_(all), plan_(plan) {}
  virtual ~BlockRounder() = default;

  std::vector<std::byte> round(std::size_t block) {
    const std::size_t first = block * packedBlock(all_.records.size());
    const std::size_t last =
        std::min(all_.records.size(), first + packedBlock(all_.records.size()));
    models_ = std::make_unique<BlockModels>();
    RangeEncoder coder;
    codePlaces(coder, models_->halves, std::span(all_.mortons).subspan(first, last - first),
               plan_.mortonBits);
    Neighborhood near(plan_.fields());
    for (std::size_t i = first; i < last; ++i) {
      near.seek(placeOf(all_.mortons[i]));
      begin(i);
      near.add(all_.records[i].values, put(i, near, coder));
      end(i);
    }
    return coder.finish();
  }

 protected:
  /// Around each component.
  virtual void begin(std::size_t) {}
  virtual void end(std::size_t) {}
  virtual bool open(int /*field*/) const { return true; }
  virtual std::int64_t choose(int /*field*/, double difference, double step, int /*context*/) {
    return codeOf(difference, step, kTowardZero);
  }
  const IntegerModel& statistics(int field) const { return models_->fields[std::size_t(field)]; }

  Ordered& all_;
  const PackedPlan& plan_;

 private:
  std::array<std::int64_t, kFields> put(std::size_t i, const Neighborhood& near,
                                        RangeEncoder& coder) {
    std::array<double, kFields>& values = all_.records[i].values;
    std::array<std::int64_t, kFields> codes{};
    for (int k = 0; k < plan_.fields(); ++k) {
      const int f = kOrder[std::size_t(k)];
      const auto at = std::size_t(f);
      if (!open(f)) continue;
      const double guess = predicted(plan_.rows[at], f, values.data(), near, plan_, own_);
      const double step = plan_.step(f, values.data());
      codes[at] = choose(f, values[at] - guess, step, near.context(f));
      values[at] = guess + step * double(codes[at]);
      models_->fields[at].code(coder, near.context(f), codes[at]);
    }
    return codes;
  }

  std::array<double, kFields> own_ = ownMeans(plan_);
  std::unique_ptr<BlockModels> models_;
};

/// Rounds the components of a block beside the picture, each so that those behind it make up for
/// it.
class SeenRounder : public BlockRounder {
 public:
  SeenRounder(Ordered& all, const PackedPlan& plan, const Model& frame, const Fates& fates,
              RoundingPicture& picture)
      : BlockRounder(all, plan), frame_(frame), fates_(fates), picture_(picture) {
    for (const Fate fate : {Fate::Rounded, Fate::Free})
      for (int k = 0; k < plan.fields(); ++k)
        if (fates[std::size_t(kOrder[std::size_t(k)])] == fate)
          changing_.push_back(kOrder[std::size_t(k)]);
  }

 private:
  void begin(std::size_t i) override {
    picture_.take(i);
    const RoundingError error = picture_.errorWith(i, recordAt(all_, i, plan_, frame_));
    minimum_ = std::make_unique<SequentialMinimum>(error, changing_);
    next_ = 0;
  }

  bool open(int field) const override { return fates_[std::size_t(field)] != Fate::Free; }

  std::int64_t choose(int field, double difference, double step, int context) override {
    if (fates_[std::size_t(field)] == Fate::Kept) return codeOf(difference, step, 0);
    const double change = moved(step);
    const std::int64_t code =
        codeByPrice((difference + change) / step, minimum_->curvature(next_) * step * step,
                    kBitPrice * plan_.budget, statistics(field), context);
    minimum_->decide(next_++, step * double(code) - difference);
    return code;
  }

  /// What is free follows what was rounded.
  void end(std::size_t i) override {
    std::array<double, kFields>& values = all_.records[i].values;
    for (; next_ < minimum_->size(); ++next_) {
      const int f = minimum_->field(next_);
      const double change = moved(plan_.step(f, values.data()));
      minimum_->decide(next_, change);
      values[std::size_t(f)] += change;
    }
    picture_.put(i, recordAt(all_, i, plan_, frame_));
  }

  double moved(double step) const {
    return std::clamp(minimum_->target(next_), -kTrust * step, kTrust * step);
  }

  const Model& frame_;
  const Fates& fates_;
  RoundingPicture& picture_;
  std::vector<int> changing_;  // those that are rounded, in the order of the file, then the others
  std::unique_ptr<SequentialMinimum> minimum_;
  std::size_t next_ = 0;  // of minimum_
};

// ---- Stages

/// Slopes of differences of color are nearly all zero: first, so that all else suits that. Then
/// sizes, weights, the rest of the gate with its slopes, and the colors, which must suit all.
constexpr int kStages = 5;
int stageOf(int field) {
  if (field == P::kW11 || field == P::kW22) return 1;
  if (field == P::kC) return 2;
  if (field == P::kRatio || field == P::kH || field == P::kH + 1) return 3;
  return field >= P::kH ? 0 : 4;
}

/// Gray has no differences of color: what would change them stays.
bool isChroma(int field) {
  return field == P::kColor + 1 || field == P::kColor + 2 ||
         (field >= P::kH + 2 && field < P::kLead);
}

Fates fatesIn(int stage, ColorSpace space) {
  Fates fates{};
  for (int f = 0; f < kImageFields; ++f) {
    const bool kept = stageOf(f) < stage || (isGray(space) && isChroma(f));
    fates[std::size_t(f)] = kept ? Fate::Kept : stageOf(f) == stage ? Fate::Rounded : Fate::Free;
  }
  return fates;
}

Streams roundedBeside(Ordered& all, const PackedPlan& plan, const Model& frame, const Fates& fates,
                      std::span<const glm::vec4> target) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < all.records.size(); ++i)
    records.push_back(recordAt(all, i, plan, frame));
  RoundingPicture picture(std::move(records), {frame.width, frame.height}, frame.colorSpace,
                          target);
  SeenRounder rounder(all, plan, frame, fates, picture);
  Streams streams;
  for (std::size_t b = 0; b < blockCount(all.records.size()); ++b)
    streams.push_back(rounder.round(b));
  return streams;
}

/// Has what is still free suit what was rounded.
void refitFree(Ordered& all, const PackedPlan& plan, const Model& frame, const Fates& fates,
               Refit what, const Refitter& refit) {
  const std::size_t count = all.records.size();
  Model rough = frame;
  for (std::size_t i = 0; i < count; ++i)
    rough.components[i] = componentAt(all.mortons[i], all.records[i].values, plan, frame);
  refit(rough, what);
  for (std::size_t i = 0; i < count; ++i) {
    const PackedRecord now =
        packedRecord(exact(rough.components[i], rough), plan.dims, frame.colorSpace);
    for (int f = 0; f < plan.fields(); ++f)
      if (fates[std::size_t(f)] == Fate::Free)
        all.records[i].values[std::size_t(f)] = now.values[std::size_t(f)];
  }
}

}  // namespace

Streams rounded(Ordered& all, const PackedPlan& plan) {
  Streams streams(blockCount(all.records.size()));
  parallelFor(streams.size(), 1, [&](std::size_t begin, std::size_t end) {
    BlockRounder rounder(all, plan);
    for (std::size_t b = begin; b < end; ++b) streams[b] = rounder.round(b);
  });
  return streams;
}

Streams roundedInStages(Ordered& all, const PackedPlan& plan, const Model& frame,
                        const Refitter& refit) {
  constexpr Refit kRefits[kStages - 1] = {Refit::Sizes, Refit::Gates, Refit::Experts,
                                          Refit::Colors};
  const std::span<const glm::vec4> target = refit.source(frame);
  for (int stage = 0; stage < kStages - 1; ++stage) {
    const Fates fates = fatesIn(stage, frame.colorSpace);
    roundedBeside(all, plan, frame, fates, target);
    refitFree(all, plan, frame, fates, kRefits[stage], refit);
  }
  // Twice: the second time, each color also knows what became of those behind it.
  const Fates last = fatesIn(kStages - 1, frame.colorSpace);
  roundedBeside(all, plan, frame, last, target);
  return roundedBeside(all, plan, frame, last, target);
}

// ---- Places

namespace {

/// The record with what the quadratic error says of its numbers, within what can be trusted.
Record suited(Record record, SequentialMinimum minimum, const PackedPlan& plan,
              const Model& frame) {
  PackedRecord packed = packedRecord(record, plan.dims, frame.colorSpace);
  for (std::size_t k = 0; k < minimum.size(); ++k) {
    const int f = minimum.field(k);
    const double most = kTrust * plan.step(f, packed.values.data());
    const double change = std::clamp(minimum.target(k), -most, most);
    minimum.decide(k, change);
    packed.values[std::size_t(f)] += change;
  }
  unpackRecord(packed, plan.dims, frame.colorSpace, record);
  return record;
}

}  // namespace

void choosePlaces(std::vector<Record>& records, const PackedPlan& plan, const Model& frame,
                  std::span<const glm::vec4> target) {
  RoundingPicture picture(records, {frame.width, frame.height}, frame.colorSpace, target);
  std::vector<int> fields;
  for (int k = 0; k < kImageFields; ++k)
    if (!isGray(frame.colorSpace) || !isChroma(kOrder[std::size_t(k)]))
      fields.push_back(kOrder[std::size_t(k)]);
  const double scale = std::ldexp(1.0, plan.gridBits);
  for (std::size_t j = 0; j < records.size(); ++j) {
    picture.take(j);
    Record best = records[j];
    double least = INFINITY;
    for (int corner = 0; corner < 4; ++corner) {
      Record moved = records[j];
      moved.center =
          (glm::floor(moved.center * scale) + glm::dvec2(corner & 1, corner >> 1)) / scale;
      const RoundingError error = picture.errorWith(j, moved);
      const SequentialMinimum minimum(error, fields);
      if (error.now - minimum.gain() >= least) continue;
      least = error.now - minimum.gain();
      best = suited(moved, minimum, plan, frame);
    }
    picture.put(j, best);
    records[j] = best;
  }
}

// ---- The quadratic error

SequentialMinimum::SequentialMinimum(const RoundingError& error, std::span<const int> order)
    : order_(order.begin(), order.end()) {
  const std::size_t n = order.size();
  auto rest = error.curvature;  // in this order, what is not in U D U^T yet
  for (std::size_t a = 0; a < n; ++a) {
    best_[a] = -error.slope[std::size_t(order[a])];
    for (std::size_t b = 0; b < n; ++b)
      rest[a][b] = error.curvature[std::size_t(order[a])][std::size_t(order[b])];
    rest[a][a] = rest[a][a] * (1 + kDamping) + kFlat;
  }
  for (std::size_t j = n; j-- > 0;) {
    curvature_[j] = rest[j][j];
    for (std::size_t a = 0; a < j; ++a) upper_[a][j] = rest[a][j] / rest[j][j];
    for (std::size_t a = 0; a < j; ++a)
      for (std::size_t b = 0; b < j; ++b) rest[a][b] -= curvature_[j] * upper_[a][j] * upper_[b][j];
    for (std::size_t a = 0; a < j; ++a) best_[a] -= upper_[a][j] * best_[j];
    best_[j] /= curvature_[j];
  }
}

double SequentialMinimum::target(std::size_t k) const {
  double target = best_[k];
  for (std::size_t before = 0; before < k; ++before) target -= upper_[before][k] * change_[before];
  return target;
}

double SequentialMinimum::gain() const {
  double sum = 0;
  for (std::size_t k = 0; k < order_.size(); ++k) sum += curvature_[k] * best_[k] * best_[k];
  return sum;
}

}  // namespace fathom::smoe
