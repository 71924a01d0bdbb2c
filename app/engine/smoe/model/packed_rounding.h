// SPDX-License-Identifier: BSD-3-Clause
// From numbers to codes: each by itself, or, where the picture is known, one after the other so
// that what follows makes up for what was lost, and as the price of its bits and its error decide.
// For packed*.cpp only.
#pragma once

#include "app/engine/smoe/model/packed_plan.h"
#include "app/engine/smoe/model/rounding_picture.h"

#include <cstddef>
#include <span>
#include <vector>

namespace fathom::smoe {

/// A row per block.
using Streams = std::vector<std::vector<std::byte>>;

/// Every number to its nearest code, or a little nearer to what was predicted. The values in `all`
/// become those that a decoder will find.
Streams rounded(Ordered& all, const PackedPlan& plan);

/// Moves each center to that of the four places around it that costs the picture least; the other
/// numbers make up for it. Images only; `target` is row by row.
void choosePlaces(std::vector<Record>& records, const PackedPlan& plan, const Model& frame,
                  std::span<const glm::vec4> target);

/// Centers are rounded. Field by field, with refits between of what is not rounded yet.
Streams roundedInStages(Ordered& all, const PackedPlan& plan, const Model& frame,
                        const Refitter& refit);

/// Where the numbers of a component should lie, each given those before it in `order` and the best
/// of those behind it: the error is a sum of curvature(k) (change - target(k))^2, since the matrix
/// is U D U^T. So each rounding is followed by the best answer to it (L. Babai, "On Lovasz' lattice
/// reduction and the nearest lattice point problem", Combinatorica 6, 1986).
class SequentialMinimum {
 public:
  SequentialMinimum(const RoundingError& error, std::span<const int> order);
  std::size_t size() const { return order_.size(); }
  int field(std::size_t k) const { return order_[k]; }
  /// Of the k-th, once those before it are decided.
  double target(std::size_t k) const;
  double curvature(std::size_t k) const { return curvature_[k]; }
  void decide(std::size_t k, double change) { change_[k] = change; }
  /// By how much the error falls when all are where they should be.
  double gain() const;

 private:
  std::vector<int> order_;
  std::array<std::array<double, kImageFields>, kImageFields> upper_{};  // U
  std::array<double, kImageFields> best_{}, curvature_{}, change_{};
};

}  // namespace fathom::smoe
