// SPDX-License-Identifier: BSD-3-Clause
// Gives deep images the same channels before a merge, and collects their values after one. A merge
// on the GPU moves words; these functions handle what the words cannot hold.
#pragma once

#include "app/engine/core/deep_image.h"

#include <span>
#include <vector>

namespace fathom {

enum class UnifyWarnings { On, Off };

/// Gives all images the same format and the same channels: the union of what they have. A missing
/// ZBack becomes Z, a missing A 1 where there is color (with a warning), anything else missing 0;
/// a channel that is half in one and float in another becomes float. All end up Half where that
/// loses nothing, else Indexed. Throws Error when one name is an ID (uint) here and a number there.
void unify(std::vector<DeepImage>& images, UnifyWarnings warnings = UnifyWarnings::On);

/// Fills merged.channels[].values from the inputs of a merge (all Indexed, same channels): the
/// index words of `merged` count the fragments of all inputs, one input after the other. They
/// become 0 .. fragmentCount-1, the values follow. Throws Error when an index is out of range.
void gather(std::span<const DeepImage> inputs, DeepImage& merged);

/// A Half or Rgba8 image as Indexed: every channel as a plane of values.
void makeIndexed(DeepImage& image);

}  // namespace fathom
