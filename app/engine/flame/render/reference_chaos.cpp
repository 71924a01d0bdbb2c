// SPDX-License-Identifier: BSD-3-Clause
// The chaos game step by step, in double precision: choose, apply, check, plot.
#include "app/engine/flame/render/reference_chaos.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/random.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/projection.h"
#include "app/engine/flame/motion/layers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <glm/geometric.hpp>

namespace fathom::flame::reference {
namespace {

constexpr int kBadInARow = 5;  // the fifth bad value is kept

double chaosFactor(const Xform& from, std::size_t to) {
  return to < from.chaos.size() ? from.chaos[to] : 1.0;
}

bool usesXaos(const Genome& genome) {
  for (const Xform& xform : genome.xforms)
    for (std::size_t j = 0; j < genome.xforms.size(); ++j)
      if (std::abs(chaosFactor(xform, j) - 1) > 1e-10) return true;
  return false;
}

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

class RandomDraws : public GameDraws {
 public:
  RandomDraws(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream) {}
  double unit() override { return random_.next() * 0x1p-32; }
  int bit() override { return int(random_.next() >> 31); }
  std::uint32_t word() override { return random_.next(); }

 private:
  Random random_;
};

glm::dvec3 sumOfVariations(const Xform& xform, glm::dvec3 p, bool preservesZ, Draws& draws) {
  glm::dvec3 sum(0);
  for (const VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    if (use.weight == 0 || info.stage != VariationStage::Among) continue;
    const VariationInput in{p.x, p.y, use.weight, use.parameters.data(), &xform.coefs, p.z};
    sum += info.evaluate3(in, draws);
    if (preservesZ && info.depth == kFlat && use.index != kPreBlur) sum.z += use.weight * p.z;
  }
  return sum;
}

/// Variations before or after the others act on the point one after the other.
glm::dvec3 inTurn(const Xform& xform, VariationStage stage, glm::dvec3 p, Draws& draws) {
  for (const VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    if (use.weight == 0 || info.stage != stage) continue;
    const VariationInput in{p.x, p.y, use.weight, use.parameters.data(), &xform.coefs, p.z};
    const glm::dvec3 moved = info.evaluate3(in, draws);
    if (info.adds)
      p += moved;
    else
      p = glm::dvec3(glm::dvec2(moved), info.depth == kFlat ? p.z : moved.z);
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
  if (!strays(genome) || draws.unit() >= genome.antialiasAmount) return {0, 0};
  const double far = std::exp(genome.antialiasRadius * std::sqrt(-std::log(1 - draws.unit()))) - 1;
  const double angle = 2 * std::numbers::pi * draws.unit();
  return far * glm::dvec2(std::cos(angle), std::sin(angle));
}

/// A hit in the histogram, if it falls there and can be seen.
void addHit(Histogram& histogram, const Genome& genome, const BucketMap& map,
            const Traveler& traveler, glm::dvec2 astray) {
  if (traveler.visibility == 0 || traveler.hidden) return;
  const auto bucket = map.bucketAt(traveler.position, astray);
  if (!bucket) return;
  const std::size_t index = histogram.index(bucket->x, bucket->y);
  histogram.hits[index] += traveler.visibility;
  histogram.color[index] += traveler.visibility * 255 *
                            paletteColor(genome.palette, genome.paletteMode,
                                         traveler.shown < 0 ? traveler.color : traveler.shown);
}

void add(const Histogram& part, double weight, Histogram& sum) {
  for (std::size_t i = 0; i < sum.hits.size(); ++i) {
    sum.hits[i] += part.hits[i];
    sum.color[i] += weight * part.color[i];
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

XformTable::XformTable(const Genome& genome) : hasXaos_(usesXaos(genome)) {
  if (genome.xforms.empty()) fail("genome {}: expected an xform, found none", genome.name);
  std::vector<double> weights;
  for (const Xform& xform : genome.xforms) weights.push_back(xform.weight);
  rows_.push_back(tableRow(weights, "xforms"));
  if (!hasXaos_) return;
  for (std::size_t from = 0; from < genome.xforms.size(); ++from) {
    std::vector<double> factored = weights;
    for (std::size_t to = 0; to < factored.size(); ++to)
      factored[to] *= chaosFactor(genome.xforms[from], to);
    rows_.push_back(tableRow(factored, fmt::format("chaos of xform {}", from)));
  }
}

bool apply(const Xform& xform, Traveler& traveler, Draws& draws, bool preservesZ) {
  draws.setHidden(traveler.hidden);
  const double speed = xform.colorSpeed;
  traveler.color = speed * xform.color + (1 - speed) * traveler.color;
  const glm::dvec3 start(traveler.position, traveler.z);
  glm::dvec2 p = xform.coefs(traveler.position);

  // Pre-blur acts on the point that all other variations see.
  if (const double weight = weightIn(xform, kPreBlur); weight != 0) {
    const double radius = weight * draws.gauss(), angle = 2 * std::numbers::pi * draws.unit();
    p += radius * glm::dvec2(std::cos(angle), std::sin(angle));
  }
  glm::dvec3 space = inTurn(xform, VariationStage::Before, {p, traveler.z}, draws);
  space = sumOfVariations(xform, space, preservesZ, draws);
  space = inTurn(xform, VariationStage::After, space, draws);
  p = glm::dvec2(space);
  traveler.z = space.z;
  if (xform.post != Affine{}) p = xform.post(p);

  const double shown = distanceColor(xform, start, {p, traveler.z});
  if (shown >= 0) traveler.shown = shown;
  const bool isGood = !isBad(p.x) && !isBad(p.y);
  if (!isGood) {
    p.x = draws.signedUnit();
    p.y = draws.signedUnit();
    traveler.z = 0;
  }
  traveler.position = p;
  traveler.color = draws.takeColor(traveler.color);
  traveler.hidden = isGood && draws.isHidden();
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
          const std::function<void(const Traveler&)>& plot) {
  const Genome genome = forRendering(given);
  const XformTable table(genome);
  const bool preservesZ = genome.preservesZ != 0;
  std::vector<double> visibilities;
  for (const Xform& xform : genome.xforms) visibilities.push_back(visibilityOf(xform.opacity));

  for (double plotted = 0; plotted < count;) {
    const double length = std::min(trajectories.length, count - plotted);
    // A trajectory begins at a random point; its first iterations (the fuse) are not plotted.
    Traveler p;
    p.position.x = draws.signedUnit();
    p.position.y = draws.signedUnit();
    p.color = draws.unit();
    p.visibility = draws.unit();  // overwritten at once; flam3 draws it, too

    int last = -1, badInARow = 0;
    for (double i = -trajectories.fuse; i < length;) {
      // Choose an xform by weight, with xaos by the last one too, and apply it.
      const int chosen = table.choose(last, draws.word());
      p.visibility = visibilities[std::size_t(chosen)];
      p.shown = -1;
      const bool isGood = apply(genome.xforms[std::size_t(chosen)], p, draws, preservesZ);
      badInARow = isGood ? 0 : badInARow + 1;
      if (badInARow > 0 && badInARow < kBadInARow) continue;  // once more, from the random point
      badInARow = 0;
      last = chosen;

      // The final xform changes what is plotted; the trajectory continues without it.
      Traveler q = p;
      if (const auto& final = genome.finalXform;
          final && (final->opacity == 1 || draws.unit() < final->opacity))
        apply(*final, q, draws, preservesZ);
      for (const Xform& further : genome.furtherFinals) apply(further, q, draws, preservesZ);
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
  play(genome, samples, trajectories, draws, [&](Traveler traveler) {
    const auto shown = projection({traveler.position, traveler.z}, draws);
    if (!shown) return;
    traveler.position = *shown;
    addHit(histogram, genome, map, traveler, strayOf(genome, draws));
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
      add(iterate(layers[i], shape, samples / double(layers.size()), seed + i, trajectories), 1,
          sum);
    return sum;
  }
  const std::size_t count = partCount(shape);
  std::vector<Histogram> parts(count, Histogram(shape));
  parallelFor(count, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      RandomDraws draws(seed, i);
      const double end = std::floor(samples * double(i + 1) / double(count));
      const double share = end - std::floor(samples * double(i) / double(count));
      parts[i] = iterate(genome, shape, share, trajectories, draws);
    }
  });
  Histogram sum(shape);
  for (const Histogram& part : parts) add(part, 1, sum);
  return sum;
}

Histogram iterate(const Motion& motion, double time, std::span<const ShutterMoment> moments,
                  const HistogramShape& shape, double samples, std::uint64_t seed,
                  const Trajectories& trajectories) {
  Histogram sum(shape);
  double weights = 0;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const Genome genome = motion.at(time + moments[i].offset);
    add(iterate(genome, shape, samples / double(moments.size()), seed + i, trajectories),
        moments[i].weight, sum);
    weights += moments[i].weight;
  }
  sum.weight = weights / double(moments.size());
  return sum;
}

}  // namespace fathom::flame::reference
