// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/panels.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "app/viewer/actions.h"
#include "app/viewer/fixed_window.h"
#include "app/viewer/memory_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::viewer {
using namespace ui;
namespace {

void verticalGap() {
  ImGui::SameLine(0, px(12));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  edge({at.x, at.y + px(5)}, {at.x, at.y + ImGui::GetFrameHeight() - px(5)});
  ImGui::SameLine(0, px(13));
}

struct TabName {
  PanelLayout::Tab tab;
  const char* title;
  const char* landmark;
  const char* about;
};
constexpr TabName kTabs[] = {
    {PanelLayout::Tab::Inspector, "Inspector", "tab:inspector", "What the pixel under the cursor holds"},
    {PanelLayout::Tab::Timings, "Timings", "tab:timings", "What every pass costs"},
    {PanelLayout::Tab::Memory, "Memory", "tab:memory", "Every buffer with its bytes"},
    {PanelLayout::Tab::Compare, "Compare", "tab:compare", "Two settings side by side"},
};

/// The technique's pages for the strip.
std::vector<TechniquePage> stripPages(Workspace& w) {
  std::vector<TechniquePage> pages;
  if (const Panels* panels = w.document.panels())
    for (TechniquePage& page : panels->pages())
      if (page.place == TechniquePage::Place::Strip) pages.push_back(std::move(page));
  return pages;
}

/// The switch of the technique's own strip.
void drawStripButton(Workspace& w) {
  const Panels* const panels = w.document.panels();
  const auto strip = panels ? panels->strip() : std::nullopt;
  if (!strip) return;
  const bool shown = stripShown(w);
  if (barButton(strip->title.c_str(), shown, strip->about.c_str())) {
    const auto asked = shown ? PanelLayout::Strip::Hidden : PanelLayout::Strip::Shown;
    w.layout.strip = strip->wanted == !shown ? PanelLayout::Strip::Auto : asked;
  }
  Landmarks::note("bar:" + strip->name);
  ImGui::SameLine(0, px(2));
}

/// Of the switches at the right but the window's own tabs.
float switchesWidth(const Workspace& w, const std::vector<TechniquePage>& pages) {
  float width = buttonWidth("Settings") + buttonWidth("Help") + px(2) + px(26);
  for (const TechniquePage& page : pages) width += buttonWidth(page.title.c_str()) + px(2);
  if (const Panels* panels = w.document.panels())
    if (const auto strip = panels->strip()) width += buttonWidth(strip->title.c_str()) + px(2);
  return width;
}

std::string zoomText(const Workspace& w) {
  std::string text = fmt::format("{:.0f} %", double(w.view.zoom()) * 100);
  if (w.display.exposureStops != 0)
    text += fmt::format("   {:+.1f} stops", double(w.display.exposureStops));
  return text;
}

float zoomWidth(const Workspace& w) {
  return buttonWidth("Fit") + buttonWidth("1:1") + px(26) +
         ImGui::CalcTextSize(zoomText(w).c_str()).x;
}

/// How large the picture is, and how bright.
void drawZoom(Workspace& w) {
  if (barButton("Fit", w.view.fitted(), "The whole picture (F)")) w.view.fit();
  ImGui::SameLine(0, px(2));
  if (barButton("1:1", w.view.zoom() == 1 && !w.view.fitted(), "Actual size (1)"))
    w.view.oneToOne();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  dimText(zoomText(w).c_str());
}

void drawTabs(Workspace& w, const std::vector<TechniquePage>& pages, bool own) {
  const std::string page = w.frontPage();
  for (const TechniquePage& other : pages) {
    const bool shown = w.layout.bottom && page == other.name;
    if (barButton(other.title.c_str(), shown, other.about.c_str())) {
      w.layout.showPage(other.name);
      w.layout.bottom = !shown;
    }
    Landmarks::note("tab:" + other.name);
    ImGui::SameLine(0, px(2));
  }
  for (const TabName& tab : kTabs) {
    if (!own) break;
    const bool shown = w.layout.bottom && page.empty() && w.layout.tab == tab.tab;
    if (barButton(tab.title, shown, tab.about)) {
      w.layout.showTab(tab.tab);
      w.layout.bottom = !shown;
    }
    Landmarks::note(tab.landmark);
    ImGui::SameLine(0, px(2));
  }
}

/// Buttons for what is edited: undo, redo, save.
void drawEditing(Workspace& w) {
  Editing* const editing = w.document.editing();
  const auto file = editing ? editing->savable() : std::nullopt;
  if (!file) return;
  const auto button = [](const char* label, bool enabled, const char* tip, const char* landmark) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = barButton(label, false, tip);
    ImGui::EndDisabled();
    Landmarks::note(landmark);
    ImGui::SameLine(0, px(2));
    return pressed;
  };
  if (button("Save", true, ("Save the " + file->what + " (Ctrl+S)").c_str(), "bar:save"))
    askForFile(w);
  if (button("Undo", editing->canUndo(), "One step back (Ctrl+Z)", "bar:undo")) editing->undo();
  if (button("Redo", editing->canRedo(), "One step forward (Ctrl+Y)", "bar:redo")) editing->redo();
  verticalGap();
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
  drawEditing(w);
  // In a narrow window, what has keys of its own makes room.
  const std::vector<TechniquePage> pages = stripPages(w);
  float width = switchesWidth(w, pages), tabs = 0;
  for (const TabName& tab : kTabs) tabs += buttonWidth(tab.title) + px(2);
  const auto fits = [&](float more) {
    return ImGui::GetCursorPosX() + more + width + px(12) <= area.width;
  };
  const bool hasTabs = fits(tabs);
  if (hasTabs) width += tabs;
  if (fits(zoomWidth(w))) drawZoom(w);
  ImGui::SameLine(std::max(area.width - width - px(12), ImGui::GetCursorPosX()));
  drawStripButton(w);
  drawTabs(w, pages, hasTabs);
  if (barButton("Settings", w.layout.side, "Settings at the right (P)"))
    w.layout.side = !w.layout.side;
  Landmarks::note("bar:settings");
  verticalGap();
  if (barButton("Help", w.helpOpen, "All keys and gestures (H)")) w.helpOpen = !w.helpOpen;
  Landmarks::note("bar:help");
  ImGui::End();
}

bool stripShown(const Workspace& w) {
  const Panels* const panels = w.document.panels();
  const auto strip = panels ? panels->strip() : std::nullopt;
  if (!strip || w.layout.strip == PanelLayout::Strip::Hidden) return false;
  return strip->wanted || w.layout.strip == PanelLayout::Strip::Shown;
}

float stripHeight(const Workspace& w) {
  return stripShown(w) ? w.document.panels()->strip()->height : 0;
}

void drawTechniqueStrip(Workspace& w, const Area& area) {
  beginFixed("##technique strip", area, color::kPanel, {px(14), px(8)},
             ImGuiWindowFlags_NoScrollWithMouse);
  edge({area.x, area.y}, {area.x + area.width, area.y});
  w.document.panels()->drawStrip();
  ImGui::End();
}

void drawBottomStrip(Workspace& w, const Area& area) {
  beginFixed("##bottom", area, color::kPanel, {px(16), px(10)});
  edge({area.x, area.y}, {area.x + area.width, area.y});
  const std::string page = w.frontPage();
  if (!page.empty()) {
    w.document.panels()->drawPage(page);
    ImGui::End();
    return;
  }
  const glm::ivec2 origin =
      w.document.technique() ? w.document.technique()->origin() : glm::ivec2(0);
  switch (w.layout.tab) {
    case PanelLayout::Tab::Inspector:
      w.inspector.draw(w.display, origin);
      break;
    case PanelLayout::Tab::Timings:
      drawRecorder(w);
      w.timings.draw(w.gpu.timings());
      break;
    case PanelLayout::Tab::Memory:
      drawMemoryPanel(w.gpu.memory());
      break;
    case PanelLayout::Tab::Compare:
      w.reportErrors([&] {
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
  Progress* progress = w.document.progress();
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
  dimText(phase.empty() ? "starting" : phase.c_str());
  meter(float(progress->fraction()), color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  ImGui::End();
}

void dragBorders(PanelLayout& layout, const Areas& areas) {
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
