// SPDX-License-Identifier: BSD-3-Clause
// The mouse over the picture of a genome: corners of the xforms' triangles are dragged, beside them
// the camera. Each drag edits the genome as it was when the button was pressed.
#pragma once

#include "app/window/flame/editing.h"
#include "app/window/flame/editor.h"
#include "app/window/parts.h"

namespace fathom::flame {

class TriangleTool {
 public:
  explicit TriangleTool(Editor& editor) : editor_(editor) {}

  bool triangles = true;       // are shown and can be dragged
  bool postTriangles = false;  // the same for post transformations

  /// True: the mouse is in use.
  bool interact(const PictureInput& input);
  void drawOverlay(PictureOverlay& overlay) const;
  /// Other genomes are open now.
  void reset();

 private:
  struct Hit {
    std::size_t xform = 0;
    Corner corner = Corner::O;
    bool post = false;
    bool operator==(const Hit&) const = default;
  };
  enum class Gesture { None, Waiting, Triangle, Camera };

  std::optional<Hit> hitAt(const PictureInput& input) const;
  void press(const PictureInput& input, bool onCorners);
  void dragTriangle(const PictureInput& input);
  void dragCamera(const PictureInput& input);
  void drawTriangle(PictureOverlay& overlay, std::size_t index, bool post) const;

  Editor& editor_;
  Gesture gesture_ = Gesture::None;
  std::optional<Hit> hot_;
  Genome before_;  // when the gesture began
  glm::dvec2 pressedAt_{0}, grip_{0};
};

}  // namespace fathom::flame
