// SPDX-License-Identifier: BSD-3-Clause
// Symmetry as flam3 adds it, framing in another size, the form in which genomes are rendered, and
// places along orbits.
#include "app/engine/flame/genome/operations.h"

#include "app/engine/core/random.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {

VariationUse& variationIn(Xform& xform, int index) {
  const auto at = std::ranges::lower_bound(xform.variations, index, {}, &VariationUse::index);
  if (at != xform.variations.end() && at->index == index) return *at;
  VariationUse use;
  use.index = index;
  const auto& parameters = variations()[std::size_t(index)].parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) use.parameters[i] = parameters[i].fallback;
  return *xform.variations.insert(at, use);
}

double weightIn(const Xform& xform, int index) {
  for (const VariationUse& use : xform.variations)
    if (use.index == index) return use.weight;
  return 0;
}

std::vector<Xform> symmetryXforms(int kind) {
  std::vector<Xform> list;
  const auto add = [&](const Affine& coefs, double color) {
    Xform xform;
    xform.weight = 1;
    xform.color = color;
    xform.colorSpeed = 0;
    xform.animate = 0;
    xform.coefs = coefs;
    variationIn(xform, kLinear).weight = 1;
    list.push_back(std::move(xform));
  };
  if (kind < 0) add({-1, 0, 0, 1, 0, 0}, 1);
  const int count = std::abs(kind);
  const auto rounded = [](double v) { return std::round(v * 1e6) / 1e6; };
  for (int j = 1; j < count; ++j) {
    const double angle = 2 * std::numbers::pi * j / count;
    const double c = rounded(std::cos(angle)), s = rounded(std::sin(angle));
    add({c, s, -s, c, 0, 0}, count < 3 ? 0 : double(j - 1) / (count - 2));
  }
  return list;
}

int randomSymmetry(std::uint64_t seed) {
  Random random(seed, 0x5e);
  const int count = 2 + int(random.below(5));
  return random.below(2) ? -count : count;
}

Genome framed(const Genome& genome, glm::ivec2 size) {
  Genome out = genome;
  out.scale = genome.scale * size.x / genome.size.x;
  out.size = size;
  return out;
}

Genome labeledAs(Genome genome, const Genome& other) {
  genome.name = other.name;
  genome.time = other.time;
  genome.other = other.other;
  genome.children = other.children;
  genome.lost = other.lost;
  return genome;
}

namespace {

bool canBeDrawn(const Layer& layer) {
  return layer.layerSettings.visible &&
         std::ranges::any_of(layer.xforms, [](const Xform& xform) { return xform.weight > 0; });
}

/// A layer's weight and density, in its colors and in how much its hits count.
void takeIn(Layer& layer) {
  const LayerSettings settings = std::exchange(layer.layerSettings, {});
  if (settings.weight != 1)
    for (glm::vec4& color : layer.palette)
      color = glm::vec4(glm::vec3(color) * float(settings.weight), color.a);
  // The opacity of which an xform is visible to density^2: visibilityOf() is its power log2 10.
  if (settings.density < 1)
    for (Xform& xform : layer.xforms)
      xform.opacity *= std::pow(std::max(settings.density, 0.0), 2 * std::log10(2.0));
}

/// Only those that are drawn stay; the first of them in front.
void takeInLayers(Genome& genome) {
  if (genome.soloXform >= 0) genome.layers.clear();
  if (genome.layers.empty()) genome.layerSettings.visible = true;
  std::erase_if(genome.layers, [](const Layer& layer) { return !canBeDrawn(layer); });
  if (!genome.layers.empty() && !canBeDrawn(genome)) {
    Layer first = std::move(genome.layers.front());
    genome.layers.erase(genome.layers.begin());
    swapLayer(genome, first);
  }
  takeIn(genome);
  for (Layer& layer : genome.layers) takeIn(layer);
}

}  // namespace

void swapLayer(Genome& genome, Layer& layer) { std::swap<Layer>(genome, layer); }

void usePalette(Genome& genome, const Palette& palette) {
  genome.palette = palette;
  genome.paletteNumber = -1;
  genome.hue = 0;
}

void sortByPlace(Xform& xform) {
  std::ranges::stable_sort(xform.variations, {}, &VariationUse::place);
}

PostCopies postCopies(const Genome& genome) {
  const JWildfireFinish& own = genome.jwildfire;
  if (genome.dialect != Dialect::JWildfire || own.symmetry == PostSymmetry::None) return {};
  if (own.symmetry != PostSymmetry::Point) return {2, 2};
  // The point itself is plotted besides its copies, of which it is the first.
  return own.symmetryOrder < 2 ? PostCopies()
                               : PostCopies{1 + std::min(own.symmetryOrder, 64), own.symmetryOrder};
}

namespace {

/// By the variations of JWildfire's author that do this to a point.
void addPostSymmetry(Layer& layer, const Genome& genome) {
  const JWildfireFinish& own = genome.jwildfire;
  static const int point = variationNamed("point_symmetry_wf"),
                   axis = variationNamed("axis_symmetry_wf"), z = variationNamed("zscale");
  Xform xform;
  xform.colorSpeed = 0;
  const bool turns = own.symmetry == PostSymmetry::Point;
  VariationUse& use = variationIn(xform, turns ? point : axis);
  use.weight = 1;
  if (turns) {
    const double order = 1 - postCopies(genome).plotted;  // below 0: its first copy twice
    std::ranges::copy(std::array{own.symmetryCenter.x, own.symmetryCenter.y, order},
                      use.parameters.begin());
  } else {
    const bool isX = own.symmetry == PostSymmetry::XAxis;
    std::ranges::copy(std::array{isX ? 0.0 : 1.0, own.symmetryCenter.x, own.symmetryCenter.y, 0.0,
                                 own.symmetryRotation},
                      use.parameters.begin());
    // The variation takes its weight for the distance.
    (isX ? xform.coefs.c : xform.coefs.f) = 0.5 * (own.symmetryDistance - use.weight);
  }
  if (genome.preservesZ == 0) variationIn(xform, z).weight = 1;
  sortByPlace(xform);
  auto& last = layer.finalXform;
  if (!last) return void(last = xform);
  if ((layer.furtherFinals.empty() ? *last : layer.furtherFinals.back()) == xform) return;
  layer.furtherFinals.push_back(xform);
}

}  // namespace

Genome forRendering(const Genome& genome) {
  Genome out = genome;
  if (!(genome.layerSettings == LayerSettings()) || !genome.layers.empty()) takeInLayers(out);
  if (postCopies(genome).plotted > 1) {
    addPostSymmetry(out, genome);
    for (Layer& layer : out.layers) addPostSymmetry(layer, genome);
  }
  out.soloXform = -1;
  out.passes = 1;
  for (std::size_t i = 0; i < out.xforms.size(); ++i) {
    Xform& xform = out.xforms[i];
    if (genome.soloXform >= 0 && int(i) != genome.soloXform) xform.opacity = 0;
    if (xform.chaos.size() > out.xforms.size()) xform.chaos.resize(out.xforms.size());
  }
  eachXform(out, sortByPlace);
  for (Layer& layer : out.layers) eachXform(layer, sortByPlace);
  return out;
}

void extend(Xform& out, const Xform& other) {
  out.weight = std::max(out.weight, other.weight);
  if (out.opacity != other.opacity) out.opacity = kAny;
  if (!(other.post == Affine{})) out.post.a = kAny;
  for (const VariationUse& use : other.variations)
    if (use.weight != 0) variationIn(out, use.index).weight = 1;
  for (const double factor : other.chaos)
    if (factor != 1) out.chaos = {kAny};
}

void extend(Genome& out, const Genome& other) {
  if (out.xforms.size() < other.xforms.size()) out.xforms.resize(other.xforms.size());
  for (std::size_t i = 0; i < other.xforms.size(); ++i) extend(out.xforms[i], other.xforms[i]);
  if (out.finalXform) extend(*out.finalXform, *other.finalXform);
  for (std::size_t i = 0; i < out.furtherFinals.size(); ++i)
    extend(out.furtherFinals[i], other.furtherFinals[i]);
}

// ---- The order of variations

namespace {

/// Which variation acts after which others.
using Predecessors = std::map<int, std::set<int>>;

void addOrderOf(Xform xform, VariationStage stage, Predecessors& all) {
  sortByPlace(xform);
  bool matters = stage != VariationStage::Among;
  std::vector<int> chain;
  for (const VariationUse& use : xform.variations) {
    const VariationInfo& info = variations()[std::size_t(use.index)];
    if (use.weight == 0 || info.stage != stage) continue;
    matters = matters || (use.place > 0 && (info.assigns || info.readsSum));
    chain.push_back(use.index);
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    std::set<int>& before = all[chain[i]];
    if (matters && i > 0) before.insert(chain[i - 1]);
  }
}

}  // namespace

ActingOrder actingOrder(const Genome& genome) {
  Predecessors left;
  eachXform(genome, [&](const Xform& xform) {
    for (const VariationStage stage :
         {VariationStage::Before, VariationStage::Among, VariationStage::After})
      addOrderOf(xform, stage, left);
  });
  ActingOrder order;
  while (!left.empty()) {
    auto next = std::ranges::find_if(left, [](const auto& v) { return v.second.empty(); });
    if (next == left.end()) order.agrees = false, next = left.begin();
    const int variation = next->first;
    order.variations.push_back(variation);
    left.erase(next);
    for (auto& [later, before] : left) before.erase(variation);
  }
  return order;
}

// ---- Orbits

namespace {

/// As long as the orbits on pictures of JWildfire's own. hopalong's grows without end;
/// gumowski_mira's falls into an island after 2^17 steps.
std::size_t stepsOf(const VariationInfo& info) {
  return std::size_t(1) << (info.function == "hopalong"   ? 21
                            : info.function == "threeply" ? 18
                                                          : 16);
}

/// Such variations ask for no draws.
class NoDraws : public Draws {
 public:
  double unit() override { return 0; }
  int bit() override { return 0; }
};

std::vector<const VariationUse*> orbitsIn(const Genome& genome) {
  std::vector<const VariationUse*> found;
  const auto look = [&](const Xform& xform) {
    for (const VariationUse& use : xform.variations)
      if (use.weight != 0 && variations()[std::size_t(use.index)].orbits) found.push_back(&use);
  };
  for (const Xform& xform : genome.xforms)
    if (xform.weight != 0) look(xform);
  if (genome.finalXform) look(*genome.finalXform);
  for (const Xform& xform : genome.furtherFinals) look(xform);
  return found;
}

}  // namespace

int orbitCount(const Genome& genome) { return int(orbitsIn(genome).size()); }

std::vector<glm::vec2> orbitPlaces(const Genome& genome, std::size_t count) {
  const std::vector<const VariationUse*> uses = orbitsIn(genome);
  if (uses.empty() || count == 0) return {};
  const VariationUse& use = *uses.front();
  const VariationInfo& info = variations()[std::size_t(use.index)];
  const Affine none;
  const VariationInput in{0, 0, 1, use.parameters.data(), &none};
  NoDraws draws;
  const std::size_t stride = std::max<std::size_t>(stepsOf(info) / count, 1);
  std::vector<glm::vec2> places{glm::vec2(INFINITY)};  // the start, whatever it is
  while (places.size() < count) {
    for (std::size_t i = 0; i < stride; ++i) info.evaluate3(in, draws);
    places.emplace_back(draws.orbit(glm::dvec2(INFINITY)));
  }
  return places;
}

}  // namespace fathom::flame
