// SPDX-License-Identifier: BSD-3-Clause
// How much the picture changes with each number of a component, and from that how each is rounded
// and predicted.
#include "app/engine/smoe/model/packed_plan.h"

#include "app/engine/core/jobs.h"
#include "app/engine/smoe/model/component_lists.h"
#include "shaders/smoe/fit/shared.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <glm/gtc/bitfield.hpp>
#include <glm/gtc/packing.hpp>

namespace fathom::smoe {
// ---- Sensitivities

namespace {

using P = PackedRecord;

constexpr double kListTau = 9;  // components below exp(-9) of the strongest are left out

/// Luma and color differences of BT.709; columns are what each input channel adds.
const glm::dmat3 kToLuma(glm::dvec3(0.2126, -0.2126 / 1.8556, (1 - 0.2126) / 1.5748),
                         glm::dvec3(0.7152, -0.7152 / 1.8556, -0.7152 / 1.5748),
                         glm::dvec3(0.0722, (1 - 0.0722) / 1.8556, -0.0722 / 1.5748));

glm::dmat3 toPacked(ColorSpace space) {
  return space == ColorSpace::Ycbcr709 ? glm::dmat3(1) : kToLuma;
}

/// Per component of a slice: the sums by everything but the leading numbers, then what these need.
enum Sum { kCenterX = 13, kCenterY, kSums };
using SliceSums = std::array<double, kSums>;

/// The squared derivatives at one sample.
void addSample(const Record& r, const Evaluation& at, double w, glm::dvec3 off,
               glm::dvec3 channelGain, SliceSums& sums) {
  const GateSlopes slopes(r, at, w, off);
  const auto square = [](glm::dvec3 v) { return glm::dot(v, v); };
  for (std::size_t i = 0; i < 4; ++i) sums[i] += square(slopes.gate[i]);
  for (int k = 0; k < 3; ++k) {
    const double gain = w * w * channelGain[k];
    sums[std::size_t(P::kColor + k)] += gain;
    sums[std::size_t(P::kH + 2 * k)] += gain * at.z.x * at.z.x;
    sums[std::size_t(P::kH + 2 * k + 1)] += gain * at.z.y * at.z.y;
  }
  sums[kCenterX] += square(slopes.byZ1 * r.w11 + slopes.byZ2 * r.w21);
  sums[kCenterY] += square(slopes.byZ2 * r.w22);
}

/// All pixels of one tile; `slots` has the sums of its entries.
void addTile(std::span<const Record> records, std::span<const std::uint32_t> list, PixelBox box,
             glm::dvec3 channelGain, std::span<SliceSums> slots) {
  std::vector<double> weights(list.size());
  std::vector<glm::dvec3> experts(list.size());
  std::vector<Evaluation> here;
  for (int y = box.low.y; y < box.high.y; ++y)
    for (int x = box.low.x; x < box.high.x; ++x) {
      double largest = -1e300, total = 0;
      here.clear();
      for (std::size_t i = 0; i < list.size(); ++i) {
        here.emplace_back(records[list[i]], glm::dvec2(x + 0.5, y + 0.5));
        experts[i] = here[i].color(records[list[i]]);
        largest = std::max(largest, here[i].log);
      }
      glm::dvec3 color(0);
      for (std::size_t i = 0; i < list.size(); ++i) {
        weights[i] = std::exp(here[i].log - largest);
        total += weights[i], color += weights[i] * experts[i];
      }
      color /= total;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const double w = weights[i] / total;
        if (w > 1e-4)
          addSample(records[list[i]], here[i], w, experts[i] - color, channelGain, slots[i]);
      }
    }
}

/// Sums per component of one slice; bands of tiles keep the memory small.
std::vector<SliceSums> sliceSums(std::span<const Record> records, glm::ivec2 size,
                                 glm::dvec3 channelGain) {
  constexpr int kBand = 64;  // px
  std::vector<SliceSums> sums(records.size(), SliceSums{});
  for (int top = 0; top < size.y; top += kBand) {
    const PixelBox band{{0, top}, {size.x, std::min(top + kBand, size.y)}};
    const ComponentLists lists = buildComponentLists(records, band, kListTau);
    std::vector<SliceSums> slots(lists.slotCount(), SliceSums{});
    const std::size_t tiles = lists.tileStarts.size() - 1;
    parallelForEach(tiles, 8, [&](std::size_t tile) {
      const std::size_t begin = lists.tileStarts[tile], end = lists.tileStarts[tile + 1];
      const glm::ivec2 square(int(tile) % lists.tiles.x, int(tile) / lists.tiles.x);
      const glm::ivec2 low = band.low + square * FIT_TILE;
      addTile(records, std::span(lists.components).subspan(begin, end - begin),
              {low, glm::min(low + FIT_TILE, band.high)}, channelGain,
              std::span(slots).subspan(begin, end - begin));
    });
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      for (std::size_t i = 0; i < kSums; ++i) sums[lists.components[slot]][i] += slots[slot][i];
  }
  return sums;
}

/// By the leading numbers, each on its own: the slice's center moves by M (a - mu_a), its c falls
/// by |z_a|^2 / 2, its color moves by H_a z_a.
void addLeading(const Record& r, const Model& model, ViewCoordinates view, const SliceSums& sums,
                const glm::dmat3& colors, Sensitivity& result) {
  const bool lightField = model.dims == 4;
  const glm::dvec2 d = view - r.leadCenter;
  const double z1 = r.leadW11 * d.x;
  const double z2 = lightField ? r.leadW21 * d.x + r.leadW22 * d.y : 0;
  const double c = sums[P::kC];
  const glm::dvec2 center{sums[kCenterX], sums[kCenterY]};
  const auto color = [&](int k) { return sums[std::size_t(P::kColor + k)]; };
  const auto squareOfH = [&](double byZ1, double byZ2) {
    double all = 0;
    for (int k = 0; k < 3; ++k) {
      glm::dvec3 h(0);
      for (std::size_t i = 0; i < 3; ++i)
        h[int(i)] = r.leadH[i].x * byZ1 + (lightField ? r.leadH[i].y * byZ2 : 0);
      const double packed = (colors * h)[k];
      all += packed * packed * color(k);
    }
    return all;
  };
  const auto byZ = [&](double dz1, double dz2) {
    const double dc = z1 * dz1 + z2 * dz2;
    return c * dc * dc + squareOfH(dz1, dz2);
  };
  const auto byCenter = [&](int axis) {
    const double dz1 = axis == 0 ? r.leadW11 : 0, dz2 = axis == 0 ? r.leadW21 : r.leadW22;
    return byZ(dz1, lightField ? dz2 : 0) + r.m[0][axis] * r.m[0][axis] * center.x +
           r.m[1][axis] * r.m[1][axis] * center.y;
  };
  double* out = result.values.data() + P::kLead;
  if (!lightField) {
    out[0] += byCenter(0);
    out[1] += byZ(z1, 0);
    out[2] += d.x * d.x * center.x, out[3] += d.x * d.x * center.y;
    for (int k = 0; k < 3; ++k) out[4 + k] += z1 * z1 * color(k);
    return;
  }
  const double unit = std::sqrt(r.leadW11 * r.leadW22);
  out[0] += byCenter(0), out[1] += byCenter(1);
  out[2] += byZ(z1, r.leadW21 * d.x / 2);
  out[3] += byZ(0, r.leadW22 * d.y + r.leadW21 * d.x / 2);
  out[4] += byZ(0, unit * d.x);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) out[5 + 2 * i + k] += d[k] * d[k] * center[i];
  for (int k = 0; k < 3; ++k)
    out[9 + 2 * k] += z1 * z1 * color(k), out[10 + 2 * k] += z2 * z2 * color(k);
}

std::vector<ViewCoordinates> sampledViews(const Model& model) {
  if (model.dims == 2) return {ViewCoordinates(0)};
  std::vector<ViewCoordinates> views;
  const auto spread = [](int count, int i, int of) { return (2 * i + 1) * count / (2 * of); };
  if (model.dims == 3) {
    const int taken = std::min(model.frames, 9);
    for (int i = 0; i < taken; ++i) views.push_back({double(spread(model.frames, i, taken)), 0});
    return views;
  }
  const glm::ivec2 taken = glm::min(model.views, glm::ivec2(3));
  for (int x = 0; x < taken.x; ++x)
    for (int y = 0; y < taken.y; ++y)
      views.push_back(
          glm::dvec2(spread(model.views.x, x, taken.x), spread(model.views.y, y, taken.y)) -
          model.viewOrigin);
  return views;
}

/// Writes the numbers of a record at their places among the packed values, or reads them there.
struct Packing {
  glm::dmat3 colors;
  bool packs;

  void number(double& n, double& at) const { packs ? at = n : n = at; }
  void size(double& n, double& at) const { packs ? at = std::log(n) : n = std::exp(at); }
  void ratio(double& n, double w11, double w22, double& at) const {
    const double unit = std::sqrt(w11 * w22);
    packs ? at = n / unit : n = at * unit;
  }
  void color(double& r, double& g, double& b, double* at, int stride) const {
    double *const own[] = {&r, &g, &b}, *const other[] = {at, at + stride, at + 2 * stride};
    const auto from = packs ? own : other, to = packs ? other : own;
    const glm::dvec3 result = colors * glm::dvec3(*from[0], *from[1], *from[2]);
    for (int k = 0; k < 3; ++k) *to[k] = result[k];
  }

  void record(Record& r, double* v, int dims) const {
    size(r.w11, v[P::kW11]), size(r.w22, v[P::kW22]);
    ratio(r.w21, r.w11, r.w22, v[P::kRatio]);
    number(r.c, v[P::kC]);
    color(r.color.x, r.color.y, r.color.z, v + P::kColor, 1);
    for (int i = 0; i < 2; ++i) color(r.h[0][i], r.h[1][i], r.h[2][i], v + P::kH + i, 2);
    double* lead = v + P::kLead;
    if (dims == 3) {
      number(r.leadCenter.x, lead[0]), size(r.leadW11, lead[1]);
      number(r.m[0].x, lead[2]), number(r.m[1].x, lead[3]);
      color(r.leadH[0].x, r.leadH[1].x, r.leadH[2].x, lead + 4, 1);
    } else if (dims == 4) {
      number(r.leadCenter.x, lead[0]), number(r.leadCenter.y, lead[1]);
      size(r.leadW11, lead[2]), size(r.leadW22, lead[3]);
      ratio(r.leadW21, r.leadW11, r.leadW22, lead[4]);
      for (int i = 0; i < 4; ++i) number(r.m[std::size_t(i / 2)][i % 2], lead[5 + i]);
      for (int i = 0; i < 2; ++i)
        color(r.leadH[0][i], r.leadH[1][i], r.leadH[2][i], lead + 9 + i, 2);
    }
  }
};

}  // namespace

GateSlopes::GateSlopes(const Record& r, const Evaluation& at, double w, glm::dvec3 off) {
  const glm::dvec3 h1{r.h[0].x, r.h[1].x, r.h[2].x}, h2{r.h[0].y, r.h[1].y, r.h[2].y};
  byZ1 = w * (h1 - off * at.z.x), byZ2 = w * (h2 - off * at.z.y);
  const double unit = std::sqrt(r.w11 * r.w22), tilt = r.w21 * at.d.x / 2;
  gate[P::kW11] = byZ1 * at.z.x + byZ2 * tilt;
  gate[P::kW22] = byZ2 * (r.w22 * at.d.y + tilt);
  gate[P::kRatio] = byZ2 * (unit * at.d.x);
  gate[P::kC] = w * off;
}

glm::dmat3 packedBasis(ColorSpace space) {
  static const glm::dmat3 basis = glm::inverse(kToLuma);
  return space == ColorSpace::Ycbcr709 ? glm::dmat3(1) : basis;
}

int packedFields(int dims) { return dims == 2 ? 13 : dims == 3 ? 20 : 28; }

PackedRecord packedRecord(const Record& record, int dims, ColorSpace space) {
  PackedRecord packed;
  Record read = record;
  Packing{toPacked(space), true}.record(read, packed.values.data(), dims);
  return packed;
}

void unpackRecord(const PackedRecord& packed, int dims, ColorSpace space, Record& record) {
  PackedRecord read = packed;
  Packing{packedBasis(space), false}.record(record, read.values.data(), dims);
}

std::vector<Sensitivity> sensitivities(const Model& model) {
  const glm::dmat3 back = packedBasis(model.colorSpace), colors = toPacked(model.colorSpace);
  glm::dvec3 channelGain;
  for (int k = 0; k < 3; ++k) channelGain[k] = glm::dot(back[k], back[k]);
  const std::vector<ViewCoordinates> views = sampledViews(model);
  std::vector<Sensitivity> result(model.components.size());
  std::vector<Record> records(model.components.size());
  for (const ViewCoordinates view : views) {
    for (std::size_t j = 0; j < records.size(); ++j)
      records[j] = slice(exact(model.components[j], model), model.leading(), view);
    const std::vector<SliceSums> sums =
        sliceSums(records, {model.width, model.height}, channelGain);
    for (std::size_t j = 0; j < records.size(); ++j) {
      for (std::size_t i = 0; i < std::size_t(P::kLead); ++i) result[j].values[i] += sums[j][i];
      result[j].center += (sums[j][kCenterX] + sums[j][kCenterY]) / 2;
      if (model.dims > 2)
        addLeading(exact(model.components[j], model), model, view, sums[j], colors, result[j]);
    }
  }
  for (Sensitivity& s : result) {
    for (double& value : s.values) value /= double(views.size());
    s.center /= double(views.size());
  }
  return result;
}

namespace {

constexpr double kUnknownPsnr = 40;      // dB
constexpr double kLargestExponent = 60;  // of steps: ln, both ways
// Of the grid, where places are chosen and made up for. Measured on pictures of the Kodak set.
constexpr double kCoarserPlaces = 4;

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
/// To whole steps that a byte can count.
float inSteps(double value, double steps) {
  return float(std::clamp(std::round(value * steps), -127.0, 127.0) / steps);
}

int halvesContext(std::size_t count) {
  return std::clamp(int(std::bit_width(count - 1)) - 1, 0, IntegerModel::kContexts - 1);
}

/// How much coarser a number may be than what it costs alone says: others make up for sizes, and
/// colors for the slopes of their differences. Measured on pictures of the Kodak set.
double leeway(int field, const PackedPlan& plan) {
  const bool size = field == P::kW11 || field == P::kW22;
  const bool chromaSlope = field >= P::kH + 2 && field < P::kLead;
  return plan.refits && (size || chromaSlope) ? 1.8 : 1;
}

}  // namespace

const std::array<int, kFields> kOrder = {
    P::kW11,       P::kW22,       P::kC,         P::kH,        P::kH + 1,    P::kRatio,
    P::kColor,     P::kColor + 1, P::kColor + 2, P::kH + 2,    P::kH + 3,    P::kH + 4,
    P::kH + 5,     P::kLead,      P::kLead + 1,  P::kLead + 2, P::kLead + 3, P::kLead + 4,
    P::kLead + 5,  P::kLead + 6,  P::kLead + 7,  P::kLead + 8, P::kLead + 9, P::kLead + 10,
    P::kLead + 11, P::kLead + 12, P::kLead + 13, P::kLead + 14};

int stepFeatureCount(int field) {
  if (field == P::kW11 || field == P::kW22) return 0;
  if (field == P::kC) return 2;
  return field == P::kH || field == P::kH + 1 ? 3 : kStepFeatures;
}

bool predictsItself(int field, int dims) {
  return field == P::kW22 || field == P::kC || (dims == 4 && field == P::kLead + 3);
}

StepFeatures stepFeatures(const double* values, int field) {
  const int count = stepFeatureCount(field);
  StepFeatures features{};
  if (count > 0) features[0] = values[P::kW11], features[1] = values[P::kW22];
  if (count > 2) features[2] = values[P::kC];
  if (count > 3)
    features[3] = std::log(std::max(std::hypot(values[P::kH], values[P::kH + 1]), 1e-3));
  return features;
}

double FieldRow::step(const StepFeatures& features) const {
  double exponent = double(level);
  for (int i = 0; i < kStepFeatures; ++i)
    exponent += double(by[std::size_t(i)]) * features[std::size_t(i)];
  return std::exp(std::clamp(exponent, -kLargestExponent, kLargestExponent));
}

// ---- Places

std::uint64_t mortonOf(glm::uvec2 at) { return glm::bitfieldInterleave(at.x, at.y); }
glm::uvec2 placeOf(std::uint64_t morton) { return glm::bitfieldDeinterleave(morton); }

glm::dvec2 centerAt(std::uint64_t morton, const PackedPlan& plan) {
  const glm::uvec2 place = placeOf(morton);
  return glm::dvec2(double(place.x) + plan.lowX, double(place.y) + plan.lowY) *
         std::ldexp(1.0, -plan.gridBits);
}

Component componentAt(std::uint64_t morton, const std::array<double, kFields>& values,
                      const PackedPlan& plan, const Model& frame) {
  Record record;
  record.center = centerAt(morton, plan);
  PackedRecord packed;
  packed.values = values;
  unpackRecord(packed, plan.dims, frame.colorSpace, record);
  return rounded(record, frame);
}

template <class Coder>
void codePlaces(Coder& coder, IntegerModel& model, std::span<std::uint64_t> mortons, int bits) {
  if (bits == 0 || mortons.empty()) return;
  if (mortons.size() == 1) {
    for (int i = bits - 1; i >= 0; --i)
      mortons[0] |= std::uint64_t(coder.raw(std::uint32_t(mortons[0] >> i & 1), 1)) << i;
    return;
  }
  const std::uint64_t half = std::uint64_t(1) << (bits - 1);
  const auto second = std::partition_point(mortons.begin(), mortons.end(),
                                           [&](std::uint64_t m) { return (m & half) == 0; });
  const auto size = std::int64_t(mortons.size());
  const std::int64_t apart =
      model.code(coder, halvesContext(mortons.size()), second - mortons.begin() - size / 2);
  const auto first = std::size_t(std::clamp<std::int64_t>(apart + size / 2, 0, size));
  for (std::uint64_t& m : mortons.subspan(first)) m |= half;
  codePlaces(coder, model, mortons.first(first), bits - 1);
  codePlaces(coder, model, mortons.subspan(first), bits - 1);
}

template void codePlaces(RangeEncoder&, IntegerModel&, std::span<std::uint64_t>, int);
template void codePlaces(RangeDecoder&, IntegerModel&, std::span<std::uint64_t>, int);

// ---- Neighbors

void Neighborhood::seek(glm::uvec2 place) {
  nearest_[0] = nearest_[1] = -1;
  place_ = glm::dvec2(place);
  std::array<double, kLooksBack> distances;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const double x = x_[i] - place_.x, y = y_[i] - place_.y;
    distances[i] = x * x + y * y;
  }
  double best[2] = {1e300, 1e300};
  for (int before = 1; before <= std::min(count_, kLooksBack); ++before) {
    const int i = (count_ - before) % kLooksBack;
    const double distance = distances[std::size_t(i)];
    if (distance < best[0]) {
      best[1] = best[0], nearest_[1] = nearest_[0];
      best[0] = distance, nearest_[0] = i;
    } else if (distance < best[1]) {
      best[1] = distance, nearest_[1] = i;
    }
  }
}

double Neighborhood::neighborMean(int field, double mean) const {
  double sum = 0;
  int count = 0;
  for (const int i : nearest_)
    if (i >= 0) sum += last_[std::size_t(i)].values[std::size_t(field)] - mean, ++count;
  return count ? sum / count : 0;
}

int Neighborhood::context(int field) const {
  std::int64_t sum = 0;
  for (const int i : nearest_)
    if (i >= 0)
      sum += std::min<std::int64_t>(last_[std::size_t(i)].sizes[std::size_t(field)], 1 << 20);
  return sum <= 0 ? 0 : sum <= 1 ? 1 : sum <= 3 ? 2 : sum <= 8 ? 3 : sum <= 24 ? 4 : 5;
}

void Neighborhood::add(const std::array<double, kFields>& values,
                       const std::array<std::int64_t, kFields>& codes) {
  const auto at = std::size_t(count_++ % kLooksBack);
  x_[at] = place_.x, y_[at] = place_.y;
  std::copy_n(values.begin(), fields_, last_[at].values.begin());
  for (int f = 0; f < fields_; ++f)
    last_[at].sizes[std::size_t(f)] = std::abs(codes[std::size_t(f)]);
}

double predicted(const FieldRow& row, int field, const double* values, const Neighborhood& near,
                 const PackedPlan& plan, const std::array<double, kFields>& ownMean) {
  return double(row.mean) + double(row.byNeighbors) * near.neighborMean(field, double(row.mean)) +
         double(row.byOwn) * (ownPredictor(values, field, plan.dims) - ownMean[std::size_t(field)]);
}

std::array<double, kFields> ownMeans(const PackedPlan& plan) {
  std::array<double, kFields> means{}, values{};
  for (int f = 0; f < plan.fields(); ++f)
    values[std::size_t(f)] = double(plan.rows[std::size_t(f)].mean);
  for (int f = 0; f < plan.fields(); ++f)
    means[std::size_t(f)] = ownPredictor(values.data(), f, plan.dims);
  return means;
}

// ---- Planning

double budgetPerValue(const Model& model, double psnr, double loss) {
  const double known = psnr > 0 ? std::min(psnr, 80.0) : kUnknownPsnr;
  const double error = std::pow(10, -known / 10) * (std::pow(10, loss / 10) - 1);
  const double total = error * 3 * double(model.width) * double(model.height);
  const double values = double(model.components.size()) * (packedFields(model.dims) + 2);
  return std::log(12 * total / values);
}

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
      row.by[std::size_t(i)] = inSteps(-solution[i + 1] / 2, kPowerSteps);
    row.level = 0;
    double mean = 0;  // of the sensitivity over its power law
    for (std::size_t j = 0; j < records.size(); ++j) {
      const double step = row.step(stepFeatures(records[j].values.data(), f));
      mean += sensitivity[j].values[std::size_t(f)] * step * step;
    }
    mean /= double(records.size());
    row.level = asHalf((budget - std::log(std::max(mean, kTiny))) / 2 + std::log(leeway(f, plan)));
  }
}

void planGrid(const Model& model, const std::vector<Sensitivity>& sensitivity, double budget,
              PackedPlan& plan) {
  double mean = 0;
  for (const Sensitivity& s : sensitivity) mean += s.center;
  mean = std::max(mean / double(sensitivity.size()), 1e-12);
  const double step = std::exp((budget - std::log(mean)) / 2) * (plan.refits ? kCoarserPlaces : 1);
  glm::dvec2 low(1e300), high(-1e300);
  for (const Component& c : model.components) {
    const glm::dvec2 center = exact(c, model).center;
    low = glm::min(low, center), high = glm::max(high, center);
  }
  const double extent = std::max(high.x - low.x, high.y - low.y) + 1;
  const int most = std::min(model.centerFractionBits,
                            kCoordinateBits - 1 - std::max(0, int(std::ceil(std::log2(extent)))));
  // A whole pixel is too coarse, however dense components are: it cost 0.4 dB of 13 (K = 6000).
  const int least = plan.refits ? 1 : 0;
  plan.gridBits = std::clamp(int(std::lround(-std::log2(step))), least, std::max(most, least));
  const double scale = std::ldexp(1.0, plan.gridBits);
  plan.lowX = std::int32_t(std::floor(low.x * scale));
  plan.lowY = std::int32_t(std::floor(low.y * scale));
  const auto largest = std::uint32_t(std::ceil(extent * scale) + 1);
  plan.mortonBits = 2 * int(std::bit_width(largest));
}

Ordered ordered(const std::vector<Record>& records, const Model& frame, const PackedPlan& plan) {
  std::vector<std::uint64_t> mortons;
  const double scale = std::ldexp(1.0, plan.gridBits);
  for (const Record& r : records) {
    const glm::dvec2 at = r.center * scale;
    mortons.push_back(mortonOf({std::uint32_t(std::int64_t(std::nearbyint(at.x)) - plan.lowX),
                                std::uint32_t(std::int64_t(std::nearbyint(at.y)) - plan.lowY)}));
  }
  Ordered result;
  result.order.resize(records.size());
  std::iota(result.order.begin(), result.order.end(), 0u);
  // Of many blocks one has what reaches far, so that no other one matters far from its own place.
  const std::size_t block = packedBlock(records.size());
  const auto rest = result.order.begin() + (block < kPackedBlock ? block : 0);
  std::ranges::nth_element(result.order, rest, std::ranges::greater(),
                           [&](std::uint32_t j) { return Axes(records[j]).major; });
  for (const auto& [begin, end] :
       {std::pair(result.order.begin(), rest), {rest, result.order.end()}})
    std::sort(begin, end, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(mortons[a], a) < std::pair(mortons[b], b);
    });
  for (const std::uint32_t j : result.order) {
    result.mortons.push_back(mortons[j]);
    result.records.push_back(packedRecord(records[j], frame.dims, frame.colorSpace));
  }
  return result;
}

Record recordAt(const Ordered& all, std::size_t rank, const PackedPlan& plan, const Model& frame) {
  return exact(componentAt(all.mortons[rank], all.records[rank].values, plan, frame), frame);
}

void planPredictors(const Ordered& all, PackedPlan& plan) {
  const std::size_t count = all.records.size();
  for (int f = 0; f < plan.fields(); ++f) {
    double sum = 0;
    for (const PackedRecord& r : all.records) sum += r.values[std::size_t(f)];
    plan.rows[std::size_t(f)].mean = asHalf(sum / double(count));
  }
  std::array<double, kFields> ownMean{};
  for (const PackedRecord& r : all.records)
    for (int f = 0; f < plan.fields(); ++f)
      ownMean[std::size_t(f)] += ownPredictor(r.values.data(), f, plan.dims) / double(count);
  std::array<Eigen::Matrix2d, kFields> squares;
  std::array<Eigen::Vector2d, kFields> products;
  squares.fill(Eigen::Matrix2d::Zero()), products.fill(Eigen::Vector2d::Zero());
  for (std::size_t first = 0; first < count; first += packedBlock(count)) {
    Neighborhood near(plan.fields());
    for (std::size_t i = first; i < std::min(count, first + packedBlock(count)); ++i) {
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
    row.byNeighbors = inSteps(by[0], kPowerSteps);
    row.byOwn = predictsItself(f, plan.dims) ? inSteps(by[1], kOwnSteps) : 0;
  }
}

}  // namespace fathom::smoe
