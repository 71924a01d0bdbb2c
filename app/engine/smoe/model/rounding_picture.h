// SPDX-License-Identifier: BSD-3-Clause
// The picture of a model while its components are rounded one after the other, so that those that
// follow make up for what was lost before.
#pragma once

#include "app/engine/smoe/model/component_lists.h"
#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/sensitivity.h"

#include <array>
#include <span>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

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

}  // namespace fathom::smoe
