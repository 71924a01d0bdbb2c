// SPDX-License-Identifier: BSD-3-Clause
// Small text drawn into pictures that are written to files, for legends.
#pragma once

#include "app/engine/core/image.h"

namespace fathom {

/// Draws one line of ASCII text with its top left corner at (x, y); clipped to the image. A line is
/// 12 * scale pixels high. `color` is linear and opaque.
void drawLabel(Image& image, int x, int y, int scale, const std::string& text, glm::vec3 color);
int labelWidth(int scale, const std::string& text);

}  // namespace fathom
