// SPDX-License-Identifier: BSD-3-Clause
// The status line (pixel under the cursor, size, device), and what lies over the picture and its
// borders: progress of reading, and the drags that resize the panels.
#include "app/viewer/panels/panels.h"

#include "app/gpu/compile_queue.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "app/viewer/widgets/fixed_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace fathom::viewer {
using namespace ui;

void drawStatusLine(Workspace& w, const Area& area, std::optional<glm::ivec2> hovered) {
  ImGui::PushFont(fonts().small);
  beginFixed("##status", area, color::kBar,
             {px(14), std::round((area.height - ImGui::GetTextLineHeight()) / 2)});
  edge({area.x, area.y}, {area.x + area.width, area.y});
  const auto item = [](const std::string& text, ImVec4 tint = color::kDim) {
    textIn(fonts().small, tint, text.c_str());
    ImGui::SameLine(0, px(18));
  };
  const Technique* technique = w.document.technique();
  if (technique) {
    if (hovered) {
      const glm::ivec2 at = *hovered + technique->origin();
      item(fmt::format("x {}  y {}", at.x, at.y), color::kText);
    }
    if (const auto pixel = w.inspector.pixel(); pixel && hovered && *pixel == *hovered) {
      const glm::vec4 v = w.inspector.value();
      item(fmt::format("{:.4f}  {:.4f}  {:.4f}  {:.4f}", v.r, v.g, v.b, v.a), color::kText);
      item(fmt::format("8-bit {} {} {}", shownByte(w.display, v.r), shownByte(w.display, v.g),
                       shownByte(w.display, v.b)));
    }
  }

  std::string right;
  const glm::ivec2 size = w.document.pictures().size();
  if (w.document.hasPicture()) right += fmt::format("{} x {}    ", size.x, size.y);
  if (const gpu::CompileProgress compiling = w.gpu.compileProgress(); compiling.total > 0)
    right += fmt::format("Compiling {} of {}    ", std::min(compiling.ready + 1, compiling.total),
                         compiling.total);
  else if (w.document.pictures().scale() < 1)
    right += fmt::format("Preview {:.0f} %    ", w.document.pictures().scale() * 100);
  else if (w.document.pictures().busy())
    right += "Rendering    ";
  right += fmt::format("GPU {:.2f} ms    {}    {}", w.gpu.timings().gpuSumMs(),
                       gpu::bytesText(w.gpu.memory().totalBytes()), w.gpu.device().renderer);
  if (right.size() > 110) right.resize(110);
  const float width = ImGui::CalcTextSize(right.c_str()).x;
  ImGui::SameLine(std::max(area.width - width - px(14), ImGui::GetCursorPosX()));
  textIn(fonts().small, color::kDim, right.c_str());
  ImGui::End();
  ImGui::PopFont();
}

void drawProgress(Workspace& w, const Area& area) {
  Progress* progress = w.document.loader().progress();
  if (!progress) return;
  ImGui::SetNextWindowPos({area.x + area.width / 2, area.y + px(16)}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(px(420), area.width - px(20)), 0});
  ImGui::Begin("##progress", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  std::string names;
  for (const std::string& input : w.document.loader().inputs())
    names += (names.empty() ? "" : ", ") + fileName(input);
  ImGui::TextUnformatted(names.c_str());
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - buttonWidth("Cancel"));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  if (ImGui::Button("Cancel")) w.document.loader().cancel();
  ImGui::PopStyleVar();
  Landmarks::note("progress:cancel");
  if (const std::string question = progress->question(); !question.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(question.c_str());
    ImGui::PopTextWrapPos();
    if (ImGui::Button("Open anyway")) progress->answer(true);
    Landmarks::note("progress:yes");
    ImGui::End();
    return;
  }
  const std::string phase = progress->phase();
  dimText(phase.empty() ? "Starting" : phase.c_str());
  meter(float(progress->fraction()), color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  ImGui::End();
}

namespace {

constexpr float kMinSideWidth = 240, kMinBottomHeight = 120, kMaxPanel = 900;  // see describe()

/// How far a border was dragged in this frame, in window pixels.
ImVec2 dragBorder(const char* name, ImVec2 at, ImVec2 size, ImGuiMouseCursor cursor) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin(name, nullptr,
               (kFixedFlags & ~ImGuiWindowFlags_NoBringToFrontOnFocus) |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(3);
  ImGui::InvisibleButton("##grip", size);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(cursor);
  const ImVec2 moved = ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta : ImVec2(0, 0);
  ImGui::End();
  return moved;
}

}  // namespace

void dragBorders(PanelLayout& layout, const Areas& areas) {
  const float reach = px(6);
  if (layout.side) {
    const Area& side = areas.side;
    const ImVec2 moved = dragBorder("##side border", {side.x - reach / 2, side.y},
                                    {reach, side.height}, ImGuiMouseCursor_ResizeEW);
    layout.sideWidth = std::clamp(layout.sideWidth - moved.x / uiScale(), kMinSideWidth, kMaxPanel);
  }
  if (layout.bottom) {
    const Area& bottom = areas.bottom;
    const ImVec2 moved = dragBorder("##bottom border", {bottom.x, bottom.y - reach / 2},
                                    {bottom.width, reach}, ImGuiMouseCursor_ResizeNS);
    layout.bottomHeight =
        std::clamp(layout.bottomHeight - moved.y / uiScale(), kMinBottomHeight, kMaxPanel);
  }
}

}  // namespace fathom::viewer
