// SPDX-License-Identifier: BSD-3-Clause
// Moving about: pan and zoom of the picture in the window, and the camera of a scene.
#pragma once

#include "app/engine/scene/camera.h"
#include "app/window/ui/layout.h"

namespace fathom::viewer {

/// Where the picture lies in the window: zoom and pan as plain numbers.
class PictureView {
 public:
  /// The area of the window that shows the picture, and the picture's size. A fitted view stays
  /// fitted.
  /// A pixel is `aspect` times as wide as it is high.
  void place(Area area, glm::ivec2 pictureSize, float aspect = 1);

  /// Fits the whole picture, centered; enlarges it 16 times at most.
  void fit();
  /// Actual size (1:1), about the middle of the area.
  void oneToOne() { zoomTo(area_.center(), 1.0f); }
  /// Multiplies the zoom; the picture point under `at` stays where it is.
  void zoomAt(glm::vec2 at, float factor) { zoomTo(at, zoom_ * factor); }
  void zoomTo(glm::vec2 at, float zoom);
  void pan(glm::vec2 windowPixels);
  /// Restores what a session kept: zoom and the picture point in the middle of the area.
  void show(float zoom, glm::vec2 middle);

  glm::vec2 toPicture(glm::vec2 window) const { return (window - corner_) / scale(); }
  glm::vec2 toWindow(glm::vec2 picture) const { return corner_ + picture * scale(); }
  /// The picture pixel under a point of the window; may lie outside of the picture.
  glm::ivec2 pixelAt(glm::vec2 window) const;
  bool inPicture(glm::ivec2 pixel) const;

  float zoom() const { return zoom_; }  // window pixels per row of the picture
  float aspect() const { return aspect_; }
  /// Window pixels per picture pixel.
  glm::vec2 scale() const { return {zoom_ * aspect_, zoom_}; }
  bool fitted() const { return fitted_; }
  const Area& area() const { return area_; }
  glm::ivec2 pictureSize() const { return size_; }
  glm::vec2 corner() const { return corner_; }  // of the picture, in the window
  glm::vec2 middle() const { return toPicture(area_.center()); }

 private:
  void keepVisible();
  Area area_;
  glm::ivec2 size_{0};
  float zoom_ = 1.0f, aspect_ = 1.0f;
  glm::vec2 corner_{0};
  bool fitted_ = true;
};

/// Mouse and keys over the picture in this frame.
struct CameraInput {
  bool orbit = false, pan = false, fly = false;  // which button is held
  glm::vec2 drag{0};                             // window pixels since the last frame
  float wheel = 0;
  glm::vec3 keys{0};  // right, up, forward: -1, 0 or 1
  bool fast = false;  // Shift
  float pictureHeight = 1;
};

/// Mouse and keys to camera: orbit, pan, dolly, and flying while the right button is held.
class CameraControl {
 public:
  /// Changes the camera; true when it did.
  bool apply(const CameraInput& input, Camera& camera);
  /// True while keys fly the camera, which needs continuous frames.
  bool flying() const { return flying_; }

 private:
  float speed_ = 1.0f;  // of flying, in distances to the target per second
  bool flying_ = false;
  std::chrono::steady_clock::time_point last_{};
};

/// Turns the camera toward `point`, which becomes the center of orbits.
void focusOn(Camera& camera, glm::vec3 point);

}  // namespace fathom::viewer
