// SPDX-License-Identifier: BSD-3-Clause
// flam3's filter functions, kernels of density estimation and constants of log scaling.
#include "app/engine/flame/render/filters.h"

#include "app/engine/flame/render/radial_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace fathom::flame {
namespace {

using std::numbers::pi;

constexpr int kMaxGutter = 16384;
/// cuburn's widest kernel has a standard deviation of 4.333 pixels; below 0.233 it does not blur.
constexpr double kPaperWidest = 13, kPaperNarrowest = 0.7;

double sinc(double t) { return t == 0 ? 1 : std::sin(pi * t) / (pi * t); }

double hermite(double a) { return a < 1 ? (2 * a - 3) * a * a + 1 : 0; }
double triangle(double a) { return a < 1 ? 1 - a : 0; }
double bell(double a) {
  if (a < 0.5) return 0.75 - a * a;
  return a < 1.5 ? 0.5 * (a - 1.5) * (a - 1.5) : 0;
}
double bspline(double a) {
  if (a < 1) return a * a * a / 2 - a * a + 2.0 / 3;
  return a < 2 ? (2 - a) * (2 - a) * (2 - a) / 6 : 0;
}
/// B = C = 1/3 (Mitchell and Netravali 1988, eq. 8).
double mitchellNetravali(double a) {
  constexpr double b = 1.0 / 3, c = 1.0 / 3;
  if (a < 1)
    return ((12 - 9 * b - 6 * c) * a * a * a + (-18 + 12 * b + 6 * c) * a * a + 6 - 2 * b) / 6;
  if (a < 2)
    return ((-b - 6 * c) * a * a * a + (6 * b + 30 * c) * a * a + (-12 * b - 48 * c) * a + 8 * b +
            24 * c) /
           6;
  return 0;
}
double catmullRom(double a) {
  if (a < 1) return (2 - 5 * a * a + 3 * a * a * a) / 2;
  return a < 2 ? (4 - 8 * a + 5 * a * a - a * a * a) / 2 : 0;
}
double blackman(double t) {
  return sinc(t) * (0.42 + 0.5 * std::cos(pi * t) + 0.08 * std::cos(2 * pi * t));
}
double hanning(double t) { return sinc(t) * (0.5 + 0.5 * std::cos(pi * t)); }
double hamming(double t) { return sinc(t) * (0.54 + 0.46 * std::cos(pi * t)); }
/// flam3 applies the window twice.
double lanczos(double t, double n) {
  return std::abs(t) < n ? sinc(t) * sinc(t / n) * sinc(t / n) : 0;
}

void normalize(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
}

}  // namespace

double filterFunction(FilterShape shape, double t) {
  const double a = std::abs(t);
  switch (shape) {
    case FilterShape::Gaussian:
      return std::exp(-2 * t * t) * std::sqrt(2 / pi);
    case FilterShape::Hermite:
      return hermite(a);
    case FilterShape::Box:
      return t > -0.5 && t <= 0.5 ? 1 : 0;
    case FilterShape::Triangle:
      return triangle(a);
    case FilterShape::Bell:
    case FilterShape::Quadratic:
      return bell(a);
    case FilterShape::Bspline:
      return bspline(a);
    case FilterShape::Mitchell:
      return catmullRom(a);
    case FilterShape::Blackman:
      return hanning(t);
    case FilterShape::Catrom:
      return hamming(t);
    case FilterShape::Hanning:
      return lanczos(t, 2);
    case FilterShape::Hamming:
      return lanczos(t, 3);
    case FilterShape::Lanczos3:
      return mitchellNetravali(a);
    case FilterShape::Lanczos2:
      return blackman(t);
  }
  return 0;
}

double filterSupport(FilterShape shape) {
  switch (shape) {
    case FilterShape::Box:
      return 0.5;
    case FilterShape::Hermite:
    case FilterShape::Triangle:
    case FilterShape::Lanczos2:
    case FilterShape::Blackman:
    case FilterShape::Catrom:
      return 1;
    case FilterShape::Gaussian:
    case FilterShape::Bell:
    case FilterShape::Quadratic:
      return 1.5;
    case FilterShape::Bspline:
    case FilterShape::Lanczos3:
    case FilterShape::Mitchell:
    case FilterShape::Hanning:
      return 2;
    case FilterShape::Hamming:
      return 3;
  }
  return 1;
}

SpatialFilter spatialFilter(FilterShape shape, double radius, int supersample) {
  const double support = filterSupport(shape);
  const double width = 2 * support * supersample * radius;
  if (!(width < 2 * kMaxGutter))
    throw Error(
        fmt::format("filter: expected at most {} buckets, found {}", 2 * kMaxGutter, width));
  int n = int(width) + 1;
  if ((n - supersample) % 2 != 0) ++n;
  const double stretch = width > 0 ? support * n / width : 1;
  SpatialFilter filter;
  for (int i = 0; i < n; ++i)
    filter.taps.push_back(filterFunction(shape, ((2 * i + 1.0) / n - 1) * stretch));
  normalize(filter.taps);
  filter.gutter = std::max(0, (n - supersample) / 2);
  return filter;
}

int EstimatorTable::kernelFor(double count) const {
  const int last = int(widths.size()) - 1;
  if (count > maxCount) return last;
  const double k =
      count <= 100 ? std::ceil(count) - 1 : 100 + std::floor(std::pow(count - 100, curve));
  return std::clamp(int(k), 0, last);
}

int EstimatorTable::kernelOfWidth(double width) const {
  const auto narrow =
      std::find_if(widths.begin(), widths.end() - 1, [&](double w) { return w <= width; });
  return int(narrow - widths.begin());
}

EstimatorTable estimatorTable(double radius, double minimum, double curve, int supersample) {
  if (radius <= 0) return {};
  EstimatorTable table;
  table.curve = curve;
  const double widest = radius * supersample + 1, narrowest = minimum * supersample + 1;
  const double levels = std::ceil(std::pow(widest / narrowest, 1 / curve));
  if (!(levels <= 1e7))
    throw Error("estimator: expected (radius / minimum)^(1 / curve) of at most 1e7, found more");
  double kernels = levels;
  table.maxCount = levels;
  if (levels > 100) {
    kernels = std::ceil(100 + std::pow(levels - 100, curve)) + 1;
    table.maxCount = std::trunc(std::pow(kernels - 100, 1 / curve)) + 100;
  }
  for (int k = 0; k < int(kernels); ++k) {
    const double count = k < 100 ? k + 1.0 : std::pow(k - 100.0, 1 / curve) + 101;
    const double width = widest / std::pow(count, curve);
    if (k > 0 && width <= narrowest) {
      table.widths.push_back(narrowest);
      break;
    }
    table.widths.push_back(width);
  }
  // A single kernel: flam3 does without.
  if (table.widths.size() == 1) table.widths.clear();
  return table;
}

EstimatorTable paperEstimatorTable(double radius, double minimum, double curve) {
  if (radius <= 0) return {};
  const double narrowest = std::clamp(minimum, kPaperNarrowest, kPaperWidest);
  EstimatorTable table;
  table.curve = curve;
  for (int k = 0;; ++k) {
    const double hits = k < 100 ? k + 1.0 : std::pow(k - 100.0, 1 / curve) + 101;
    const double width = std::clamp(radius * std::pow(hits + 1, -curve), narrowest, kPaperWidest);
    table.widths.push_back(width);
    table.maxCount = hits;
    if (width <= narrowest) return table;
  }
}

std::vector<double> estimatorKernel(double width, double widest) {
  const int r = int(width);
  std::vector<double> weights;
  for (int y = -r; y <= r; ++y)
    for (int x = -r; x <= r; ++x) {
      const double d2 = double(x) * x + double(y) * y;
      weights.push_back(d2 <= width * width ? std::exp(-4.5 * d2 / (width * width)) : 0);
    }
  const auto dropFrom = [&](double limit) {
    for (int y = -r; y <= r; ++y)
      for (int x = -r; x <= r; ++x)
        if (std::max(std::abs(x), std::abs(y)) >= limit)
          weights[std::size_t((y + r) * (2 * r + 1) + x + r)] = 0;
  };
  dropFrom(widest);  // not even counted
  normalize(weights);
  dropFrom(width);
  return weights;
}

EstimatorTable estimatorFor(const Genome& genome, const Settings& settings) {
  if (settings.estimator == Estimator::Off) return {};
  const double radius = genome.estimatorRadius, minimum = genome.estimatorMinimum;
  if (settings.antialias == Antialias::Jitter)
    return paperEstimatorTable(radius, minimum, genome.estimatorCurve);
  return estimatorTable(radius, minimum, genome.estimatorCurve, supersampleFor(genome, settings));
}

CountWindow countWindow(int supersample) {
  const double os = supersample;
  return {supersample / 2, supersample % 2 == 0 ? os * os / ((os + 1) * (os + 1)) : 1};
}

constexpr double kPlainWhite = 200;  // JWildfire draws its palette as it is at this white level

LogScale logScale(const Genome& genome, int supersample, double samples) {
  // With N samples in all, flam3's area * quality * 4^zoom is N / (pixels per unit)^2.
  const double ppu = pixelsPerUnit(genome) * supersample;
  LogScale scale;
  scale.k1 = genome.brightness * 255 * 268 / 256;
  if (samples > 0) scale.k2 = ppu * ppu / (255 * samples);
  if (genome.dialect != Dialect::JWildfire) return scale;
  // Twice the decimal logarithm, of buckets that hold their share of the samples of a pixel.
  const double share = std::max(genome.supersample, 1);
  const double contrast = std::max(genome.contrast, 1e-6);
  const double perPixel = samples / (double(genome.size.x) * double(genome.size.y));
  scale.k1 = contrast * genome.brightness * 255 * 2 / std::log(10.0) * share;
  scale.k2 /= contrast * share;
  if (samples > 0) scale.glow = 255 * genome.lowDensityBrightness / (contrast * perPixel);
  if (genome.whiteLevel > 0) scale.colorShare = kPlainWhite / genome.whiteLevel;
  return scale;
}

double coverFactor(const Genome& genome) {
  if (genome.dialect != Dialect::JWildfire) return 1;
  return 1 - std::atan(3 * (genome.foregroundOpacity - 1)) / 1.25;
}

SpatialFilter filterFor(const Genome& genome, const Settings& settings) {
  if (settings.antialias == Antialias::Jitter) return {{1}, 0};
  return spatialFilter(genome.filterShape, genome.filter, supersampleFor(genome, settings));
}

int supersampleFor(const Genome& genome, const Settings& settings) {
  if (settings.antialias == Antialias::Jitter) return 1;
  return settings.supersample > 0 ? settings.supersample : genome.supersample;
}

HistogramShape shapeFor(const Genome& genome, const Settings& settings) {
  HistogramShape shape;
  shape.size = genome.size;
  shape.supersample = supersampleFor(genome, settings);
  const std::optional<RadialFilter> radial = radialFilterFor(genome, settings);
  const int filter = radial ? radial->gutter() : filterFor(genome, settings).gutter;
  // The estimator being off does not change the shape: it can be switched without drawing again.
  double reach = std::ceil(genome.estimatorRadius) * shape.supersample;
  if (reach > 0) reach += shape.supersample - 1;
  if (filter > kMaxGutter)
    throw Error(fmt::format("filter: expected at most {} buckets, found {}", kMaxGutter, filter));
  if (!(reach <= kMaxGutter))
    throw Error(
        fmt::format("estimator_radius: expected at most {} buckets, found {}", kMaxGutter, reach));
  shape.gutter = std::max(filter, int(reach));

  const auto isTransparent = [](const glm::vec4& entry) { return entry.a != 1.0f; };
  const auto isFaint = [](const Xform& xform) { return xform.opacity != 1; };
  const auto hasAlpha = [&](const Palette& palette, const std::vector<Xform>& xforms,
                            const LayerSettings& of) {
    return of.density < 1 || std::any_of(palette.begin(), palette.end(), isTransparent) ||
           std::any_of(xforms.begin(), xforms.end(), isFaint);
  };
  shape.hasAlpha = genome.soloXform >= 0 || hasAlpha(genome.palette, genome.xforms, genome.layer) ||
                   std::any_of(genome.layers.begin(), genome.layers.end(), [&](const Layer& l) {
                     return l.settings.visible && hasAlpha(l.palette, l.xforms, l.settings);
                   });
  return shape;
}

}  // namespace fathom::flame
