// SPDX-License-Identifier: BSD-3-Clause
// The components over the picture: an ellipse of one standard deviation each.
#pragma once

#include "app/window/parts.h"
#include "app/engine/smoe/model/framing.h"

#include <span>

namespace fathom::smoe {

/// Those that the window shows and that are at least a pixel large; when there are too many to be
/// told apart, every n-th, always the same ones, and a label says so.
void drawEllipses(PictureOverlay& overlay, const ViewWindow& window,
                  std::span<const Record> records, std::span<const OverlayColor> colors);

}  // namespace fathom::smoe
