// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/unsaved.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "app/viewer/actions.h"

#include <utility>

namespace fathom::viewer {
using namespace ui;

void drawUnsaved(Workspace& w) {
  if (!w.whenSaved) return;
  if (w.saveFirst) {  // the browser is open, or the file has been written
    if (w.browser.isOpen()) return;
    w.saveFirst = false;
    const auto action = std::exchange(w.whenSaved, {});
    if (!w.document.technique()->unsaved()) action();
    return;
  }
  const auto file = w.document.technique()->savable();
  const std::string what = file ? file->what : "document";
  bool open = true;
  beginDialog("Unsaved changes", {px(470), px(150)}, open);
  ImGui::Dummy({0, px(2)});
  dimText(("The " + what + " has changes that are not saved.").c_str());
  ImGui::Dummy({0, px(6)});
  const bool save = file && ImGui::Button("Save ...", {px(120), 0});
  if (file) Landmarks::note("unsaved:save"), ImGui::SameLine();
  const bool lose = ImGui::Button("Do not save", {px(120), 0});
  Landmarks::note("unsaved:lose");
  ImGui::SameLine();
  const bool stay = ImGui::Button("Stay", {px(120), 0});
  Landmarks::note("unsaved:stay");
  ImGui::End();
  if (save) {
    w.saveFirst = true;
    askForFile(w);
  } else if (lose) {
    std::exchange(w.whenSaved, {})();
  } else if (stay || !open) {
    w.whenSaved = {};
  }
}

}  // namespace fathom::viewer
