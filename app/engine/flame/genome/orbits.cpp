// SPDX-License-Identifier: BSD-3-Clause
// Walks the orbit by the variation's own definition.
#include "app/engine/flame/genome/orbits.h"

#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {
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
