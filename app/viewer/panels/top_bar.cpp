// SPDX-License-Identifier: BSD-3-Clause
// The bar at the top: opening, editing, zoom at the left; at the right switches for the strips, the
// tabs of the bottom strip, settings and help. A narrow window leaves out what has shortcuts.
#include "app/viewer/panels/panels.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "app/viewer/widgets/fixed_window.h"
#include "app/viewer/workspace/actions.h"

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
    {PanelLayout::Tab::Inspector, "Inspector", "tab:inspector", "The pixel under the cursor"},
    {PanelLayout::Tab::Timings, "Timings", "tab:timings", "Time of each pass"},
    {PanelLayout::Tab::Memory, "Memory", "tab:memory", "Size of each buffer"},
    {PanelLayout::Tab::Compare, "Compare", "tab:compare", "A and B: two sets of settings"},
};

/// The technique's pages for the strip.
std::vector<TechniquePage> stripPages(Workspace& w) {
  std::vector<TechniquePage> pages;
  if (const Panels* panels = w.document.active().panels())
    for (TechniquePage& page : panels->pages())
      if (page.place == TechniquePage::Place::Strip) pages.push_back(std::move(page));
  return pages;
}

/// The switch of the technique's own strip.
void drawStripButton(Workspace& w) {
  const Panels* const panels = w.document.active().panels();
  const auto strip = panels ? panels->strip() : std::nullopt;
  if (!strip) return;
  const bool shown = w.stripShown();
  if (barButton(strip->title.c_str(), shown, strip->about.c_str())) {
    const auto chosen = shown ? PanelLayout::Strip::Hidden : PanelLayout::Strip::Shown;
    w.layout.strip = strip->wanted == !shown ? PanelLayout::Strip::Auto : chosen;
  }
  Landmarks::note("bar:" + strip->name);
  ImGui::SameLine(0, px(2));
}

/// Width of the switches at the right, without the window's own tabs.
float switchesWidth(const Workspace& w, const std::vector<TechniquePage>& pages) {
  float width = buttonWidth("Settings") + buttonWidth("Help") + px(2) + px(26);
  for (const TechniquePage& page : pages) width += buttonWidth(page.title.c_str()) + px(2);
  if (const Panels* panels = w.document.active().panels())
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

/// Zoom and exposure of the picture.
void drawZoom(Workspace& w) {
  if (barButton("Fit", w.view.fitted(), "Fit in window (F)")) w.view.fit();
  ImGui::SameLine(0, px(2));
  if (barButton("1:1", w.view.zoom() == 1 && !w.view.fitted(), "Actual size, 1:1 (1)"))
    w.view.oneToOne();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  dimText(zoomText(w).c_str());
}

void drawTabs(Workspace& w, const std::vector<TechniquePage>& pages, bool own) {
  for (const TechniquePage& other : pages) {
    if (barButton(other.title.c_str(), w.inFront(other.name), other.about.c_str()))
      w.toggle(other.name);
    Landmarks::note("tab:" + other.name);
    ImGui::SameLine(0, px(2));
  }
  if (!own) return;
  for (const TabName& tab : kTabs) {
    if (barButton(tab.title, w.inFront(tab.tab), tab.about)) w.toggle(tab.tab);
    Landmarks::note(tab.landmark);
    ImGui::SameLine(0, px(2));
  }
}

/// Save, undo and redo, for techniques that edit.
void drawEditing(Workspace& w) {
  Editing* const editing = w.document.active().editing();
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
  if (button("Undo", editing->canUndo(), "Undo (Ctrl+Z)", "bar:undo")) editing->undo();
  if (button("Redo", editing->canRedo(), "Redo (Ctrl+Y)", "bar:redo")) editing->redo();
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
  // In a narrow window, controls that have shortcuts are left out.
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
  if (barButton("Help", w.helpOpen, "Keyboard and mouse shortcuts (H)")) w.helpOpen = !w.helpOpen;
  Landmarks::note("bar:help");
  ImGui::End();
}

}  // namespace fathom::viewer
