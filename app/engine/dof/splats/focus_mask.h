// SPDX-License-Identifier: BSD-3-Clause
// A focus mask: a picture that says pixel by pixel how much of the lens's blur there is. What a
// compositor paints to keep a face sharp; a value of the frame, not of what is photographed.
#pragma once

#include "app/engine/dof/settings.h"
#include "app/engine/gpu/texture.h"

namespace fathom::dof {

/// What the radii of a pixel's fragments are multiplied with: 0 sharp .. 1 as the lens says.
struct FocusMask {
  int width = 0, height = 0;
  std::vector<float> values;  // float[height][width]

  float at(int x, int y) const {
    return values[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
  /// Laid over a frame of another size: linear between pixels, their mean where it shrinks.
  FocusMask over(glm::ivec2 size) const;
  /// With a margin of what lies beyond its border.
  FocusMask with(int margin, Edges edges) const;
};

/// FILE or FILE:CHANNEL, values as stored and cut to 0 .. 1 (NaN: 0). Without a channel: Y, R or A,
/// or the only one there is; of a picture that is no EXR its red. Throws Error.
FocusMask readFocusMask(const std::string& fileAndChannel);

/// From the device (r32f), which it waits for; none of null.
std::optional<FocusMask> downloadMask(const gpu::Texture* texture);

}  // namespace fathom::dof
