// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a sweep over variants: a dot for each with axes, and for each dimension what its
// values cost.
#pragma once

#include "app/engine/dof/variants/variant_browser.h"

#include <vector>

namespace fathom::dof {

/// Times over variants within the rest of the window, the variant `used` marked; the dot under the
/// mouse, or null.
const VariantBrowser::Dot* drawTimes(const std::vector<VariantBrowser::Dot>& dots, int used,
                                     bool sorted);

/// The median time of all variants that have this value of this dimension; 0: none was timed.
double medianOf(const std::vector<VariantBrowser::Dot>& dots, int dimension, int value);
/// A row per dimension, a cell per value: medians, the fastest of a row marked.
void drawHeatMap(const std::vector<VariantBrowser::Dot>& dots);

/// Source with line numbers and colored words; `difference`: lines begin with their sign.
void drawSourceText(const std::string& text, bool difference);

}  // namespace fathom::dof
