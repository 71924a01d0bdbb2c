// SPDX-License-Identifier: BSD-3-Clause
// As one would write the formulas: matrices of Eigen.
#include "app/lab/smoe/baseline.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace fathom::smoe::baseline {
namespace {

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

}  // namespace fathom::smoe::baseline
