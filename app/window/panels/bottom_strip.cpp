// SPDX-License-Identifier: BSD-3-Clause
// The strips below the picture: the technique's own one, and the one with tabs, in which a page of
// the technique may stand in front of the window's tabs.
#include "app/window/panels/panels.h"

#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/widgets/fixed_window.h"
#include "app/window/widgets/memory_panel.h"

#include <string>

namespace fathom::viewer {
using namespace ui;

void drawTechniqueStrip(Workspace& w, const Area& area) {
  beginFixed("##technique strip", area, color::kPanel, {px(14), px(8)},
             ImGuiWindowFlags_NoScrollWithMouse);
  edge({area.x, area.y}, {area.x + area.width, area.y});
  w.document.active().panels()->drawStrip();
  ImGui::End();
}

void drawBottomStrip(Workspace& w, const Area& area) {
  beginFixed("##bottom", area, color::kPanel, {px(16), px(10)});
  edge({area.x, area.y}, {area.x + area.width, area.y});
  const std::string page = w.frontPage();
  const auto isShown = [&](const std::string& name) {
    Landmarks::note("panel:" + name, {area.x, area.y}, {area.x + area.width, area.y + area.height});
  };
  if (!page.empty()) {
    isShown(page);
    w.document.active().panels()->drawPage(page);
    ImGui::End();
    return;
  }
  const glm::ivec2 origin =
      w.document.technique() ? w.document.technique()->origin() : glm::ivec2(0);
  switch (w.layout.tab()) {
    case PanelLayout::Tab::Inspector:
      isShown("inspector");
      w.inspector.draw(w.display, origin);
      break;
    case PanelLayout::Tab::Timings:
      isShown("timings");
      drawRecorder(w);
      w.timings.draw(w.gpu.timings());
      break;
    case PanelLayout::Tab::Memory:
      isShown("memory");
      drawMemoryPanel(w.gpu.memory());
      break;
    case PanelLayout::Tab::Histogram:
      isShown("histogram");
      drawHistogramPage(w);
      break;
    case PanelLayout::Tab::Files:
      isShown("files");
      drawFilesPage(w);
      break;
    case PanelLayout::Tab::Compare:
      isShown("compare");
      drawComparePage(w);
      break;
  }
  ImGui::End();
}

}  // namespace fathom::viewer
