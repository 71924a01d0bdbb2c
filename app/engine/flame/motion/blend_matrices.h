// SPDX-License-Identifier: BSD-3-Clause
// How flam3 takes matrices apart before it mixes them: what blend.cpp adds up with weights,
// keyframe_curves.cpp lays curves through.
#pragma once

#include "app/engine/flame/genome/model.h"

#include <span>
#include <vector>

namespace fathom::flame {

/// What turns while it is mixed (edges); nothing otherwise.
struct Turns {
  bool first = false, second = false;
  double radians = 0;
};

/// A column, (a, d) or (b, e), of several matrices: their angles in radians, each near the one
/// before, and their magnitudes, as natural logarithms unless one of them all but vanishes.
struct PolarColumn {
  std::vector<double> angles, sizes;
  bool logarithms = true;
};
struct PolarColumns {
  PolarColumn first, second;
};
PolarColumns polarColumnsOf(std::span<const Affine> matrices, const Turns& turns = {});

/// True when all are the identity, which then stays: of post-affines.
bool allPlain(std::span<const Affine> matrices);
/// True when no factor of any xform differs from 1: there is no xaos then.
bool allChaosPlain(std::span<const Xform* const> xforms);
/// Xform i of each genome; the final ones for i = count. The genomes are aligned().
std::vector<const Xform*> xformsAt(std::span<const Genome> genomes, std::size_t i);
/// A use for each variation of any of the xforms, ascending; weight 0, default parameters.
std::vector<VariationUse> unitedVariations(std::span<const Xform* const> xforms);
/// The one of this index, else `fallback`.
const VariationUse& useIn(const Xform& xform, const VariationUse& fallback);

}  // namespace fathom::flame
