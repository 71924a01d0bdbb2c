// SPDX-License-Identifier: BSD-3-Clause
// Pages of the window: a row of numbers for each part, and the three modes side by side.
#pragma once

#include "app/engine/active_pixel/distribute/local_ranks.h"
#include "app/window/active_pixel/mode_meter.h"

namespace fathom::active_pixel {

/// Triangles, region, active pixels, runs and bytes of each part, with the lengths of its runs.
void drawPartsPage(const std::vector<LocalRank>& parts, glm::ivec2 size);
/// Times of reading back and compressing, now and over the pictures of a turn; `turn` is the switch
/// that turns the scene.
void drawModesPage(const ModeHistory& modes, bool& turn);

}  // namespace fathom::active_pixel
