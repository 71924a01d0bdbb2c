// SPDX-License-Identifier: BSD-3-Clause
// Questions before something is lost: unsaved edits, a running export, edits of an earlier run.
#include "app/window/panels/panels.h"
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
  const auto file = w.document.active().parts().editing->savable();
  const std::string what = file ? file->what : "document";
  beginDialog("Unsaved changes", {px(470), px(150)});
  ImGui::Dummy({0, px(2)});
  dimText(("The " + what + " has unsaved changes.").c_str());
  ImGui::Dummy({0, px(6)});
  const bool save = file && defaultButton("Save...", "unsaved:save", {px(120), 0});
  if (file) ImGui::SameLine();
  const bool discard = button("Don't Save", "unsaved:discard", {px(120), 0});
  ImGui::SameLine();
  const bool cancel = button("Cancel", "unsaved:cancel", {px(120), 0});
  ImGui::End();
  if (save) {
    question.wait();
    askForFile(w);
  } else if (discard) {
    question.answer()();
  } else if (cancel) {
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
  beginDialog("Export is running", {px(540), px(150)});
  ImGui::Dummy({0, px(2)});
  const auto work = w.document.active().working();
  dimText(fmt::format("{} is being written, {:.0f} % are done.",
                      std::filesystem::path(file).filename().string(),
                      100 * (work ? work->share : 1.0))
              .c_str());
  ImGui::Dummy({0, px(6)});
  const bool keep = defaultButton("Keep Exporting", "leaving:keep", {px(150), 0});
  ImGui::SameLine();
  const bool waits = button("Finish Export First", "leaving:wait", {px(160), 0});
  ImGui::SameLine();
  const bool cancel = button("Cancel the Export", "leaving:cancel", {px(150), 0});
  ImGui::End();
  if (keep) return question.drop();
  if (waits) question.wait();
  if (cancel) w.confirmUnsaved(question.answer());
}

void drawRecovery(Workspace& w) {
  if (!w.recovery.left) return;
  beginDialog("Recover changes", {px(520), px(170)});
  wrappedText(fonts().text, color::kDim,
              ("Fathom ended before changes to " + fileName(w.recovery.left->file.string()) +
               " were saved.")
                  .c_str());
  ImGui::Dummy({0, px(6)});
  const bool recover = defaultButton("Recover", "recovery:open", {px(120), 0});
  ImGui::SameLine();
  const bool discard = button("Discard", "recovery:discard", {px(120), 0});
  ImGui::SameLine();
  const bool later = button("At the Next Start", "recovery:later", {px(150), 0});
  ImGui::End();
  if (!recover && !discard && !later) return;
  const Recovery::Found found = *std::exchange(w.recovery.left, std::nullopt);
  if (discard) w.recovery.discard(found);
  if (!recover) return;
  w.recovery.opened = found;
  // Where what was edited is gone, the edits alone are opened.
  const bool there = !found.inputs.empty() && !existing({{found.inputs}}).empty();
  w.open(there ? found.inputs : std::vector{found.file.string()}, false, found.technique);
}

}  // namespace fathom::viewer
