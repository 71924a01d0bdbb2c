// SPDX-License-Identifier: BSD-3-Clause
// Decoding in float32 without a GPU, over the same kind of lists: a small part of a picture is
// there before a GPU would be.
#pragma once

#include "app/engine/smoe/model/component_lists.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {

/// Colors of one tile of the grid, from the components that `list` names, into `colors`,
/// vec4[height][width] of the whole grid: in the model's color space, neither clamped nor rounded.
void decodeTile(std::span<const Record> records, std::span<const std::uint32_t> list,
                const reference::Grid& grid, const PixelBox& tile, std::span<glm::vec4> colors);

/// What reference::picture() answers, of an image without alpha and of all components that weigh
/// e^-tau of another one.
Image decodedPart(const Model& model, const ViewWindow& window, double tau);

}  // namespace fathom::smoe
