// SPDX-License-Identifier: BSD-3-Clause
// Block matching, cutting the picture by a kd-tree, and expectation maximization: sums of the E
// step, moved from a slice to the joint coordinates; means and covariances of the M step.
#include "app/engine/smoe/fit/mixture.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"

#include <queue>

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
  parallelForEach(std::size_t(kCount), 1, [&](std::size_t d) {
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

// ---- The kd-tree

namespace {

/// Sums over pixels, per color, with x and y relative to the middle of the box they were taken for.
struct Sums {
  glm::dvec3 y{0}, yy{0}, xy{0}, vy{0};  // of y, y^2, x y, (vertical) y
  void operator+=(const Sums& o) { y += o.y, yy += o.yy, xy += o.xy, vy += o.vy; }
  void operator-=(const Sums& o) { y -= o.y, yy -= o.yy, xy -= o.xy, vy -= o.vy; }
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
        const glm::dvec3 y(picture_.at(box.low.x + i, box.low.y + j));
        const Sums one{y, y * y, (i - middle.x) * y, (j - middle.y) * y};
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
  Gaussian g{.prior = box.count() / (double(picture.width) * picture.height)};
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

// ---- The mixture in all dimensions

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

/// Where the content of a box of a frame moves to, px per frame: block matching, like the sweep of
/// disparities.
glm::dvec2 motionOf(const TrainingSet& training, std::size_t frame, const PixelBox& box) {
  constexpr int kReach = 8;  // px
  const Rect area = judged({box.low.x, box.low.y, box.size().x, box.size().y}, training.size);
  const Image& picture = training.pictures[frame];
  glm::ivec2 best{0};
  double smallest = std::numeric_limits<double>::infinity();
  for (int dy = -kReach; dy <= kReach; ++dy)
    for (int dx = -kReach; dx <= kReach; ++dx) {
      double cost = kReluctance * std::hypot(dx, dy) * area.width * area.height;
      for (int y = area.y; y < area.y + area.height && cost < smallest; ++y)
        for (int x = area.x; x < area.x + area.width; ++x) {
          float least = 3;
          for (const int step : {-1, 1}) {
            const std::size_t other = frame + std::size_t(step);
            if (other >= training.pictures.size() || training.isHeldOut(other)) continue;
            const glm::ivec2 to = glm::clamp(glm::ivec2(x, y) + step * glm::ivec2(dx, dy),
                                             glm::ivec2(0), training.size - 1);
            least = std::min(least, difference(glm::vec3(picture.at(x, y)),
                                               glm::vec3(training.pictures[other].at(to.x, to.y))));
          }
          cost += double(least);
        }
      if (cost < smallest) smallest = cost, best = {dx, dy};
    }
  return best;
}

/// With a independent of where the content lies in the middle view, s = s_0 + M (a - a_0), and of
/// its color: R_sa = M R_aa, R_ss grows by M R_aa M^T, R_Ya = 0. `m`: the columns of M.
Gaussian lifted(const Gaussian& flat, int dims, const Spread& spread, const glm::dmat2& m,
                glm::dvec2 at) {
  const auto q = std::size_t(dims - 2);
  Gaussian g{.prior = flat.prior};
  for (std::size_t i = 0; i < 5; ++i) {
    g.mean[q + i] = flat.mean[i];
    for (std::size_t k = 0; k < 5; ++k) g.covariance[q + i][q + k] = flat.covariance[i][k];
  }
  for (std::size_t k = 0; k < q; ++k) {
    const double variance = spread.variance[int(k)];
    g.mean[k] = spread.mean[int(k)];
    g.covariance[k][k] = variance;
    for (std::size_t i = 0; i < 2; ++i) {
      const double moved = m[int(k)][int(i)];
      g.mean[q + i] += moved * (g.mean[k] - at[int(k)]);
      g.covariance[k][q + i] = g.covariance[q + i][k] = moved * variance;
      for (std::size_t j = 0; j < 2; ++j)
        g.covariance[q + i][q + j] += moved * m[int(k)][int(j)] * variance;
    }
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
  const std::size_t before = mixture.size();
  mixture.resize(before + boxes.size());
  parallelForEach(boxes.size(), 16, [&](std::size_t i) {
    const PixelBox& box = boxes[i];
    Gaussian& g = mixture[before + i] = leafGaussian(training.pictures[picture], box);
    if (training.dims == 2) return;
    const glm::dmat2 m =
        sweep ? glm::dmat2(sweep->over({box.low.x, box.low.y, box.size().x, box.size().y}))
              : glm::dmat2(motionOf(training, picture, box), glm::dvec2(0));
    g = lifted(g, training.dims, spread, m, training.coordinatesOf(picture));
  });
}

}  // namespace

std::vector<Gaussian> startMixture(const TrainingSet& training, int count) {
  std::vector<Gaussian> mixture;
  // A component for each pixel says all that there is.
  const double pixels =
      double(training.size.x) * training.size.y * double(training.pictures.size());
  count = int(std::min(double(count), pixels));
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

// ---- Expectation maximization

namespace {

constexpr double kMinPixels = 1e-3;  // pixels that a component must be responsible for

/// Where fit_moments.comp puts the second moments of (x, y, red, green, blue).
constexpr int kSecond[5][5] = {{6, 7, 9, 10, 11},
                               {7, 8, 12, 13, 14},
                               {9, 12, 15, 16, 17},
                               {10, 13, 16, 18, 19},
                               {11, 14, 17, 19, 20}};
constexpr int kLogSum = 21;

double regularization(int coordinate, int leading) {
  if (coordinate < leading) return kLeadVariance;
  return coordinate < leading + 2 ? kPixelVariance : kColorVariance;
}

}  // namespace

shared::FitFactor colorFactor(const Gaussian& gaussian, const Record& record, int dims) {
  const auto p = std::size_t(dims);
  // S = R_YY - H H^T - H_a H_a^T, then its Cholesky factor in place, lower triangle.
  double s[3][3];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double explained = glm::dot(record.h[i], record.h[j]);
      for (int k = 0; k < dims - 2; ++k) explained += record.leadH[i][k] * record.leadH[j][k];
      s[i][j] = gaussian.covariance[p + i][p + j] - explained;
      for (std::size_t k = 0; k < j; ++k) s[i][j] -= s[i][k] * s[j][k];
      s[i][j] = i == j ? std::sqrt(std::max(s[i][j], 1e-6)) : s[i][j] / s[j][j];
    }
  // F = L^-1 by substitution; ln det F is the constant of the density.
  const double f11 = 1 / s[0][0], f22 = 1 / s[1][1], f33 = 1 / s[2][2];
  const double f21 = -s[1][0] * f11 * f22, f32 = -s[2][1] * f22 * f33;
  const double f31 = -(s[2][0] * f11 + s[2][1] * f21) * f33;
  return {float(f11),
          float(f21),
          float(f22),
          float(f31),
          float(f32),
          float(f33),
          float(std::log(f11 * f22 * f33)),
          0};
}

FitEm::FitEm(FitPasses& passes, const Model& frame, std::vector<Gaussian> start)
    : passes_(passes), frame_(frame), mixture_(std::move(start)) {
  begin();
}

void FitEm::begin() {
  const std::size_t count = mixture_.size();
  components_.resize(count);
  records_.resize(count);
  factors_.resize(count);
  totals_.assign(count, {});
  logSum_ = 0;
  parallelForEach(count, 256, [&](std::size_t j) {
    const Record record = whiten(mixture_[j], frame_.dims, fmt::format("component {}", j));
    factors_[j] = colorFactor(mixture_[j], record, frame_.dims);
    components_[j] = rounded(record, frame_);
    records_[j] = exact(components_[j], frame_);
  });
  passes_.upload(components_);
}

void FitEm::add(const FitRegion& region) {
  passes_.moments(region, factors_);
  const auto sums = passes_.downloadSums<FIT_ROWS_LIKELIHOOD>();
  const auto q = std::size_t(frame_.leading());
  parallelForEach(sums.size(), 256, [&](std::size_t j) {
    const auto& sum = sums[j];
    const double n = double(sum[0]);
    if (!(n > 0)) return;
    // v = t + u: t is what slicing moved the means by, known; u is what was summed.
    const Record view = slice(records_[j], int(q), region.view());
    std::array<double, 7> t{}, u{};
    for (std::size_t k = 0; k < q; ++k)
      t[k] = region.view()[int(k)] - records_[j].leadCenter[int(k)];
    for (int k = 0; k < 2; ++k) t[q + std::size_t(k)] = view.center[k] - records_[j].center[k];
    for (int k = 0; k < 3; ++k) t[q + 2 + std::size_t(k)] = view.color[k] - records_[j].color[k];
    for (std::size_t k = 0; k < 5; ++k) u[q + k] = double(sum[1 + k]);

    Totals& total = totals_[j];
    total.n += n;
    for (std::size_t i = 0; i < q + 5; ++i) {
      total.first[i] += u[i] + n * t[i];
      for (std::size_t k = 0; k < q + 5; ++k) {
        const double square = i < q || k < q ? 0 : double(sum[std::size_t(kSecond[i - q][k - q])]);
        total.second[i][k] += square + t[i] * u[k] + u[i] * t[k] + n * t[i] * t[k];
      }
    }
  });
  for (const auto& sum : sums) logSum_ += double(sum[kLogSum]);
}

void FitEm::finish() {
  double all = 0;
  for (const Totals& total : totals_) all += total.n;
  logLikelihood_ = all > 0 ? logSum_ / all : 0;
  const auto size = std::size_t(frame_.dims + 3), p = std::size_t(frame_.dims);
  for (std::size_t j = 0; j < mixture_.size(); ++j) {
    const Totals& total = totals_[j];
    if (!(total.n >= kMinPixels)) continue;
    // Prior, mean and covariance of what the component is responsible for (M step); sums are
    // relative to the mean that it had.
    Gaussian& g = mixture_[j];
    g.prior = total.n / all;
    const Record& record = records_[j];
    for (std::size_t i = 0; i < size; ++i) {
      const double old = i + 2 < p ? record.leadCenter[int(i)]
                         : i < p   ? record.center[int(i + 2 - p)]
                                   : record.color[int(i - p)];
      g.mean[i] = old + total.first[i] / total.n;
      for (std::size_t k = 0; k < size; ++k)
        g.covariance[i][k] =
            (total.second[i][k] - total.first[i] * total.first[k] / total.n) / total.n;
      g.covariance[i][i] += regularization(int(i), frame_.leading());
    }
  }
}

}  // namespace fathom::smoe
