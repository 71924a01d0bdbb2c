// SPDX-License-Identifier: BSD-3-Clause
// The reference: xforms applied to a point, trajectories, then the histogram filtered and shown.
#include "app/engine/flame/render/reference.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/projection.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/render/rendering.h"

namespace fathom::flame::reference {
namespace {

constexpr int kBadInARow = 5;  // the fifth bad value is kept

/// Entry i: the first xform whose cumulative weight exceeds i / 16384 of the total.
std::array<int, XformTable::kEntries> tableRow(const std::vector<double>& weights,
                                               const std::string& owner) {
  double total = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || std::isinf(weight))
      fail("{}: expected weights from 0 on, found {}", owner, weight);
    total += weight;
  }
  if (total == 0) fail("{}: expected a weight above 0, found none", owner);
  std::array<int, XformTable::kEntries> row{};
  std::size_t xform = 0;
  double cumulative = weights[0];
  for (std::uint32_t i = 0; i < XformTable::kEntries; ++i) {
    const double reached = i * (total / XformTable::kEntries);
    while (reached >= cumulative && xform + 1 < weights.size()) cumulative += weights[++xform];
    row[i] = int(xform);
  }
  return row;
}

glm::dvec3 sumOfVariations(const Xform& xform, glm::dvec3 p, bool preservesZ, Draws& draws) {
  glm::dvec3 sum(0);
  draws.setStart(p);
  for (const VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    if (use.weight == 0 || info.stage != VariationStage::Among) continue;
    const VariationInput in{p.x, p.y, use.weight, use.parameters.data(), &xform.coefs, p.z};
    draws.setActing(use.place > 0, actingOf(use.index));
    if (info.readsSum) draws.setSum(use.place > 0 ? sum : glm::dvec3(0));
    if (use.place > 0 && info.assigns) sum = {0, 0, sum.z};
    sum += info.evaluate3(in, draws);
    const bool passes = info.depth == kFlat && use.index != kPreBlur && !draws.dropsZ();
    if (preservesZ && passes) sum.z += use.weight * p.z;
  }
  return sum;
}

/// Variations before or after the others act on the point one after the other.
glm::dvec3 inTurn(const Xform& xform, VariationStage stage, glm::dvec3 p, bool preservesZ,
                  Draws& draws) {
  for (const VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    if (use.weight == 0 || info.stage != stage) continue;
    const VariationInput in{p.x, p.y, use.weight, use.parameters.data(), &xform.coefs, p.z};
    draws.setActing(use.place > 0, actingOf(use.index));
    if (info.readsSum) draws.setSum(info.adds || use.place == 0 ? p : glm::dvec3(0));
    if (stage == VariationStage::Before) draws.setStart(p);
    const glm::dvec3 moved = info.evaluate3(in, draws);
    if (info.adds)
      p += moved;
    else
      p = glm::dvec3(glm::dvec2(info.zAlone ? p : moved), info.depth == kFlat ? p.z : moved.z);
    if (preservesZ && info.addsZ && actingOf(use.index) == 1 && use.place > 0)
      p.z += use.weight * draws.start().z;
  }
  return p;
}

/// JWildfire's color by the distance that a point was taken: through a palette of 256, again and
/// again. Negative: the xform has none.
double distanceColor(const Xform& xform, glm::dvec3 from, glm::dvec3 to) {
  static const int own = variationNamed("distance_color");
  for (const VariationUse& use : xform.variations) {
    if (use.index != own || use.weight == 0) continue;
    const double at = use.parameters[0] + use.parameters[1] * glm::length(to - from);
    const double entry = std::floor(at * 254 + 0.5);
    return (entry - 256 * std::floor(entry / 256) + 0.5) / 256;
  }
  return -1;
}

/// How far from its place a hit lands, in buckets: some of JWildfire's stray (its plotPoint).
glm::dvec2 strayOf(const Genome& genome, Draws& draws) {
  if (!hasJitterAntialiasing(genome) || draws.unit() >= genome.jwildfire.antialiasAmount)
    return {0, 0};
  const double far =
      std::exp(genome.jwildfire.antialiasRadius * std::sqrt(-std::log(1 - draws.unit()))) - 1;
  const double angle = 2 * std::numbers::pi * draws.unit();
  return far * glm::dvec2(std::cos(angle), std::sin(angle));
}

/// JWildfire has an entry of the palette for each of 0 to 254, and takes the nearest.
double placeInPalette(const Genome& genome, double color) {
  if (genome.dialect != Dialect::JWildfire) return color;
  return (254 * color + (genome.paletteMode == PaletteMode::Step ? 0.5 : 0)) / 256;
}

glm::dvec4 shownColor(const Genome& genome, const Particle& p) {
  if (p.full && p.full->w == 0) return {glm::dvec3(*p.full), 1};
  if (p.full)
    return *std::ranges::min_element(genome.palette, {}, [&](const glm::vec4& entry) {
      const glm::dvec3 away = glm::dvec3(entry) - glm::dvec3(*p.full);
      return glm::dot(away, away);
    });
  return paletteColor(genome.palette, genome.paletteMode,
                      p.shown < 0 ? placeInPalette(genome, p.color) : p.shown);
}

bool isNumber(const Particle& p) {
  return std::isfinite(p.position.x) && std::isfinite(p.position.y) && std::isfinite(p.z);
}

/// A hit in the histogram, if it falls there and can be seen.
void addHit(Histogram& histogram, const Genome& genome, const BucketMap& map,
            const Particle& particle, glm::dvec2 astray) {
  if (particle.visibility == 0 || particle.hidden) return;
  const auto bucket = map.bucketAt(particle.position, astray);
  if (!bucket) return;
  const std::size_t index = histogram.index(bucket->x, bucket->y);
  histogram.hits[index] += particle.visibility;
  histogram.color[index] += particle.visibility * 255 * shownColor(genome, particle);
}

void add(const Histogram& part, Histogram& sum) {
  for (std::size_t i = 0; i < sum.hits.size(); ++i) {
    sum.hits[i] += part.hits[i];
    sum.color[i] += part.color[i];
  }
  sum.samples += part.samples;
}

/// As many as fit into some memory; a matter of the shape alone, for the same sums everywhere.
std::size_t partCount(const HistogramShape& shape) {
  const double bytes = double(shape.buckets().x) * double(shape.buckets().y) * 40;
  return std::size_t(std::clamp(256e6 / bytes, 1.0, 8.0));
}

}  // namespace

double visibilityOf(double opacity) {
  return opacity == 0 ? 0 : std::pow(10, -std::log2(1 / opacity));
}

XformTable::XformTable(const Genome& genome) : hasXaos_(usesChaos(genome)) {
  if (genome.xforms.empty()) fail("genome {}: expected an xform, found none", genome.name);
  std::vector<double> weights;
  for (const Xform& xform : genome.xforms) weights.push_back(xform.weight);
  rows_.push_back(tableRow(weights, "xforms"));
  if (!hasXaos_) return;
  for (std::size_t from = 0; from < genome.xforms.size(); ++from) {
    std::vector<double> factored = weights;
    for (std::size_t to = 0; to < factored.size(); ++to)
      factored[to] *= genome.xforms[from].chaosTo(to);
    rows_.push_back(tableRow(factored, fmt::format("chaos of xform {}", from)));
  }
}

bool apply(const Xform& xform, Particle& particle, Draws& draws, bool preservesZ, bool keepsBad) {
  draws.setHidden(particle.hidden);
  const double speed = xform.colorSpeed;
  particle.color = speed * xform.color + (1 - speed) * particle.color;
  const glm::dvec3 start(particle.position, particle.z);
  glm::dvec2 p = xform.coefs(particle.position);

  // Pre-blur acts on the point that all other variations see.
  if (const double weight = weightIn(xform, kPreBlur); weight != 0) {
    const double radius = weight * draws.gauss(), angle = 2 * std::numbers::pi * draws.unit();
    p += radius * glm::dvec2(std::cos(angle), std::sin(angle));
  }
  glm::dvec3 space = inTurn(xform, VariationStage::Before, {p, particle.z}, preservesZ, draws);
  space = sumOfVariations(xform, space, preservesZ, draws);
  space = inTurn(xform, VariationStage::After, space, preservesZ, draws);
  p = glm::dvec2(space);
  particle.z = space.z;
  if (xform.post != Affine{}) p = xform.post(p);

  const double shown = distanceColor(xform, start, {p, particle.z});
  if (shown >= 0) particle.shown = shown;
  const bool isGood = keepsBad || (!isBad(p.x) && !isBad(p.y));
  if (!isGood) {
    p.x = draws.signedUnit();
    p.y = draws.signedUnit();
    particle.z = 0;
  }
  particle.position = p;
  particle.color = draws.takeColor(particle.color);
  particle.full = draws.takeFullColor();
  particle.hidden = isGood && draws.isHidden();
  return isGood;
}

BucketMap::BucketMap(const Genome& genome, const HistogramShape& shape)
    : center_(genome.center), buckets_(shape.buckets()) {
  bucketsPerUnit_ = pixelsPerUnit(genome) * shape.supersample;
  offset_ = glm::dvec2(shape.size * shape.supersample) / 2.0 + double(shape.gutter);
  const double angle = projectionOf(genome).turns ? 0 : genome.rotate * std::numbers::pi / 180;
  cos_ = std::cos(angle);
  sin_ = std::sin(angle);
}

std::optional<glm::ivec2> BucketMap::bucketAt(glm::dvec2 position, glm::dvec2 astray) const {
  const glm::dvec2 d = position - center_;
  const glm::dvec2 turned(d.x * cos_ - d.y * sin_, d.x * sin_ + d.y * cos_);
  const glm::dvec2 b = bucketsPerUnit_ * turned + offset_ + astray;
  if (!(b.x >= 0 && b.y >= 0 && b.x < buckets_.x && b.y < buckets_.y)) return std::nullopt;
  return glm::ivec2(b);
}

glm::dvec4 paletteColor(const Palette& palette, PaletteMode mode, double color) {
  const double index = color * 256;
  if (!(index >= 0)) return palette[0];
  if (index >= 255) return palette[255];
  const double entry = std::trunc(index);
  const glm::dvec4 low(palette[std::size_t(entry)]);
  if (mode == PaletteMode::Step) return low;
  const double fraction = index - entry;
  return (1 - fraction) * low + fraction * glm::dvec4(palette[std::size_t(entry) + 1]);
}

void play(const Genome& given, double count, const Trajectories& trajectories, GameDraws& draws,
          const std::function<void(const Particle&)>& plot) {
  const Genome genome = forRendering(given);
  const XformTable table(genome);
  const bool preservesZ = genome.preservesZ != 0;
  const bool keepsBad = genome.dialect == Dialect::JWildfire;
  std::vector<double> visibilities;
  for (const Xform& xform : genome.xforms) visibilities.push_back(visibilityOf(xform.opacity));

  for (double plotted = 0; plotted < count;) {
    const double length = std::min(trajectories.length, count - plotted);
    // A trajectory begins at a random point; its first iterations (the fuse) are not plotted.
    Particle p;
    p.position.x = draws.signedUnit();
    p.position.y = draws.signedUnit();
    p.color = draws.unit();
    p.visibility = draws.unit();  // overwritten at once; flam3 draws it, too

    int last = -1, badInARow = 0, leads = 0;
    for (double i = -trajectories.fuse; i < length;) {
      if (keepsBad && leads == 0 && std::fmod(i, FLAME_LOOKS_EVERY) == 0 && !isNumber(p)) {
        p = {{draws.signedUnit(), draws.signedUnit()}, draws.unit()};
        leads = FLAME_LEAD_OF_JWILDFIRE + 1;
      }
      // Choose an xform by weight, with xaos by the last one too, and apply it.
      const int chosen = table.choose(last, draws.word());
      p.visibility = visibilities[std::size_t(chosen)];
      p.shown = -1;
      const bool isGood = apply(genome.xforms[std::size_t(chosen)], p, draws, preservesZ, keepsBad);
      badInARow = isGood ? 0 : badInARow + 1;
      if (badInARow > 0 && badInARow < kBadInARow) continue;  // once more, from the random point
      if (leads > 0 && --leads > 0) continue;
      badInARow = 0;
      last = chosen;

      // The final xform changes what is plotted; the trajectory continues without it.
      Particle q = p;
      if (const auto& final = genome.finalXform;
          final && (final->opacity == 1 || draws.unit() < final->opacity))
        apply(*final, q, draws, preservesZ, keepsBad);
      for (const Xform& further : genome.furtherFinals)
        apply(further, q, draws, preservesZ, keepsBad);
      if (i >= 0) plot(q);
      ++i;
    }
    plotted += length;
  }
}

Histogram iterate(const Genome& genome, const HistogramShape& shape, double samples,
                  const Trajectories& trajectories, GameDraws& draws) {
  const BucketMap map(genome, shape);
  const Projection projection = projectionOf(genome);
  Histogram histogram(shape);
  play(genome, samples, trajectories, draws, [&](Particle particle) {
    const auto shown = projection({particle.position, particle.z}, draws);
    if (!shown) return;
    particle.position = *shown;
    addHit(histogram, genome, map, particle, strayOf(genome, draws));
  });
  histogram.samples = std::ceil(samples);
  return histogram;
}

Histogram iterate(const Genome& genome, const HistogramShape& shape, double samples,
                  std::uint64_t seed, const Trajectories& trajectories) {
  if (!genome.layers.empty()) {
    const std::vector<Genome> layers = layersOf(forRendering(genome));
    Histogram sum(shape);
    for (std::size_t i = 0; i < layers.size(); ++i)
      add(iterate(layers[i], shape, samples / double(layers.size()), seed + i, trajectories), sum);
    return sum;
  }
  const std::size_t count = partCount(shape);
  std::vector<Histogram> parts(count, Histogram(shape));
  parallelForEach(count, 1, [&](std::size_t i) {
    RandomDraws draws(seed, i);
    const double end = std::floor(samples * double(i + 1) / double(count));
    const double share = end - std::floor(samples * double(i) / double(count));
    parts[i] = iterate(genome, shape, share, trajectories, draws);
  });
  Histogram sum(shape);
  for (const Histogram& part : parts) add(part, sum);
  return sum;
}

// ---- From histogram to picture

namespace {

using Buckets = std::vector<glm::dvec4>;  // dvec4[buckets.y][buckets.x]

Buckets logScaled(const Histogram& histogram, const LogScale& scale) {
  Buckets scaled(histogram.color.size());
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    const glm::dvec4& c = histogram.color[i];
    if (c.a <= 0) continue;
    scaled[i] = c * scale.factor(c.a);
    scaled[i] *= glm::dvec4(glm::dvec3(scale.colorShare), 1);
  }
  return scaled;
}

/// Spreads every bucket over its surroundings; what falls off the buffer is lost.
Buckets scatter(const Histogram& histogram, const Buckets& scaled, const std::vector<int>& kernels,
                const EstimatorTable& table) {
  const glm::ivec2 size = histogram.shape.buckets();
  std::map<int, std::vector<double>> weightsOf;
  Buckets out(scaled.size());
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const int k = kernels[histogram.index(x, y)];
      if (k < 0) continue;
      const double width = table.widths[std::size_t(k)];
      std::vector<double>& weights = weightsOf[k];
      if (weights.empty()) weights = estimatorKernel(width, table.widths.front());
      const int r = int(width);
      for (int j = std::max(-r, -y); j <= std::min(r, size.y - 1 - y); ++j)
        for (int i = std::max(-r, -x); i <= std::min(r, size.x - 1 - x); ++i)
          out[histogram.index(x + i, y + j)] +=
              weights[std::size_t((j + r) * (2 * r + 1) + i + r)] * scaled[histogram.index(x, y)];
    }
  return out;
}

glm::dvec4 filtered(const Histogram& histogram, const Buckets& buckets, const SpatialFilter& filter,
                    glm::ivec2 pixel) {
  const HistogramShape& shape = histogram.shape;
  const glm::ivec2 first = pixel * shape.supersample + (shape.gutter - filter.gutter);
  glm::dvec4 sum(0);
  for (std::size_t j = 0; j < filter.taps.size(); ++j)
    for (std::size_t i = 0; i < filter.taps.size(); ++i)
      sum += filter.taps[i] * filter.taps[j] *
             buckets[histogram.index(first.x + int(i), first.y + int(j))];
  return sum;
}

/// Which kernel of an adaptive filter of JWildfire a bucket takes.
RadialChoice choiceAt(const Histogram& histogram, const Buckets& buckets,
                      const RadialFilter& filter, glm::ivec2 at) {
  if (!filter.adapts) return RadialChoice::Plain;
  const double density = buckets[histogram.index(at.x, at.y)].a;
  if (density <= 0) return RadialChoice::Plain;
  if (density < filter.thinBelow) return RadialChoice::Thin;
  glm::dvec2 gradient(0);
  for (int i = 0; i < 9; ++i) {
    const glm::dvec3 sums(histogram.color[histogram.index(at.x + i % 3 - 1, at.y + i / 3 - 1)]);
    gradient += glm::dvec2(kScharrX[i], kScharrY[i]) * glm::dot(sums, kRadialLuminance);
  }
  return glm::length(gradient) < filter.edgeFrom ? RadialChoice::Even : RadialChoice::Edge;
}

glm::dvec4 filtered(const Histogram& histogram, const Buckets& buckets, const RadialFilter& filter,
                    glm::ivec2 pixel) {
  const glm::ivec2 own = pixel * filter.supersample + histogram.shape.gutter;
  const RadialChoice kernel = choiceAt(histogram, buckets, filter, own + filter.supersample / 2);
  glm::dvec4 sum(0);
  for (int j = 0; j < filter.side; ++j)
    for (int i = 0; i < filter.side; ++i) {
      const glm::dvec2 weight = filter.weight(kernel, i, j);
      sum += glm::dvec4(glm::dvec3(weight.x), weight.y) *
             buckets[histogram.index(own.x + filter.first() + i, own.y + filter.first() + j)];
    }
  return sum;
}

/// Less saturation by the factor, in HSV; the largest component is 1 and stays so.
glm::dvec3 desaturated(const glm::dvec3& q, double factor) { return 1.0 - (1.0 - q) * factor; }

}  // namespace

Histogram fromWords(const HistogramShape& shape, std::span<const std::uint32_t> words,
                    double samples) {
  Histogram histogram(shape);
  histogram.samples = samples;
  const auto stride = std::size_t(shape.words());
  FATHOM_CHECK_OP(words.size(), >=, histogram.hits.size() * stride);
  for (std::size_t i = 0; i < histogram.hits.size(); ++i) {
    const std::uint32_t* w = &words[i * stride];
    const double alpha = shape.hasAlpha ? double(w[4]) : 255.0 * w[3];
    histogram.color[i] = {double(w[0]), double(w[1]), double(w[2]), alpha};
    histogram.hits[i] = shape.hasAlpha ? w[3] / 255.0 : double(w[3]);
  }
  return histogram;
}

ToneMap::ToneMap(const Genome& genome)
    : gamma(genome.gamma),
      threshold(genome.gammaThreshold),
      vibrancy(genome.vibrancy),
      highlightPower(genome.highlightPower),
      background(genome.background),
      cover(coverFactor(genome)),
      finish(toneFinishOf(genome)) {}

glm::dvec4 ToneMap::operator()(const glm::dvec4& value) const {
  // Gamma of alpha, linear below the threshold, and the factor that it means for the color.
  const double g = 1 / gamma, d = value.a / 255;
  double alpha = 0, ls = 0;
  if (value.a > 0) {
    alpha = std::pow(d, g);
    if (d < threshold)
      alpha =
          (1 - d / threshold) * d * (std::pow(threshold, g) / threshold) + d / threshold * alpha;
    ls = vibrancy * 256 * alpha / d;
    alpha = std::clamp(alpha * cover, 0.0, 1.0);
  }
  // The share of the color that keeps its hue: desaturated or clipped where it is too bright.
  const glm::dvec3 v = glm::dvec3(value) / 255.0;
  const double largest = std::max({v.r, v.g, v.b}), peak = ls * largest;
  glm::dvec3 color(0);
  if (peak > 255 && highlightPower >= 0) {
    color = 255.0 * desaturated(v / largest, std::pow(255 / largest / ls, highlightPower));
  } else if (ls != 0 && largest != 0) {
    const double a = peak <= 255 ? 1 : std::min(1.0, -highlightPower);
    color = ((1 - a) * 255 / largest + a * ls) * v;
  }
  // The other share, by 1 - vibrancy, has gamma channel by channel; both go over the background.
  const glm::dvec3 perChannel = glm::pow(glm::max(v, 0.0), glm::dvec3(g));
  color += (1 - vibrancy) * 256 * perChannel + (1 - alpha) * 256 * background;
  color = glm::clamp(color, 0.0, 255.0);
  return {finish ? finished(*finish, color) : color, alpha};
}

std::vector<double> hitsPerPixel(const Histogram& histogram) {
  const glm::ivec2 size = histogram.shape.buckets();
  const CountWindow window = countWindow(histogram.shape.supersample);
  const int margin = histogram.shape.supersample - 1;
  std::vector<double> counts(histogram.hits.size());
  for (int y = margin; y < size.y; ++y)
    for (int x = margin; x < size.x - margin; ++x) {
      double sum = 0;
      for (int j = y - window.reach; j <= std::min(y + window.reach, size.y - 1); ++j)
        for (int i = x - window.reach; i <= x + window.reach; ++i)
          sum += histogram.hits[histogram.index(i, j)];
      counts[histogram.index(x, y)] = sum * window.scale;
    }
  return counts;
}

std::vector<int> chooseKernels(const Histogram& histogram, const EstimatorTable& table,
                               const Genome& genome, bool edgeClamp) {
  const glm::ivec2 size = histogram.shape.buckets();
  const std::vector<double> counts = hitsPerPixel(histogram);
  const int edge = table.kernelOfWidth(histogram.shape.supersample),
            step = histogram.shape.supersample;
  const auto at = [&](int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < size.x && y < size.y;
    return inside ? counts[histogram.index(x, y)] : 0.0;
  };
  // A 3-wide Roberts cross of density (cuburn), a pixel apart. In units of pixels the paper's
  // narrowest standard deviation is 0.233.
  const auto isEdge = [&](int x, int y) {
    const double gx = at(x + step, y + step) - at(x - step, y - step);
    const double gy = at(x - step, y + step) - at(x + step, y - step);
    const double gradient = std::hypot(gx, gy) / 4;
    return genome.estimatorRadius / 3 * std::pow(gradient + 1, -genome.estimatorCurve) <
           std::max(genome.estimatorMinimum / 3, 0.233);
  };
  std::vector<int> kernels(counts.size(), -1);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const std::size_t i = histogram.index(x, y);
      if (histogram.color[i].a == 0 || histogram.hits[i] == 0 || counts[i] == 0) continue;
      kernels[i] = edgeClamp && isEdge(x, y) ? edge : table.kernelFor(counts[i]);
    }
  return kernels;
}

Image toneMap(const Histogram& histogram, const Genome& genome, const Settings& settings) {
  // Log scaling, bucket by bucket.
  const HistogramShape& shape = histogram.shape;
  Buckets buckets = logScaled(
      histogram, logScale(genome, shape.supersample, histogram.samples * histogram.weight));

  // Density estimation: the fewer hits around a bucket, the wider its kernel.
  const EstimatorTable table = estimatorFor(genome, settings);
  if (!table.empty())
    buckets = scatter(histogram, buckets,
                      chooseKernels(histogram, table, genome, settings.edgeClamp), table);

  // Spatial filter from buckets to pixels, then the curve to the screen.
  const SpatialFilter filter = filterFor(genome, settings);
  const std::optional<RadialFilter> radial = radialFilterFor(genome, settings);
  const ToneMap curve(genome);
  Image image(shape.size.x, shape.size.y);
  for (int y = 0; y < shape.size.y; ++y)
    for (int x = 0; x < shape.size.x; ++x)
      image.at(x, y) = curve(radial ? filtered(histogram, buckets, *radial, {x, y})
                                    : filtered(histogram, buckets, filter, {x, y}));
  return image;
}

// ---- Pictures

Image displayed(const Genome& genome, const Settings& settings, std::uint64_t seed) {
  if (drawsNothing(genome)) return Image(genome.size.x, genome.size.y);
  const auto histogram =
      iterate(genome, shapeFor(genome, settings), samplesFor(genome, settings), seed);
  return toneMap(histogram, genome, settings);
}

Image lightOf(const Genome& genome, const Settings& settings, std::uint64_t seed) {
  constexpr double kMaxQuality = 50;  // samples per pixel: seconds on a CPU
  Genome drawn = forRendering(genome);
  drawn.quality = std::min(
      kMaxQuality, samplesFor(drawn, settings) /
                       (double(drawn.size.x) * double(drawn.size.y) * postCopies(drawn).plotted));
  drawn.zoom = 0, drawn.scale = pixelsPerUnit(genome), drawn.cameraZoom = 1;
  Settings exact = settings;
  exact.quality = 0;
  exact.estimator = settings.estimator == Estimator::Off ? Estimator::Off : Estimator::Exact;
  if (settings.transparent) drawn.background = glm::dvec3(0);
  Image picture = displayed(drawn, exact, seed);
  if (drawsNothing(drawn)) {
    const glm::vec3 color = glm::clamp(glm::vec3(drawn.background) * 256.0f, 0.0f, 255.0f);
    std::fill(picture.pixels.begin(), picture.pixels.end(), glm::vec4(color, 0));
  }
  for (glm::vec4& pixel : picture.pixels) {
    for (int c = 0; c < 3; ++c) pixel[c] = linearFromSrgb(std::min(1.0f, pixel[c] / 255));
    pixel.a = settings.transparent ? std::clamp(pixel.a, 0.0f, 1.0f) : 1.0f;
  }
  return picture;
}

}  // namespace fathom::flame::reference
