// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/panels.h"

#include "app/viewer/landmarks.h"
#include "app/viewer/memory_panel.h"
#include "app/viewer/panel_rows.h"
#include "app/viewer/theme.h"
#include "app/viewer/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::viewer {
namespace {

constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_NoBringToFrontOnFocus;

/// A window that fills an area exactly; end with ImGui::End().
void beginFixed(const char* name, const Area& area, ImVec4 background, ImVec2 padding,
                ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, background);
  ImGui::Begin(name, nullptr, kFixed | flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

/// A border line; reaches into the window's padding, where contents are cut off.
void edge(ImVec2 from, ImVec2 to) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRectFullScreen();
  draw.AddLine(from, to, packed(color::kLine), 1);
  draw.PopClipRect();
}

void verticalGap() {
  ImGui::SameLine(0, px(12));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  edge({at.x, at.y + px(5)}, {at.x, at.y + ImGui::GetFrameHeight() - px(5)});
  ImGui::SameLine(0, px(13));
}

std::string fileName(const std::string& input) {
  const std::size_t slash = input.find_last_of('/');
  return slash == std::string::npos ? input : input.substr(slash + 1);
}

struct TabName {
  Layout::Tab tab;
  const char* title;
  const char* landmark;
  const char* about;
};
constexpr TabName kTabs[] = {
    {Layout::Tab::Inspector, "Inspector", "tab:inspector", "What the pixel under the cursor holds"},
    {Layout::Tab::Timings, "Timings", "tab:timings", "What every pass costs"},
    {Layout::Tab::Memory, "Memory", "tab:memory", "Every buffer with its bytes"},
    {Layout::Tab::Compare, "Compare", "tab:compare", "Two settings side by side"},
};

float buttonWidth(const char* text) {
  return ImGui::CalcTextSize(text).x + ImGui::GetStyle().FramePadding.x * 2;
}

void drawInputs(Workspace& w) {
  const std::vector<std::string> inputs = w.document.technique()->inputs();
  heading(inputs.size() == 1 ? "Input" : "Inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ImGui::PushID(int(i));
    textIn(fonts().text, color::kText, fileName(inputs[i]).c_str());
    tooltip(inputs[i]);
    if (inputs.size() > 1) {
      ImGui::SameLine(ImGui::GetContentRegionAvail().x - px(18));
      textIn(fonts().text, color::kDim, "\u00d7");
      tooltip("Take this input away.");
      if (ImGui::IsItemClicked()) {
        std::vector<std::string> rest = inputs;
        rest.erase(rest.begin() + std::ptrdiff_t(i));
        w.open(rest);
      }
    }
    ImGui::PopID();
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(3)});
  if (ImGui::Button("Add an input"))
    w.browser.open(FileBrowser::Purpose::Add, w.document.technique()->info().endings);
  ImGui::PopStyleVar();
  tooltip("Opens a file beside what is open (Ctrl+Shift+O), or drop it with Shift held.");
}

void drawFacts(const Technique& technique) {
  const auto facts = technique.facts();
  if (facts.empty()) return;
  heading("Facts");
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(4), px(2)});
  if (ImGui::BeginTable("facts", 2, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.45f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.55f);
    for (const auto& [name, value] : facts) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      dimText(name.c_str());
      ImGui::TableNextColumn();
      ImGui::PushTextWrapPos(0);
      monoText(value.c_str());
      ImGui::PopTextWrapPos();
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void drawTopBar(Workspace& w, const Area& area) {
  beginFixed("##top", area, color::kBar,
             {px(14), std::round((area.height - ImGui::GetFrameHeight()) / 2)});
  edge({area.x, area.y + area.height - 1}, {area.x + area.width, area.y + area.height - 1});
  ImGui::AlignTextToFramePadding();
  textIn(fonts().strong, color::kAccent, "Fathom");
  verticalGap();
  if (barButton("Open", false, "Open files or a scene (Ctrl+O)"))
    w.browser.open(FileBrowser::Purpose::Open, {});
  Landmarks::note("bar:open");
  verticalGap();
  if (barButton("Fit", w.view.fitted(), "The whole picture (F)")) w.view.fit();
  ImGui::SameLine(0, px(2));
  if (barButton("1:1", w.view.zoom() == 1 && !w.view.fitted(), "One pixel on one pixel (1)"))
    w.view.oneToOne();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  dimText(fmt::format("{:.0f} %", double(w.view.zoom()) * 100).c_str());
  if (w.display.exposureStops != 0) {
    ImGui::SameLine(0, px(18));
    dimText(fmt::format("{:+.1f} stops", double(w.display.exposureStops)).c_str());
  }

  float width = buttonWidth("Settings") + buttonWidth("Help") + px(2) + px(26);
  for (const TabName& tab : kTabs) width += buttonWidth(tab.title) + px(2);
  ImGui::SameLine(std::max(area.width - width - px(12), px(360)));
  for (const TabName& tab : kTabs) {
    const bool shown = w.layout.bottom && w.layout.tab == tab.tab;
    if (barButton(tab.title, shown, tab.about)) {
      w.layout.bottom = !shown;
      w.layout.tab = tab.tab;
    }
    Landmarks::note(tab.landmark);
    ImGui::SameLine(0, px(2));
  }
  if (barButton("Settings", w.layout.side, "Settings at the right (P)"))
    w.layout.side = !w.layout.side;
  Landmarks::note("bar:settings");
  verticalGap();
  if (barButton("Help", w.helpOpen, "All keys and gestures (H)")) w.helpOpen = !w.helpOpen;
  Landmarks::note("bar:help");
  ImGui::End();
}

void drawSidePanel(Workspace& w, const Area& area) {
  beginFixed("##side", area, color::kPanel, {px(16), px(12)}, ImGuiWindowFlags_None);
  // The scroll bar belongs to a child so that the window itself stays as it is.
  ImGui::BeginChild("##rows", {0, 0});
  if (Technique* technique = w.document.technique()) {
    textIn(fonts().strong, color::kText, technique->info().title.c_str());
    ImGui::PushTextWrapPos(0);
    textIn(fonts().small, color::kDim, technique->info().about.c_str());
    ImGui::PopTextWrapPos();
    drawInputs(w);
    heading("Settings");
    drawRows("settings", technique->settings(), w.document.defaults());
    technique->drawPanel();
  }
  heading("Display");
  static const std::vector<FieldValue> displayDefaults = [] {
    DisplaySettings fresh;
    return valuesOf([&](FieldVisitor& field) { describe(fresh, field); });
  }();
  drawRows(
      "display", [&](FieldVisitor& field) { describe(w.display, field); }, displayDefaults);
  if (w.document.technique()) drawFacts(*w.document.technique());
  ImGui::Dummy({0, px(6)});
  ImGui::EndChild();
  edge({area.x, area.y}, {area.x, area.y + area.height});
  ImGui::End();
}

void drawBottomStrip(Workspace& w, const Area& area) {
  beginFixed("##bottom", area, color::kPanel, {px(16), px(10)});
  edge({area.x, area.y}, {area.x + area.width, area.y});
  const glm::ivec2 origin =
      w.document.technique() ? w.document.technique()->origin() : glm::ivec2(0);
  switch (w.layout.tab) {
    case Layout::Tab::Inspector:
      w.inspector.draw(w.display, origin);
      break;
    case Layout::Tab::Timings:
      w.timings.draw(w.gpu.timings());
      break;
    case Layout::Tab::Memory:
      drawMemoryPanel(w.gpu.memory());
      break;
    case Layout::Tab::Compare:
      w.tried([&] {
        switch (w.compare.draw(w.document, w.gpu.timings().gpuSumMs())) {
          case CompareView::Action::Keep:
            w.compare.keep(w.gpu, w.document);
            break;
          case CompareView::Action::Swap:
            w.compare.swap(w.gpu, w.document);
            break;
          case CompareView::Action::Drop:
            w.compare.drop();
            break;
          case CompareView::Action::None:
            break;
        }
      });
      break;
  }
  ImGui::End();
}

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
  const glm::ivec2 size = w.document.pictureSize();
  if (w.document.hasPicture()) right += fmt::format("{} x {}    ", size.x, size.y);
  if (w.document.scale() < 1)
    right += fmt::format("moving at {:.0f} %    ", w.document.scale() * 100);
  else if (w.document.busy())
    right += "working    ";
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
  const Progress* progress = w.document.progress();
  if (!progress) return;
  ImGui::SetNextWindowPos({area.x + area.width / 2, area.y + px(16)}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(px(420), area.width - px(20)), 0});
  ImGui::Begin("##progress", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  std::string names;
  for (const std::string& input : w.document.loadingInputs())
    names += (names.empty() ? "" : ", ") + fileName(input);
  ImGui::TextUnformatted(names.c_str());
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - buttonWidth("Cancel"));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  if (ImGui::Button("Cancel")) w.document.cancelLoading();
  ImGui::PopStyleVar();
  Landmarks::note("progress:cancel");
  const std::string phase = progress->phase();
  dimText(phase.empty() ? "starting" : phase.c_str());
  meter(float(progress->fraction()), color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  ImGui::End();
}

void dragBorders(Layout& layout, const Areas& areas) {
  const auto border = [](const char* name, ImVec2 at, ImVec2 size, ImGuiMouseCursor cursor) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin(name, nullptr,
                 (kFixed & ~ImGuiWindowFlags_NoBringToFrontOnFocus) |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar(3);
    ImGui::InvisibleButton("##grip", size);
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(cursor);
    const ImVec2 moved = ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta : ImVec2(0, 0);
    ImGui::End();
    return moved;
  };
  const float reach = px(6);
  if (layout.side)
    layout.sideWidth = std::clamp(
        layout.sideWidth - border("##side border", {areas.side.x - reach / 2, areas.side.y},
                                  {reach, areas.side.height}, ImGuiMouseCursor_ResizeEW)
                                   .x /
                               uiScale(),
        240.0f, 900.0f);
  if (layout.bottom)
    layout.bottomHeight =
        std::clamp(layout.bottomHeight -
                       border("##bottom border", {areas.bottom.x, areas.bottom.y - reach / 2},
                              {areas.bottom.width, reach}, ImGuiMouseCursor_ResizeNS)
                               .y /
                           uiScale(),
                   120.0f, 900.0f);
}

}  // namespace fathom::viewer
