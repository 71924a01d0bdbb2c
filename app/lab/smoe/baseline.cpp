// SPDX-License-Identifier: BSD-3-Clause
// Both decoders as one would write them without a GPU: matrices of Eigen, and arrays that a
// compiler can vectorize over.
#include "app/lab/smoe/baseline.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace fathom::smoe::baseline {
namespace {

constexpr float kSkipped = 20;  // a weight of e^-20 is below float32's rounding of the sum

using Matrix = Eigen::MatrixXd;

/// X: coordinates of the block's samples, N x p.
Matrix samplesOf(const reference::Grid& block, int dims, ViewCoordinates a) {
  const int leading = dims - 2;
  Matrix x(block.size.x * block.size.y, dims);
  for (int i = 0; i < x.rows(); ++i) {
    for (int k = 0; k < leading; ++k) x(i, k) = double(a[k]);
    const glm::dvec2 pixel(i % block.size.x, i / block.size.x);
    for (int k = 0; k < 2; ++k)
      x(i, leading + k) = double(block.corner[k] + (pixel[k] + 0.5) * block.step);
  }
  return x;
}

/// A component's parameters as matrices.
struct Parameters {
  Matrix muX, muY, rxx, ryx;
  Parameters(const Gaussian& g, int p) : muX(1, p), muY(1, 3), rxx(p, p), ryx(3, p) {
    for (int j = 0; j < p; ++j) {
      muX(0, j) = double(g.mean[j]);
      for (int i = 0; i < p; ++i) rxx(i, j) = double(g.covariance[i][j]);
      for (int i = 0; i < 3; ++i) ryx(i, j) = double(g.covariance[p + i][j]);
    }
    for (int i = 0; i < 3; ++i) muY(0, i) = double(g.mean[p + i]);
  }
};

/// The records of a tile in float32, as arrays, with centers relative to the tile's corner.
struct TileRecords {
  std::vector<float> x, y, c, w11, w21, w22, logs;
  std::vector<glm::vec3> color, h1, h2;

  void gather(std::span<const Record> records, std::span<const std::uint32_t> list,
              glm::dvec2 corner) {
    for (std::vector<float>* array : {&x, &y, &c, &w11, &w21, &w22, &logs})
      array->resize(list.size());
    for (std::vector<glm::vec3>* array : {&color, &h1, &h2}) array->resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Record& r = records[list[i]];
      x[i] = float(r.center.x - corner.x), y[i] = float(r.center.y - corner.y);
      c[i] = float(r.c), w11[i] = float(r.w11), w21[i] = float(r.w21), w22[i] = float(r.w22);
      color[i] = glm::vec3(r.color);
      for (int k = 0; k < 3; ++k) h1[i][k] = float(r.h[k].x), h2[i][k] = float(r.h[k].y);
    }
  }

  glm::vec3 decodeAt(glm::vec2 at) {
    const std::size_t count = x.size();
    float largest = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
      const float dx = at.x - x[i], dy = at.y - y[i];
      const float z1 = w11[i] * dx, z2 = w21[i] * dx + w22[i] * dy;
      logs[i] = c[i] - 0.5f * (z1 * z1 + z2 * z2);
    }
    for (std::size_t i = 0; i < count; ++i) largest = logs[i] > largest ? logs[i] : largest;
    glm::vec3 sum(0);
    float total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (logs[i] < largest - kSkipped) continue;
      const float weight = std::exp(logs[i] - largest);
      const float dx = at.x - x[i], dy = at.y - y[i];
      const float z1 = w11[i] * dx, z2 = w21[i] * dx + w22[i] * dy;
      total += weight;
      sum += weight * (color[i] + h1[i] * z1 + h2[i] * z2);
    }
    return total > 0 ? sum / total : glm::vec3(0);
  }
};

}  // namespace

std::vector<glm::dvec3> decodeBlock(std::span<const Gaussian> components, int dims,
                                    const reference::Grid& block, ViewCoordinates a) {
  const Matrix x = samplesOf(block, dims, a);
  const auto count = Eigen::Index(components.size());
  Matrix weights(x.rows(), count), colors[3];
  for (Matrix& color : colors) color.resize(x.rows(), count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Parameters q(components[std::size_t(j)], dims);
    const Matrix d = x.rowwise() - q.muX.row(0);
    const Matrix l = q.rxx.llt().matrixL();
    const Matrix inverse = l.triangularView<Eigen::Lower>().solve(Matrix::Identity(dims, dims));
    const Matrix z = d * inverse.transpose();  // |z|^2: the squared distance
    Matrix experts = d * (inverse.transpose() * inverse * q.ryx.transpose());
    experts.rowwise() += q.muY.row(0);
    const double logFactor =
        double(std::log(components[std::size_t(j)].prior)) - l.diagonal().array().log().sum();
    weights.col(j) = logFactor - z.rowwise().squaredNorm().array() / 2;
    for (int i = 0; i < 3; ++i) colors[i].col(j) = experts.col(i);
  }
  // Softmax over each row (eq. 8), then the sum of eq. 9.
  weights.colwise() -= weights.rowwise().maxCoeff().eval();
  weights = weights.array().exp();
  const Matrix totals = weights.rowwise().sum();
  std::vector<glm::dvec3> result(std::size_t(x.rows()));
  for (int i = 0; i < 3; ++i) {
    const Matrix sums = weights.cwiseProduct(colors[i]).rowwise().sum();
    for (Eigen::Index at = 0; at < x.rows(); ++at)
      result[std::size_t(at)][i] = double(sums(at) / totals(at));
  }
  return result;
}

std::vector<glm::vec3> decodeRecords(std::span<const Record> records, const reference::Grid& grid,
                                     const std::vector<std::vector<std::uint32_t>>& lists,
                                     int tilePixels) {
  std::vector<glm::vec3> colors(std::size_t(grid.size.x) * std::size_t(grid.size.y));
  const glm::ivec2 tiles = (grid.size + tilePixels - 1) / tilePixels;
  TileRecords tile;
  for (int ty = 0; ty < tiles.y; ++ty)
    for (int tx = 0; tx < tiles.x; ++tx) {
      const glm::ivec2 low = glm::ivec2(tx, ty) * tilePixels;
      const glm::ivec2 high = glm::min(low + tilePixels, grid.size);
      tile.gather(records, lists[std::size_t(ty * tiles.x + tx)],
                  grid.corner + glm::dvec2(low) * grid.step);
      for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x)
          colors[std::size_t(y) * std::size_t(grid.size.x) + std::size_t(x)] =
              tile.decodeAt((glm::vec2(x, y) - glm::vec2(low) + 0.5f) * float(grid.step));
    }
  return colors;
}

}  // namespace fathom::smoe::baseline
