// SPDX-License-Identifier: BSD-3-Clause
// What a genome must satisfy once it is read: what flam3 refuses while rendering, what makes it
// crash, and what it silently draws black.
#include "app/engine/flame/genome/io_parts.h"

#include <cmath>

namespace fathom::flame::reading {
namespace {

constexpr double kMaxSamples = 1e15;  // centuries of them

void need(bool holds, const Place& place, const std::string& expected, double found) {
  if (!holds) place.fail(expected, textOf(found));
}

void checkSize(const Genome& g, const Place& place) {
  if (g.size.x < 1 || g.size.y < 1 || g.size.x > kMaxSide || g.size.y > kMaxSide)
    place.fail(fmt::format("a size from 1 to {} pixels", kMaxSide),
               fmt::format("{} x {}", g.size.x, g.size.y));
}

void checkSampling(const Genome& g, const Place& place) {
  need(g.supersample >= 1 && g.supersample <= kMaxSupersample, place,
       fmt::format("supersample from 1 to {}", kMaxSupersample), g.supersample);
  need(g.quality > 0, place, "quality above 0", g.quality);
  need(g.passes >= 1, place, "passes of at least 1", g.passes);
  need(g.temporalSamples >= 1, place, "temporal_samples of at least 1", g.temporalSamples);
  const double samples = g.quality * std::pow(4, g.zoom) * g.size.x * g.size.y;
  need(samples <= kMaxSamples, place,
       fmt::format("at most {} samples (quality * 4^zoom * pixels)", kMaxSamples), samples);
}

void checkFilters(const Genome& g, const Place& place) {
  const std::string limit = textOf(kMaxFilterRadius);
  need(g.filter >= 0 && g.filter <= kMaxFilterRadius, place, "a filter from 0 to " + limit,
       g.filter);
  need(g.estimatorRadius >= 0 && g.estimatorRadius <= kMaxFilterRadius, place,
       "an estimator_radius from 0 to " + limit, g.estimatorRadius);
  if (g.estimatorRadius == 0) return;
  need(g.estimatorMinimum >= 0 && g.estimatorMinimum <= g.estimatorRadius, place,
       "an estimator_minimum from 0 to the estimator_radius", g.estimatorMinimum);
  need(g.estimatorCurve > 0, place, "an estimator_curve above 0", g.estimatorCurve);
  const double widest = g.estimatorRadius * g.supersample + 1;
  const double narrowest = g.estimatorMinimum * g.supersample + 1;
  need(std::pow(widest / narrowest, 1 / g.estimatorCurve) <= 1e7, place,
       "an estimator_curve that gives at most 1e7 kernels", g.estimatorCurve);
}

/// A camera or a tone map that is not a number has no picture at all.
void checkFinite(const Genome& g, const Place& place) {
  const std::pair<const char*, double> values[] = {
      {"center", g.center.x + g.center.y},
      {"scale", g.scale},
      {"zoom", g.zoom},
      {"rotate", g.rotate},
      {"brightness", g.brightness},
      {"gamma", g.gamma},
      {"gamma_threshold", g.gammaThreshold},
      {"vibrancy", g.vibrancy},
      {"highlight_power", g.highlightPower},
      {"hue", g.hue},
      {"contrast", g.contrast},
      {"white_level", g.whiteLevel},
      {"low_density_brightness", g.lowDensityBrightness},
      {"fg_opacity", g.foregroundOpacity},
      {"filter_sharpness", g.filterSharpness},
      {"filter_low_density", g.filterLowDensity},
      {"antialias_amount", g.antialiasAmount},
      {"antialias_radius", g.antialiasRadius},
      {"background", g.background.r + g.background.g + g.background.b}};
  for (const auto& [name, value] : values)
    need(std::isfinite(value), place, std::string("a finite ") + name, value);
}

void checkXforms(Genome& g, const Place& place, Warnings& warnings) {
  if (g.xforms.empty()) place.fail("at least one xform", "none");
  double total = 0;
  for (std::size_t i = 0; i < g.xforms.size(); ++i) {
    const Xform& xform = g.xforms[i];
    const Place here = place.in(fmt::format("xform {}", i + 1));
    need(xform.weight >= 0 && std::isfinite(xform.weight), here, "a weight of at least 0",
         xform.weight);
    if (!std::isfinite(xform.color) || !std::isfinite(xform.colorSpeed) ||
        !std::isfinite(xform.opacity))
      here.fail("finite color, color_speed and opacity", "one that is not");
    total += xform.weight;
  }
  if (total == 0)
    warnings.add(place, "expected a weight above 0, found none; the picture stays empty");
}

/// Rows of factors: as long as there are xforms, not negative, and each leads somewhere.
void checkChaos(Genome& g, const Place& place, Warnings& warnings) {
  double total = 0;
  for (const Xform& xform : g.xforms) total += xform.weight;
  for (std::size_t i = 0; i < g.xforms.size(); ++i) {
    std::vector<double>& row = g.xforms[i].chaos;
    const Place here = place.in(fmt::format("xform {}", i + 1));
    if (row.size() > g.xforms.size()) {
      warnings.add(here, fmt::format("expected at most {} numbers in chaos, found {}; the rest is "
                                     "left out",
                                     g.xforms.size(), row.size()));
      row.resize(g.xforms.size());
    }
    double sum = 0;
    for (std::size_t j = 0; j < g.xforms.size(); ++j) {
      const double factor = j < row.size() ? row[j] : 1;
      need(factor >= 0 && std::isfinite(factor), here, "chaos of at least 0", factor);
      sum += factor * g.xforms[j].weight;
    }
    if (row.empty() || !(total > 0) || sum > 0) continue;
    if (g.dialect == Dialect::Flam3)
      here.fail("a chaos row that leads to an xform with weight", "none");
    warnings.add(here,
                 "expected a chaos row that leads to an xform with weight, found none; any "
                 "xform may follow");
    row.clear();
  }
}

}  // namespace

void check(Genome& genome, const Place& place, Warnings& warnings) {
  checkSize(genome, place);
  checkFinite(genome, place);
  checkSampling(genome, place);
  checkFilters(genome, place);
  checkXforms(genome, place, warnings);
  checkChaos(genome, place, warnings);
  if (!(genome.scale > 0))
    warnings.add(place, fmt::format("expected a scale above 0, found {}; the picture stays empty",
                                    genome.scale));
  if (!(genome.gamma > 0))
    warnings.add(place,
                 fmt::format("expected a gamma above 0, found {}; the picture has no meaning",
                             genome.gamma));
  if (genome.soloXform >= int(genome.xforms.size()))
    warnings.add(place,
                 fmt::format("expected soloxform below {}, found {}; the picture stays empty",
                             genome.xforms.size(), genome.soloXform));
  if (genome.passes > 1)
    warnings.add(place, fmt::format("{} passes are drawn as one with all samples", genome.passes));
}

}  // namespace fathom::flame::reading
