// SPDX-License-Identifier: BSD-3-Clause
// FLIP: how different two pictures look to people who see them in turns.
#pragma once

#include "app/engine/core/image.h"

namespace fathom {

/// The mean error, 0 (equal) to 1, of two pictures of one size, linear, clipped to [0,1]; a NaN
/// counts as black. LDR-FLIP of Andersson et al. 2020, A Difference Evaluator for Alternating
/// Images, for a monitor of 3840 pixels, 0.7 m wide and 0.7 m away.
double flipError(const Image& a, const Image& b);

}  // namespace fathom
