// SPDX-License-Identifier: BSD-3-Clause
// The picture in the window: draws it with what lies over it, and turns mouse events into what they
// mean.
#pragma once

#include "app/window/document/document.h"
#include "app/window/parts.h"
#include "app/window/picture/comparison.h"
#include "app/window/picture/display.h"
#include "app/window/picture/picture_view.h"

namespace fathom::viewer {

/// Mouse events over the picture in this frame.
struct ViewportEvents {
  std::optional<glm::ivec2> hovered;  // the pixel under the cursor
  std::optional<glm::ivec2> clicked;  // press and release without a drag
  std::optional<glm::ivec2> doubleClicked;
  CameraInput camera;  // empty without a camera
};

class Viewport {
 public:
  explicit Viewport(gpu::Context& context) : display_(context) {}

  /// The technique gets the mouse first. Zoom and pan are applied to `view` here; the caller
  /// handles the returned events. `pinned`: the pixel to mark; `spaceHeld`: the left button pans.
  ViewportEvents draw(Document& document, Comparison& compare, std::optional<glm::ivec2> pinned,
                      const DisplaySettings& settings, const ValueRange& range, ColorView& color,
                      PictureView& view, bool spaceHeld);
  /// The same display values in another size, for thumbnails and export: RGBA, top row first.
  std::vector<std::uint8_t> displayed(gpu::Context& gpu, const gpu::Texture& picture,
                                      glm::ivec2 size, const DisplaySettings& settings,
                                      const ValueRange& range, ColorView& color);

 private:
  void drawValues(ImDrawList& draw, const Area& area, const gpu::Texture& picture,
                  std::uint64_t generation, const PictureView& view);
  PictureInput inputOf(const PictureView& view, bool own) const;
  ViewportEvents interact(Document& document, Comparison& compare, PictureView& view,
                          bool spaceHeld);
  Display display_;
  Rect valuesRegion_;  // whose values were read, of the picture of this generation
  std::uint64_t valuesGeneration_ = 0;
  std::vector<glm::vec4> values_;
  bool dragged_ = false, draggingSplit_ = false;
  bool panning_ = false;  // with Space: until the button is up, even when Space is released
};

}  // namespace fathom::viewer
