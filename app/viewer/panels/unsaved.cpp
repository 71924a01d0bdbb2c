// SPDX-License-Identifier: BSD-3-Clause
// Three answers: save first, lose the edits, or cancel. Saving goes through the file browser, so
// the action waits until the file has been written.
#include "app/viewer/panels/panels.h"

#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "app/viewer/workspace/actions.h"

#include <utility>

namespace fathom::viewer {
using namespace ui;

void drawUnsaved(Workspace& w) {
  if (!w.pendingAction) return;
  if (w.saveFirst) {  // the browser is open, or it was closed with or without writing
    if (w.browser.isOpen()) return;
    w.saveFirst = false;
    const auto action = std::exchange(w.pendingAction, {});
    if (!w.document.unsaved()) action();
    return;
  }
  const auto file = w.document.active().editing()->savable();
  const std::string what = file ? file->what : "document";
  bool open = true;
  beginDialog("Unsaved changes", {px(470), px(150)}, open);
  ImGui::Dummy({0, px(2)});
  dimText(("The " + what + " has unsaved changes.").c_str());
  ImGui::Dummy({0, px(6)});
  const bool save = file && ImGui::Button("Save...", {px(120), 0});
  if (file) Landmarks::note("unsaved:save"), ImGui::SameLine();
  const bool discard = ImGui::Button("Don't Save", {px(120), 0});
  Landmarks::note("unsaved:discard");
  ImGui::SameLine();
  const bool cancel = ImGui::Button("Cancel", {px(120), 0});
  Landmarks::note("unsaved:cancel");
  ImGui::End();
  if (save) {
    w.saveFirst = true;
    askForFile(w);
  } else if (discard) {
    std::exchange(w.pendingAction, {})();
  } else if (cancel || !open) {
    w.pendingAction = {};
  }
}

}  // namespace fathom::viewer
