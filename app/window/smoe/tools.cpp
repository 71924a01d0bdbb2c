// SPDX-License-Identifier: BSD-3-Clause
// Ranges of views, drags and orbits; ellipses and labels over the picture; zooming about
// the cursor and panning.
#include "app/window/smoe/tools.h"

#include "app/engine/core/error.h"
#include "app/engine/core/image.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {
// ---- Views

namespace {

constexpr double kAround = 0.5, kBeyond = 3;  // view steps

glm::dvec2 lastView(const Model& model) { return glm::dvec2(model.views - 1) - model.viewOrigin; }

}  // namespace

ViewCoordinates ViewRange::clamped(ViewCoordinates at) const { return glm::clamp(at, low, high); }

ViewRange viewRangeOf(const Model& model, bool beyond) {
  if (model.leading() == 0) return {};
  if (model.leading() == 1) return {{0, 0}, {model.frames - 1.0, 0}};
  const double margin = beyond ? kBeyond : kAround;
  return {-model.viewOrigin - margin, lastView(model) + margin};
}

ViewCoordinates draggedView(const Model& model, ViewCoordinates from, glm::dvec2 share,
                            const ViewRange& range) {
  const glm::dvec2 way = model.leading() == 1 ? glm::dvec2(share.x * model.frames, 0)
                                              : -share * glm::dvec2(model.views);
  return range.clamped(from + way);
}

// ---- Ellipses

namespace {

constexpr std::size_t kMaxEllipses = 3000;
constexpr double kMinRadius = 1.0;  // of an ellipse that is drawn, window pixels
constexpr std::size_t kMaxPoints = 40;

/// center + across * cos + along * sin.
struct Ellipse {
  glm::dvec2 center, across, along;
};

Ellipse ellipseOf(const Record& r) {
  return {r.center, {1 / r.w11, -r.w21 / (r.w11 * r.w22)}, {0, 1 / r.w22}};
}

/// Half the sides of the box around it.
glm::dvec2 halfBoxOf(const Ellipse& e) {
  return {std::hypot(e.across.x, e.along.x), std::hypot(e.across.y, e.along.y)};
}

std::vector<std::uint32_t> visibleOf(std::span<const Record> records, const ViewWindow& window,
                                     double pixelsPerUnit) {
  const glm::dvec2 low = window.corner, high = low + glm::dvec2(window.size) * window.step;
  std::vector<std::uint32_t> visible;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Ellipse e = ellipseOf(records[i]);
    const glm::dvec2 half = halfBoxOf(e);
    const bool inside = e.center.x + half.x > low.x && e.center.x - half.x < high.x &&
                        e.center.y + half.y > low.y && e.center.y - half.y < high.y;
    if (inside && std::max(half.x, half.y) * pixelsPerUnit >= kMinRadius)
      visible.push_back(std::uint32_t(i));
  }
  return visible;
}

void drawEllipse(PictureOverlay& overlay, const Ellipse& e, const ViewWindow& window,
                 double pixelsPerUnit, OverlayColor color) {
  const glm::dvec2 half = halfBoxOf(e);
  const auto count = std::size_t(std::clamp(
      6 + std::sqrt(std::max(half.x, half.y) * pixelsPerUnit) * 2.5, 8.0, double(kMaxPoints)));
  std::array<glm::vec2, kMaxPoints> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * double(i) / double(count);
    const glm::dvec2 at = e.center + e.across * std::cos(angle) + e.along * std::sin(angle);
    points[i] = glm::vec2((at - window.corner) / window.step);
  }
  overlay.outline({points.data(), count}, {0, 0, 0, 0.6f}, 3);
  overlay.outline({points.data(), count}, color, 1.25f);
}

/// The components over the picture, an ellipse of one standard deviation each: those that the
/// window shows and that are at least a pixel large; when there are too many to be told apart,
/// every n-th, always the same ones, and a label says so.
void drawEllipses(PictureOverlay& overlay, const ViewWindow& window,
                  std::span<const Record> records, std::span<const OverlayColor> colors) {
  const double pixelsPerUnit = overlay.zoom() / window.step;
  const std::vector<std::uint32_t> visible = visibleOf(records, window, pixelsPerUnit);
  const std::size_t stride = visible.size() / kMaxEllipses + 1;
  for (std::size_t k = 0; k < visible.size(); k += stride)
    drawEllipse(overlay, ellipseOf(records[visible[k]]), window, pixelsPerUnit, colors[visible[k]]);
  if (stride > 1)
    overlay.label({8 / overlay.zoom(), 36 / overlay.zoom()},
                  fmt::format("one ellipse of {}", stride), {1, 1, 1, 1}, true);
}

constexpr double kWheelStep = 1.25;    // per notch
constexpr double kFinest = 1.0 / 512;  // model px per window pixel

}  // namespace

// ---- View and window as the settings name them

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
    return engine_.drawn() ? engine_.drawn()->window.at : ViewCoordinates(0);
  }
}

void SmoeTools::setView(ViewCoordinates at) { settings_.view = viewText(at, models_->leading()); }

// ---- The mouse

/// Of panels side by side all show the same part: as if the mouse were over the only one, and the
/// window showed a share of its room.
PictureInput SmoeTools::inPanel(PictureInput input) const {
  const int panels = engine_.panels();
  if (panels < 2) return input;
  const auto width = float(engine_.frame().size.x) / float(panels);
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
  const ViewWindow asked = engine_.wantedWindow();
  double shown = asked.step;
  glm::dvec2 under = asked.corner + inRoom * shown;
  if (asked == engine_.drawn()->window) {
    shown = asked.step / input.zoom;
    under = asked.corner + glm::dvec2(input.at) * asked.step;
  } else if (settings_.window.empty()) {
    shown = widest;
    under = (inRoom - (room - whole / widest) / 2.0) * widest;
  }
  const double step = std::max(shown / std::pow(kWheelStep, input.wheel), kFinest);
  if (step >= widest) return settings_.window.clear();
  const glm::dvec2 extent = room * step;
  settings_.window =
      windowText({glm::clamp(under - inRoom * step, -extent / 2.0, whole - extent / 2.0), extent});
}

/// True when there is a window of the model to pan.
bool SmoeTools::pan(const PictureInput& input) {
  const std::optional<ModelRect> now = rect();
  if (!now) return false;
  settings_.window = windowText(
      {now->corner - glm::dvec2(input.drag) * engine_.drawn()->window.step, now->extent});
  return true;
}

bool SmoeTools::interact(const PictureInput& whole) {
  if (!models_ || !engine_.drawn()) return false;
  const PictureInput input = inPanel(whole);
  if (input.inside && input.wheel != 0) {
    zoom(input);
    return true;
  }
  const bool moved = input.drag != glm::vec2(0);
  const bool leftDrag = input.buttons[PictureInput::Left].held;
  const bool middleDrag = input.buttons[PictureInput::Middle].held;
  const bool hasViews = models_->leading() > 0;
  if (leftDrag && moved && hasViews) {
    const glm::dvec2 share = glm::dvec2(input.drag) / glm::dvec2(engine_.drawn()->window.size);
    setView(draggedView(*models_, view(), share, viewRangeOf(*models_, settings_.beyond)));
    return true;
  }
  const bool pans = (leftDrag && !hasViews) || middleDrag;
  if (pans && moved && pan(input)) return true;
  return leftDrag && hasViews;
}

bool SmoeTools::animated() const { return settings_.orbit && models_ && models_->leading() > 0; }

void SmoeTools::orbit() {
  if (!animated() || engine_.inProgress()) return;
  const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
  setView(orbitView(*models_, now.count()));
}

// ---- Over the picture, and keys

void SmoeTools::drawOverlay(PictureOverlay& overlay) {
  if (!models_ || !engine_.drawn()) return;
  const ViewWindow& window = engine_.drawn()->window;
  const glm::ivec2 panel = engine_.modelPanel();
  if (settings_.ellipses) {
    ViewWindow shifted = window;
    shifted.corner -= glm::dvec2(panel) * window.step;
    drawEllipses(overlay, shifted, engine_.records(), colors());
  }
  drawPanelLabels(overlay);
  if (models_->leading() > 0)
    overlay.label(
        {8 / overlay.zoom(), 16 / overlay.zoom()},
        (models_->dims == 4 ? "view " : "frame ") + viewLabel(window.at, models_->leading()),
        {1, 1, 1, 1}, true);
}

/// The components' own colors as displayed, half way to white: visible on their own picture.
const std::vector<OverlayColor>& SmoeTools::colors() {
  const ViewCoordinates at = engine_.drawn()->window.at;
  const std::vector<Record>& all = engine_.records();
  if (colorsOf_ == models_.generation() && colorsAt_ == at) return colors_;
  colorsOf_ = models_.generation(), colorsAt_ = at;
  std::vector<glm::dvec3> means;
  means.reserve(all.size());
  for (const Record& r : all) means.push_back(r.color);
  const Image linear = reference::toImage(means, {int(means.size()), 1}, models_->coding());
  const auto lightened = [](float light) { return 0.5f + 0.5f * srgbFromLinear(light); };
  colors_.clear();
  for (const glm::vec4& p : linear.pixels)
    colors_.push_back({lightened(p.r), lightened(p.g), lightened(p.b), 1});
  return colors_;
}

void SmoeTools::drawPanelLabels(PictureOverlay& overlay) const {
  if (engine_.panels() < 2) return;
  const SmoeEngine::Recipe& drawn = *engine_.drawn();
  const float margin = 8 / overlay.zoom(), width = float(drawn.window.size.x);
  const float down = float(drawn.window.size.y) - 16 / overlay.zoom();
  const std::string error = fmt::format("error x {:.3g}", drawn.gain);
  const char* names[] = {drawn.source ? "source" : "no source", "model", error.c_str()};
  for (int i = 0; i < engine_.panels(); ++i)
    overlay.label({margin + float(i) * width, down}, names[i], {1, 1, 1, 1}, true);
  overlay.landmark({width * 1.5f, float(drawn.window.size.y) / 2}, "smoe:beside");
}

std::vector<Shortcut> SmoeTools::actions() {
  return {
      {"SMoE", "Source, model and error side by side, or the image", "U",
       [this] { settings_.show = settings_.show == Show::Beside ? Show::Picture : Show::Beside; }},
      {"SMoE", "Show or hide the ellipses of the components", "E",
       [this] { settings_.ellipses = !settings_.ellipses; }},
      {"SMoE", "Orbit through the views, play a video", "O",
       [this] { settings_.orbit = !settings_.orbit; }},
      {"SMoE", "Reset to the whole model and its middle view", "Home",
       [this] { settings_.window.clear(), settings_.view.clear(); }},
      {"SMoE", "Zoom in or out by decoding", "Wheel", {}},
      {"SMoE", "Pan", "Drag, Middle drag", {}},
      {"SMoE", "Change the view or the frame", "Drag", {}},
  };
}

}  // namespace fathom::smoe
