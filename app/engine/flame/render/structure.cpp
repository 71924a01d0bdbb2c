// SPDX-License-Identifier: BSD-3-Clause
// What a genome uses, and whether it can be iterated at all.
#include "app/engine/core/error.h"
#include "app/engine/flame/genome/projection.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/render/generator.h"
#include "app/engine/flame/render/record_layout.h"
#include "shaders/flame/shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace fathom::flame {
namespace {

constexpr std::size_t kMaxTableXforms = 4096;  // with xaos 64 MiB of thresholds
constexpr std::int64_t kUniformBytes = 16384;  // every GL 4.5 has uniform blocks of this size

std::vector<int> variationsOf(const Xform& xform) {
  std::vector<int> used;
  for (const VariationUse& use : xform.variations)
    if (use.weight != 0) used.push_back(use.index);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

bool hasPost(const Xform& xform) { return !(xform.post == Affine{}); }

bool seesLess(const Genome& genome) {
  return genome.soloXform >= 0 ||
         std::any_of(genome.xforms.begin(), genome.xforms.end(),
                     [](const Xform& xform) { return xform.opacity != 1; });
}

bool usesChaos(const Genome& genome) {
  constexpr double kSame = 1e-10;
  for (const Xform& xform : genome.xforms)
    for (std::size_t i = 0; i < std::min(xform.chaos.size(), genome.xforms.size()); ++i)
      if (!(std::abs(xform.chaos[i] - 1) <= kSame)) return true;
  return false;
}

void checkWeights(const Genome& genome) {
  double total = 0;
  for (std::size_t i = 0; i < genome.xforms.size(); ++i) {
    const double weight = genome.xforms[i].weight;
    if (!(weight >= 0) || !std::isfinite(weight))
      fail("xform {}: expected a weight of 0 or more, found {}", i, weight);
    total += weight;
  }
  if (!(total > 0) || !std::isfinite(total))
    fail("expected an xform with a weight, found {}",
         genome.xforms.empty() ? "no xform" : "only weights of 0");
}

void checkChaos(const Genome& genome) {
  for (std::size_t from = 0; from < genome.xforms.size(); ++from) {
    const std::vector<double>& chaos = genome.xforms[from].chaos;
    double total = 0;
    for (std::size_t to = 0; to < genome.xforms.size(); ++to) {
      const double factor = to < chaos.size() ? chaos[to] : 1;
      if (!(factor >= 0) || !std::isfinite(factor))
        fail("xform {}: expected chaos of 0 or more, found {}", from, factor);
      total += factor * genome.xforms[to].weight;
    }
    if (!(total > 0))
      fail("xform {}: expected chaos that leaves an xform to follow, found none", from);
  }
}

void addDepth(const Genome& genome, Structure& s) {
  const Projection projection = projectionOf(genome);
  s.depth = needsDepth(genome);
  s.preservesZ = s.depth && genome.preservesZ != 0;
  s.lens = !projection.isFlat;
  s.lensClips = projection.clips;
  s.lensBlur = projection.blur != 0 ? int(projection.kind) : -1;
}

int capacityFor(std::size_t count) {
  if (count <= std::size_t(kMaxCompared)) return int(count);
  int capacity = 2 * kMaxCompared;
  while (std::size_t(capacity) < count) capacity *= 2;
  return capacity;
}

}  // namespace

Structure structureOf(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                      Selection selection) {
  checkWeights(genome);
  if (genome.xforms.size() > kMaxTableXforms)
    fail("expected at most {} xforms, found {}", kMaxTableXforms, genome.xforms.size());
  Structure s;
  s.capacity = capacityFor(genome.xforms.size());
  s.xaos = usesChaos(genome);
  if (s.xaos) checkChaos(genome);
  s.selection = s.xaos ? Selection::Own : selection;  // each point has its own last xform
  std::set<int> all;
  for (const Xform& xform : genome.xforms) {
    if (xform.weight == 0) continue;
    const std::vector<int> used = variationsOf(xform);
    all.insert(used.begin(), used.end());
    s.post |= hasPost(xform);
  }
  if (s.selection == Selection::Shared)
    for (const Xform& xform : genome.xforms) {
      s.perXform.push_back(xform.weight == 0 ? std::vector<int>{} : variationsOf(xform));
      s.postPerXform.push_back(hasPost(xform));
    }
  else
    s.perXform = {{all.begin(), all.end()}};
  for (const Xform& xform : genome.furtherFinals) {
    s.furtherFinals.push_back(variationsOf(xform));
    s.post |= hasPost(xform);
    all.insert(s.furtherFinals.back().begin(), s.furtherFinals.back().end());
  }
  addDepth(genome, s);
  s.restarts = settings.restart > 0;
  if (genome.finalXform && genome.finalXform->opacity > 0) {
    s.finalXform = true;
    s.finalVariations = variationsOf(*genome.finalXform);
    s.finalPost = hasPost(*genome.finalXform);
    s.finalSometimes = genome.finalXform->opacity < 1;
    all.insert(s.finalVariations.begin(), s.finalVariations.end());
  }
  s.variations.assign(all.begin(), all.end());
  s.alpha = shape.hasAlpha;
  s.visibility = s.alpha && seesLess(genome);
  s.linearPalette = genome.paletteMode == PaletteMode::Linear;
  s.jitter = settings.antialias == Antialias::Jitter;
  s.strays = !s.jitter && strays(genome);
  s.accumulate = settings.accumulate;
  const std::int64_t rows = std::int64_t(s.capacity + finalRecords(s)) * layoutOf(s).rows;
  const std::int64_t words = std::int64_t(s.capacity) * (s.xaos ? s.capacity + 1 : 1);
  s.tables = rows * 16 + words * 4 > kUniformBytes;
  return s;
}

bool covers(const Structure& made, const Structure& wanted) {
  const auto includes = [](const std::vector<int>& big, const std::vector<int>& small) {
    return std::includes(big.begin(), big.end(), small.begin(), small.end());
  };
  if (made.perXform.size() != wanted.perXform.size() ||
      made.postPerXform.size() != wanted.postPerXform.size() ||
      made.furtherFinals != wanted.furtherFinals)
    return false;
  for (std::size_t i = 0; i < made.perXform.size(); ++i)
    if (!includes(made.perXform[i], wanted.perXform[i])) return false;
  for (std::size_t i = 0; i < made.postPerXform.size(); ++i)
    if (wanted.postPerXform[i] && !made.postPerXform[i]) return false;
  if (!includes(made.variations, wanted.variations) ||
      !includes(made.finalVariations, wanted.finalVariations))
    return false;
  if ((wanted.post && !made.post) || (wanted.finalPost && !made.finalPost)) return false;
  // Whatever else differs changes what is drawn, or how much work is wasted.
  Structure same = wanted;
  same.variations = made.variations, same.perXform = made.perXform;
  same.finalVariations = made.finalVariations;
  same.post = made.post, same.postPerXform = made.postPerXform, same.finalPost = made.finalPost;
  same.tables = made.tables;
  return same == made;
}

int packedCount(int variation) { return variations()[std::size_t(variation)].packedCount; }

RecordLayout layoutOf(const Structure& structure) {
  RecordLayout layout;
  layout.hasPost = structure.post || structure.finalPost;
  int next = layout.hasPost ? 16 : 8;
  if (structure.visibility) layout.visibilityOffset = next++;
  for (const int variation : structure.variations) {
    layout.variationOffsets.emplace_back(variation, next);
    next += 1 + packedCount(variation);
  }
  layout.rows = (next + 3) / 4;
  return layout;
}

int RecordLayout::offsetOf(int variation) const {
  for (const auto& [index, offset] : variationOffsets)
    if (index == variation) return offset;
  fail("variation {}: expected one that the structure holds", variation);
}

}  // namespace fathom::flame
