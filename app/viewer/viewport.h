// SPDX-License-Identifier: BSD-3-Clause
// The picture in the window: draws it with what lies over it (legend, scale, split, pinned pixel)
// and reports what the mouse does there.
#pragma once

#include "app/viewer/camera_control.h"
#include "app/viewer/compare_view.h"
#include "app/viewer/display.h"
#include "app/viewer/document.h"
#include "app/viewer/inspector.h"
#include "app/viewer/picture_view.h"

#include <optional>

namespace fathom::viewer {

/// What the mouse did over the picture in this frame.
struct ViewportEvents {
  std::optional<glm::ivec2> hovered;  // the pixel under the cursor
  std::optional<glm::ivec2> clicked;  // press and release without a drag
  std::optional<glm::ivec2> doubleClicked;
  CameraInput camera;  // empty without a camera
};

class Viewport {
 public:
  explicit Viewport(gpu::Context& context) : display_(context) {}

  /// The technique is offered the mouse first. Zoom and pan are applied to `view` here; the rest is
  /// the caller's. `spaceHeld`: the left
  /// button pans.
  ViewportEvents draw(Document& document, CompareView& compare, const Inspector& inspector,
                      const DisplaySettings& settings, PictureView& view, bool spaceHeld);

 private:
  PictureInput inputOf(const PictureView& view, bool own) const;
  ViewportEvents interact(Document& document, CompareView& compare, PictureView& view,
                          bool spaceHeld);
  Display display_;
  bool dragged_ = false, draggingSplit_ = false;
  bool panning_ = false;  // with Space: until the button is up, even when Space is let go
};

}  // namespace fathom::viewer
