// SPDX-License-Identifier: BSD-3-Clause
// The share of hits that fall into the picture, found by the device and by the reference.
#include "app/lab/flame/bench_checks.h"

#include "app/engine/flame/render/reference_chaos.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

double hitsIn(const Histogram& histogram) {
  double hits = 0;
  for (const gpu::Buffer<std::uint32_t>& part : histogram.parts) {
    const std::vector<std::uint32_t> words = part.download();
    for (std::size_t i = 3; i < words.size(); i += 4) hits += words[i];
  }
  return hits;
}

}  // namespace

HistogramShape benchShape(const Genome& genome) {
  return {genome.size, std::max(1, genome.supersample), 8, false};
}

CheckResult checkShare(const Sampler& sampler, const Genome& genome) {
  const Histogram& ours = sampler.histogram();
  const reference::Histogram theirs = reference::iterate(genome, ours.shape, 2e5, 1);
  double expected = 0;
  for (const double hits : theirs.hits) expected += hits;
  expected /= theirs.samples;
  const double found = hitsIn(ours) / ours.samples / (1 - ours.lost);
  const bool passed = std::abs(found - expected) <= 0.02;
  return {
      passed, "noise 0.02",
      passed ? "" : fmt::format("share in view: expected {:.4f}, found {:.4f}", expected, found)};
}

}  // namespace fathom::flame
