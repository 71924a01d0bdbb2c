// SPDX-License-Identifier: BSD-3-Clause
// The samples of a picture as the device sees them: sizes of the boxes they are grouped in, and
// where those lie in the model's fixed point.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/decode/device_model.h"
#include "shaders/smoe/decode/shared.h"

#include <vector>

namespace fathom::smoe {

/// How many boxes of so many samples a side cover a picture.
inline glm::ivec2 boxes(glm::ivec2 size, int side) { return (size + side - 1) / side; }

/// The natural logarithm of the ratio to the strongest component below which one may be dropped,
/// for a strict test of `bits` bits: (bits + 1) ln 2 + 2; here in bits.
float thresholdBits(int bits);

/// Everything in shared::Params but the band; `samples` per pixel and axis make the grid finer.
shared::Params gridParams(const ViewWindow& window, const DecodeOptions& options,
                          const DeviceModel& model);

/// uvec2[columns + rows]: the fixed-point position before every 8th column and row of samples, and
/// the rest in px (float bits).
std::vector<glm::uvec2> axesOf(const ViewWindow& window, const shared::Params& params);

}  // namespace fathom::smoe
