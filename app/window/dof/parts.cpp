// SPDX-License-Identifier: BSD-3-Clause
// The focus moves evenly in 1/z, which is evenly in blur.
#include "app/window/dof/parts.h"

namespace fathom::dof {

constexpr double kMoveSeconds = 0.35;
constexpr OverlayColor kFocusColor{0.21f, 0.77f, 0.71f, 1};

bool FocusPicker::interact(const PictureInput& input) {
  const glm::ivec2 at(glm::floor(input.at));
  cursor_ = input.inside ? std::optional(at) : std::nullopt;
  if (input.inside && input.buttons[PictureInput::Left].clicked) pick(at.x, at.y);
  return false;  // a click also pins the pixel, a drag moves the camera
}

void FocusPicker::pick(int x, int y) {
  if (!engine_.sharp() || !*engine_.sharp()) return;
  picked_ = glm::ivec2(x, y);
  const glm::ivec2 at = inEngine({x, y});
  move_ = {engine_.lens().focus, engine_.focusAt(at.x, at.y), {}};
  pickedFocus_ = float(move_->to);
}

void FocusPicker::advance() {
  if (!move_) return;
  const double t = std::min(1.0, move_->since.seconds() / kMoveSeconds);
  const double eased = t * t * (3 - 2 * t);
  shot_.settings.focusDistance =
      t < 1 ? float(1 / ((1 - eased) / move_->from + eased / move_->to)) : float(move_->to);
  if (t >= 1) move_.reset();
}

void FocusPicker::drawOverlay(PictureOverlay& overlay) {
  if (!engine_.sharp()) return;
  // The distance may have been changed by other means since.
  if (!move_ && shot_.settings.focusDistance != pickedFocus_) picked_.reset();
  if (picked_) {
    const glm::vec2 at = glm::vec2(*picked_) + 0.5f;
    overlay.circle(at, 6, kFocusColor);
    overlay.label(at + 8.0f / overlay.zoom(), fmt::format("in focus {:.4g}", pickedFocus_),
                  kFocusColor, true);
    overlay.landmark(at, "focus");
  }
  if (cursor_ && engine_.complete() && shot_.settings.show != Show::Difference)
    drawCircleOfConfusion(overlay);
}

/// Under the cursor, as large as it is in the picture.
void FocusPicker::drawCircleOfConfusion(PictureOverlay& overlay) const {
  const glm::ivec2 p = inEngine(*cursor_);
  if (p.x < 0 || p.y < 0 || p.x >= shot_.size.x || p.y >= shot_.size.y) return;
  const double r = std::abs(engine_.radiusAt(p.x, p.y)) / previewScale_;
  if (r >= 1)
    overlay.circle(glm::vec2(*cursor_) + 0.5f, float(r) * overlay.zoom(), kFocusColor.faded(0.6f),
                   1);
}

std::vector<Shortcut> FocusPicker::actions() {
  std::vector<Shortcut> all = pull_.actions();
  all.insert(all.begin(), {"Focus", "Focus on the pixel under the cursor", "Click", nullptr});
  return all;
}

// ---- The parts

DofWindowParts::DofWindowParts(DofEngine& engine)
    : engine_(engine), pull_(engine), picker_(engine, pull_, previewScale) {
  editing = &pull_.track(), playing = &pull_.track();
  panels = this, tools = &picker_, background = this;
}

void DofWindowParts::advance() {
  picker_.advance();
  pull_.advance(PullControl::Clock::now());
}

std::vector<TechniquePage> DofWindowParts::pages() const {
  return {{"lens", "Lens", "Focus and the lens", TechniquePage::Place::Side},
          {"variants", "Variants", "All variants of accumulation on this device",
           TechniquePage::Place::Strip}};
}

void DofWindowParts::drawPage(const std::string& name) {
  Settings& s = engine_.settingsStruct();
  if (name == "lens") lens_.draw(engine_, previewScale);
  if (name == "variants")
    variants_.draw(s.variant, engine_.variant(), s.radius(), s.op == Operator::Coverage);
}

std::optional<TechniqueStrip> DofWindowParts::strip() const {
  if (engine_.shot().empty()) return std::nullopt;
  return TechniqueStrip{"pull", "Focus pull", "Keys of focus and f-number over frames", 100,
                        !pull_.track().pull().empty()};
}

bool DofWindowParts::backgroundStep(gpu::Context& gpu, double budgetMs) {
  return variants_.browser.work(gpu, budgetMs) || picker_.moving();
}

}  // namespace fathom::dof
