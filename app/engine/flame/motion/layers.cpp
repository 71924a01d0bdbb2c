// SPDX-License-Identifier: BSD-3-Clause
// One flame per layer, what a shader must hold for all of them, and their turns.
#include "app/engine/flame/motion/layers.h"

#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/projection.h"
#include "app/engine/flame/genome/variations.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
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

void include(Xform& sum, const Xform& other) {
  for (const VariationUse& use : other.variations)
    if (use.weight != 0) variationIn(sum, use.index).weight = 1;
  if (!(other.post == Affine())) sum.post = other.post;
  if (other.opacity != 1) sum.opacity = other.opacity;
  if (other.weight != 0) sum.weight = 1;
  if (std::any_of(other.chaos.begin(), other.chaos.end(), [](double c) { return c != 1; }))
    sum.chaos = {0.5};  // any but 1: there is a choice by the last xform
}

/// Has every xform, variation, post transform, chaos and opacity of both.
void include(Genome& sum, const Genome& other) {
  if (sum.xforms.size() < other.xforms.size()) sum.xforms.resize(other.xforms.size());
  for (std::size_t i = 0; i < other.xforms.size(); ++i) include(sum.xforms[i], other.xforms[i]);
  if (sum.finalXform) include(*sum.finalXform, *other.finalXform);
  for (std::size_t i = 0; i < sum.furtherFinals.size(); ++i)
    include(sum.furtherFinals[i], other.furtherFinals[i]);
}

/// A layer at every whole time, again and again.
class LayersInTurn : public Motion {
 public:
  explicit LayersInTurn(std::vector<Genome> layers) : layers_(std::move(layers)) {}
  Genome at(double time) const override {
    return layers_[std::size_t(std::lround(std::max(0.0, time))) % layers_.size()];
  }
  Genome shapeAt(double time) const override { return at(time); }
  Palette paletteAt(double time) const override { return at(time).palette; }
  Genome extent(double, double) const override {
    Genome sum = layers_.front();
    for (const Genome& layer : layers_) include(sum, layer);
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
  std::vector<Genome> layers;
  Genome whole = genome;
  whole.layers.clear();
  layers.push_back(whole);
  for (const Layer& layer : genome.layers) {
    whole.xforms = layer.xforms;
    whole.finalXform = layer.finalXform;
    whole.furtherFinals = layer.furtherFinals;
    whole.palette = layer.palette;
    layers.push_back(whole);
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
