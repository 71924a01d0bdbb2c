// SPDX-License-Identifier: BSD-3-Clause
// Which corner the mouse means, what a drag makes of it, and how triangles are drawn.
#include "app/window/flame/triangle_tool.h"

namespace fathom::flame {
namespace {

constexpr double kDragStarts = 3;  // window pixels
constexpr double kWheelStep = 1.15;
constexpr OverlayColor kColors[] = {
    {0.94f, 0.44f, 0.42f}, {0.96f, 0.73f, 0.33f}, {0.95f, 0.93f, 0.42f}, {0.53f, 0.84f, 0.45f},
    {0.36f, 0.83f, 0.78f}, {0.43f, 0.66f, 1.00f}, {0.72f, 0.55f, 0.98f}, {0.96f, 0.56f, 0.79f}};
constexpr OverlayColor kFinalColor{0.92f, 0.94f, 0.97f};

glm::dvec2 cornerOf(const Triangle& t, Corner corner) {
  return corner == Corner::O ? t.o : corner == Corner::X ? t.x : t.y;
}

const Affine& affineIn(const Xform& xform, bool post) { return post ? xform.post : xform.coefs; }

double degreesBetween(glm::dvec2 a, glm::dvec2 b) {
  return (std::atan2(b.y, b.x) - std::atan2(a.y, a.x)) * 57.29577951308232;
}

}  // namespace

std::optional<TriangleTool::Hit> TriangleTool::hitAt(const PictureInput& input) const {
  if (!triangles || !input.inside) return std::nullopt;
  const PictureMap map(editor_.genome());
  std::optional<Hit> best;
  double nearest = double(input.reach);
  const auto look = [&](std::size_t index, bool post, double bonus) {
    const Triangle t = triangleOf(affineIn(editor_.xform(index), post));
    for (const Corner corner : {Corner::O, Corner::X, Corner::Y}) {
      const double distance =
          glm::length(map.toPicture(cornerOf(t, corner)) - glm::dvec2(input.at)) * bonus;
      if (distance < nearest) nearest = distance, best = Hit{index, corner, post};
    }
  };
  for (std::size_t i = 0; i < editor_.xformCount(); ++i)
    look(i, false, i == editor_.selected() ? 0.6 : 1.0);
  if (postTriangles) look(editor_.selected(), true, 0.8);
  return best;
}

void TriangleTool::dragTriangle(const PictureInput& input) {
  const std::size_t index = hot_->xform;
  if (index >= editor_.xformCount()) return;
  const Genome& start = before_;
  const Xform& was = index < start.xforms.size() ? start.xforms[index] : *start.finalXform;
  const DragMode mode = input.shift  ? DragMode::Rotate
                        : input.ctrl ? DragMode::Scale
                                     : DragMode::Free;
  const glm::dvec2 to = PictureMap(editor_.genome()).toPlane(glm::dvec2(input.at) + grip_);
  const Affine& before = affineIn(was, hot_->post);
  const Affine after = dragged(before, hot_->corner, to, mode);
  Genome next = start;
  // The others follow what moves, turns or scales the whole triangle.
  const bool whole = hot_->corner == Corner::O || mode != DragMode::Free;
  for (const std::size_t other : editor_.selection()) {
    Xform& xform = xformAt(next, other);
    Affine& m = hot_->post ? xform.post : xform.coefs;
    if (other == index)
      m = after;
    else if (whole)
      m = followed(m, before, after);
  }
  editor_.change(std::move(next));
}

void TriangleTool::dragCamera(const PictureInput& input) {
  if (!input.ctrl) return editor_.change(panned(before_, glm::dvec2(input.at) - pressedAt_));
  const glm::dvec2 middle = glm::dvec2(before_.size) / 2.0;
  Genome next = before_;
  next.rotate += degreesBetween(pressedAt_ - middle, glm::dvec2(input.at) - middle);
  next.rotate = std::remainder(next.rotate, 360.0);
  editor_.change(std::move(next));
}

void TriangleTool::reset() {
  gesture_ = Gesture::None;
  hot_.reset();
}

/// A press begins a gesture; which one, its first movement tells.
void TriangleTool::press(const PictureInput& input, bool onCorners) {
  before_ = editor_.genome();
  pressedAt_ = input.at;
  gesture_ = Gesture::Waiting;
  if (!onCorners) hot_.reset();
  if (!hot_) return;
  editor_.lead(hot_->xform);
  const Triangle t = triangleOf(affineIn(editor_.xform(hot_->xform), hot_->post));
  grip_ = PictureMap(editor_.genome()).toPicture(cornerOf(t, hot_->corner)) - pressedAt_;
}

bool TriangleTool::interact(const PictureInput& input) {
  if (!editor_.open() || !editor_.editable()) return false;
  const auto& left = input.buttons[PictureInput::Left];
  const auto& middle = input.buttons[PictureInput::Middle];
  if (gesture_ == Gesture::None) hot_ = hitAt(input);
  if (left.pressed || middle.pressed) press(input, left.pressed);
  if (gesture_ == Gesture::Waiting &&
      glm::length(glm::dvec2(input.at) - pressedAt_) * double(input.zoom) > kDragStarts)
    gesture_ = hot_ ? Gesture::Triangle : Gesture::Camera;
  const bool drags = gesture_ == Gesture::Triangle || gesture_ == Gesture::Camera;
  const bool used = drags || (gesture_ == Gesture::Waiting && hot_);
  if (gesture_ == Gesture::Triangle) dragTriangle(input);
  if (gesture_ == Gesture::Camera) dragCamera(input);
  if (!left.held && !middle.held) gesture_ = Gesture::None;
  editor_.setDragging(gesture_ == Gesture::Triangle || gesture_ == Gesture::Camera);
  if (input.wheel != 0 && !used) {
    const double factor = std::pow(kWheelStep, double(input.wheel));
    editor_.change(zoomedAt(editor_.genome(), input.at, factor));
    editor_.wheelTurned();
    return true;
  }
  return used;
}

void TriangleTool::drawTriangle(PictureOverlay& overlay, std::size_t index, bool post) const {
  const PictureMap map(editor_.genome());
  const Triangle t = triangleOf(affineIn(editor_.xform(index), post));
  const std::array<glm::vec2, 3> at = {glm::vec2(map.toPicture(t.o)), glm::vec2(map.toPicture(t.x)),
                                       glm::vec2(map.toPicture(t.y))};
  const bool chosen = editor_.isSelected(index);
  const bool isFinal = index >= editor_.genome().xforms.size();
  OverlayColor color = isFinal ? kFinalColor : kColors[index % std::size(kColors)];
  if (!chosen) color = color.faded(0.55f);
  if (chosen && !post) overlay.polygon(at, color.faded(0.10f));
  const float width = chosen ? 2.0f : 1.25f;
  for (std::size_t i = 0; i < 3; ++i) {
    const glm::vec2 from = at[i], to = at[(i + 1) % 3];
    if (post)
      overlay.dashed(from, to, color, width);
    else
      overlay.line(from, to, color, width);
  }
  const std::string name = isFinal ? "F" : std::to_string(index + 1);
  const char* letters[] = {"O", "X", "Y"};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool hot = hot_ && *hot_ == Hit{index, Corner(i), post};
    overlay.handle(at[i], color, hot);
    if (chosen || hot || i == 0)
      overlay.label(at[i], i == 0 ? (post ? "post " : "") + name : letters[i], color, hot);
    overlay.landmark(at[i], (post ? "post:" : "xform:") + name + ":" + letters[i]);
  }
}

void TriangleTool::drawOverlay(PictureOverlay& overlay) const {
  if (!editor_.open() || !editor_.editable() || !triangles) return;
  for (std::size_t i = 0; i < editor_.xformCount(); ++i)
    if (i != editor_.selected()) drawTriangle(overlay, i, false);
  if (postTriangles) drawTriangle(overlay, editor_.selected(), true);
  drawTriangle(overlay, editor_.selected(), false);
}

}  // namespace fathom::flame
