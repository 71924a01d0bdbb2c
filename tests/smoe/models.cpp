// SPDX-License-Identifier: BSD-3-Clause
// Making models, the same on every machine; taking their files apart; drawing pictures to fit.
#include "tests/smoe/models.h"

#include "app/engine/core/jobs.h"
#include "app/engine/core/random.h"
#include "app/engine/io/deflate.h"
#include "app/engine/smoe/model/file.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace fathom::smoe {
namespace {

/// A symmetric, positive definite R of n x n: A A^T of a random lower triangle with this diagonal.
void fillCovariance(Random& random, Gaussian& g, const std::vector<double>& diagonal) {
  const std::size_t n = diagonal.size();
  double a[7][7] = {};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      a[i][j] = i == j ? diagonal[i] : diagonal[i] * double(random.uniform(-0.4f, 0.4f));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k <= std::min(i, j); ++k) g.covariance[i][j] += a[i][k] * a[j][k];
}

}  // namespace

Record disc(glm::dvec2 center, double sigma, glm::dvec3 color) {
  Record r;
  r.center = center;
  r.w11 = r.w22 = 1 / sigma;
  r.color = color;
  r.c = 2 * std::log(1 / sigma);
  return r;
}

Model modelOf(std::span<const Record> records, glm::ivec2 size, int dims) {
  Model model;
  model.dims = dims;
  model.width = size.x, model.height = size.y;
  if (dims == 3) model.frames = 10;
  if (dims == 4) model.views = {9, 9}, model.viewOrigin = {4, 4};
  model.centerFractionBits = fractionBitsFor(size.x, size.y);
  for (const Record& record : records) model.components.push_back(rounded(record, model));
  return model;
}

std::vector<Gaussian> randomMixture(std::uint64_t seed, int dims, int count, glm::ivec2 size) {
  Random random(seed);
  const double sigma = 0.5 * std::sqrt(double(size.x) * size.y / count);
  std::vector<Gaussian> mixture(static_cast<std::size_t>(count));
  double total = 0;
  for (Gaussian& g : mixture) {
    total += g.prior = double(random.uniform(0.2f, 1));
    std::vector<double> diagonal;
    int i = 0;
    if (dims == 3) g.mean[i++] = double(random.uniform(0, 10)), diagonal.push_back(3);
    if (dims == 4)
      for (int k = 0; k < 2; ++k)
        g.mean[i++] = double(random.uniform(-4, 4)), diagonal.push_back(2.5);
    for (int k = 0; k < 2; ++k) {
      g.mean[i++] = (double(random.uniform()) * 1.1 - 0.05) * size[k];
      diagonal.push_back(sigma * double(random.uniform(0.5f, 2)));
    }
    for (int k = 0; k < 3; ++k) g.mean[i++] = double(random.uniform()), diagonal.push_back(0.15);
    fillCovariance(random, g, diagonal);
  }
  for (Gaussian& g : mixture) g.prior /= total;
  return mixture;
}

Model randomModel(std::uint64_t seed, int dims, int count, glm::ivec2 size) {
  std::vector<Record> records;
  for (const Gaussian& g : randomMixture(seed, dims, count, size))
    records.push_back(whiten(g, dims, "random"));
  return modelOf(records, size, dims);
}

double largestDifference(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const double difference = std::abs(a[i][k] - b[i][k]);
      largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
  return largest;
}

double reachOf(std::span<const glm::dvec3> colors) {
  double reach = 0.6;
  for (const glm::dvec3& color : colors)
    for (int k = 0; k < 3; ++k) reach = std::max(reach, std::abs(color[k] - 0.5));
  return reach;
}

FileParts FileParts::of(const std::string& file) {
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + 8, sizeof length);
  const std::size_t start = (12 + length + 15) / 16 * 16;
  return {file.substr(12, length), file.substr(start)};
}

std::string FileParts::bytes() const {
  std::string header = json;
  if (const std::size_t at = header.find("\"crc32\": \""); at != std::string::npos)
    header.replace(at + 10, 8, fmt::format("{:08x}", crc32(std::as_bytes(std::span(payload)))));
  std::string file = "SMOEMDL1";
  const auto length = std::uint32_t(header.size());
  file.append(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  file.resize((file.size() + 15) / 16 * 16, '\0');
  return file + payload;
}

FileParts& FileParts::edit(const std::string& from, const std::string& to) {
  const std::size_t at = json.find(from);
  FATHOM_CHECK(at != std::string::npos && json.find(from, at + 1) == std::string::npos);
  json.replace(at, from.size(), to);
  return *this;
}

FileParts& FileParts::setFloat(std::size_t array, std::size_t count, std::size_t component,
                               float value) {
  const std::size_t at = 4 * (array * count + component);
  FATHOM_CHECK(at + 4 <= payload.size());
  std::memcpy(payload.data() + at, &value, sizeof value);
  return *this;
}

Model quantized(const Model& model, const Quantization& bits) {
  return encodeArrays(model, &bits, "model").model;
}

std::string fileOf(const Model& model, int bits) {
  const Quantization quantization{bits, bits, bits, bits, bits};
  const EncodedModel encoded = encodeArrays(model, bits > 0 ? &quantization : nullptr, "model");
  return {reinterpret_cast<const char*>(encoded.bytes.data()), encoded.bytes.size()};
}

std::string mixtureFile(std::span<const Gaussian> mixture, int dims, glm::ivec2 size,
                        const std::string& covariance, const std::string& encoding) {
  FileParts parts;
  parts.json = fmt::format(
      R"({{"format": "smoe", "version": 1, "dims": {}, "count": {}, "width": {}, "height": {}, )",
      dims, mixture.size(), size.x, size.y);
  if (dims == 3) parts.json += R"("frames": 10, )";
  if (dims == 4) parts.json += R"("views": [9, 9], "viewOrigin": [4, 4], )";
  parts.json += fmt::format(R"("colour": "srgb", "encoding": "{}", "form": "gmm", )", encoding);
  parts.json += fmt::format(R"("covariance": "{}", "crc32": "00000000"}})", covariance);

  const auto put = [&](const auto& valueOf) {
    for (const Gaussian& g : mixture) {
      const double value = valueOf(g);
      const auto narrow = float(value);
      if (encoding == "f64")
        parts.payload.append(reinterpret_cast<const char*>(&value), sizeof value);
      else
        parts.payload.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
    }
  };
  const int p = dims, n = p + 3;
  const auto entry = [&](int i, int j) {
    put([=](const Gaussian& g) { return g.covariance[i][j]; });
  };
  put([](const Gaussian& g) { return g.prior; });
  for (int i = 0; i < n; ++i) put([=](const Gaussian& g) { return g.mean[i]; });
  if (covariance == "selection") {
    for (int i = 0; i < p; ++i)
      for (int j = i; j < p; ++j) entry(i, j);
    for (int i = p; i < n; ++i)
      for (int j = 0; j < p; ++j) entry(i, j);
    for (int i = p; i < n; ++i) entry(i, i);
  } else {
    for (int i = 0; i < n; ++i)
      for (int j = covariance == "full" ? 0 : i; j < n; ++j) entry(i, j);
  }
  return parts.bytes();
}

namespace {

/// A picture by its color at points of 0..1.
template <class Color>
Image drawn(glm::ivec2 size, const Color& color) {
  Image image(size.x, size.y);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      image.at(x, y) = glm::vec4(color(glm::vec2(x + 0.5f, y + 0.5f)), 1);
  return image;
}

}  // namespace

Image discs(glm::ivec2 size, glm::dvec2 shift) {
  return drawn(size, [&](glm::vec2 at) {
    const glm::vec2 unit = at / float(std::max(size.x, size.y));
    glm::vec3 color = glm::mix(glm::vec3(0.2f, 0.3f, 0.5f), glm::vec3(0.8f, 0.7f, 0.4f), unit.y);
    if (unit.x > 0.7f) color += 0.08f * std::sin(at.x * 1.1f);
    Random random(7);
    for (int i = 0; i < 9; ++i) {
      glm::vec2 center{random.uniform(), random.uniform()};
      const float radius = random.uniform(0.05f, 0.2f), depth = random.uniform(-1, 1);
      center += depth * glm::vec2(shift) / float(std::max(size.x, size.y));
      const glm::vec3 paint{random.uniform(), random.uniform(), random.uniform()};
      const float inside = radius - glm::length(unit - center);
      const float cover = glm::clamp(inside * float(size.x) + 0.5f, 0.0f, 1.0f);
      color = glm::mix(color, paint * (0.5f + 2.5f * std::max(inside, 0.0f)), cover);
    }
    return glm::clamp(color, 0.0f, 1.0f);
  });
}

Image flat(glm::ivec2 size, glm::vec3 color) {
  return drawn(size, [&](glm::vec2) { return color; });
}

Image ramp(glm::ivec2 size) {
  return drawn(size, [&](glm::vec2 at) {
    return glm::vec3(at.x / float(size.x), at.y / float(size.y), 0.5f);
  });
}

Image noise(glm::ivec2 size, std::uint64_t seed) {
  Random random(seed);
  return drawn(size, [&](glm::vec2) {
    return glm::vec3(random.uniform(), random.uniform(), random.uniform());
  });
}

std::shared_ptr<TrainingSet> trainingOf(const Image& picture) {
  auto training = std::make_shared<TrainingSet>();
  training->size = {picture.width, picture.height};
  training->name = "picture";
  training->pictures = {picture};
  return training;
}

std::shared_ptr<TrainingSet> trainingOfViews(glm::ivec2 grid, glm::ivec2 size) {
  auto training = std::make_shared<TrainingSet>();
  training->dims = 4;
  training->size = size;
  training->views = grid;
  training->viewOrigin = glm::dvec2(grid - 1) / 2.0;
  training->name = "views";
  for (int i = 0; i < grid.x; ++i)
    for (int j = 0; j < grid.y; ++j)
      training->pictures.push_back(discs(size, glm::dvec2(i, j) - training->viewOrigin));
  return training;
}

namespace reference {
namespace {

constexpr int kCell = 4;  // pixels
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

}  // namespace

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
    const glm::dvec2 pixel(int(at) % grid.size.x, int(at) / grid.size.x);
    const glm::dvec2 s = grid.corner + (pixel + 0.5) * grid.step;
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

}  // namespace reference

}  // namespace fathom::smoe
