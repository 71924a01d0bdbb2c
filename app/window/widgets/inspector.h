// SPDX-License-Identifier: BSD-3-Clause
// What the pixel under the cursor (or the pinned one) holds: values, the fragment list as a table,
// and where the fragments lie in depth as a plot.
#pragma once

#include "app/engine/inspect.h"
#include "app/window/document/document.h"
#include "app/window/picture/display.h"

namespace fathom::viewer {

class Inspector {
 public:
  /// Follows the cursor unless a pixel is pinned. Reads from the GPU only when the pixel or the
  /// picture has changed, and only complete pictures.
  void update(Document& document, std::optional<glm::ivec2> underCursor);

  void pin(glm::ivec2 pixel) { pinned_ = pixel; }
  void unpin() { pinned_.reset(); }
  std::optional<glm::ivec2> pinned() const { return pinned_; }
  /// The pixel the report is about, in picture coordinates.
  std::optional<glm::ivec2> pixel() const {
    return read_ ? std::optional(readPixel_) : std::nullopt;
  }
  glm::vec4 value() const { return value_; }  // linear, premultiplied

  void draw(const DisplaySettings& display, glm::ivec2 origin);
  /// Values and table as text for the clipboard; tabs between columns.
  std::string text(const DisplaySettings& display, glm::ivec2 origin) const;

 private:
  void drawValues(const DisplaySettings& display, glm::ivec2 origin);
  void drawTable();
  void drawDepthPlot(float width, float height);
  std::optional<glm::ivec2> pinned_;
  glm::ivec2 size_{0};  // of the image
  bool read_ = false;
  glm::ivec2 readPixel_{0};
  std::uint64_t readGeneration_ = 0, readWholeOnes_ = 0;
  Clock::time_point readAt_{};  // of a picture that is still being made
  std::string readTechnique_;
  glm::vec4 value_{0};
  std::optional<PixelReport> report_;
  int hovered_ = -1;  // the row or mark under the cursor
};

/// The range of depths that the plot shows: all finite marks with a margin; never empty.
struct DepthRange {
  float low = 0, high = 1;
  bool logarithmic = false;
  /// 0..1 from low to high; infinite depths are clamped.
  float place(float z) const;
};
DepthRange depthRange(const std::vector<PixelReport::Mark>& marks);

}  // namespace fathom::viewer
