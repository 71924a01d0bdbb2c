// SPDX-License-Identifier: BSD-3-Clause
// Decoding in float64, from records (eqs. 5, 8 and 9 of Avramelos et al.) and straight from
// mixtures.
#include "app/engine/smoe/model/reference.h"

#include "app/engine/core/color.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fathom::smoe::reference {
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

Image toImage(std::span<const glm::dvec3> colors, glm::ivec2 size, ColorSpace space) {
  Image image(size.x, size.y);
  FATHOM_CHECK_OP(colors.size(), ==, image.pixels.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    glm::vec3 color = glm::clamp(glm::vec3(colors[i]), 0.0f, 1.0f);
    if (space == ColorSpace::Ycbcr709) color = glm::clamp(rgbFromYcbcr(color), 0.0f, 1.0f);
    if (space != ColorSpace::Linear && space != ColorSpace::Gray)
      for (int k = 0; k < 3; ++k) color[k] = linearFromSrgb(color[k]);
    image.pixels[i] = glm::vec4(color, 1);
  }
  return image;
}

}  // namespace fathom::smoe::reference
