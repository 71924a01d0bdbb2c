// SPDX-License-Identifier: BSD-3-Clause
// PictureOverlay for techniques, drawn into the window's draw list.
#pragma once

#include "app/window/parts.h"
#include "app/window/picture/picture_view.h"

#include <imgui.h>

namespace fathom::viewer {

class DrawListOverlay : public PictureOverlay {
 public:
  DrawListOverlay(ImDrawList& draw, const PictureView& view) : draw_(draw), view_(view) {}
  void line(glm::vec2 from, glm::vec2 to, OverlayColor color, float width) override;
  void dashed(glm::vec2 from, glm::vec2 to, OverlayColor color, float width) override;
  void outline(std::span<const glm::vec2> points, OverlayColor color, float width) override;
  void polygon(std::span<const glm::vec2> convex, OverlayColor fill) override;
  void circle(glm::vec2 center, float radius, OverlayColor color, float width) override;
  void disc(glm::vec2 center, float radius, OverlayColor fill) override;
  void handle(glm::vec2 at, OverlayColor color, bool hot) override;
  void label(glm::vec2 at, std::string_view text, OverlayColor color, bool plate) override;
  void landmark(glm::vec2 at, const std::string& name) override;
  float zoom() const override { return view_.zoom(); }
  glm::vec2 size() const override { return glm::vec2(view_.pictureSize()); }

 private:
  ImVec2 place(glm::vec2 picture) const;
  ImDrawList& draw_;
  const PictureView& view_;
};

}  // namespace fathom::viewer
