// SPDX-License-Identifier: BSD-3-Clause
// What the encoder and the decoder of packed models share: the numbers of a component in which
// equal steps and whole codes make sense, how much the picture changes with each, how each is
// rounded and predicted, what is known of components that came before, and places on the grid. For
// packed*.cpp and measures of the encoding; docs/reference/smoe-file.md describes every byte.
#pragma once

#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/packed.h"
#include "app/engine/smoe/model/range_coder.h"

namespace fathom::smoe {

/// A component as the packed encoding sees it, without its center: ln W11, ln W22, W21 / sqrt(W11
/// W22), c, color (3), H (3 colors x 2); then for video t, ln Wt, M (2), Ht (3); for light fields a
/// (2), ln Wa11, ln Wa22, Wa21 / sqrt(Wa11 Wa22), M (2 x 2), Ha (3 x 2). Colors of RGB models are
/// luma and two differences of color.
struct PackedRecord {
  static constexpr int kW11 = 0, kW22 = 1, kRatio = 2, kC = 3, kColor = 4, kH = 7, kLead = 13;
  std::array<double, 28> values{};
};
/// How many of the values a model of p dimensions has: 13, 20 or 28.
int packedFields(int dims);

PackedRecord packedRecord(const Record& record, int dims, ColorSpace space);
/// The center is not touched.
void unpackRecord(const PackedRecord& packed, int dims, ColorSpace space, Record& record);

/// What the three numbers of a color add to it, as columns.
glm::dmat3 packedBasis(ColorSpace space);

/// Derivatives of the picture's color at a place: by z, through the weight and through the expert,
/// and by the first four values of PackedRecord.
struct GateSlopes {
  glm::dvec3 byZ1, byZ2, gate[4];
  /// `w`: its share of the weights; `off`: of the expert from the picture.
  GateSlopes(const Record& r, const Evaluation& at, double w, glm::dvec3 off);
};

/// Sums over the pixels of the picture and its three channels of the squared derivative of the
/// color by each value of PackedRecord, and by the center (px).
struct Sensitivity {
  std::array<double, 28> values{};
  double center = 0;  // mean of x and y
};
/// Of the picture, or of up to nine views or frames, spread evenly. Uses all cores; the result does
/// not depend on how many.
std::vector<Sensitivity> sensitivities(const Model& model);

inline constexpr int kFields = 28;
inline constexpr int kStepFeatures = 4;
inline constexpr int kCoordinateBits = 30;  // of a center on the grid

/// Fields in the order in which they are coded: those that tell how precise the others must be come
/// first.
extern const std::array<int, kFields> kOrder;

/// What sensitivities go by: the size along both axes, the weight, and how steep the expert is. A
/// component tells as many of them as have been decoded before the field at hand.
using StepFeatures = std::array<double, kStepFeatures>;
StepFeatures stepFeatures(const double* values, int field);
/// How many: the first ones.
int stepFeatureCount(int field);
/// Other values of the component help to predict this one.
bool predictsItself(int field, int dims);

/// How a field is rounded and predicted, as files keep it, so that decoder and encoder agree: half
/// floats, and whole steps of 1 / kPowerSteps (`by`, `byNeighbors`) and 1 / kOwnSteps.
inline constexpr double kPowerSteps = 64, kOwnSteps = 16;
struct FieldRow {
  float mean = 0;
  float level = 0;  // step = exp(level + by . features)
  std::array<float, kStepFeatures> by{};
  float byNeighbors = 0, byOwn = 0;  // predicted: mean + byNeighbors n + byOwn o

  double step(const StepFeatures& features) const;
};

struct PackedPlan {
  int dims = 2;
  int gridBits = 0;                 // centers on multiples of 2^-gridBits px
  int mortonBits = 0;               // of the grid's places, both coordinates together
  std::int32_t lowX = 0, lowY = 0;  // of the grid, in its steps
  std::array<FieldRow, kFields> rows{};
  bool refits = false;  // of the encoder: what is rounded will be made up for
  double budget = 0;    // of the encoder: squared error that a whole step of any number costs

  int fields() const { return packedFields(dims); }
  double step(int field, const double* values) const {
    return rows[std::size_t(field)].step(stepFeatures(values, field));
  }
};

/// The mean of the own predictor follows from the means of the fields that it is made of.
std::array<double, kFields> ownMeans(const PackedPlan& plan);

/// Interleaved bits of two coordinates: nearby places have nearby codes (G. M. Morton, 1966).
std::uint64_t mortonOf(glm::uvec2 at);
glm::uvec2 placeOf(std::uint64_t morton);
glm::dvec2 centerAt(std::uint64_t morton, const PackedPlan& plan);  // px
Component componentAt(std::uint64_t morton, const std::array<double, kFields>& values,
                      const PackedPlan& plan, const Model& frame);

/// What is known of the components of a block before the one at hand.
class Neighborhood {
 public:
  explicit Neighborhood(int fields) : fields_(fields) {}

  /// Finds the two nearest; call before neighborMean() and context().
  void seek(glm::uvec2 place);
  /// The mean of the neighbors' values less the field's mean; 0 without neighbors.
  double neighborMean(int field, double mean) const;
  /// Large codes have large ones beside them.
  int context(int field) const;
  void add(const std::array<double, kFields>& values,
           const std::array<std::int64_t, kFields>& codes);

 private:
  static constexpr int kLooksBack = 32;
  struct Before {
    std::array<double, kFields> values{};
    std::array<std::int64_t, kFields> sizes{};  // of the codes
  };
  int fields_;
  glm::dvec2 place_{0};
  int nearest_[2] = {-1, -1}, count_ = 0;
  // Component i is at i % kLooksBack.
  std::array<Before, kLooksBack> last_;
  std::array<double, kLooksBack> x_{}, y_{};
};

double predicted(const FieldRow& row, int field, const double* values, const Neighborhood& near,
                 const PackedPlan& plan, const std::array<double, kFields>& ownMean);

/// What a block's coder learns.
struct BlockModels {
  IntegerModel halves;
  std::array<IntegerModel, kFields> fields;
};

/// A set of places is coded by how many of them lie in the first half of the grid, of that half,
/// and so on down to single places: that spends no bits on their order, and learns where many are.
/// A decoder begins with zeros. Damaged counts are clamped: the rest of the block is then wrong,
/// but as long as it should be.
template <class Coder>
void codePlaces(Coder& coder, IntegerModel& model, std::span<std::uint64_t> mortons, int bits);

// ---- Planning, for the encoder

/// Components in coding order, with their places on the grid.
struct Ordered {
  std::vector<std::uint32_t> order;
  std::vector<std::uint64_t> mortons;  // by rank
  std::vector<PackedRecord> records;   // by rank
};

/// A component as its values stand.
Record recordAt(const Ordered& all, std::size_t rank, const PackedPlan& plan, const Model& frame);
/// ln of the squared step at which the fields together cost `loss` dB below `psnr`.
double budgetPerValue(const Model& model, double psnr, double loss);
/// The grid on which centers cost what other numbers do.
void planGrid(const Model& model, const std::vector<Sensitivity>& sensitivity, double budget,
              PackedPlan& plan);
/// Steps at which every value costs the same error: step^2 = budget / sensitivity, and sensitivity
/// as powers of what a component tells of itself.
void planSteps(const std::vector<Sensitivity>& sensitivity,
               const std::vector<PackedRecord>& records, double budget, PackedPlan& plan);
/// Each center at its nearest place; those of blocks in Morton order.
Ordered ordered(const std::vector<Record>& records, const Model& frame, const PackedPlan& plan);
/// Least squares of each field on its neighbors and on what the component itself tells of it.
void planPredictors(const Ordered& all, PackedPlan& plan);

inline std::size_t blockCount(std::size_t components) {
  return (components + packedBlock(components) - 1) / packedBlock(components);
}

}  // namespace fathom::smoe
