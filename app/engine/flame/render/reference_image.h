// SPDX-License-Identifier: BSD-3-Clause
// From histogram to picture in double precision, written to be read beside the description of
// flam3's image stage: log scaling, density estimation (scattered, as there), spatial filter, tone
// map. The GPU's answer is held against this one.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/flame/render/filters.h"
#include "app/engine/flame/render/tone_finish.h"

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace fathom::flame::reference {

/// Sums over hits; rows of buckets, top row first, gutter included.
struct Histogram {
  HistogramShape shape;
  std::vector<glm::dvec4> color;  // weight * visibility * 255 * (r, g, b, a)
  std::vector<double> hits;       // visibility
  double samples = 0;             // drawn, those beyond the picture included
  double weight = 1;              // their mean

  explicit Histogram(const HistogramShape& s)
      : shape(s),
        color(std::size_t(s.buckets().x) * std::size_t(s.buckets().y)),
        hits(color.size()) {}
  std::size_t index(int x, int y) const {
    return std::size_t(y) * std::size_t(shape.buckets().x) + std::size_t(x);
  }
};

/// The words of histogram.h, all parts one after the other, as sums.
Histogram fromWords(const HistogramShape& shape, std::span<const std::uint32_t> words,
                    double samples);

/// The curve that every filtered (R, G, B, A) goes through, and what it is put on.
struct ToneMap {
  double gamma = 4, threshold = 0.01, vibrancy = 1, highlightPower = -1;
  glm::dvec3 background{0};  // 0..1
  double cover = 1;  // coverFactor()
  std::optional<shared::ToneFinish> finish;
  explicit ToneMap(const Genome& genome);
  /// R, G, B as displayed in 0..255, before they are cut to whole levels; alpha in 0..1.
  glm::dvec4 operator()(const glm::dvec4& filtered) const;
};

/// Hits per pixel around each bucket, 0 at the buckets that flam3 leaves out.
std::vector<double> hitsPerPixel(const Histogram& histogram);
/// Index into the table's widths per bucket; -1: leaves nothing.
std::vector<int> chooseKernels(const Histogram& histogram, const EstimatorTable& table,
                               const Genome& genome, bool edgeClamp);

/// The picture: what ToneMap gives, per pixel. Estimator::Fast is answered like Exact.
Image toneMap(const Histogram& histogram, const Genome& genome, const Settings& settings);

/// R G B of each pixel, cut (not rounded) to whole levels, as in flam3's files.
std::vector<std::uint8_t> toBytes(const Image& displayed);

}  // namespace fathom::flame::reference
