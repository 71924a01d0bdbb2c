// SPDX-License-Identifier: BSD-3-Clause
// What is reported about a picture: the runs that hold a pixel, the surface under it, the legend of
// an overlay, and facts in numbers.
#pragma once

#include "app/engine/active_pixel/local_composite.h"
#include "app/engine/inspect.h"

namespace fathom::active_pixel {

/// The runs that hold a pixel of the picture, row by row for each part in which it is active; none
/// outside the picture or while there is no complete one.
std::optional<PixelReport> inspectPixel(const View& view, const LocalComposite& composite,
                                        glm::ivec2 pixel);
/// World position under a pixel of a scene; none where nothing was drawn.
std::optional<glm::vec3> surfaceUnder(const View& view, const LocalComposite& composite,
                                      glm::ivec2 pixel);
/// What the colors of the overlay stand for; empty for a picture.
std::vector<LegendEntry> legendOf(const View& view, const LocalComposite& composite);
/// The facts below the settings: of a file at once, of a scene once there is a picture.
std::vector<std::pair<std::string, std::string>> factsOf(const View& view,
                                                         const LocalComposite& composite);

}  // namespace fathom::active_pixel
