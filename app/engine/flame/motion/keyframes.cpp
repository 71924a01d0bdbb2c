// SPDX-License-Identifier: BSD-3-Clause
// Which keyframes are mixed at a time, and with which weights: linear, or Catmull-Rom where smooth.
#include "app/engine/flame/motion/keyframes.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom::flame {
namespace {

bool padsAndTurns(const Genome& genome) {
  return genome.matrixInterpolation == MatrixInterpolation::Log ||
         genome.matrixInterpolation == MatrixInterpolation::Linear;
}

/// Weights of the keyframes before, at the start, at the end and after a segment.
std::array<double, 4> catmullRomWeights(double t) {
  const double t2 = t * t, t3 = t2 * t;
  return {(2 * t2 - t - t3) / 2, (3 * t3 - 5 * t2 + 2) / 2, (4 * t2 - 3 * t3 + t) / 2,
          (t3 - t2) / 2};
}

constexpr double kAny = 0.5;  // neither 0 nor 1

/// Makes `out` an xform that needs what it needs and what `other` needs.
void extend(Xform& out, const Xform& other, std::size_t count) {
  out.weight = std::max(out.weight, other.weight);
  if (out.opacity != other.opacity) out.opacity = kAny;
  if (!(other.post == Affine{})) out.post.a = kAny;
  for (const VariationUse& use : other.variations)
    if (use.weight != 0) variationIn(out, use.index).weight = 1;
  for (const double factor : other.chaos)
    if (factor != 1) out.chaos.assign(count, kAny);
}

}  // namespace

Keyframes::Keyframes(std::vector<Genome> genomes) : genomes_(std::move(genomes)) {
  FATHOM_CHECK(!genomes_.empty());
  for (std::size_t i = 1; i < genomes_.size(); ++i) {
    const double before = genomes_[i - 1].time;
    Genome& genome = genomes_[i];
    if (!(genome.time > before))
      throw Error(
          fmt::format("flame {}: expected a time after that of the flame before ({}), found {}",
                      genome.name.empty() ? std::to_string(i) : genome.name, before, genome.time));
    if (!padsAndTurns(genomes_[i - 1])) continue;
    const double turns = std::round((genomes_[i - 1].rotate - genome.rotate) / 360);
    genome.rotate += 360 * turns;
  }
}

std::size_t Keyframes::segmentAt(double time) const {
  if (genomes_.size() == 1) return 0;
  const auto next = std::find_if(genomes_.begin() + 1, genomes_.end() - 1,
                                 [&](const Genome& genome) { return genome.time >= time; });
  return std::size_t(next - genomes_.begin()) - 1;
}

Keyframes::Mix Keyframes::mixOf(std::size_t segment) const {
  if (genomes_.size() == 1) return {0, 1, {}};
  const bool inner = segment > 0 && segment + 2 < genomes_.size();
  if (genomes_[segment].interpolation == Interpolation::Smooth && inner)
    return {segment - 1, 4, {}};
  return {segment, 2, {}};
}

Keyframes::Mix Keyframes::mixAt(double time) const {
  const std::size_t segment = segmentAt(time);
  Mix mix = mixOf(segment);
  if (mix.count == 1) {
    mix.weights = {1};
  } else {
    const double start = genomes_[segment].time;
    const double t = (time - start) / (genomes_[segment + 1].time - start);
    mix.weights = mix.count == 4 ? catmullRomWeights(t) : std::array{1 - t, t, 0.0, 0.0};
  }
  return mix;
}

Keyframes::Aligned Keyframes::alignedFor(const Mix& mix) const {
  const std::lock_guard lock(mutex_);
  if (!cached_ || cachedFirst_ != mix.first || cached_->size() != mix.count) {
    cached_ = std::make_shared<const std::vector<Genome>>(
        aligned(std::span(genomes_).subspan(mix.first, mix.count)));
    cachedFirst_ = mix.first;
  }
  return cached_;
}

Genome Keyframes::at(double time) const {
  const Mix mix = mixAt(time);
  Genome genome = blend(*alignedFor(mix), mix.used());
  genome.time = time;
  return genome;
}

Genome Keyframes::shapeAt(double time) const {
  const Mix mix = mixAt(time);
  Genome genome = blendShapes(*alignedFor(mix), mix.used());
  genome.time = time;
  return genome;
}

Palette Keyframes::paletteAt(double time) const {
  const Mix mix = mixAt(time);
  return blendPalettes(*alignedFor(mix), mix.used());
}

Genome Keyframes::extent(double first, double last) const {
  std::vector<Aligned> mixes;
  std::size_t count = 0;
  for (std::size_t s = segmentAt(first); s <= segmentAt(last); ++s) {
    mixes.push_back(alignedFor(mixOf(s)));
    count = std::max(count, mixes.back()->front().xforms.size());
  }
  Genome out = mixes.front()->front();
  for (const Aligned& mix : mixes)
    for (const Genome& genome : *mix) {
      for (std::size_t i = 0; i < genome.xforms.size(); ++i) {
        if (i == out.xforms.size()) out.xforms.push_back(genome.xforms[i]);
        extend(out.xforms[i], genome.xforms[i], count);
      }
      // Where it appears or vanishes it is applied with a probability, which may be 0.
      const bool both = out.finalXform && genome.finalXform;
      if (!both && (out.finalXform || genome.finalXform)) {
        if (!out.finalXform) out.finalXform = genome.finalXform;
        out.finalXform->opacity = kAny;
      }
      if (both) extend(*out.finalXform, *genome.finalXform, 0);
    }
  return out;
}

std::vector<ShutterMoment> shutterMoments(TemporalFilter filter, double width, double exponent,
                                          int count) {
  FATHOM_CHECK_OP(count, >=, 1);
  if (count == 1) return {{0, 1}};
  std::vector<ShutterMoment> moments;
  const double half = count / 2.0;
  for (int i = 0; i < count; ++i) {
    double weight = 1;
    if (filter == TemporalFilter::Gaussian) {
      // Off center by half a step, as in flam3.
      const double u = 1.5 * std::abs(i - half) / half;
      weight = std::exp(-2 * u * u);
    } else if (filter == TemporalFilter::Exp) {
      const double slope = exponent >= 0 ? double(i + 1) / count : double(count - i) / count;
      weight = std::pow(slope, std::abs(exponent));
    }
    moments.push_back({(double(i) / (count - 1) - 0.5) * width, weight});
  }
  const double largest = std::max_element(moments.begin(), moments.end(), [](auto& a, auto& b) {
                           return a.weight < b.weight;
                         })->weight;
  for (ShutterMoment& moment : moments) moment.weight /= largest;
  return moments;
}

}  // namespace fathom::flame
