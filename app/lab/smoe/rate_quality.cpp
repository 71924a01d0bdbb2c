// SPDX-License-Identifier: BSD-3-Clause
// Structural similarity on a pyramid, and integrals of monotone cubics (Fritsch, Carlson 1980).
#include "app/lab/smoe/rate_quality.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom::smoe {
namespace {

// MS-SSIM
// -------------------------------------------------------------------------------------------------

constexpr int kWindowRadius = 5;
constexpr double kWindowSigma = 1.5, kLuminanceC = 1e-4, kContrastC = 9e-4;
constexpr std::array<double, 5> kScaleWeights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

struct Plane {
  int width = 0, height = 0;
  std::vector<double> values;
  double at(int x, int y) const {
    return values[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
};

Plane planeOf(const Image& image, int channel) {
  Plane plane{image.width, image.height, {}};
  for (const glm::vec4& pixel : image.pixels)
    plane.values.push_back(std::clamp(double(pixel[channel]), 0.0, 1.0));
  return plane;
}

Plane halved(const Plane& plane) {
  Plane half{plane.width / 2, plane.height / 2, {}};
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x)
      half.values.push_back((plane.at(2 * x, 2 * y) + plane.at(2 * x + 1, 2 * y) +
                             plane.at(2 * x, 2 * y + 1) + plane.at(2 * x + 1, 2 * y + 1)) /
                            4);
  return half;
}

Plane product(const Plane& a, const Plane& b) {
  Plane result = a;
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] *= b.values[i];
  return result;
}

/// Means over the window, where it lies inside.
Plane windowed(const Plane& plane) {
  std::array<double, 2 * kWindowRadius + 1> weights{};
  double sum = 0;
  for (int i = -kWindowRadius; i <= kWindowRadius; ++i)
    sum += weights[std::size_t(i + kWindowRadius)] =
        std::exp(-i * i / (2 * kWindowSigma * kWindowSigma));
  for (double& weight : weights) weight /= sum;
  Plane across{plane.width - 2 * kWindowRadius, plane.height, {}};
  for (int y = 0; y < across.height; ++y)
    for (int x = 0; x < across.width; ++x) {
      double value = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        value += weights[i] * plane.at(x + int(i), y);
      across.values.push_back(value);
    }
  Plane result{across.width, plane.height - 2 * kWindowRadius, {}};
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x) {
      double value = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        value += weights[i] * across.at(x, y + int(i));
      result.values.push_back(value);
    }
  return result;
}

/// Mean of contrast and structure, and of them with luminance.
struct Similarity {
  double structure = 0, whole = 0;
};

Similarity similarityOf(const Plane& a, const Plane& b) {
  const Plane ma = windowed(a), mb = windowed(b);
  const Plane aa = windowed(product(a, a)), bb = windowed(product(b, b)),
              ab = windowed(product(a, b));
  Similarity sum;
  for (std::size_t i = 0; i < ma.values.size(); ++i) {
    const double x = ma.values[i], y = mb.values[i];
    const double structure = (2 * (ab.values[i] - x * y) + kContrastC) /
                             (aa.values[i] - x * x + bb.values[i] - y * y + kContrastC);
    sum.structure += structure;
    sum.whole += structure * (2 * x * y + kLuminanceC) / (x * x + y * y + kLuminanceC);
  }
  const auto count = double(ma.values.size());
  return {sum.structure / count, sum.whole / count};
}

double msSsimOf(Plane a, Plane b) {
  int scales = 0;
  for (int side = std::min(a.width, a.height); scales < 5 && side > 2 * kWindowRadius; side /= 2)
    ++scales;
  FATHOM_CHECK_OP(scales, >, 0);
  double weightSum = 0;
  for (int i = 0; i < scales; ++i) weightSum += kScaleWeights[std::size_t(i)];
  double result = 1;
  for (int i = 0; i < scales; ++i) {
    const Similarity similarity = similarityOf(a, b);
    const double value = i + 1 == scales ? similarity.whole : similarity.structure;
    result *= std::pow(std::max(value, 0.0), kScaleWeights[std::size_t(i)] / weightSum);
    if (i + 1 < scales) a = halved(a), b = halved(b);
  }
  return result;
}

// Curves
// -------------------------------------------------------------------------------------------------

/// y over rising x, monotone between its points.
struct Curve {
  std::vector<double> x, y, slope;

  explicit Curve(std::vector<std::pair<double, double>> points) {
    std::sort(points.begin(), points.end());
    for (const auto& [px, py] : points) {
      if (!x.empty() && !(px > x.back())) continue;
      x.push_back(px), y.push_back(py);
    }
    const std::size_t n = x.size();
    slope.assign(n, 0);
    if (n < 2) return;
    std::vector<double> secant;
    for (std::size_t i = 0; i + 1 < n; ++i) secant.push_back((y[i + 1] - y[i]) / (x[i + 1] - x[i]));
    slope.front() = secant.front(), slope.back() = secant.back();
    for (std::size_t i = 1; i + 1 < n; ++i)
      if (secant[i - 1] * secant[i] > 0)  // the harmonic mean keeps it monotone
        slope[i] = 2 * secant[i - 1] * secant[i] / (secant[i - 1] + secant[i]);
  }
  double at(double where) const {
    const auto next = std::upper_bound(x.begin(), x.end(), where) - x.begin();
    const auto i =
        std::size_t(std::clamp<std::ptrdiff_t>(next - 1, 0, std::ptrdiff_t(x.size()) - 2));
    const double h = x[i + 1] - x[i], t = (where - x[i]) / h;
    return y[i] * (1 + 2 * t) * (1 - t) * (1 - t) + y[i + 1] * t * t * (3 - 2 * t) +
           h * slope[i] * t * (1 - t) * (1 - t) - h * slope[i + 1] * t * t * (1 - t);
  }
  /// The mean from `low` to `high`, by Simpson's rule on short pieces.
  double mean(double low, double high) const {
    constexpr int kPieces = 200;
    double sum = 0;
    for (int i = 0; i <= 2 * kPieces; ++i)
      sum += (i == 0 || i == 2 * kPieces ? 1
              : i % 2                    ? 4
                                         : 2) *
             at(low + (high - low) * i / (2.0 * kPieces));
    return sum / (6.0 * kPieces);
  }
};

/// Mean of tested - anchor where both are; false when they share nothing.
bool meanDifference(const Curve& anchor, const Curve& tested, double& mean) {
  if (anchor.x.size() < 2 || tested.x.size() < 2) return false;
  const double low = std::max(anchor.x.front(), tested.x.front());
  const double high = std::min(anchor.x.back(), tested.x.back());
  if (!(low < high)) return false;
  mean = tested.mean(low, high) - anchor.mean(low, high);
  return true;
}

Curve curveOf(const std::vector<RatePoint>& points, bool rateOverPsnr) {
  std::vector<std::pair<double, double>> pairs;
  for (const RatePoint& p : points)
    pairs.push_back(rateOverPsnr ? std::pair(p.psnr, std::log(p.bitsPerPixel))
                                 : std::pair(std::log(p.bitsPerPixel), p.psnr));
  return Curve(std::move(pairs));
}

}  // namespace

double msSsim(const Image& a, const Image& b) {
  FATHOM_CHECK(a.width == b.width && a.height == b.height);
  double sum = 0;
  for (int channel = 0; channel < 3; ++channel)
    sum += msSsimOf(planeOf(a, channel), planeOf(b, channel));
  return sum / 3;
}

Bjontegaard bjontegaard(std::vector<RatePoint> anchor, std::vector<RatePoint> tested) {
  Bjontegaard result;
  double logRate = 0;
  result.known = meanDifference(curveOf(anchor, true), curveOf(tested, true), logRate) &&
                 meanDifference(curveOf(anchor, false), curveOf(tested, false), result.psnr);
  result.rate = std::exp(logRate) - 1;
  return result;
}

}  // namespace fathom::smoe
