// SPDX-License-Identifier: BSD-3-Clause
// The start page: a card per technique with samples to click, recent sets beside them with their
// small pictures, and the message of what could not be opened above all.
#include "app/engine/gpu/shader_loader.h"
#include "app/window/panels/panels.h"
#include "app/window/workspace/file_sets.h"

namespace fathom::viewer {
using namespace ui;
namespace {

/// A picture that fills the rectangle, cut at two of its edges.
void fill(const gpu::Texture& texture, ImVec2 low, ImVec2 high, float rounding) {
  const float wanted = (high.x - low.x) / (high.y - low.y);
  const float have = float(texture.width()) / float(texture.height());
  const float x = have > wanted ? (1 - wanted / have) / 2 : 0;
  const float y = have < wanted ? (1 - have / wanted) / 2 : 0;
  ImGui::GetWindowDrawList()->AddImageRounded(imageOf(texture), low, high, {x, y}, {1 - x, 1 - y},
                                              IM_COL32_WHITE, rounding,
                                              ImDrawFlags_RoundCornersTop);
}

/// True when the picture was clicked: the card's first sample.
bool drawCard(Workspace& w, const SampleGroup& group, ImVec2 size) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + size.x, low.y + size.y);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, high, packed(color::kPanel), px(8));
  const float picture = std::max(size.y - px(112), px(40));
  const IdScope scope{group.technique.c_str()};
  const bool clicked = ImGui::InvisibleButton("##picture", {size.x, picture});
  Landmarks::note("start:" + group.technique);
  const bool over = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  if (const gpu::Texture* texture =
          w.thumbnails.of(w.gpu, gpu::shaderRoot() / "assets/start" / (group.technique + ".png")))
    fill(*texture, low, {high.x, low.y + picture}, px(8));
  draw.AddRect(low, high, packed(over ? color::kAccent : color::kLine), px(8));
  ImGui::SetCursorScreenPos({low.x + px(12), low.y + picture + px(8)});
  ImGui::BeginChild("##text", {size.x - px(24), size.y - picture - px(12)}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NavFlattened);
  textIn(fonts().strong, color::kText, group.title);
  wrappedText(fonts().small, color::kDim, group.about);
  ImGui::SetCursorPosY(size.y - picture - px(12) - ImGui::GetFrameHeight() - px(2));
  for (std::size_t i = 0; i < group.samples.size(); ++i) {
    const Sample& sample = group.samples[i];
    if (i > 0) ImGui::SameLine(0, px(4));
    if (ImGui::GetContentRegionAvail().x < buttonWidth(sample.title.c_str())) break;
    if (button(sample.title.c_str(), "sample:" + sample.title))
      w.open(sample.inputs, false, group.technique);
    tooltip(sample.about);
  }
  ImGui::EndChild();
  return clicked;
}

void drawRecent(Workspace& w, float width) {
  heading("Recent");
  if (w.recent.empty()) dimText("Nothing yet. Drop files here, or press Ctrl+O.");
  const FileSet* chosen = nullptr;
  for (const FileSet& set : w.recent) {
    const IdScope scope{&set};
    const ImVec2 low = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##set", false, 0, {width - px(12), px(46)})) chosen = &set;
    Landmarks::note("recent:" + titleOf(set));
    tooltip(pathsOf(set));
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 corner(low.x + px(2), low.y + px(3)), end(corner.x + px(71), corner.y + px(40));
    draw.AddRectFilled(corner, end, packed(color::kRaised), px(3));
    if (const gpu::Texture* small = w.thumbnails.of(w.gpu, w.sets.thumbnail(set)))
      draw.AddImageRounded(imageOf(*small), corner, end, {0, 0}, {1, 1}, IM_COL32_WHITE, px(3));
    const ImVec2 after = ImGui::GetCursorPos();
    ImGui::SetCursorScreenPos({end.x + px(10), low.y + px(4)});
    textToFit(fonts().text, color::kText, titleOf(set), width - px(100));
    ImGui::SetCursorScreenPos({end.x + px(10), low.y + px(25)});
    textToFit(fonts().small, color::kFaint, fs::path(set[0]).parent_path().string(),
              width - px(100));
    ImGui::SetCursorPos(after);
  }
  if (chosen) w.open(*chosen);
}

}  // namespace

void drawStartPage(Workspace& w, const Area& area) {
  beginFixed("##start", area, color::kCanvas, {px(24), px(18)}, 0);
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  Landmarks::note("start", {area.x, area.y}, {area.x + area.width, area.y + area.height});
  textIn(fonts().strong, color::kText, "Fathom");
  ImGui::SameLine(0, px(12));
  dimText("A viewer for five GPU image techniques");
  const float wide = buttonWidth("Open files...");
  ImGui::SameLine(std::max(ImGui::GetCursorPosX(), area.width - px(24) - wide));
  if (button("Open files...", "start:open")) w.browser.open(FileBrowser::Purpose::Open, {});
  if (!w.start.message.empty()) {
    wrappedText(fonts().text, color::kError, w.start.message);
    Landmarks::note("start:message");
  }
  ImGui::Dummy({0, px(4)});
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool beside = room.x > px(860);
  const float recent = beside ? px(300) : 0;
  ImGui::BeginChild("##cards", {room.x - recent - (beside ? px(20) : 0), 0}, false,
                    ImGuiWindowFlags_NavFlattened);
  const std::vector<SampleGroup>& groups = samples();
  const float gap = px(14), width = ImGui::GetContentRegionAvail().x;
  const int columns = std::clamp(int((width + gap) / (px(270) + gap)), 1, 3);
  const float each = (width - gap * float(columns - 1)) / float(columns);
  const float rows = std::ceil(float(groups.size()) / float(columns));
  const float whole = std::max(room.y / rows - px(16), px(200));  // all rows are in sight
  const float height = std::min(std::clamp(each * 0.56f, px(130), px(230)) + px(112), whole);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i % std::size_t(columns) != 0) ImGui::SameLine(0, gap);
    ImGui::BeginGroup();
    if (drawCard(w, groups[i], {each, height}))
      w.open(groups[i].samples[0].inputs, false, groups[i].technique);
    ImGui::EndGroup();
    if (i % std::size_t(columns) == std::size_t(columns) - 1) ImGui::Dummy({0, px(4)});
  }
  if (!beside) drawRecent(w, width);
  ImGui::EndChild();
  if (beside) {
    ImGui::SameLine(0, px(20));
    ImGui::BeginChild("##recent", {recent, 0}, false, ImGuiWindowFlags_NavFlattened);
    drawRecent(w, recent);
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace fathom::viewer
