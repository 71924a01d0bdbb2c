// SPDX-License-Identifier: BSD-3-Clause
// How hard a picture is, by least squares of planes in its squares, and what follows for alpha.
#include "app/engine/smoe/fit/alpha.h"

namespace fathom::smoe {
namespace {

constexpr int kSquare = 4, kStride = 2;  // px; they overlap, so that no edge lies between them

/// Root of the mean square of what is left of a square when its plane is taken off: over a grid,
/// the slopes along x and y are independent of each other and of the mean.
double roughness(const Image& picture, glm::ivec2 low, glm::ivec2 high) {
  const glm::dvec2 middle = glm::dvec2(low + high - 1) / 2.0;
  glm::dvec3 sum(0), squares(0), alongX(0), alongY(0);
  glm::dvec2 spread(0);
  for (int y = low.y; y < high.y; ++y)
    for (int x = low.x; x < high.x; ++x) {
      const glm::dvec3 value(picture.at(x, y));
      const glm::dvec2 d = glm::dvec2(x, y) - middle;
      sum += value, squares += value * value;
      alongX += d.x * value, alongY += d.y * value;
      spread += d * d;
    }
  const glm::ivec2 size = high - low;
  const double count = double(size.x) * size.y;
  glm::dvec3 left = squares - sum * sum / count;
  if (spread.x > 0) left -= alongX * alongX / spread.x;
  if (spread.y > 0) left -= alongY * alongY / spread.y;
  return std::sqrt(std::max(0.0, (left.x + left.y + left.z) / (3 * count)));
}

double roughness(const Image& picture) {
  constexpr double kNone = 1.0 / 512;  // half a step of 8 bits
  double total = 0;
  for (int y = 0; y < picture.height; y += kStride)
    for (int x = 0; x < picture.width; x += kStride) {
      const glm::ivec2 low(x, y);
      const double one = roughness(
          picture, low, glm::min(low + kSquare, glm::ivec2(picture.width, picture.height)));
      if (one > kNone) total += one;
    }
  return total;
}

}  // namespace

int alphaComponents(const TrainingSet& training, int components) {
  if (!training.alpha) return 0;
  const double alpha = roughness(training.alpha->pictures[0]);
  const double colors = roughness(training.pictures[0]);
  const double share = alpha > 0 ? alpha / (alpha + colors) : 0;
  return std::clamp(int(std::lround(share * components)), 1, std::max(1, components / 2));
}

DividedRequest divided(const TrainingSet& training, const FitRequest& whole) {
  DividedRequest result{whole, whole};
  const int alpha = alphaComponents(training, whole.components);
  const double share = double(alpha) / std::max(1, whole.components);
  result.alpha.components = alpha;
  result.alpha.maxSeconds = share * whole.maxSeconds;
  result.colors.components = std::max(1, whole.components - alpha);
  result.colors.maxSeconds = whole.maxSeconds - result.alpha.maxSeconds;
  return result;
}

std::shared_ptr<const Model> alphaModel(const Fitter& fitter) {
  return std::make_shared<const Model>(fitter.model());
}

}  // namespace fathom::smoe
