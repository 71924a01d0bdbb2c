// SPDX-License-Identifier: BSD-3-Clause
// Rectangles are kept by name for one frame; a window that is only appearing has no size yet.
#include "app/window/ui/landmarks.h"

#include <imgui.h>

namespace fathom::ui {
namespace {

struct Place {
  ImVec2 low, high;
};
std::map<std::string, Place>& places() {
  static std::map<std::string, Place> all;
  return all;
}

}  // namespace

void Landmarks::note(const std::string& name) {
  if (ImGui::IsWindowAppearing()) return;  // it finds its size in its first frame
  places()[name] = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
}

void Landmarks::note(const std::string& name, glm::vec2 low, glm::vec2 high) {
  places()[name] = {{low.x, low.y}, {high.x, high.y}};
}

void Landmarks::beginFrame() { places().clear(); }

std::string Landmarks::text() {
  std::string lines;
  for (const auto& [name, place] : places())
    lines += fmt::format("{} {:.0f} {:.0f} {:.0f} {:.0f}\n", name, place.low.x, place.low.y,
                         place.high.x - place.low.x, place.high.y - place.low.y);
  return lines;
}

}  // namespace fathom::ui
