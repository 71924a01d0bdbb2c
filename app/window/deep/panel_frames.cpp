// SPDX-License-Identifier: BSD-3-Clause
// The strip of a sequence below the picture: play, and a slider over its frames that shows which are
// in memory.
#include "app/window/deep/panels.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::deep {
using namespace ui;

std::optional<TechniqueStrip> DeepPanels::strip() const {
  if (page_.frames.frames().empty()) return std::nullopt;
  return TechniqueStrip{"frames", "Frames", "The frames of numbered files", 44, true};
}

void DeepPanels::drawStrip() {
  FramePlayer& player = page_.frames;
  const std::vector<int>& frames = player.frames();
  if (frames.empty()) return;
  if (ImGui::Button(player.isPlaying() ? "Pause" : "Play", {px(64), 0}))
    player.play(!player.isPlaying());
  Landmarks::note("frames:play");
  ImGui::SameLine(0, px(8));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - px(92), height = ImGui::GetFrameHeight();
  int frame = int(player.wanted());
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderInt("##frame", &frame, 0, int(frames.size()) - 1,
                       fmt::format("frame {}", frames[player.wanted()]).c_str())) {
    player.play(false);
    player.show(std::size_t(frame));
  }
  Landmarks::note("frames:slider");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float step = width / float(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (player.isKept(i))
      draw.AddRectFilled({at.x + step * float(i), at.y + height - px(2)},
                         {at.x + step * float(i + 1), at.y + height}, packed(color::kAccent));
  ImGui::SameLine(0, px(8));
  ImGui::SetNextItemWidth(px(80));
  auto rate = float(player.framesPerSecond);
  if (ImGui::DragFloat("##rate", &rate, 0.1f, 1, 120, "%.3g fps")) player.framesPerSecond = double(rate);
  tooltip("Frames per second, as far as reading and drawing keep up.");
  if (!player.complaint().empty()) textIn(fonts().small, color::kError, player.complaint().c_str());
}

}  // namespace fathom::deep
