// SPDX-License-Identifier: BSD-3-Clause
// Small operations on genomes that reader, editor and renderer share.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

/// The use of a variation in an xform; added with weight 0 and default parameters when it is not
/// there. Uses stay in ascending order.
VariationUse& variationIn(Xform& xform, int index);
/// The weight of a variation in an xform; 0 when it is not there.
double weightIn(const Xform& xform, int index);

/// Of a genome or one of its layers: whether something is true of an xform, the final ones too.
template <class Flame, class Holds>
bool anyXform(const Flame& flame, Holds holds) {
  return std::any_of(flame.xforms.begin(), flame.xforms.end(), holds) ||
         std::any_of(flame.furtherFinals.begin(), flame.furtherFinals.end(), holds) ||
         (flame.finalXform && holds(*flame.finalXform));
}

/// Calls `act` with each xform of a genome or one of its layers, the final ones too.
template <class Flame, class Act>
void eachXform(Flame& flame, Act act) {
  for (auto& xform : flame.xforms) act(xform);
  if (flame.finalXform) act(*flame.finalXform);
  for (auto& xform : flame.furtherFinals) act(xform);
}

/// What <symmetry kind="kind"/> means: a reflection for negative kinds, and abs(kind) - 1
/// rotations. Kind 0 has no meaning here: see randomSymmetry().
std::vector<Xform> symmetryXforms(int kind);
/// A kind for <symmetry kind="0"/>: -6..-2 or 2..6.
int randomSymmetry(std::uint64_t seed);

/// The same picture in another size: pixels per unit follow the width.
Genome framed(const Genome& genome, glm::ivec2 size);
/// The genome with what no pixel depends on taken from another.
Genome labeledAs(Genome genome, const Genome& other);
/// From now on the genome holds the palette itself, whatever number it had.
void usePalette(Genome& genome, const Palette& palette);
/// Puts a layer in place of the genome's own xforms and palette, and those in its place.
void swapLayer(Genome& genome, Layer& layer);
/// The genome as the chaos game takes it: soloxform has silenced the others and the other layers,
/// chaos rows end with the xforms, all samples go into one pass, only layers that are drawn are
/// left, without settings (colors and opacities have them), post symmetry is a last final xform
/// that takes one of the copies by chance, and variations are in the order in which they act.
Genome forRendering(const Genome& genome);
/// How often JWildfire plots a point with its post symmetry, and by what it divides brightness.
struct PostCopies {
  int plotted = 1, divisor = 1;
};
PostCopies postCopies(const Genome& genome);
/// Variations of the lowest VariationUse::place come first: the order in which they act.
void sortByPlace(Xform& xform);

/// One order for the variations of all xforms of a genome, without its layers, in which those whose
/// order matters act as each xform has them; `agrees`: there is one.
struct ActingOrder {
  std::vector<int> variations;
  bool agrees = true;
};
ActingOrder actingOrder(const Genome& genome);

constexpr double kAny = 0.5;  // neither 0 nor 1
/// Makes `out` an xform of which a shader needs what it needs of either; its numbers mean nothing.
void extend(Xform& out, const Xform& other);
/// Of all xforms of flames with as many final ones.
void extend(Genome& out, const Genome& other);

// Attractors that follow an orbit of their own beside the point (VariationInfo::orbits). In the
// program that they come from one thread walks millions of steps; here many trajectories share the
// walk, so each begins at another place of one long orbit.

/// How many uses of such variations a genome has; one orbit is kept, so more than one mix them up.
int orbitCount(const Genome& genome);

/// Of the first one, `count` places evenly spread over its first steps, the start first; empty: the
/// genome has none.
std::vector<glm::vec2> orbitPlaces(const Genome& genome, std::size_t count);

}  // namespace fathom::flame
