// SPDX-License-Identifier: BSD-3-Clause
// What a box costs is what a color that is linear in x and y leaves unexplained. The sums that this
// needs are taken per column and per row when a box is made, so that all cuts of a box are judged
// in one pass over its pixels and nothing has the size of the picture.
#include "app/engine/smoe/fit/start.h"

#include "app/engine/core/error.h"
#include "app/engine/smoe/fit/disparity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <queue>

namespace fathom::smoe {

// The kd-tree
// -------------------------------------------------------------------------------------------------

namespace {

/// Sums over pixels, per color, with x and y relative to the middle of the box they were taken for.
struct Sums {
  std::array<double, 3> y{}, yy{}, xy{}, vy{};  // of y, y^2, x y, (vertical) y
  void operator+=(const Sums& o) {
    for (int k = 0; k < 3; ++k)
      y[k] += o.y[k], yy[k] += o.yy[k], xy[k] += o.xy[k], vy[k] += o.vy[k];
  }
  void operator-=(const Sums& o) {
    for (int k = 0; k < 3; ++k)
      y[k] -= o.y[k], yy[k] -= o.yy[k], xy[k] -= o.xy[k], vy[k] -= o.vy[k];
  }
};

/// Sum over the colors of n (var - cov_x^2 / var_x - cov_y^2 / var_y) + 1e-5 n for a box of this
/// size whose middle lies at `middle` in the coordinates of the sums.
double residual(const Sums& sums, glm::ivec2 size, glm::dvec2 middle) {
  const double n = double(size.x) * size.y;
  const glm::dvec2 variance = (glm::dvec2(size) * glm::dvec2(size) - 1.0) / 12.0;
  double cost = 1e-5 * n;
  for (int k = 0; k < 3; ++k) {
    const double mean = sums.y[k] / n;
    double left = sums.yy[k] / n - mean * mean;
    const double covX = sums.xy[k] / n - middle.x * mean, covY = sums.vy[k] / n - middle.y * mean;
    if (variance.x > 0) left -= covX * covX / variance.x;
    if (variance.y > 0) left -= covY * covY / variance.y;
    cost += n * std::max(0.0, left);
  }
  return cost;
}

struct Node {
  PixelBox box;
  double cost = 0;
  int axis = -1, at = 0;  // the best cut; -1: a single pixel
};

class Cutter {
 public:
  explicit Cutter(const Image& picture) : picture_(picture) {}

  Node judge(const PixelBox& box) {
    Node node{box};
    const glm::ivec2 size = box.size();
    takeSums(box);
    node.cost = residual(total_, size, {0, 0});
    double best = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 2; ++axis) {
      if (size[axis] < 2 || 3 * size[axis] < size[1 - axis]) continue;
      Sums before;
      int done = 0;
      for (int eighth = 1; eighth < 8; ++eighth) {
        const int at = eighth == 4 ? size[axis] / 2 : size[axis] * eighth / 8;
        if (eighth != 4 && (at < 2 || size[axis] - at < 2)) continue;
        for (; done < at; ++done) before += lines_[axis][std::size_t(done)];
        const double cost = cutCost(before, size, axis, at) * (1 + 0.02 * std::abs(eighth - 4));
        if (cost < best) best = cost, node.axis = axis, node.at = at;
      }
    }
    return node;
  }

 private:
  void takeSums(const PixelBox& box) {
    const glm::ivec2 size = box.size();
    lines_[0].assign(std::size_t(size.x), {});
    lines_[1].assign(std::size_t(size.y), {});
    total_ = {};
    const glm::dvec2 middle = (glm::dvec2(size) - 1.0) / 2.0;
    for (int j = 0; j < size.y; ++j) {
      Sums& row = lines_[1][std::size_t(j)];
      for (int i = 0; i < size.x; ++i) {
        const glm::vec4& pixel = picture_.at(box.low.x + i, box.low.y + j);
        Sums one;
        for (int k = 0; k < 3; ++k) {
          const double y = double(pixel[k]);
          one.y[k] = y, one.yy[k] = y * y, one.xy[k] = (i - middle.x) * y;
          one.vy[k] = (j - middle.y) * y;
        }
        lines_[0][std::size_t(i)] += one;
        row += one;
      }
      total_ += row;
    }
  }

  double cutCost(const Sums& before, glm::ivec2 size, int axis, int at) const {
    Sums after = total_;
    after -= before;
    glm::ivec2 first = size, second = size;
    first[axis] = at, second[axis] = size[axis] - at;
    glm::dvec2 firstMiddle{0}, secondMiddle{0};
    firstMiddle[axis] = -second[axis] / 2.0, secondMiddle[axis] = first[axis] / 2.0;
    return residual(before, first, firstMiddle) + residual(after, second, secondMiddle);
  }

  const Image& picture_;
  std::array<std::vector<Sums>, 2> lines_;  // per column, per row
  Sums total_;
};

/// Small boxes come last: cutting them explains noise.
double urgency(const Node& node) {
  if (node.axis < 0) return -1;
  return node.box.count() < 8 ? 0.01 * node.cost : node.cost;
}

/// Picks boxes again, the largest first, until there are enough.
void repeatBoxes(std::vector<PixelBox>& boxes, std::size_t count) {
  const std::size_t distinct = boxes.size();
  for (std::size_t i = 0; boxes.size() < count; ++i) boxes.push_back(boxes[i % distinct]);
}

}  // namespace

std::vector<PixelBox> cutPicture(const Image& picture, int count) {
  FATHOM_CHECK_OP(count, >, 0);
  Cutter cutter(picture);
  std::vector<Node> nodes{cutter.judge({{0, 0}, {picture.width, picture.height}})};
  // The earlier box first where two are equally urgent.
  const auto later = [&](std::size_t a, std::size_t b) {
    const double ua = urgency(nodes[a]), ub = urgency(nodes[b]);
    return ua != ub ? ua < ub : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  queue.push(0);
  while (nodes.size() < std::size_t(count)) {
    const std::size_t index = queue.top();
    const Node node = nodes[index];
    if (node.axis < 0) break;
    queue.pop();
    PixelBox first = node.box, second = node.box;
    first.high[node.axis] = second.low[node.axis] = node.box.low[node.axis] + node.at;
    nodes[index] = cutter.judge(first);
    nodes.push_back(cutter.judge(second));
    queue.push(index);
    queue.push(nodes.size() - 1);
  }
  std::vector<PixelBox> boxes;
  for (const Node& node : nodes) boxes.push_back(node.box);
  repeatBoxes(boxes, std::size_t(count));
  return boxes;
}

Gaussian leafGaussian(const Image& picture, const PixelBox& box) {
  Gaussian g;
  g.prior = box.count() / (double(picture.width) * picture.height);
  const auto forEach = [&](const auto& use) {
    for (int y = box.low.y; y < box.high.y; ++y)
      for (int x = box.low.x; x < box.high.x; ++x) {
        const glm::vec4& pixel = picture.at(x, y);
        use(std::array<double, 5>{x + 0.5, y + 0.5, pixel.r, pixel.g, pixel.b});
      }
  };
  forEach([&](const auto& v) {
    for (std::size_t i = 0; i < 5; ++i) g.mean[i] += v[i] / box.count();
  });
  forEach([&](const auto& v) {
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j)
        g.covariance[i][j] += (v[i] - g.mean[i]) * (v[j] - g.mean[j]) / box.count();
  });
  for (std::size_t i = 0; i < 5; ++i) g.covariance[i][i] += i < 2 ? kPixelVariance : kColorVariance;
  return g;
}

// The mixture in all dimensions
// -------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kFramesPerStart = 8;

/// Mean and variance of the leading coordinates of these pictures.
struct Spread {
  glm::dvec2 mean{0}, variance{0};
};

Spread spreadOf(const TrainingSet& training, const std::vector<std::size_t>& pictures) {
  Spread spread;
  const auto count = double(pictures.size());
  for (const std::size_t i : pictures) spread.mean += training.coordinatesOf(i) / count;
  for (const std::size_t i : pictures) {
    const glm::dvec2 d = training.coordinatesOf(i) - spread.mean;
    spread.variance += d * d / count;
  }
  spread.variance += kLeadVariance;
  return spread;
}

/// With a independent of where the content lies in the middle view, s = s_0 + d (a - a_0), and of
/// its color: R_sa = d R_aa, R_ss grows by d^2 R_aa, R_Ya = 0.
Gaussian lifted(const Gaussian& flat, int dims, const Spread& spread, double disparity,
                glm::dvec2 at) {
  const auto q = std::size_t(dims - 2);
  Gaussian g;
  g.prior = flat.prior;
  for (std::size_t i = 0; i < 5; ++i) {
    g.mean[q + i] = flat.mean[i];
    for (std::size_t k = 0; k < 5; ++k) g.covariance[q + i][q + k] = flat.covariance[i][k];
  }
  for (std::size_t k = 0; k < q; ++k) {
    const double variance = spread.variance[int(k)];
    g.mean[k] = spread.mean[int(k)];
    g.covariance[k][k] = variance;
    if (q != 2) continue;
    g.mean[q + k] += disparity * (g.mean[k] - at[int(k)]);
    g.covariance[k][q + k] = g.covariance[q + k][k] = disparity * variance;
    g.covariance[q + k][q + k] += disparity * disparity * variance;
  }
  return g;
}

/// The leaves of one picture, standing for these pictures.
void addLeaves(std::vector<Gaussian>& mixture, const TrainingSet& training, std::size_t picture,
               const std::vector<std::size_t>& standsFor, int count) {
  const std::vector<PixelBox> boxes = cutPicture(training.pictures[picture], count);
  std::optional<DisparitySweep> sweep;
  if (training.dims == 4) sweep.emplace(training);
  const Spread spread = spreadOf(training, standsFor);
  for (const PixelBox& box : boxes) {
    const Gaussian flat = leafGaussian(training.pictures[picture], box);
    const double disparity =
        sweep ? sweep->over({box.low.x, box.low.y, box.size().x, box.size().y}) : 0;
    mixture.push_back(training.dims == 2 ? flat
                                         : lifted(flat, training.dims, spread, disparity,
                                                  training.coordinatesOf(picture)));
  }
}

}  // namespace

std::vector<Gaussian> startMixture(const TrainingSet& training, int count) {
  std::vector<Gaussian> mixture;
  const std::vector<std::size_t> fitted = training.fitted();
  if (training.dims != 3) {
    addLeaves(mixture, training, training.middle(), fitted, count);
    return mixture;
  }
  // No more stretches of frames than components.
  const std::size_t stretches =
      std::min((fitted.size() + kFramesPerStart - 1) / kFramesPerStart, std::size_t(count));
  for (std::size_t k = 0; k < stretches; ++k) {
    const auto begin = fitted.begin() + std::ptrdiff_t(k * fitted.size() / stretches);
    const auto end = fitted.begin() + std::ptrdiff_t((k + 1) * fitted.size() / stretches);
    const std::vector<std::size_t> frames(begin, end);
    const std::size_t share =
        (k + 1) * std::size_t(count) / stretches - k * std::size_t(count) / stretches;
    addLeaves(mixture, training, frames[frames.size() / 2], frames, int(share));
  }
  return mixture;
}

}  // namespace fathom::smoe
