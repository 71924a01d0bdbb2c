// SPDX-License-Identifier: BSD-3-Clause
// Costs of every disparity at every pixel of the middle view, and their sums over boxes.
#include "app/engine/smoe/fit/disparity.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <glm/common.hpp>
#include <glm/vec3.hpp>

namespace fathom::smoe {
namespace {

constexpr int kMinSide = 7;  // px; side of the smallest box that is judged by itself
/// Cost per pixel and px of disparity, so that flat boxes stay where they are.
constexpr double kReluctance = 1e-3;

/// The picture of a view: where it is, relative to the middle, along one axis.
struct Neighbor {
  const Image* picture;
  int steps;
};

/// The view `steps` from the middle along an axis, the farthest that is there and fitted.
std::optional<Neighbor> neighborOf(const TrainingSet& training, int axis, int direction) {
  const auto rows = std::size_t(training.views.y);
  const glm::ivec2 middle(int(training.middle() / rows), int(training.middle() % rows));
  for (const int steps : {2, 1, 3}) {
    glm::ivec2 at = middle;
    at[axis] += direction * steps;
    if (at[axis] < 0 || at[axis] >= training.views[axis]) continue;
    const std::size_t index = std::size_t(at.x) * rows + std::size_t(at.y);
    if (!training.isHeldOut(index)) return Neighbor{&training.pictures[index], direction * steps};
  }
  return std::nullopt;
}

/// Linear between two pixels along one axis, clamped to the picture.
glm::vec3 shifted(const Image& picture, glm::ivec2 pixel, int axis, double shift) {
  const double position = pixel[axis] + shift, low = std::floor(position);
  const int last = (axis == 0 ? picture.width : picture.height) - 1;
  glm::ivec2 a = pixel, b = pixel;
  a[axis] = std::clamp(int(low), 0, last), b[axis] = std::clamp(int(low) + 1, 0, last);
  return glm::mix(glm::vec3(picture.at(a.x, a.y)), glm::vec3(picture.at(b.x, b.y)),
                  float(position - low));
}

float difference(glm::vec3 a, glm::vec3 b) {
  const glm::vec3 d = glm::abs(a - b);
  return d.r + d.g + d.b;
}

/// The box grown to kSmallest a side, within the picture.
Rect judged(Rect box, glm::ivec2 size) {
  const auto grow = [](int& low, int& extent, int largest) {
    const int high = std::min(low + extent + std::max(0, kMinSide - extent + 1) / 2, largest);
    low = std::max(low - std::max(0, kMinSide - extent + 1) / 2, 0);
    extent = high - low;
  };
  grow(box.x, box.width, size.x);
  grow(box.y, box.height, size.y);
  return box;
}

}  // namespace

DisparitySweep::DisparitySweep(const TrainingSet& training) : size_(training.size) {
  FATHOM_CHECK_OP(training.dims, ==, 4);
  const Image& middle = training.pictures[training.middle()];
  std::array<std::vector<Neighbor>, 2> neighbors;
  for (int axis = 0; axis < 2; ++axis)
    for (const int direction : {-1, 1})
      if (const auto found = neighborOf(training, axis, direction))
        neighbors[std::size_t(axis)].push_back(*found);
  if (neighbors[0].empty() && neighbors[1].empty()) return;

  const std::size_t pixels = middle.pixels.size();
  costs_.resize(std::size_t(kCount) * pixels);
  parallelFor(std::size_t(kCount), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t d = first; d < last; ++d) {
      const double disparity = kLowest + kStep * double(d);
      for (std::size_t i = 0; i < pixels; ++i) {
        const glm::ivec2 pixel(int(i) % size_.x, int(i) / size_.x);
        float& cost = costs_[d * pixels + i];
        for (std::size_t axis = 0; axis < 2; ++axis) {
          float best = neighbors[axis].empty() ? 0 : 3;
          for (const Neighbor& n : neighbors[axis])
            best = std::min(best,
                            difference(glm::vec3(middle.pixels[i]),
                                       shifted(*n.picture, pixel, int(axis), disparity * n.steps)));
          cost += best;
        }
      }
    }
  });
}

double DisparitySweep::over(const Rect& box) const {
  if (costs_.empty()) return 0;
  const Rect rect = judged(box, size_);
  const std::size_t pixels = std::size_t(size_.x) * std::size_t(size_.y);
  double best = 0, smallest = 1e30;
  for (int d = 0; d < kCount; ++d) {
    const double disparity = kLowest + kStep * d;
    double cost = kReluctance * std::abs(disparity) * double(rect.area());
    for (int y = rect.y; y < rect.bottom(); ++y)
      for (int x = rect.x; x < rect.right(); ++x)
        cost += costs_[std::size_t(d) * pixels + std::size_t(y) * std::size_t(size_.x) +
                       std::size_t(x)];
    if (cost < smallest) smallest = cost, best = disparity;
  }
  return best;
}

}  // namespace fathom::smoe
