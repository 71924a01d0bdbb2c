// SPDX-License-Identifier: BSD-3-Clause
// Decoding by eq. 9 in float64; exact bounds of components on boxes, and the lists that follow from
// them.
#include "app/engine/smoe/model/reference.h"

#include "app/engine/core/error.h"
#include "app/engine/core/image.h"
#include "app/engine/core/jobs.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace fathom::smoe::reference {
// Decoding
// -------------------------------------------------------------------------------------------------

namespace {

/// What is this far below the largest weight adds nothing to a sum in float64.
constexpr double kNothing = 100;

glm::dvec2 sampleAt(const Grid& grid, int x, int y) {
  return grid.corner + (glm::dvec2(x, y) + 0.5) * grid.step;
}

/// z = W (x - mu)
glm::dvec2 whitened(const Record& r, glm::dvec2 x) {
  const glm::dvec2 d = x - r.center;
  return {r.w11 * d.x, r.w21 * d.x + r.w22 * d.y};
}

/// ln of prior times density, up to a constant of all components.
double logWeight(const Record& r, glm::dvec2 x) {
  const glm::dvec2 z = whitened(r, x);
  return r.c - (z.x * z.x + z.y * z.y) / 2;
}

/// Eq. 5: the expert's color.
glm::dvec3 expert(const Record& r, glm::dvec2 x) {
  const glm::dvec2 z = whitened(r, x);
  glm::dvec3 color = r.color;
  for (int i = 0; i < 3; ++i) color[i] += r.h[i].x * z.x + r.h[i].y * z.y;
  return color;
}

/// Eqs. 8 and 9 at one position: gates times experts. `logs` is room for one number per component.
glm::dvec3 decodeAt(std::span<const Record> records, std::span<const std::uint32_t> list,
                    glm::dvec2 x, std::vector<double>& logs) {
  logs.resize(list.size());
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < list.size(); ++i)
    largest = std::max(largest, logs[i] = logWeight(records[list[i]], x));
  glm::dvec3 sum{0};
  double total = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (logs[i] < largest - kNothing) continue;
    const double weight = std::exp(logs[i] - largest);
    total += weight;
    sum += weight * expert(records[list[i]], x);
  }
  return total > 0 ? sum / total : glm::dvec3(0);
}

/// R_XX^-1 with the constant of the density, and R_YX R_XX^-1, as eqs. 5 and 8 have them.
struct Factors {
  Eigen::MatrixXd inverse, gradient;
  double logFactor = 0;
};

Factors factorsOf(const Gaussian& g, int p) {
  Eigen::MatrixXd rxx(p, p), ryx(3, p);
  for (int j = 0; j < p; ++j) {
    for (int i = 0; i < p; ++i) rxx(i, j) = g.covariance[i][j];
    for (int i = 0; i < 3; ++i) ryx(i, j) = g.covariance[p + i][j];
  }
  const Eigen::LDLT<Eigen::MatrixXd> factored(rxx);
  Factors f;
  f.inverse = factored.solve(Eigen::MatrixXd::Identity(p, p));
  f.gradient = ryx * f.inverse;
  f.logFactor = std::log(g.prior) - factored.vectorD().array().log().sum() / 2;
  return f;
}

/// Y' Cb Cr of BT.709, full range, to encoded RGB.
glm::vec3 rgbFromYcbcr(glm::vec3 y) {
  const float cb = y.y - 0.5f, cr = y.z - 0.5f;
  return {y.x + 1.5748f * cr, y.x - 0.187324f * cb - 0.468124f * cr, y.x + 1.8556f * cb};
}

}  // namespace

std::vector<Record> recordsOf(const Model& model, ViewCoordinates a) {
  std::vector<Record> records;
  records.reserve(model.components.size());
  for (const Component& component : model.components)
    records.push_back(slice(exact(component, model), model.leading(), a));
  return records;
}

std::vector<glm::dvec3> decode(std::span<const Record> records, const Grid& grid,
                               const std::vector<std::vector<std::uint32_t>>& lists,
                               int tilePixels) {
  std::vector<glm::dvec3> colors(std::size_t(grid.size.x) * std::size_t(grid.size.y));
  std::vector<std::uint32_t> all(lists.empty() ? records.size() : 0);
  std::iota(all.begin(), all.end(), 0u);
  const std::size_t tilesPerRow = (std::size_t(grid.size.x) + tilePixels - 1) / tilePixels;
  const auto listAt = [&](int x, int y) -> const std::vector<std::uint32_t>& {
    return lists.empty() ? all : lists[std::size_t(y / tilePixels) * tilesPerRow + x / tilePixels];
  };
  parallelFor(std::size_t(grid.size.y), 1, [&](std::size_t first, std::size_t last) {
    std::vector<double> logs;
    for (std::size_t y = first; y < last; ++y)
      for (int x = 0; x < grid.size.x; ++x)
        colors[y * std::size_t(grid.size.x) + std::size_t(x)] =
            decodeAt(records, listAt(x, int(y)), sampleAt(grid, x, int(y)), logs);
  });
  return colors;
}

std::vector<glm::dvec3> decodeMixture(std::span<const Gaussian> mixture, int dims, const Grid& grid,
                                      ViewCoordinates a) {
  const int p = dims, leading = p - 2;
  std::vector<Factors> factors;
  for (const Gaussian& g : mixture) factors.push_back(factorsOf(g, p));

  std::vector<glm::dvec3> colors(std::size_t(grid.size.x) * std::size_t(grid.size.y));
  std::vector<double> logs(mixture.size());
  Eigen::VectorXd x(p), mean(p);
  const auto differenceTo = [&](const Gaussian& g) {
    for (int i = 0; i < p; ++i) mean[i] = g.mean[i];
    return Eigen::VectorXd(x - mean);
  };
  for (std::size_t at = 0; at < colors.size(); ++at) {
    const glm::dvec2 s = sampleAt(grid, int(at % grid.size.x), int(at / grid.size.x));
    for (int i = 0; i < leading; ++i) x[i] = a[i];
    x[leading] = s.x, x[leading + 1] = s.y;
    for (std::size_t j = 0; j < mixture.size(); ++j) {
      const Eigen::VectorXd d = differenceTo(mixture[j]);
      logs[j] = factors[j].logFactor - d.dot(factors[j].inverse * d) / 2;
    }
    const double largest = *std::max_element(logs.begin(), logs.end());
    glm::dvec3 sum{0};
    double total = 0;
    for (std::size_t j = 0; j < mixture.size(); ++j) {
      const double weight = std::exp(logs[j] - largest);
      const Eigen::Vector3d slope = factors[j].gradient * differenceTo(mixture[j]);
      total += weight;
      for (int i = 0; i < 3; ++i) sum[i] += weight * (mixture[j].mean[p + i] + slope[i]);
    }
    colors[at] = sum / total;
  }
  return colors;
}

Image toImage(std::span<const glm::dvec3> colors, glm::ivec2 size, const Coding& coding) {
  const ColorSpace space = coding.space;
  const double asinhPeak = std::asinh(kAsinhSlope * coding.peak);
  Image image(size.x, size.y);
  FATHOM_CHECK_OP(colors.size(), ==, image.pixels.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    glm::vec3 color(colors[i]);
    if (isAsinh(space))
      color = glm::sinh(colors[i] * asinhPeak) / kAsinhSlope;
    else if (space == ColorSpace::Ycbcr709)
      color = rgbFromYcbcr(color);
    if (space != ColorSpace::Linear && space != ColorSpace::Gray && !isAsinh(space))
      for (int k = 0; k < 3; ++k)
        color[k] = std::copysign(linearFromSrgb(std::abs(color[k])), color[k]);
    image.pixels[i] = glm::vec4(color, 1);
  }
  return image;
}

// Bounds and lists
// -------------------------------------------------------------------------------------------------

namespace {

constexpr int kCell = 4;  // pixels
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double squaredDistance(const Record& r, glm::dvec2 d) {
  const double z1 = r.w11 * d.x, z2 = r.w21 * d.x + r.w22 * d.y;
  return z1 * z1 + z2 * z2;
}

/// Smallest squared distance on the box. Outside it the minimum lies on an edge that faces the
/// center, because distance is convex: there, the minimum along the edge's line, clamped to the
/// edge.
double minSquaredDistance(const Record& r, const SampleBox& box) {
  const glm::dvec2 low = box.low - r.center, high = box.high - r.center;
  const bool beside = low.x > 0 || high.x<0, above = low.y> 0 || high.y < 0;
  if (!beside && !above) return 0;
  double smallest = kInfinity;
  if (beside) {
    const double dx = low.x > 0 ? low.x : high.x;
    const double dy = std::clamp(-r.w21 / r.w22 * dx, low.y, high.y);
    smallest = squaredDistance(r, {dx, dy});
  }
  if (above) {
    const double dy = low.y > 0 ? low.y : high.y;
    const double slope = r.w21 * r.w22 / (r.w11 * r.w11 + r.w21 * r.w21);
    const double dx = std::clamp(-slope * dy, low.x, high.x);
    smallest = std::min(smallest, squaredDistance(r, {dx, dy}));
  }
  return smallest;
}

/// The largest lies in a corner, again because distance is convex.
double largestSquaredDistance(const Record& r, const SampleBox& box) {
  double largest = 0;
  for (const double x : {box.low.x, box.high.x})
    for (const double y : {box.low.y, box.high.y})
      largest = std::max(largest, squaredDistance(r, glm::dvec2(x, y) - r.center));
  return largest;
}

/// The sample positions of the pixels from `low` up to, but without, `high`.
SampleBox samplesOf(const Grid& grid, glm::ivec2 low, glm::ivec2 high) {
  return {grid.corner + (glm::dvec2(low) + 0.5) * grid.step,
          grid.corner + (glm::dvec2(high) - 0.5) * grid.step};
}

struct Cell {
  SampleBox box;
  int maskBit = 0;
  double bar = -kInfinity;
};

std::vector<Cell> cellsOf(const Grid& grid, glm::ivec2 tile, int tilePixels) {
  std::vector<Cell> cells;
  const glm::ivec2 low = tile * tilePixels, high = glm::min(low + tilePixels, grid.size);
  const int square = std::max(kCell, tilePixels / 4), squares = tilePixels / square;
  for (int y = low.y; y < high.y; y += kCell)
    for (int x = low.x; x < high.x; x += kCell) {
      const glm::ivec2 corner{x, y};
      const glm::ivec2 at = (corner - low) / square;
      cells.push_back(
          {samplesOf(grid, corner, glm::min(corner + kCell, high)), at.y * squares + at.x});
    }
  return cells;
}

/// One tile of boundedLists().
class TileLists {
 public:
  TileLists(std::span<const Record> records, const Grid& grid, glm::ivec2 tile, int tilePixels,
            double tau, double reach)
      : records_(records), tau_(tau), reach_(reach), cells_(cellsOf(grid, tile, tilePixels)) {
    const SampleBox box =
        samplesOf(grid, tile * tilePixels, glm::min((tile + 1) * tilePixels, grid.size));
    double tileBar = -kInfinity;
    for (const Record& r : records) {
      upper_.push_back(upperBound(r, box));
      tileBar = std::max(tileBar, lowerBound(r, box));
    }
    findBars(tileBar);
    filter();
  }
  std::vector<std::uint32_t> list;
  std::vector<std::uint16_t> masks;
  double certificate = 0, maskedCertificate = 0;

 private:
  /// Lbar_B of each cell: the largest lower bound. Whoever cannot reach the tile's bar cannot set
  /// the bar of a cell.
  void findBars(double tileBar) {
    for (std::size_t j = 0; j < records_.size(); ++j) {
      if (upper_[j] < tileBar) continue;
      for (Cell& cell : cells_) cell.bar = std::max(cell.bar, lowerBound(records_[j], cell.box));
    }
  }

  /// Keeps what passes on a cell, and sums per cell what the rest can weigh there.
  void filter() {
    double minBar = kInfinity;
    for (const Cell& cell : cells_) minBar = std::min(minBar, cell.bar);
    double far = 0;  // what fails on the tile as a whole by a wide margin: one bound for all cells
    std::vector<double> dropped(cells_.size(), 0), masked(cells_.size(), 0), cost(cells_.size());
    for (std::size_t j = 0; j < records_.size(); ++j) {
      if (upper_[j] - minBar < -tau_ - 20) {
        far += costOf(records_[j], upper_[j], minBar);
        continue;
      }
      // Where it passes, and what leaving it out would cost per cell.
      std::uint16_t mask = 0;
      for (std::size_t b = 0; b < cells_.size(); ++b) {
        const Cell& cell = cells_[b];
        const double upper = upperBound(records_[j], cell.box);
        cost[b] = costOf(records_[j], upper, cell.bar);
        if (upper >= cell.bar - tau_) mask = std::uint16_t(mask | 1u << cell.maskBit);
      }
      // Left out of the list, or only skipped on some cells.
      for (std::size_t b = 0; b < cells_.size(); ++b) {
        if (mask == 0) dropped[b] += cost[b];
        if (!(mask >> cells_[b].maskBit & 1)) masked[b] += cost[b];
      }
      if (mask == 0) continue;
      list.push_back(std::uint32_t(j));
      masks.push_back(mask);
    }
    certificate = far + *std::max_element(dropped.begin(), dropped.end());
    maskedCertificate = far + *std::max_element(masked.begin(), masked.end());
  }

  /// a_j exp(U_jB - Lbar_B): by how much dropping the component can change a color on B at most.
  /// Beyond one sigma the product falls with distance, so the nearest point counts.
  double costOf(const Record& r, double upper, double bar) const {
    double away = 0, slope = 0;
    for (int i = 0; i < 3; ++i) {
      away = std::max(away, std::abs(r.color[i] - 0.5));
      slope = std::max(slope, glm::dot(r.h[i], r.h[i]));
    }
    const double minDistance = std::sqrt(std::max(0.0, 2 * (r.c - upper)));
    const double a = away + reach_ + std::sqrt(slope) * std::max(1.0, minDistance);
    return a * std::exp(upper - bar);
  }

  std::span<const Record> records_;
  double tau_, reach_;
  std::vector<Cell> cells_;
  std::vector<double> upper_;  // of each component on the whole tile
};

}  // namespace

double upperBound(const Record& record, const SampleBox& box) {
  return record.c - minSquaredDistance(record, box) / 2;
}

double lowerBound(const Record& record, const SampleBox& box) {
  return record.c - largestSquaredDistance(record, box) / 2;
}

BoundedLists boundedLists(std::span<const Record> records, const Grid& grid, int tilePixels,
                          double tau, double reach) {
  const glm::ivec2 tiles = (grid.size + tilePixels - 1) / tilePixels;
  const std::size_t count = std::size_t(tiles.x) * std::size_t(tiles.y);
  BoundedLists result;
  result.lists.resize(count), result.masks.resize(count);
  result.certificate.resize(count), result.maskedCertificate.resize(count);
  parallelFor(count, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      TileLists tile(records, grid, {int(i) % tiles.x, int(i) / tiles.x}, tilePixels, tau, reach);
      result.lists[i] = std::move(tile.list);
      result.masks[i] = std::move(tile.masks);
      result.certificate[i] = tile.certificate;
      result.maskedCertificate[i] = tile.maskedCertificate;
    }
  });
  for (const auto& list : result.lists) result.meanLength += double(list.size()) / double(count);
  return result;
}

namespace {

/// Without alpha.
Image opaquePicture(const Model& model, const ViewWindow& window) {
  constexpr int kTile = 16;
  // Lists leave out what weighs less than e^-40: nothing in double precision.
  constexpr double kExactThreshold = 40;
  const int samples = window.samples;
  const std::vector<Record> records = recordsOf(model, window.at);
  const Grid grid{window.size * samples, window.corner, window.step / samples};
  const BoundedLists lists = boundedLists(records, grid, kTile, kExactThreshold);
  const Image fine = toImage(decode(records, grid, lists.lists, kTile), grid.size, model.coding());
  if (samples == 1) return fine;
  Image picture(window.size.x, window.size.y);
  for (int y = 0; y < grid.size.y; ++y)
    for (int x = 0; x < grid.size.x; ++x)
      picture.at(x / samples, y / samples) += fine.at(x, y) / float(samples * samples);
  return picture;
}

}  // namespace

Image picture(const Model& model, const ViewWindow& window) {
  Image colors = opaquePicture(model, window);
  if (!model.alpha) return colors;
  const Image alpha = opaquePicture(*model.alpha, window);
  for (std::size_t i = 0; i < colors.pixels.size(); ++i) {
    const float a = glm::clamp(alpha.pixels[i].r, 0.0f, 1.0f);
    colors.pixels[i] =
        glm::vec4(glm::clamp(glm::vec3(colors.pixels[i]), 0.0f, a * float(model.peak)), a);
  }
  return colors;
}

}  // namespace fathom::smoe::reference
