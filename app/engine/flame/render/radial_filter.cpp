// SPDX-License-Identifier: BSD-3-Clause
// The kernels by name, and those that a genome's filter is made of.
#include "app/engine/flame/render/radial_filter.h"

#include "app/engine/flame/render/filters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fathom::flame {
namespace {

using std::numbers::pi;

constexpr double kDensityRadius = 0.75;  // of the Gaussian beside a sharpening kernel

/// Mitchell and Netravali 1988, eq. 8; b + 2 c = 1 in all that JWildfire has.
double cubicOf(double b, double c, double a) {
  if (a < 1)
    return ((12 - 9 * b - 6 * c) * a * a * a + (-18 + 12 * b + 6 * c) * a * a + 6 - 2 * b) / 6;
  if (a >= 2) return 0;
  return ((-b - 6 * c) * a * a * a + (6 * b + 30 * c) * a * a + (-12 * b - 48 * c) * a + 8 * b +
          24 * c) /
         6;
}

/// Flat in the middle, the steeper at its end the higher the power, which is that of e.
double sinePower(double power, double a) {
  const double cosine = 4 * std::exp(power * std::log10(a)) - 1;
  return cosine <= 1 ? std::acos(cosine) / pi : 0;
}

bool sharpens(RadialShape shape) {
  switch (shape) {
    case RadialShape::Blackman:
    case RadialShape::Catrom:
    case RadialShape::Hamming:
    case RadialShape::Hanning:
    case RadialShape::Lanczos2:
    case RadialShape::Lanczos3:
    case RadialShape::Mitchell:
    case RadialShape::MitchellSmooth:
    case RadialShape::MitchellSinePow:
      return true;
    default:
      return false;
  }
}

/// flam3's function of the same formula, whose names are permuted.
FilterShape plainShape(RadialShape shape) {
  switch (shape) {
    case RadialShape::Blackman:
      return FilterShape::Lanczos2;
    case RadialShape::Hanning:
      return FilterShape::Blackman;
    case RadialShape::Hamming:
      return FilterShape::Catrom;
    case RadialShape::Bspline:
      return FilterShape::Bspline;
    case RadialShape::Hermite:
      return FilterShape::Hermite;
    case RadialShape::Lanczos2:
      return FilterShape::Hanning;
    case RadialShape::Lanczos3:
      return FilterShape::Hamming;
    case RadialShape::Bell:
    case RadialShape::Quadratic:
      return FilterShape::Bell;
    case RadialShape::Box:
      return FilterShape::Box;
    case RadialShape::Triangle:
      return FilterShape::Triangle;
    case RadialShape::Catrom:
      return FilterShape::Mitchell;
    default:
      return FilterShape::Gaussian;
  }
}

/// The mean of a pixel's buckets, as a kernel around bucket supersample / 2.
RadialKernel meanOf(int supersample) {
  RadialKernel kernel;
  kernel.side = supersample / 2 * 2 + 1, kernel.isMean = true;
  kernel.weights.assign(std::size_t(kernel.side * kernel.side), 0);
  for (int y = 0; y < supersample; ++y)
    for (int x = 0; x < supersample; ++x)
      kernel.weights[std::size_t(y * kernel.side + x)] = 1.0 / (supersample * supersample);
  return kernel;
}

/// Weights of a kernel for one of the two values, in a square of another side around it.
void place(const RadialKernel& kernel, int channel, std::size_t first, RadialFilter& filter) {
  const int margin = (filter.side - kernel.side) / 2;
  for (int y = 0; y < kernel.side; ++y)
    for (int x = 0; x < kernel.side; ++x)
      filter.weights[first + std::size_t((y + margin) * filter.side + x + margin)][channel] =
          kernel.weights[std::size_t(y * kernel.side + x)];
}

}  // namespace

double radialFunction(RadialShape shape, double distance) {
  switch (shape) {
    case RadialShape::Mitchell:
      return cubicOf(1.0 / 3, 1.0 / 3, distance);
    case RadialShape::MitchellSmooth:
    case RadialShape::MitchellSinePow:
      return cubicOf(0.42, 0.29, distance);
    case RadialShape::SinePow5:
      return sinePower(5, distance);
    case RadialShape::SinePow10:
      return sinePower(10, distance);
    case RadialShape::SinePow15:
      return sinePower(15, distance);
    default:
      return filterFunction(plainShape(shape), distance);
  }
}

double radialSupport(RadialShape shape) {
  switch (shape) {
    case RadialShape::Mitchell:
    case RadialShape::MitchellSmooth:
    case RadialShape::MitchellSinePow:
      return 2;
    case RadialShape::SinePow5:
    case RadialShape::SinePow10:
    case RadialShape::SinePow15:
      return 1;
    default:
      return filterSupport(plainShape(shape));
  }
}

RadialKernel radialKernel(RadialShape shape, double radius, int supersample) {
  const double support = radialSupport(shape);
  const int width = int(2 * supersample * support * radius);
  if (width < 1) return meanOf(supersample);
  RadialKernel kernel;
  kernel.side = width + 1 + width % 2;
  kernel.weights.clear();
  const double stretch = support * kernel.side / width;
  double sum = 0;
  for (int y = 0; y < kernel.side; ++y)
    for (int x = 0; x < kernel.side; ++x) {
      const double dx = ((2 * x + 1.0) / kernel.side - 1) * stretch;
      const double dy = ((2 * y + 1.0) / kernel.side - 1) * stretch;
      kernel.weights.push_back(radialFunction(shape, std::sqrt(dx * dx + dy * dy)));
      sum += kernel.weights.back();
    }
  if (sum == 0) return meanOf(supersample);
  for (double& weight : kernel.weights) weight /= sum;
  return kernel;
}

int RadialFilter::gutter() const {
  return std::max(0, side / 2 - (supersample - 1 - supersample / 2));
}

std::optional<RadialFilter> radialFilterFor(const Genome& genome, const Settings& settings) {
  if (genome.dialect != Dialect::JWildfire || settings.antialias == Antialias::Jitter ||
      genome.estimatorRadius > 0)
    return std::nullopt;
  RadialFilter filter;
  filter.supersample = supersampleFor(genome, settings);
  const auto kernelOf = [&](RadialShape shape, double radius) {
    return std::pair(radialKernel(shape, radius, filter.supersample), sharpens(shape));
  };
  const double wide = genome.filter + 0.25;
  std::vector kernels{kernelOf(genome.radialShape, genome.filter)};
  filter.adapts = genome.radialShape == RadialShape::MitchellSinePow && wide >= 0.5;
  if (filter.adapts) {
    kernels.push_back(kernelOf(RadialShape::SinePow10, 1.5 * wide));
    kernels.push_back(kernelOf(RadialShape::SinePow10, wide));
    kernels.push_back(kernelOf(RadialShape::MitchellSinePow, 0.75 * wide));
  }
  // JWildfire's density is of a pixel's buckets together, its palette in 200 steps of 256.
  const double buckets = double(filter.supersample) * filter.supersample;
  filter.thinBelow = 255 * buckets * genome.filterLowDensity;
  filter.edgeFrom = (std::pow(10, genome.filterSharpness) - 1) * 256 / 200;

  const RadialKernel narrow =
      radialKernel(RadialShape::Gaussian, kDensityRadius, filter.supersample);
  filter.side = filter.adapts ? 3 : 1;  // an adaptive one looks at neighbors
  for (const auto& [kernel, sharp] : kernels)
    filter.side = std::max({filter.side, kernel.side, sharp ? narrow.side : 1});
  const auto square = std::size_t(filter.side) * std::size_t(filter.side);
  filter.weights.resize(kernels.size() * square);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto& [kernel, sharp] = kernels[i];
    place(kernel, 0, i * square, filter);
    place(sharp && !kernel.isMean ? narrow : kernel, 1, i * square, filter);
  }
  return filter;
}

}  // namespace fathom::flame
