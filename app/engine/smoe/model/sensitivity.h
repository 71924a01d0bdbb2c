// SPDX-License-Identifier: BSD-3-Clause
// How much the picture changes when one number of one component does: what decides the precision in
// which the packed encoding keeps it. The numbers are those of PackedRecord, in which equal steps
// and whole codes make sense.
#pragma once

#include "app/engine/smoe/model/model.h"

#include <array>
#include <vector>

#include <glm/mat3x3.hpp>

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

/// Sums over the pixels of the picture and its three channels of the squared derivative of the
/// color by each value of PackedRecord, and by the center (px).
struct Sensitivity {
  std::array<double, 28> values{};
  double center = 0;  // mean of x and y
};
/// Of the picture, or of up to nine views or frames, spread evenly. Uses all cores; the result does
/// not depend on how many.
std::vector<Sensitivity> sensitivities(const Model& model);

}  // namespace fathom::smoe
