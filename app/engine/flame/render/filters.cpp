// SPDX-License-Identifier: BSD-3-Clause
// flam3's filter functions, kernels of density estimation and constants of log scaling.
#include "app/engine/flame/render/filters.h"

#include "app/engine/flame/genome/operations.h"
#include "shaders/flame/tone/tone_shared.h"

namespace fathom::flame {
namespace {

using std::numbers::pi;

constexpr int kMaxGutter = 16384;
/// cuburn's widest kernel has a standard deviation of 4.333 pixels; below 0.233 it does not blur.
constexpr double kPaperWidest = 13, kPaperNarrowest = 0.7;

double sinc(double t) { return t == 0 ? 1 : std::sin(pi * t) / (pi * t); }

double gaussian(double t) { return std::exp(-2 * t * t) * std::sqrt(2 / pi); }
double box(double t) { return t > -0.5 && t <= 0.5 ? 1 : 0; }
double hermite(double t) {
  const double a = std::abs(t);
  return a < 1 ? (2 * a - 3) * a * a + 1 : 0;
}
double triangle(double t) { return std::abs(t) < 1 ? 1 - std::abs(t) : 0; }
double bell(double t) {
  const double a = std::abs(t);
  if (a < 0.5) return 0.75 - a * a;
  return a < 1.5 ? 0.5 * (a - 1.5) * (a - 1.5) : 0;
}
double bspline(double t) {
  const double a = std::abs(t);
  if (a < 1) return a * a * a / 2 - a * a + 2.0 / 3;
  return a < 2 ? (2 - a) * (2 - a) * (2 - a) / 6 : 0;
}
/// Mitchell and Netravali 1988, eq. 8; b + 2 c = 1 in all that there are.
double cubicOf(double b, double c, double a) {
  if (a < 1)
    return ((12 - 9 * b - 6 * c) * a * a * a + (-18 + 12 * b + 6 * c) * a * a + 6 - 2 * b) / 6;
  if (a >= 2) return 0;
  return ((-b - 6 * c) * a * a * a + (6 * b + 30 * c) * a * a + (-12 * b - 48 * c) * a + 8 * b +
          24 * c) /
         6;
}
double mitchell(double t) { return cubicOf(1.0 / 3, 1.0 / 3, std::abs(t)); }
double mitchellSmooth(double t) { return cubicOf(0.42, 0.29, t); }
double catmullRom(double t) {
  const double a = std::abs(t);
  if (a < 1) return (2 - 5 * a * a + 3 * a * a * a) / 2;
  return a < 2 ? (4 - 8 * a + 5 * a * a - a * a * a) / 2 : 0;
}
double blackman(double t) {
  return sinc(t) * (0.42 + 0.5 * std::cos(pi * t) + 0.08 * std::cos(2 * pi * t));
}
double hanning(double t) { return sinc(t) * (0.5 + 0.5 * std::cos(pi * t)); }
double hamming(double t) { return sinc(t) * (0.54 + 0.46 * std::cos(pi * t)); }
/// flam3 applies the window twice.
template <int n>
double lanczos(double t) {
  return std::abs(t) < n ? sinc(t) * sinc(t / n) * sinc(t / n) : 0;
}
/// Flat in the middle, the steeper at its end the higher the power, which is that of e.
template <int power>
double sinePower(double a) {
  const double cosine = 4 * std::exp(power * std::log10(a)) - 1;
  return cosine <= 1 ? std::acos(cosine) / pi : 0;
}

/// A function of t or of the distance, and where it ends.
struct FilterForm {
  double (*function)(double t);
  double support;
  bool sharpens = false;  // of JWildfire's: is negative somewhere, or oscillates
};

/// What a name selects in flam3, where the names are permuted: "mitchell" is Catmull-Rom,
/// "lanczos3" is Mitchell-Netravali, and so on.
const FilterForm& formOf(FilterShape shape) {
  static constexpr FilterForm kForms[kFilterShapeCount] = {
      {gaussian, 1.5}, {hermite, 1},    {box, 0.5},    {triangle, 1}, {bell, 1.5},
      {bspline, 2},    {catmullRom, 2}, {hanning, 1},  {hamming, 1},  {lanczos<2>, 2},
      {lanczos<3>, 3}, {mitchell, 2},   {blackman, 1}, {bell, 1.5}};
  return kForms[int(shape)];
}

const FilterForm& formOf(RadialShape shape) {
  static constexpr FilterForm kForms[std::size(kRadialShapes)] = {
      {bell, 1.5, false},        {blackman, 1, true},       {box, 0.5, false},
      {bspline, 2, false},       {catmullRom, 2, true},     {gaussian, 1.5, false},
      {hamming, 1, true},        {hanning, 1, true},        {hermite, 1, false},
      {lanczos<2>, 2, true},     {lanczos<3>, 3, true},     {mitchell, 2, true},
      {mitchellSmooth, 2, true}, {bell, 1.5, false},        {sinePower<5>, 1, false},
      {sinePower<10>, 1, false}, {sinePower<15>, 1, false}, {triangle, 1, false},
      {mitchellSmooth, 2, true}};
  return kForms[int(shape)];
}

void normalize(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
}

}  // namespace

SpatialFilter spatialFilter(FilterShape shape, double radius, int supersample) {
  const auto& [function, support, sharpens] = formOf(shape);
  const double width = 2 * support * supersample * radius;
  if (!(width < 2 * kMaxGutter))
    fail("filter: expected at most {} bins, found {}", 2 * kMaxGutter, width);
  int n = int(width) + 1;
  if ((n - supersample) % 2 != 0) ++n;
  const double stretch = width > 0 ? support * n / width : 1;
  SpatialFilter filter;
  for (int i = 0; i < n; ++i) filter.taps.push_back(function(((2 * i + 1.0) / n - 1) * stretch));
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
  LogScale scale{.k1 = genome.brightness * 255 * 268 / 256};
  if (samples > 0) scale.k2 = ppu * ppu / (255 * samples);
  if (genome.dialect != Dialect::JWildfire) return scale;
  // Twice the decimal logarithm, of buckets that hold their share of the samples of a pixel.
  const double share = std::max(genome.supersample, 1);
  const double contrast = std::max(genome.jwildfire.contrast, 1e-6);
  const PostCopies copies = postCopies(genome);
  const double perPixel =
      samples / (double(genome.size.x) * double(genome.size.y) * copies.plotted);
  scale.k1 = contrast * genome.brightness * 255 * 2 / std::log(10.0) * share / copies.divisor;
  scale.k2 *= copies.plotted / (contrast * share);
  if (samples > 0) scale.glow = 255 * genome.jwildfire.lowDensityBrightness / (contrast * perPixel);
  if (genome.jwildfire.whiteLevel > 0) scale.colorShare = kPlainWhite / genome.jwildfire.whiteLevel;
  return scale;
}

double coverFactor(const Genome& genome) {
  if (genome.dialect != Dialect::JWildfire) return 1;
  return 1 - std::atan(3 * (genome.jwildfire.foregroundOpacity - 1)) / 1.25;
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
  HistogramShape shape{.size = genome.size, .supersample = supersampleFor(genome, settings)};
  const std::optional<RadialFilter> radial = radialFilterFor(genome, settings);
  const int filter = radial ? radial->gutter() : filterFor(genome, settings).gutter;
  // The estimator being off does not change the shape: it can be switched without drawing again.
  double reach = std::ceil(genome.estimatorRadius) * shape.supersample;
  if (reach > 0) reach += shape.supersample - 1;
  if (filter > kMaxGutter) fail("filter: expected at most {} bins, found {}", kMaxGutter, filter);
  if (!(reach <= kMaxGutter))
    fail("estimator_radius: expected at most {} bins, found {}", kMaxGutter, reach);
  shape.gutter = std::max(filter, int(reach));

  const auto isTransparent = [](const glm::vec4& entry) { return entry.a != 1.0f; };
  const auto isFaint = [](const Xform& xform) { return xform.opacity != 1; };
  const auto hasAlpha = [&](const Layer& of) {
    return of.layerSettings.density < 1 || std::ranges::any_of(of.palette, isTransparent) ||
           std::ranges::any_of(of.xforms, isFaint);
  };
  shape.hasAlpha = genome.soloXform >= 0 || hasAlpha(genome) ||
                   std::ranges::any_of(genome.layers, [&](const Layer& l) {
                     return l.layerSettings.visible && hasAlpha(l);
                   });
  return shape;
}

// ---- Classes of density

namespace {

/// Ratio of neighboring classes' variances. A mixture of two has the right variance, and an excess
/// kurtosis of at most 3 ((r - 1) / (r + 1))^2.
constexpr double kRatio = 2;
/// Cells are used for Gaussians whose standard deviation is at least this many cells.
constexpr double kMaxCells = 1;
/// Keeps the ratios finite where neither filter nor kernel blurs.
constexpr double kMinVariance = 0.1;
constexpr int kMaxBlocks = 25, kMaxFastSupersample = 8;

double sumOf(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Row sums of the kernel, from -r to r; of sum 1.
std::vector<double> marginal(double width) {
  std::vector<double> kernel = estimatorKernel(width);
  const double whole = sumOf(kernel);
  for (double& w : kernel) w /= whole;
  const std::size_t n = 2 * std::size_t(width) + 1;
  std::vector<double> sums(n);
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x) sums[y] += kernel[y * n + x];
  return sums;
}

double variance(const std::vector<double>& weights) {
  const double center = (double(weights.size()) - 1) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * (double(i) - center) * (double(i) - center);
  return sum;
}

/// The width between two others whose kernel has this variance.
double widthOf(double wanted, double low, double high) {
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    (variance(marginal(middle)) < wanted ? low : high) = middle;
  }
  return high;
}

/// `count` + 1 numbers from a to b with one ratio, after adding `offset`.
std::vector<double> geometric(double a, double b, double offset) {
  const double ratio = (b + offset) / (a + offset);
  const int count = std::max(1, int(std::ceil(std::log(ratio) / std::log(kRatio) - 1e-9)));
  std::vector<double> nodes{a};
  for (int i = 1; i < count; ++i)
    nodes.push_back((a + offset) * std::pow(ratio, double(i) / count) - offset);
  nodes.push_back(b);
  return nodes;
}

double coordinateOf(double value, const std::vector<double>& nodes) {
  std::size_t i = 0;
  while (i + 2 < nodes.size() && nodes[i + 1] <= value) ++i;
  return double(i) + std::clamp((value - nodes[i]) / (nodes[i + 1] - nodes[i]), 0.0, 1.0);
}

/// Taps of estimator and filter in one, about the middle of `blocks` pixels.
std::vector<double> narrowTaps(const std::vector<double>& kernel, const SpatialFilter& filter,
                               int blocks, int supersample) {
  std::vector<double> taps(std::size_t(blocks * supersample));
  const int first = blocks / 2 * supersample - filter.gutter - int(kernel.size()) / 2;
  for (std::size_t i = 0; i < kernel.size(); ++i)
    for (std::size_t j = 0; j < filter.taps.size(); ++j)
      taps[std::size_t(first) + i + j] += kernel[i] * filter.taps[j];
  return taps;
}

/// Cells and blurs of classes with these variances (in buckets^2).
std::vector<EstimatorClasses::Wide> wideClasses(const std::vector<double>& variances,
                                                int supersample) {
  std::vector<EstimatorClasses::Wide> wide;
  for (const double wanted : variances) {
    EstimatorClasses::Wide w;
    while (std::sqrt(wanted) >= kMaxCells * 2 * w.cellScale * supersample) w.cellScale *= 2;
    const double cell = double(w.cellScale) * supersample;
    // Buckets move to the middles of their cells; reading between cells of twice the size blurs by
    // 3/4 of the smaller cell squared.
    double blurred = wanted - (cell * cell - 1) / 12;
    for (double c = cell / 2; c >= supersample; c /= 2) blurred -= 0.75 * c * c;
    w.blur = std::max(0.0, blurred / (cell * cell));
    wide.push_back(w);
  }
  return wide;
}

}  // namespace

SplineBlur blurOf(double variance) {
  const auto moments = [](double width) {
    double sum = 0.75, second = 0;
    for (int i = 1; i < 1.5 * width; ++i) {
      const double a = i / width, w = a < 0.5 ? 0.75 - a * a : 0.5 * (1.5 - a) * (1.5 - a);
      sum += 2 * w, second += 2 * w * i * i;
    }
    return std::pair(sum, second / sum);
  };
  if (variance < 1e-6) return {};
  double low = 0.1, high = 4 * std::sqrt(variance) + 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (moments(middle).second < variance ? low : high) = middle;
  }
  return {int(1.5 * high), 1 / high, 1 / moments(high).first};
}

EstimatorClasses estimatorClasses(const SpatialFilter& filter, const EstimatorTable& table,
                                  int supersample, bool exact) {
  EstimatorClasses byKernel;
  byKernel.exact = filter;
  byKernel.blocks = 1 + 2 * ((filter.gutter + table.reach() + supersample - 1) / supersample);
  for (std::size_t k = 0; k < table.widths.size(); ++k) byKernel.coordinates.push_back(double(k));
  // With one bucket per pixel nothing softens the outline of the kernels afterwards: a square one
  // shows around bright buckets in the dark.
  if (exact || supersample > kMaxFastSupersample || (supersample == 1 && !table.empty()))
    return byKernel;
  const double filterVariance = variance(filter.taps);
  std::vector<std::vector<double>> kernels{{1}};
  std::vector<double> wideVariances;
  EstimatorClasses classes;
  if (!table.empty()) {
    std::vector<double> variances;
    for (const double width : table.widths) variances.push_back(variance(marginal(width)));
    const double narrowest = variances.back(), widest = variances.front();
    const double split = kMaxCells * kMaxCells * supersample * supersample - filterVariance;
    const double offset = std::max(0.0, filterVariance) + kMinVariance;

    std::vector<double> nodes;
    if (widest <= split * kRatio) {
      nodes = geometric(narrowest, widest, offset);
    } else {
      const double firstWide = std::max(split, narrowest + 0.01 * (widest - narrowest));
      nodes = geometric(narrowest, firstWide, offset);
      wideVariances = geometric(firstWide, widest, offset);
      nodes.pop_back();
    }
    kernels.clear();
    for (const double node : nodes)
      kernels.push_back(marginal(widthOf(node, table.widths.back(), table.widths.front())));
    nodes.insert(nodes.end(), wideVariances.begin(), wideVariances.end());
    for (const double v : variances) classes.coordinates.push_back(coordinateOf(v, nodes));
    classes.narrowestSum = sumOf(estimatorKernel(table.widths.back()));
  }

  const int reach = filter.gutter + int(kernels.back().size()) / 2;
  classes.blocks = 1 + 2 * ((reach + supersample - 1) / supersample);
  const int tapCount = int(kernels.size()) * classes.blocks * supersample;
  if (classes.blocks > kMaxBlocks || tapCount > FLAME_TONE_MAX_TAPS) return byKernel;
  for (const std::vector<double>& kernel : kernels)
    classes.narrow.push_back(narrowTaps(kernel, filter, classes.blocks, supersample));

  for (double& v : wideVariances) v += filterVariance;
  classes.wide = wideClasses(wideVariances, supersample);
  if (!classes.wide.empty()) {
    classes.largestCell = classes.wide.back().cellScale;
    const int reached = int(std::ceil(table.widths.front() / supersample)) + 1;
    classes.margin =
        (reached + classes.largestCell - 1) / classes.largestCell * classes.largestCell;
  }
  return classes;
}

// ---- Filters of the distance

namespace {

constexpr double kDensityRadius = 0.75;  // of the Gaussian beside a sharpening kernel

/// The mean of a pixel's buckets, as a kernel around bucket supersample / 2.
RadialKernel meanOf(int supersample) {
  RadialKernel kernel{.side = supersample / 2 * 2 + 1, .isMean = true};
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
  return formOf(shape).function(distance);
}

RadialKernel radialKernel(RadialShape shape, double radius, int supersample) {
  const double support = formOf(shape).support;
  const int width = int(2 * supersample * support * radius);
  if (width < 1) return meanOf(supersample);
  RadialKernel kernel{.side = width + 1 + width % 2};
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

std::optional<RadialFilter> radialFilterFor(const Genome& genome, const Settings& settings) {
  if (genome.dialect != Dialect::JWildfire || settings.antialias == Antialias::Jitter ||
      genome.estimatorRadius > 0)
    return std::nullopt;
  RadialFilter filter;
  filter.supersample = supersampleFor(genome, settings);
  const auto kernelOf = [&](RadialShape shape, double radius) {
    return std::pair(radialKernel(shape, radius, filter.supersample), formOf(shape).sharpens);
  };
  const double wide = genome.filter + 0.25;
  std::vector kernels{kernelOf(genome.jwildfire.radialShape, genome.filter)};
  filter.adapts = genome.jwildfire.radialShape == RadialShape::MitchellSinePow && wide >= 0.5;
  if (filter.adapts) {
    kernels.push_back(kernelOf(RadialShape::SinePow10, 1.5 * wide));
    kernels.push_back(kernelOf(RadialShape::SinePow10, wide));
    kernels.push_back(kernelOf(RadialShape::MitchellSinePow, 0.75 * wide));
  }
  // JWildfire's density is of a pixel's buckets together, its palette in 200 steps of 256.
  const double buckets = double(filter.supersample) * filter.supersample;
  filter.thinBelow = 255 * buckets * genome.jwildfire.filterLowDensity;
  filter.edgeFrom = (std::pow(10, genome.jwildfire.filterSharpness) - 1) * 256 / 200;

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
