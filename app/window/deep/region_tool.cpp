// SPDX-License-Identifier: BSD-3-Clause
// Shift+Drag over the picture; Z along the lowest edge of the box, corners in image coordinates.
#include "app/window/deep/parts.h"

#include "app/engine/deep/settings/input_edits.h"

namespace fathom::deep {
namespace {

constexpr OverlayColor kLabel{0.70f, 0.74f, 0.80f, 1}, kAxis{0.55f, 0.60f, 0.68f, 1},
    kChosen{0.21f, 0.77f, 0.71f, 1};
constexpr float kMinRegion = 3;  // picture pixels; less is a click

/// Pixels of the picture of points; none behind the eye.
std::optional<glm::vec2> project(const glm::mat4& toClip, glm::vec3 place, glm::vec2 size) {
  const glm::vec4 clip = toClip * glm::vec4(place, 1);
  if (clip.w <= 1e-5f) return std::nullopt;
  return glm::vec2((clip.x / clip.w + 1) / 2 * size.x, (1 - clip.y / clip.w) / 2 * size.y);
}

}  // namespace

void RegionTool::drawOverlay(PictureOverlay& overlay) {
  if (showsPoints()) {
    if (points_.isCollected()) drawPointLabels(overlay);
    return;
  }
  drawFrame(overlay);
  if (!picked_.empty()) overlay.label(pickedAt_, picked_, kLabel, true);
  if (choosing_) {
    overlay.dashed(chosen_, kChosen);
    overlay.label({chosen_.right(), chosen_.bottom()},
                  fmt::format("{} x {}", chosen_.width, chosen_.height), kLabel, true);
  } else if (!settings_.view.region.empty() && inputs_.size().x > 0) {
    overlay.dashed(parseRegion(settings_.view.region, inputs_.size().x, inputs_.size().y),
                   kChosen.faded(0.5f));
  }
}

/// The display window, where the picture is not all of it.
void RegionTool::drawFrame(PictureOverlay& overlay) const {
  if (inputs_.scene() || !inputs_.isOpen()) return;
  const Rect frame = inputs_.header(FragmentFormat::Half).displayWindow;
  const glm::ivec2 o = inputs_.origin(), size = inputs_.size();
  const Rect shown{frame.x - o.x, frame.y - o.y, frame.width, frame.height};
  if (frame.empty() || shown == Rect{0, 0, size.x, size.y}) return;
  overlay.dashed(shown, kAxis);
  overlay.label({float(shown.x), float(shown.bottom())},
                fmt::format("{} x {}", frame.width, frame.height), kLabel);
  overlay.landmark({float(shown.x), float(shown.y)}, "deep:display-window");
}

/// What shows most there is shown alone, by its name where there is one; again, and all is shown.
void RegionTool::pickObject(glm::vec2 at) {
  std::vector<InputEdit> edits = editsOf(settings_, inputs_.openedCount());
  if (!picked_.empty()) {
    for (InputEdit& edit : edits)
      if (edit.ids == pickedIds_) edit.ids.clear();
    picked_.clear();
    return setEdits(settings_, edits);
  }
  const auto object = inspection_.object(int(std::floor(at.x)), int(std::floor(at.y)));
  if (!object) return;
  const bool plain = object->name.find_first_of(",|*?") == std::string::npos;
  pickedIds_ = plain ? object->name : std::to_string(object->id);
  for (std::size_t i = 0; i < edits.size(); ++i) edits[i].ids = pickedIds_;
  picked_ = object->name, pickedAt_ = at;
  setEdits(settings_, edits);
}

void RegionTool::drawPointLabels(PictureOverlay& overlay) const {
  const PointSpace& space = points_.space();
  const glm::vec2 size = overlay.size();
  const glm::mat4 toClip = pointsToClip(points_.camera(), space, points_.size());
  const Rect& r = space.region;
  const glm::vec2 corners[] = {
      {r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}};
  // Z is labeled along the edge that is lowest in the picture.
  int lowest = 0;
  float bottom = -1e30f;
  for (int i = 0; i < 4; ++i) {
    const auto middle =
        project(toClip, space.place(corners[i], (space.nearest + space.farthest) / 2), size);
    if (middle && middle->y > bottom) bottom = middle->y, lowest = i;
  }
  const glm::vec2 outward =
      corners[lowest] - glm::vec2(r.x + r.width / 2.0f, r.y + r.height / 2.0f);
  for (const float z : axisTicks(space.nearest, space.farthest, 6)) {
    const auto at = project(toClip, space.place(corners[lowest], z), size);
    const auto end = project(toClip, space.place(corners[lowest] + outward * 0.06f, z), size);
    if (!at || !end) continue;
    overlay.line(*at, *end, kAxis, 1);
    overlay.label(*end, fmt::format("{:.4g}", z), kLabel);
  }
  const glm::vec2 margin = glm::vec2(4, 14) / overlay.zoom();
  const auto note = [&](int corner, float z, const std::string& text, OverlayColor color) {
    const auto at = project(toClip, space.place(corners[corner], z), size);
    if (at) overlay.label(glm::clamp(*at, margin, size - margin), text, color, true);
  };
  note(lowest, space.farthest + (space.farthest - space.nearest) * 0.10f, "Z", kAxis);
  const glm::ivec2 o = inputs_.origin();
  note(0, space.nearest, fmt::format("{}, {}", r.x + o.x, r.y + o.y), kAxis);
  note(2, space.nearest, fmt::format("{}, {}", r.right() - 1 + o.x, r.bottom() - 1 + o.y), kAxis);
  const ZRange range = settings_.view.peeled().range;
  for (const float z : {range.nearest, range.farthest})
    if (z > space.nearest && z < space.farthest) note(1, z, fmt::format("{:.5g}", z), kChosen);
  overlay.label({4 / overlay.zoom(), 18 / overlay.zoom()}, points_.text(), kLabel, true);
}

bool RegionTool::interact(const PictureInput& input) {
  if (showsPoints() || inputs_.size().x <= 0) return false;
  const PictureInput::ButtonState& left = input.buttons[PictureInput::Left];
  if (input.alt && !choosing_) {
    if (left.clicked && input.inside) pickObject(input.at);
    return input.inside;
  }
  if (!choosing_) {
    if (!left.pressed || !(input.shift || armed_)) return armed_ && input.inside;
    choosing_ = true;
    from_ = input.at;
  }
  const glm::vec2 low = glm::floor(glm::min(from_, input.at));
  const glm::vec2 high = glm::ceil(glm::max(from_, input.at));
  chosen_ = intersect({int(low.x), int(low.y), int(high.x - low.x), int(high.y - low.y)},
                      {0, 0, inputs_.size().x, inputs_.size().y});
  if (left.held) return true;
  choosing_ = armed_ = false;
  if (float(chosen_.width) >= kMinRegion && float(chosen_.height) >= kMinRegion) {
    settings_.view.region = textOf(chosen_);
    settings_.show = Show::Points;
  }
  return true;
}

std::vector<Shortcut> RegionTool::actions() {
  const auto toggle = [this] {
    settings_.show = settings_.show == Show::Points ? Show::Picture : Show::Points;
  };
  return {{"Depth view", "Fragments as points in space, and back", "D", toggle},
          {"Depth view", "Depth view of a selection", "Shift+Drag", {}},
          {"Depth view",
           "Only the object under the cursor, by its ID, and all again",
           "Alt+Click",
           {}}};
}

}  // namespace fathom::deep
