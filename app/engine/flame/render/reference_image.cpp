// SPDX-License-Identifier: BSD-3-Clause
// The image stage step by step, in double precision: log scaling, density estimation, filter,
// curve.
#include "app/engine/flame/render/reference_image.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/render/radial_filter.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>

namespace fathom::flame::reference {
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

std::vector<std::uint8_t> toBytes(const Image& displayed) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(displayed.pixels.size() * 3);
  for (const glm::vec4& pixel : displayed.pixels)
    for (int c = 0; c < 3; ++c) bytes.push_back(std::uint8_t(std::clamp(pixel[c], 0.0f, 255.0f)));
  return bytes;
}

}  // namespace fathom::flame::reference
