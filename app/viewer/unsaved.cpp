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
  if (!w.pendingAction) return;
  if (w.saveFirst) {  // the browser is open, or the file has been written
    if (w.browser.isOpen()) return;
    w.saveFirst = false;
    const auto action = std::exchange(w.pendingAction, {});
    if (!w.document.unsaved()) action();
    return;
  }
  const auto file = w.document.editing()->savable();
  const std::string what = file ? file->what : "document";
  bool open = true;
  beginDialog("Unsaved changes", {px(470), px(150)}, open);
  ImGui::Dummy({0, px(2)});
  dimText(("The " + what + " has changes that are not saved.").c_str());
  ImGui::Dummy({0, px(6)});
  const bool save = file && ImGui::Button("Save ...", {px(120), 0});
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
