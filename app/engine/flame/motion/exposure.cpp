// SPDX-License-Identifier: BSD-3-Clause
// The moments of a shutter as flam3 spaces and weighs them.
#include "app/engine/flame/motion/exposure.h"

#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/projection.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {

Shutter shutterOf(const Genome& genome) {
  return {genome.temporalFilterWidth, genome.passes * genome.temporalSamples, genome.temporalFilter,
          genome.temporalFilterExp};
}

Exposure::Exposure(std::shared_ptr<const Motion> motion, double time,
                   const std::optional<Shutter>& given,
                   const std::optional<PreviewQuality>& preview)
    : motion_(std::move(motion)), preview_(preview), time_(time), middle_(seen(motion_->at(time))) {
  const Shutter shutter = given.value_or(shutterOf(middle_));
  const bool still = !motion_->moves() || shutter.width == 0;
  constexpr int kMaxMoments = 4096;
  const int count = still ? 1 : std::clamp(shutter.moments, 1, kMaxMoments);
  moments_ = shutterMoments(shutter.filter, shutter.width, shutter.exponent, count);
  sums_.push_back(0);
  for (const ShutterMoment& moment : moments_) {
    sums_.push_back(sums_.back() + moment.weight);
    weighs_ |= moment.weight != 1;
  }
  extent_ = motion_->extent(time + moments_.front().offset, time + moments_.back().offset);
  extent_.size = middle_.size;
}

std::vector<MovingGenome> Exposure::curves() const {
  if (preview_ && preview_->side > 0) return {};
  return motion_->curves(time_ + moments_.front().offset, time_ + moments_.back().offset);
}

const ShutterMoment& Exposure::momentAt(double share) const {
  const double at = std::clamp(share, 0.0, 1.0) * double(moments_.size());
  return moments_[std::min(std::size_t(at), moments_.size() - 1)];
}

double Exposure::weightBetween(double first, double last) const {
  const auto sumUpTo = [&](double share) {
    const double at = share * double(moments_.size());
    const auto whole = std::min(std::size_t(at), moments_.size() - 1);
    return sums_[whole] + (at - double(whole)) * moments_[whole].weight;
  };
  return (sumUpTo(last) - sumUpTo(first)) / ((last - first) * double(moments_.size()));
}

Palette Exposure::paletteBetween(double first, double last) const {
  constexpr double kFewMoments = 4;  // whose palettes are all computed
  constexpr double kNoShare = 1e-9;  // of a moment: left by rounding
  const double count = double(moments_.size()), low = first * count, high = last * count;
  Palette mean{};
  const auto add = [&](double offset, double share) {
    const Palette palette = motion_->paletteAt(time_ + offset);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += palette[i] * float(share);
  };
  if (high - low <= kFewMoments) {
    for (double moment = std::floor(low); moment < high; ++moment) {
      const double share = std::min(high, moment + 1) - std::max(low, moment);
      if (share > kNoShare) add(momentAt((moment + 0.5) / count).offset, share / (high - low));
    }
    return mean;
  }
  // Palettes change little while the shutter is open: three times stand for all between.
  const double width = moments_.back().offset - moments_.front().offset;
  for (const double part : {1.0 / 6, 0.5, 5.0 / 6}) {
    const double moment = low + part * (high - low) - 0.5;  // the first one lies about 0.5
    add(moments_.front().offset + width * moment / (count - 1), 1.0 / 3);
  }
  return mean;
}

// A genome made small: framed alike, zoom taken into the scale, so that it costs the same
// everywhere.

Genome previewOf(Genome genome, const PreviewQuality& previewQuality) {
  if (!previewQuality.shutter) genome.temporalFilterWidth = 0;
  if (previewQuality.side <= 0) return genome;
  const glm::dvec2 size(genome.size);
  const double share = std::min(1.0, previewQuality.side / std::max(size.x, size.y));
  Genome quick = framed(genome, glm::max(glm::ivec2(size * share + 0.5), glm::ivec2(1)));
  // What zoom would multiply is kept out, so that it takes the same time everywhere.
  quick.scale = pixelsPerUnit(quick), quick.zoom = 0, quick.cameraZoom = 1;
  if (previewQuality.quality > 0) quick.quality = std::min(quick.quality, previewQuality.quality);
  quick.supersample = 1;
  quick.estimatorRadius = std::max(genome.estimatorRadius * share, genome.estimatorMinimum);
  return quick;
}

// ---- Layers, which take turns

namespace {

constexpr int kTurns = 16;  // about how often the layer changes

Xform untouched(bool inSpace) {
  Xform xform;
  xform.colorSpeed = 0;
  variationIn(xform, inSpace ? variationNamed("linear3D") : kLinear).weight = 1;
  return xform;
}

/// As many final xforms as the layer that has most: those that are added change nothing.
void padFinals(std::vector<Genome>& layers) {
  bool any = false, inSpace = false;
  std::size_t further = 0;
  for (const Genome& layer : layers) {
    any |= layer.finalXform.has_value();
    further = std::max(further, layer.furtherFinals.size());
    inSpace |= needsDepth(layer);
  }
  for (Genome& layer : layers) {
    if (any && !layer.finalXform) layer.finalXform = untouched(inSpace);
    layer.furtherFinals.resize(further, untouched(inSpace));
  }
}

/// A layer at every whole time, again and again.
class LayersInTurn : public Motion {
 public:
  explicit LayersInTurn(std::vector<Genome> layers) : layers_(std::move(layers)) {}
  Genome shapeAt(double time) const override {
    return layers_[std::size_t(std::lround(std::max(0.0, time))) % layers_.size()];
  }
  Palette paletteAt(double time) const override { return shapeAt(time).palette; }
  Genome extent(double, double) const override {
    Genome sum = layers_.front();
    for (const Genome& layer : layers_) extend(sum, layer);
    return sum;
  }
  double firstTime() const override { return 0; }
  double lastTime() const override { return double(layers_.size()) - 1; }
  bool moves() const override { return true; }
  std::vector<MovingGenome> curves(double, double) const override { return {}; }

 private:
  std::vector<Genome> layers_;
};

}  // namespace

std::vector<Genome> layersOf(const Genome& genome) {
  std::vector<Genome> layers(1 + genome.layers.size(), genome);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (i > 0) static_cast<Layer&>(layers[i]) = genome.layers[i - 1];
    layers[i].layers.clear();
  }
  padFinals(layers);
  return layers;
}

std::shared_ptr<const Exposure> exposureOf(const std::vector<Genome>& layers) {
  const int count = int(layers.size()), moments = (kTurns + count - 1) / count * count;
  const Shutter shutter{moments - 1.0, moments, TemporalFilter::Box, 0};
  return std::make_shared<const Exposure>(std::make_shared<const LayersInTurn>(layers),
                                          (moments - 1) / 2.0, shutter);
}

}  // namespace fathom::flame
