// SPDX-License-Identifier: BSD-3-Clause
// Pictures with depth for the tests of depth of field, made by code: the same seed gives the same
// pixels everywhere.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/dof/lens/optics.h"

#include <cstdint>

namespace fathom::test {

/// Flat discs of random color, size and depth (1..20) over a background plane of depth 25; alpha is
/// Z.
Image discPicture(int width, int height, std::uint64_t seed = 1);

/// A fronto-parallel plane of one depth with a random texture; alpha is Z.
Image planePicture(int width, int height, float z);

/// A lens whose radius at infinity is `farRadius` px, in focus at `focus`.
dof::Lens lensWith(double farRadius, double focus, int maxRadius);

}  // namespace fathom::test
