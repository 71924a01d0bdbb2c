// SPDX-License-Identifier: BSD-3-Clause
// The timeline of a pull, below the picture. A drag on the ruler scrubs, a drag on a key moves it.
#include "app/window/dof/pull.h"

#include "app/window/ui/widgets.h"

namespace fathom::dof {
using namespace ui;
namespace {

using Lane = FocusTrack::Lane;
constexpr float kLabels = 66, kNumbers = 17, kLaneHeight = 17, kKeySize = 5.5f, kKeyReach = 8;

const char* nameOf(Lane lane) { return lane == Lane::Focus ? "focus" : "f-number"; }

bool stripButton(const char* label, const char* name, const std::string& about,
                 bool enabled = true) {
  const bool pressed = button(label, std::string("pull:") + name, {0, 0}, about, enabled);
  ImGui::SameLine(0, px(6));
  return pressed;
}

void wholeNumber(const char* name, int value, const char* format, float width,
                 const std::string& about, const std::function<void(int)>& set) {
  ImGui::SetNextItemWidth(px(width));
  const IdScope scope{name};
  if (ImGui::DragInt("##value", &value, 0.2f, -1000000, 1000000, format)) set(value);
  tooltip(about);
  Landmarks::note(std::string("pull:") + name);
  ImGui::SameLine(0, px(6));
}

void drawPullControls(PullControl& pull) {
  FocusTrack& track = pull.track();
  const double focus = pull.valueOf(Lane::Focus), fNumber = pull.valueOf(Lane::FNumber);
  if (stripButton(track.isPlaying() ? "Stop" : "Play", "play", "Play or stop (Space)"))
    track.play(!track.isPlaying());
  wholeNumber("frame", track.frame(), "frame %d", 96, "The frame shown (Left, Right)",
              [&](int frame) { track.goTo(frame); });
  wholeNumber("first", track.first(), "from %d", 76, "The first frame that is played",
              [&](int first) { track.setRange(std::min(first, track.last() - 1), track.last()); });
  wholeNumber("last", track.last(), "to %d", 76, "The last frame that is played",
              [&](int last) { track.setRange(track.first(), last); });
  if (stripButton("Key focus", "key-focus",
                  fmt::format("Focus {:.4g} at frame {} (Ctrl+K); with keys, a click on the image "
                              "sets the key of the frame",
                              focus, track.frame()),
                  focus > 0))
    pull.setKey(Lane::Focus);
  if (stripButton("Key f-number", "key-f-number",
                  fmt::format("f/{:.3g} at frame {} (Ctrl+Shift+K)", fNumber, track.frame())))
    pull.setKey(Lane::FNumber);
  const bool on =
      track.hasKey(Lane::Focus, track.frame()) || track.hasKey(Lane::FNumber, track.frame());
  if (stripButton("Delete", "delete", "The keys of this frame (Shift+Delete)", on))
    track.deleteKeys();
  const bool any = !track.pull().empty();
  const std::string command = pull.command();
  if (stripButton("Copy command", "copy",
                  !any              ? "There are no keys yet"
                  : command.empty() ? "Save the keys first (Ctrl+S): the command reads their file"
                                    : command + "\nScenes are drawn from their own camera.",
                  any && !command.empty()))
    ImGui::SetClipboardText(command.c_str());
  if (!pull.error().empty()) return textToFit(fonts().small, color::kError, pull.error());
  ImGui::NewLine();
}

/// Where frames and lanes lie on the screen.
struct Ruler {
  const FocusTrack& track;
  ImVec2 low, high;
  float xAt(double frame) const {
    const double share = (frame - track.first()) / double(track.last() - track.first());
    return low.x + px(kLabels) + float(share) * (high.x - low.x - px(kLabels + 12));
  }
  int frameAt(float x) const {
    const float room = high.x - low.x - px(kLabels + 12);
    const double share = double((x - low.x - px(kLabels)) / std::max(room, 1.0f));
    return track.first() + int(std::lround(share * double(track.last() - track.first())));
  }
  float yOf(Lane lane) const {
    return low.y + px(kNumbers + kLaneHeight * (lane == Lane::Focus ? 0.5f : 1.5f));
  }
};

struct Grip {
  Lane lane;
  double frame, value;
};

std::optional<Grip> gripAt(const Ruler& ruler, ImVec2 mouse) {
  std::optional<Grip> found;
  float nearest = px(kKeyReach);
  for (const Lane lane : FocusTrack::kLanes)
    for (const auto& [frame, value] : ruler.track.keys(lane)) {
      const float away =
          std::max(std::abs(ruler.xAt(frame) - mouse.x), std::abs(ruler.yOf(lane) - mouse.y));
      if (away < nearest) nearest = away, found = Grip{lane, frame, value};
    }
  return found;
}

void drawNumbers(ImDrawList& draw, const Ruler& ruler) {
  const int count = ruler.track.last() - ruler.track.first();
  int step = 1;
  for (int i = 0; float(count) / float(step) * px(44) > ruler.high.x - ruler.low.x - px(kLabels);
       ++i)
    step = step * (i % 3 == 1 ? 5 : 4) / 2;  // 1, 2, 5, 10, ...
  const int first = int(std::ceil(double(ruler.track.first()) / step)) * step;
  for (int frame = first; frame <= ruler.track.last(); frame += step) {
    const float x = std::round(ruler.xAt(frame));
    drawText(draw, fonts().small, {x, ruler.low.y + px(1)}, color::kDim, std::to_string(frame),
             0.5f);
    draw.AddLine({x, ruler.low.y + px(kNumbers - 3)}, {x, ruler.high.y}, packed(color::kLine), 1);
  }
}

void drawLane(ImDrawList& draw, const Ruler& ruler, Lane lane, const std::optional<Grip>& hot) {
  const float y = ruler.yOf(lane);
  drawText(draw, fonts().small, {ruler.low.x + px(8), y - fonts().small->FontSize / 2}, color::kDim,
           lane == Lane::Focus ? "Focus" : "f-number");
  const FocusPull::Keys& keys = ruler.track.keys(lane);
  if (keys.size() > 1)
    draw.AddLine({ruler.xAt(keys.front().first), y}, {ruler.xAt(keys.back().first), y},
                 packed(color::kFaint), px(1.5f));
  for (const auto& [frame, value] : keys) {
    const float x = ruler.xAt(frame);
    const bool isHot = hot && hot->lane == lane && hot->frame == frame;
    const float r = px(isHot ? kKeySize + 1.5f : kKeySize);
    const bool isShown = frame == double(ruler.track.frame());
    draw.AddQuadFilled({x - r, y}, {x, y - r}, {x + r, y}, {x, y + r},
                       packed(isShown ? color::kAccent : color::kText));
    Landmarks::note(fmt::format("pull:key:{}:{}", nameOf(lane), frame), {x - r, y - r},
                    {x + r, y + r});
  }
}

void drawPlayhead(ImDrawList& draw, const Ruler& ruler) {
  const float x = std::round(ruler.xAt(ruler.track.frame()));
  draw.AddLine({x, ruler.low.y}, {x, ruler.high.y}, packed(color::kSecond), px(1.5f));
  draw.AddTriangleFilled({x - px(5), ruler.low.y}, {x + px(5), ruler.low.y},
                         {x, ruler.low.y + px(8)}, packed(color::kSecond));
  Landmarks::note(fmt::format("pull:at={}", ruler.track.frame()), {x - 2, ruler.low.y},
                  {x + 2, ruler.high.y});
}

/// Scrubs, or moves the key that was taken hold of.
void interactWithKeys(FocusTrack& track, const Ruler& ruler, const std::optional<Grip>& under) {
  static std::optional<Grip> held;
  const int to = ruler.frameAt(ImGui::GetIO().MousePos.x);
  if (ImGui::IsItemActivated()) {
    held = under;
    if (held) track.goTo(int(std::lround(held->frame)));
  }
  if (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) {
    if (held) track.dragKey(held->lane, int(std::lround(held->frame)), to);
    track.goTo(to);
  }
  if (ImGui::IsItemDeactivated()) held.reset(), track.endDrag();
  if (under && !ImGui::IsItemActive())
    ImGui::SetTooltip("frame %g: %s %.4g\nDrag: moves it", under->frame, nameOf(under->lane),
                      under->value);
}

}  // namespace

void drawPullStrip(PullControl& pull) {
  drawPullControls(pull);
  const ImVec2 size = ImGui::GetContentRegionAvail(), low = ImGui::GetCursorScreenPos();
  const Ruler ruler{pull.track(), low, {low.x + size.x, low.y + size.y}};
  ImGui::InvisibleButton("##keys", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  Landmarks::note("pull:ruler");
  const std::optional<Grip> under =
      ImGui::IsItemHovered() ? gripAt(ruler, ImGui::GetIO().MousePos) : std::nullopt;
  interactWithKeys(pull.track(), ruler, under);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(ruler.low, ruler.high, packed(color::kBar), px(5));
  draw.PushClipRect(ruler.low, ruler.high, true);
  drawNumbers(draw, ruler);
  for (const Lane lane : FocusTrack::kLanes) drawLane(draw, ruler, lane, under);
  drawPlayhead(draw, ruler);
  draw.PopClipRect();
}

}  // namespace fathom::dof
