// SPDX-License-Identifier: BSD-3-Clause
// Where in a light field or a video the picture is taken from, controlled by the mouse and by
// the clock: plain numbers, no window.
#pragma once

#include "app/engine/smoe/model/model.h"

#include <glm/vec2.hpp>

namespace fathom::smoe {

/// The coordinates that views may be asked for; videos: only x counts.
struct ViewRange {
  ViewCoordinates low{0}, high{0};
  ViewCoordinates clamped(ViewCoordinates at) const;
};

/// The grid and half a step around it; `beyond`: three steps around it, where quality falls.
/// Videos: the frames, and no others.
ViewRange viewRangeOf(const Model& model, bool beyond);

/// The view after a drag by this share of the picture's width and height; all of it is the whole
/// grid, or all frames. The camera moves against the mouse, so that what is in front of the focus
/// follows it; dragging a video to the right plays it forward.
ViewCoordinates draggedView(const Model& model, ViewCoordinates from, glm::dvec2 share,
                            const ViewRange& range);

constexpr double kOrbitSeconds = 8;  // once around
constexpr double kOrbitShare = 0.4;  // of the grid's sides: half axes of the ellipse
constexpr double kFramesPerSecond = 24;

/// The view at a time: light fields go around an ellipse in the grid, videos from the first frame
/// to the last and again. Images stay.
ViewCoordinates orbitView(const Model& model, double seconds);

}  // namespace fathom::smoe
