// SPDX-License-Identifier: BSD-3-Clause
// A compositor's defocus of a flat picture with depth, to compare with: by the formulas of
// OpenDefocus (github.com/olivebowl/opendefocus, read in its crates opendefocus-kernel and
// opendefocus-shared, 2026), written anew on the CPU. Rings of points around each pixel gather a
// foreground and, where that hides it, an inpainted background.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/dof/lens/optics.h"

namespace fathom::dof {

/// A round aperture without faults. `colorAndDepth`: linear color, planar Z in alpha (0:
/// background), with `margin` pixels more on each side than the result has. `rings`: of points,
/// evenly up to the lens's largest radius.
Image ringGather(const Image& colorAndDepth, const Lens& lens, int margin, int rings = 32);

}  // namespace fathom::dof
