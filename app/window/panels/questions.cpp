// SPDX-License-Identifier: BSD-3-Clause
// Questions before something is lost: unsaved edits, a running export, edits of an earlier run.
#include "app/engine/choose.h"
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
  bool open = true;
  beginDialog("Unsaved changes", {px(470), px(150)}, open);
  ImGui::Dummy({0, px(2)});
  dimText(("The " + what + " has unsaved changes.").c_str());
  ImGui::Dummy({0, px(6)});
  const bool save = file && ImGui::Button("Save...", {px(120), 0});
  if (file) Landmarks::note("unsaved:save"), ImGui::SameLine();
  const bool discard = button("Don't Save", "unsaved:discard", {px(120), 0});
  ImGui::SameLine();
  const bool cancel = button("Cancel", "unsaved:cancel", {px(120), 0});
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
  const bool keep = button("Keep Exporting", "leaving:keep", {px(150), 0});
  ImGui::SameLine();
  const bool waits = button("Go On When Done", "leaving:wait", {px(160), 0});
  ImGui::SameLine();
  const bool cancel = button("Cancel the Export", "leaving:cancel", {px(150), 0});
  ImGui::End();
  if (keep || !open) return question.drop();
  if (waits) question.wait();
  if (cancel) w.confirmUnsaved(question.answer());
}

void drawRecovery(Workspace& w) {
  if (!w.recovery.left) return;
  bool open = true;
  beginDialog("Recover changes", {px(520), px(170)}, open);
  wrappedText(fonts().text, color::kDim,
              ("Fathom ended before changes to " + fileName(w.recovery.left->file.string()) +
               " were saved.")
                  .c_str());
  ImGui::Dummy({0, px(6)});
  const bool recover = button("Recover", "recovery:open", {px(120), 0});
  ImGui::SameLine();
  const bool discard = button("Discard", "recovery:discard", {px(120), 0});
  ImGui::End();
  if (!recover && !discard && open) return;
  const Recovery::Found found = *std::exchange(w.recovery.left, std::nullopt);
  if (discard) w.recovery.discard(found);
  if (!recover) return;
  w.recovery.opened = found;
  std::vector<std::string> inputs{found.file.string()};
  // What no technique shows by itself belongs to what was open: keys of a pull.
  if (techniquesFor(w.document.available(), inputs).empty())
    inputs.insert(inputs.begin(), found.inputs.begin(), found.inputs.end());
  w.open(inputs, false, found.technique);
  w.messages.note("Save it under a name of its own (Ctrl+S)");
}

}  // namespace fathom::viewer
