// SPDX-License-Identifier: BSD-3-Clause
// From numbers to codes: each by itself, or, where the picture is known, one after the other so
// that what follows makes up for what was lost, and as the price of its bits and its error decide.
// The picture of the model is kept up to date meanwhile. For packed*.cpp only.
#pragma once

#include "app/engine/smoe/model/component_lists.h"
#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/packed_plan.h"

namespace fathom::smoe {

/// Values of an image's component in a PackedRecord.
inline constexpr int kImageFields = 13;

/// The squared error of the picture as one component's values change by e: about now + 2 slope . e
/// + e . curvature e (Gauss-Newton). Sums over pixels and channels, of those pixels only in which
/// the component may be seen.
struct RoundingError {
  double now = 0;
  std::array<double, kImageFields> slope{};
  std::array<std::array<double, kImageFields>, kImageFields> curvature{};  // symmetric
};

/// The picture of a model while its components are rounded one after the other, so that those that
/// follow make up for what was lost before.
class RoundingPicture {
 public:
  /// Of an image's components; errors are those against `target`, size.x * size.y values of the
  /// model's color space.
  RoundingPicture(std::vector<Record> records, glm::ivec2 size, ColorSpace space,
                  std::span<const glm::vec4> target);

  /// Takes a component out; put() before another is taken.
  void take(std::size_t component);
  /// While it is out: as though it were put in as this one.
  RoundingError errorWith(std::size_t component, const Record& as) const;
  void put(std::size_t component, const Record& as);
  /// Of the whole picture: squared, summed over pixels and channels.
  double error() const;

 private:
  /// Sums of weights, and of weighted colors, over exp of the tile's offset.
  struct Pixel {
    float weight = 0;
    glm::vec3 color{0};
  };
  template <class Visit>
  void eachPixel(std::size_t component, const Record& as, const Visit& visit) const;
  void add(std::size_t component, const Record& as, float sign);

  std::vector<Record> records_;
  glm::ivec2 size_;
  ColorSpace space_;
  std::span<const glm::vec4> target_;
  ComponentLists lists_;
  std::vector<Pixel> pixels_;
};

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
