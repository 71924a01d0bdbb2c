// SPDX-License-Identifier: BSD-3-Clause
// Questions before something is lost: unsaved edits, a running export, edits of an earlier run.
#include "app/engine/choose.h"
#include "app/window/panels/panels.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"
#include "app/window/widgets/fixed_window.h"
#include "app/window/workspace/actions.h"

namespace fathom::viewer {
using namespace ui;

void drawUnsaved(Workspace& w) {
  Question& question = w.unsavedEdits;
  if (question.state() == Question::State::None) return;
  if (question.state() == Question::State::Waiting) {
    if (w.browser.isOpen()) return;
    const auto action = question.answer();  // the browser was closed, with or without writing
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
    question.wait();
    askForFile(w);
  } else if (discard) {
    question.answer()();
  } else if (cancel || !open) {
    question.drop();
  }
}

/// What is written beside the picture goes with the engine: a film may have taken an hour.
void drawLeaving(Workspace& w) {
  Question& question = w.runningExport;
  if (question.state() == Question::State::None) return;
  const std::string file = w.exporting();
  if (file.empty()) return w.confirmUnsaved(question.answer());
  if (question.state() == Question::State::Waiting) return;
  bool open = true;
  beginDialog("Export is running", {px(540), px(150)}, open);
  ImGui::Dummy({0, px(2)});
  const auto work = w.document.active().working();
  dimText(fmt::format("{} is being written, {:.0f} % are done.",
                      std::filesystem::path(file).filename().string(),
                      100 * (work ? work->share : 1.0))
              .c_str());
  ImGui::Dummy({0, px(6)});
  const bool keep = ImGui::Button("Keep Exporting", {px(150), 0});
  Landmarks::note("leaving:keep");
  ImGui::SameLine();
  const bool waits = ImGui::Button("Go On When Done", {px(160), 0});
  Landmarks::note("leaving:wait");
  ImGui::SameLine();
  const bool cancel = ImGui::Button("Cancel the Export", {px(150), 0});
  Landmarks::note("leaving:cancel");
  ImGui::End();
  if (keep || !open) return question.drop();
  if (waits) question.wait();
  if (cancel) w.confirmUnsaved(question.answer());
}

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
