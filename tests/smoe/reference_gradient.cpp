// SPDX-License-Identifier: BSD-3-Clause
// By the chain rule over eqs. 5, 8 and 9 of Avramelos et al., pixel by pixel and without lists: the
// second witness for fit_gradient and fit_moments, tested against central differences itself.
#include "tests/smoe/reference_gradient.h"

#include "app/engine/smoe/fit/mixture.h"

#include <Eigen/Dense>

namespace fathom::smoe::reference {
namespace {

/// One component of a view at one pixel.
struct At {
  glm::dvec2 d, z;  // x - mu, W (x - mu)
  double gate = 0;
  glm::dvec3 expert{0};
};

/// All components at one pixel, and what they decode to (eq. 9).
struct Decoded {
  std::vector<At> components;
  glm::dvec3 y{0};
};

Decoded decodeAt(std::span<const Record> views, glm::dvec2 x) {
  Decoded result;
  double largest = -1e300, total = 0;
  std::vector<double> logs;
  for (const Record& r : views) {
    At at;
    at.d = x - r.center;
    at.z = {r.w11 * at.d.x, r.w21 * at.d.x + r.w22 * at.d.y};
    for (int k = 0; k < 3; ++k) at.expert[k] = r.color[k] + glm::dot(r.h[std::size_t(k)], at.z);
    logs.push_back(r.c - glm::dot(at.z, at.z) / 2);
    largest = std::max(largest, logs.back());
    result.components.push_back(at);
  }
  for (const double l : logs) total += std::exp(l - largest);
  for (std::size_t j = 0; j < logs.size(); ++j) {
    At& at = result.components[j];
    at.gate = std::exp(logs[j] - largest) / total;
    result.y += at.gate * at.expert;
  }
  return result;
}

template <class Use>
void forEachPixel(std::span<const Record> views, const Image& picture, const Use& use) {
  for (int j = 0; j < picture.height; ++j)
    for (int i = 0; i < picture.width; ++i)
      use(decodeAt(views, {i + 0.5, j + 0.5}), glm::dvec3(picture.at(i, j)));
}

std::vector<Record> viewsOf(std::span<const Record> records, int leading, ViewCoordinates a) {
  std::vector<Record> views;
  for (const Record& r : records) views.push_back(slice(r, leading, a));
  return views;
}

Record zero() {
  Record r;
  r.w11 = r.w22 = r.leadW11 = r.leadW22 = 0;
  return r;
}

/// Adds one pixel to the gradient of one component's record in the view.
void addPixel(Record& grad, const Record& r, const At& at, glm::dvec3 y, glm::dvec3 error) {
  const glm::dvec3 dm = at.gate * error;                       // dE/dm = w g
  const double gl = at.gate * glm::dot(error, at.expert - y);  // w g.(m - y)
  glm::dvec2 dz = -at.z * gl;                                  // -z gl + H^T dm
  for (int k = 0; k < 3; ++k) dz += r.h[std::size_t(k)] * dm[k];
  grad.c += gl;
  grad.w11 += dz.x * at.d.x;  // dW += tril(dz (x - mu)^T)
  grad.w21 += dz.y * at.d.x;
  grad.w22 += dz.y * at.d.y;
  grad.center -= glm::dvec2(r.w11 * dz.x + r.w21 * dz.y, r.w22 * dz.y);  // W^T dz
  grad.color += dm;
  for (int k = 0; k < 3; ++k) grad.h[std::size_t(k)] += dm[k] * at.z;  // dH += dm z^T
}

/// From the gradient of the view's record to that of the record itself, through slicing: center +
/// M da, c - |za|^2 / 2, color + H_a za.
void addLeading(Record& grad, const Record& r, int leading, ViewCoordinates a) {
  glm::dvec2 da = a - r.leadCenter;
  if (leading < 2) da.y = 0;
  glm::dvec2 za{r.leadW11 * da.x, 0};
  if (leading == 2) za.y = r.leadW21 * da.x + r.leadW22 * da.y;
  glm::dvec2 dza = -za * grad.c;
  for (int k = 0; k < 3; ++k) {
    dza += r.leadH[std::size_t(k)] * grad.color[k];
    grad.leadH[std::size_t(k)] = grad.color[k] * za;
  }
  for (int s = 0; s < 2; ++s) grad.m[std::size_t(s)] = grad.center[s] * da;
  grad.leadCenter.x = -(r.leadW11 * dza.x + r.m[0].x * grad.center.x + r.m[1].x * grad.center.y);
  grad.leadW11 = dza.x * da.x;
  if (leading < 2) return;
  grad.leadCenter.x -= r.leadW21 * dza.y;
  grad.leadCenter.y = -(r.leadW22 * dza.y + r.m[0].y * grad.center.x + r.m[1].y * grad.center.y);
  grad.leadW21 = dza.y * da.x;
  grad.leadW22 = dza.y * da.y;
}

/// A component of the mixture in EM: its density, then what it is responsible for.
struct Share {
  explicit Share(const Gaussian& g, int size) : mean(size) {
    Eigen::MatrixXd covariance(size, size);
    for (int i = 0; i < size; ++i) {
      mean[i] = g.mean[std::size_t(i)];
      for (int k = 0; k < size; ++k)
        covariance(i, k) = g.covariance[std::size_t(i)][std::size_t(k)];
    }
    factor.compute(covariance);
    const Eigen::MatrixXd l = factor.matrixL();
    logScale = std::log(g.prior) - l.diagonal().array().log().sum();
    first = Eigen::VectorXd::Zero(size);
    second = Eigen::MatrixXd::Zero(size, size);
  }
  /// ln of prior and density, up to a constant.
  double logDensity(const Eigen::VectorXd& v) const {
    return logScale - factor.matrixL().solve(v - mean).squaredNorm() / 2;
  }
  void add(double r, const Eigen::VectorXd& v) {
    n += r;
    first += r * (v - mean);
    second += r * (v - mean) * (v - mean).transpose();
  }
  /// The M step.
  void update(Gaussian& g, int dims, double all) const {
    if (!(n >= 1e-3)) return;
    const Eigen::VectorXd shift = first / n;
    const Eigen::MatrixXd covariance = second / n - shift * shift.transpose();
    g.prior = n / all;
    for (int i = 0; i < dims + 3; ++i) {
      for (int k = 0; k < dims + 3; ++k)
        g.covariance[std::size_t(i)][std::size_t(k)] = covariance(i, k);
      g.mean[std::size_t(i)] += shift[i];
      g.covariance[std::size_t(i)][std::size_t(i)] += i < dims - 2 ? kLeadVariance
                                                      : i < dims   ? kPixelVariance
                                                                   : kColorVariance;
    }
  }

  Eigen::VectorXd mean, first;
  Eigen::MatrixXd second;
  Eigen::LLT<Eigen::MatrixXd> factor;
  double logScale = 0, n = 0;
};

/// Responsibilities of one sample.
void shareOut(std::vector<Share>& shares, const Eigen::VectorXd& v) {
  std::vector<double> logs;
  for (const Share& share : shares) logs.push_back(share.logDensity(v));
  const double largest = *std::max_element(logs.begin(), logs.end());
  double total = 0;
  for (const double l : logs) total += std::exp(l - largest);
  for (std::size_t k = 0; k < shares.size(); ++k)
    shares[k].add(std::exp(logs[k] - largest) / total, v);
}

}  // namespace

double errorOf(std::span<const Record> records, int leading, const Target& target) {
  const std::vector<Record> views = viewsOf(records, leading, target.view);
  double sum = 0;
  forEachPixel(views, *target.picture, [&](const Decoded& pixel, glm::dvec3 wanted) {
    sum += glm::dot(pixel.y - wanted, pixel.y - wanted) / 2;
  });
  return sum;
}

std::vector<Record> gradientOf(std::span<const Record> records, int leading, const Target& target) {
  const std::vector<Record> views = viewsOf(records, leading, target.view);
  std::vector<Record> gradient(records.size(), zero());
  forEachPixel(views, *target.picture, [&](const Decoded& pixel, glm::dvec3 wanted) {
    for (std::size_t j = 0; j < views.size(); ++j)
      addPixel(gradient[j], views[j], pixel.components[j], pixel.y, pixel.y - wanted);
  });
  if (leading > 0)
    for (std::size_t j = 0; j < records.size(); ++j)
      addLeading(gradient[j], records[j], leading, target.view);
  return gradient;
}

std::vector<Gaussian> emIteration(std::span<const Gaussian> mixture, int dims,
                                  std::span<const Target> targets) {
  std::vector<Share> shares;
  for (const Gaussian& g : mixture) shares.emplace_back(g, dims + 3);
  double all = 0;
  for (const Target& target : targets)
    for (int j = 0; j < target.picture->height; ++j)
      for (int i = 0; i < target.picture->width; ++i) {
        Eigen::VectorXd v(dims + 3);
        for (int k = 0; k < dims - 2; ++k) v[k] = target.view[k];
        v[dims - 2] = i + 0.5, v[dims - 1] = j + 0.5;
        for (int k = 0; k < 3; ++k) v[dims + k] = double(target.picture->at(i, j)[k]);
        shareOut(shares, v);  // E step
        all += 1;
      }
  // M step
  std::vector<Gaussian> result(mixture.begin(), mixture.end());
  for (std::size_t k = 0; k < shares.size(); ++k) shares[k].update(result[k], dims, all);
  return result;
}

}  // namespace fathom::smoe::reference
