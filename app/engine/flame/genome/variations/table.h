// SPDX-License-Identifier: BSD-3-Clause
// Where variations.cpp has its table from: what the shader files state, and flam3's own
// definitions.
#pragma once

#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {

/// As the files in shaders/flame/variations state them, in the order of their numbers; flam3's
/// without functions. The build writes the source of it (make_variations.cpp).
std::span<const VariationInfo> statedVariations();

/// The functions of a variation of flam3, in double precision (flam3.cpp).
struct Flam3Variation {
  std::string_view name;
  glm::dvec2 (*evaluate)(const VariationInput&, Draws&);
  /// What the shader's function takes; null: the parameters as they are.
  void (*pack)(const VariationInput&, double* packed) = nullptr;
};

/// In the order of flam3's numbers.
std::span<const Flam3Variation> flam3Variations();

}  // namespace fathom::flame
