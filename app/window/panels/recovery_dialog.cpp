// SPDX-License-Identifier: BSD-3-Clause
// The question about edits that an earlier run could not save.
#include "app/engine/choose.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"
#include "app/window/panels/panels.h"
#include "app/window/widgets/fixed_window.h"

#include <utility>

namespace fathom::viewer {
using namespace ui;

void drawRecovery(Workspace& w) {
  if (!w.recovered) return;
  bool open = true;
  beginDialog("Recover changes", {px(520), px(170)}, open);
  ImGui::PushTextWrapPos(0);
  dimText(
      ("Fathom ended before changes to " + fileName(w.recovered->file.string()) + " were saved.")
          .c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, px(6)});
  const bool recover = ImGui::Button("Recover", {px(120), 0});
  Landmarks::note("recovery:open");
  ImGui::SameLine();
  const bool discard = ImGui::Button("Discard", {px(120), 0});
  Landmarks::note("recovery:discard");
  ImGui::End();
  if (!recover && !discard && open) return;
  const Recovery::Found found = *std::exchange(w.recovered, std::nullopt);
  if (discard) w.recovery.discard(found);
  if (!recover) return;
  w.recoveredOpen = found;
  std::vector<std::string> inputs{found.file.string()};
  // What no technique shows by itself belongs to what was open: keys of a pull.
  if (techniquesFor(w.document.available(), inputs).empty())
    inputs.insert(inputs.begin(), found.inputs.begin(), found.inputs.end());
  w.open(inputs, false, found.technique);
  w.messages.note("Save it under a name of its own (Ctrl+S)");
}

}  // namespace fathom::viewer
