// SPDX-License-Identifier: BSD-3-Clause
// The right answers on the CPU, to be read beside the paper and OpenEXR's "Interpreting Deep
// Pixels".
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"
#include "app/engine/deep/settings/settings.h"

namespace fathom::deep::reference {

/// Merges two images that are each sorted by (Z, ZBack): a linear merge per pixel over the union of
/// their data windows; equal (Z, ZBack) keeps `front` first. Formats must agree (unify()).
DeepImage merge(const DeepImage& front, const DeepImage& back);

/// All of them, first in front on ties. At least one.
DeepImage merge(std::span<const DeepImage> images);

/// Over-composite of every list, front to back, in double: C += (1 - A) c, A += (1 - A) a. The
/// picture covers `window` in image coordinates.
/// Only what is peeled out of the list, if anything is to be.
Image flatten(const DeepImage& image, const Rect& window, const Peel& peel = {});

}  // namespace fathom::deep::reference
