// SPDX-License-Identifier: BSD-3-Clause
// A second witness for volumes, in double: OpenEXR's "Interpreting Deep Pixels" taken literally.
// Volumes are split in two at one depth after the other, everything is sorted, then neighbors that
// coincide are merged pair by pair. No optical depths are added up, as the operations do.
#pragma once

#include "app/engine/core/deep_image.h"
#include "tests/deep/deep_images.h"

namespace fathom::test {

struct Exact {
  double r, g, b, a;
  float z, zBack;
};

std::vector<Exact> literallyTidy(const std::vector<Fragment>& list);
/// Over, front to back.
glm::dvec4 over(const std::vector<Exact>& list);

/// Lists of 0 to 12 points and volumes at depths of a coarse grid, so that they coincide, touch and
/// overlap; alphas 0, 1, next to both, and between. Values are halves; sorted by (Z, ZBack).
std::vector<std::vector<Fragment>> mixedLists(std::size_t count, std::uint32_t seed);

/// As deepImage(), with float channels A, B, G, R, Z, ZBack.
DeepImage floatImage(const Rect& window, const std::vector<std::vector<Fragment>>& lists);
/// floatImage() of mixedLists() whose volumes have become points.
DeepImage pointImage(const Rect& window, std::uint32_t seed);
/// A half channel as float.
DeepChannel widened(const DeepChannel& channel);

}  // namespace fathom::test
