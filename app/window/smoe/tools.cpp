// SPDX-License-Identifier: BSD-3-Clause
// Zooming about the cursor, panning, dragging views, and what is drawn over the picture.
#include "app/window/smoe/tools.h"

#include "app/engine/core/error.h"
#include "app/window/smoe/ellipses.h"
#include "app/window/smoe/inspector.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace fathom::smoe {
namespace {

constexpr double kWheelStep = 1.25;    // per notch
constexpr double kFinest = 1.0 / 512;  // model px per window pixel

}  // namespace

// View and window as the settings name them
// -------------------------------------------------------------------------------------------------

std::optional<ModelRect> SmoeTools::rect() const {
  try {
    return parseWindow(settings_.window);
  } catch (const UsageError&) {
    return std::nullopt;  // reported by the next update()
  }
}

ViewCoordinates SmoeTools::view() const {
  try {
    return parseView(settings_.view, models_->leading());
  } catch (const UsageError&) {
    return picture_.drawn() ? picture_.drawn()->window.at : ViewCoordinates(0);
  }
}

void SmoeTools::setView(ViewCoordinates at) {
  settings_.view = viewText(at, models_->leading());
  change_ = std::max(change_, Effect::Redraw);
}

// The mouse
// -------------------------------------------------------------------------------------------------

/// Of panels side by side all show the same part: as if the mouse were over the only one, and the
/// window showed a share of its room.
PictureInput SmoeTools::inPanel(PictureInput input) const {
  const int panels = picture_.panels();
  if (panels < 2) return input;
  const auto width = float(picture_.size().x) / float(panels);
  const float panel = std::clamp(std::floor(input.at.x / width), 0.0f, float(panels - 1));
  const float share = (input.high.x - input.low.x) / float(panels);
  input.at.x -= panel * width;
  input.low.x += panel * (share - width);
  input.high.x = input.low.x + share;
  return input;
}

/// Zooms about the cursor. What is visible fills the window; as soon as all of the model would fit,
/// it is shown as a whole.
void SmoeTools::zoom(const PictureInput& input) {
  if (!settings_.window.empty() && !rect()) return;
  const glm::dvec2 room = glm::dvec2(input.high - input.low) * double(input.zoom);
  const glm::dvec2 inRoom = glm::dvec2(input.at - input.low) * double(input.zoom);
  const glm::dvec2 whole(models_->width, models_->height);
  const double widest = std::max(whole.x / room.x, whole.y / room.y);
  // The wheel continues from what is asked for, which may not be decoded yet: what is visible then
  // is an older picture.
  const ViewWindow asked = picture_.wantedWindow();
  double shown = asked.step;
  glm::dvec2 under = asked.corner + inRoom * shown;
  if (asked == picture_.drawn()->window) {
    shown = asked.step / input.zoom;
    under = asked.corner + glm::dvec2(input.at) * asked.step;
  } else if (settings_.window.empty()) {
    shown = widest;
    under = (inRoom - (room - whole / widest) / 2.0) * widest;
  }
  const double step = std::max(shown / std::pow(kWheelStep, input.wheel), kFinest);
  if (step >= widest) {
    settings_.window.clear();
    return;
  }
  const glm::dvec2 extent = room * step;
  settings_.window =
      windowText({glm::clamp(under - inRoom * step, -extent / 2.0, whole - extent / 2.0), extent});
}

/// True when there is a window of the model to pan.
bool SmoeTools::pan(const PictureInput& input) {
  const std::optional<ModelRect> now = rect();
  if (!now) return false;
  settings_.window = windowText(
      {now->corner - glm::dvec2(input.drag) * picture_.drawn()->window.step, now->extent});
  return true;
}

bool SmoeTools::interact(const PictureInput& whole) {
  if (!models_ || !picture_.drawn()) return false;
  const PictureInput input = inPanel(whole);
  if (brush_.interact(input, picture_.drawn()->window)) return true;
  if (input.inside && input.wheel != 0) {
    zoom(input);
    return true;
  }
  const bool moved = input.drag != glm::vec2(0);
  const bool leftDrag = input.buttons[PictureInput::Left].held;
  const bool middleDrag = input.buttons[PictureInput::Middle].held;
  const bool hasViews = models_->leading() > 0;
  if (leftDrag && moved && hasViews) {
    const glm::dvec2 share = glm::dvec2(input.drag) / glm::dvec2(picture_.drawn()->window.size);
    setView(draggedView(*models_, view(), share, viewRangeOf(*models_, settings_.beyond)));
    return true;
  }
  const bool pans = (leftDrag && !hasViews) || middleDrag;
  if (pans && moved && pan(input)) return true;
  return leftDrag && hasViews;
}

bool SmoeTools::animated() const { return settings_.orbit && models_ && models_->leading() > 0; }

void SmoeTools::orbit() {
  if (!animated() || picture_.inProgress()) return;
  const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
  setView(orbitView(*models_, now.count()));
}

// Over the picture, and keys
// -------------------------------------------------------------------------------------------------

void SmoeTools::drawOverlay(PictureOverlay& overlay) {
  if (!models_ || !picture_.drawn()) return;
  const ViewWindow& window = picture_.drawn()->window;
  const glm::ivec2 panel = picture_.modelPanel();
  if (settings_.ellipses) {
    ViewWindow shifted = window;
    shifted.corner -= glm::dvec2(panel) * window.step;
    drawEllipses(overlay, shifted, records_.records(), records_.colors());
  }
  drawPanelLabels(overlay);
  brush_.draw(overlay, window, panel);
  if (models_->leading() > 0)
    overlay.label(
        {8 / overlay.zoom(), 16 / overlay.zoom()},
        (models_->dims == 4 ? "view " : "frame ") + viewLabel(window.at, models_->leading()),
        {1, 1, 1, 1}, true);
}

void SmoeTools::drawPanelLabels(PictureOverlay& overlay) const {
  if (picture_.panels() < 2) return;
  const Picture::Recipe& drawn = *picture_.drawn();
  const float margin = 8 / overlay.zoom(), width = float(drawn.window.size.x);
  const float down = float(drawn.window.size.y) - 16 / overlay.zoom();
  const std::string error = fmt::format("error x {:.3g}", drawn.gain);
  const char* names[] = {drawn.source ? "source" : "no source", "model", error.c_str()};
  for (int i = 0; i < picture_.panels(); ++i)
    overlay.label({margin + float(i) * width, down}, names[i], {1, 1, 1, 1}, true);
  overlay.landmark({width * 1.5f, float(drawn.window.size.y) / 2}, "smoe:beside");
}

std::vector<TechniqueAction> SmoeTools::actions() {
  return {
      {"SMoE", "Source, model and error side by side, or the picture", "U",
       [this] {
         settings_.show = settings_.show == Show::Beside ? Show::Picture : Show::Beside;
       }},
      {"SMoE", "Paint where a fit gets more components", "P",
       [this] { brush_.turn(!brush_.on()); }},
      {"SMoE", "Show or hide the ellipses of the components", "E",
       [this] { settings_.ellipses = !settings_.ellipses; }},
      {"SMoE", "Orbit through the views, play a video", "O",
       [this] { settings_.orbit = !settings_.orbit; }},
      {"SMoE", "Reset to the whole model and its middle view", "Home",
       [this] { settings_.window.clear(), settings_.view.clear(); }},
      {"SMoE", "Zoom in or out by decoding", "Wheel", {}},
      {"SMoE", "Pan the part that is shown", "Drag, Middle drag", {}},
      {"SMoE", "Change the view or the frame", "Drag", {}},
  };
}

}  // namespace fathom::smoe
