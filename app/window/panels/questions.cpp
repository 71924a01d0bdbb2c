// SPDX-License-Identifier: BSD-3-Clause
// Questions before something is lost: unsaved edits, a running export, edits of an earlier run.
#include "app/window/panels/panels.h"
#include "app/window/workspace/actions.h"

namespace fathom::viewer {
using namespace ui;

namespace {

struct Answer {
  const char *label, *landmark;
  float width = 120;
};

/// The index of the answer that was given, -1 while there is none; Enter gives the first.
int ask(const char* title, float width, const std::string& text,
        std::initializer_list<Answer> answers) {
  beginDialog(title, {px(width), px(160)});
  ImGui::Dummy({0, px(2)});
  wrappedText(fonts().text, color::kDim, text);
  ImGui::Dummy({0, px(6)});
  int given = -1;
  for (int i = 0; i < int(answers.size()); ++i) {
    const Answer& answer = answers.begin()[i];
    if (i > 0) ImGui::SameLine();
    const ImVec2 size(px(answer.width), 0);
    if (i > 0 ? button(answer.label, answer.landmark, size)
              : defaultButton(answer.label, answer.landmark, size))
      given = i;
  }
  ImGui::End();
  return given;
}

}  // namespace

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
  const int answer = ask("Unsaved changes", 470, "The " + what + " has unsaved changes.",
                         {{"Save...", "unsaved:save"},
                          {"Don't save", "unsaved:discard"},
                          {"Cancel", "unsaved:cancel"}});
  if (answer == 0) question.wait(), askForFile(w);
  if (answer == 1) question.answer()();
  if (answer == 2) question.drop();
}

/// What is written beside the picture goes with the engine: a film may have taken an hour.
void drawLeaving(Workspace& w) {
  Question& question = w.runningExport;
  if (question.state() == Question::State::None) return;
  const std::string file = w.exporting();
  if (file.empty()) return w.confirmUnsaved(question.answer());
  if (question.state() == Question::State::Waiting) return;
  const auto work = w.document.active().working();
  const Exporting* const own = w.document.active().parts().exporting;
  const bool goesOn = own && own->goesOn();
  const int answer =
      ask("Export is running", 540,
          fmt::format("{} is being written: {:.0f} % done.{}", fileName(file),
                      100 * (work ? work->share : 1.0),
                      goesOn ? " If you leave now, it goes on when you next open a flame." : ""),
          {{"Stay", "leaving:keep", 150},
           {"Leave when done", "leaving:wait", 160},
           {goesOn ? "Leave now" : "Cancel the export", "leaving:cancel", 150}});
  if (answer == 0) question.drop();
  if (answer == 1) question.wait();
  if (answer != 2) return;
  if (!goesOn) cancelExport(w);
  w.confirmUnsaved(question.answer());
}

void drawRecovery(Workspace& w) {
  if (!w.recovery.left) return;
  const int answer = ask(
      "Recover changes", 520,
      "Fathom ended before changes to " + fileName(w.recovery.left->file.string()) + " were saved.",
      {{"Recover", "recovery:open"},
       {"Discard", "recovery:discard"},
       {"Ask next time", "recovery:later", 150}});
  if (answer < 0) return;
  const Recovery::Found found = *std::exchange(w.recovery.left, std::nullopt);
  if (answer == 1) w.recovery.discard(found);
  if (answer > 0) return;
  w.recovery.opened = found;
  // Where what was edited is gone, the edits alone are opened.
  const bool there = !found.inputs.empty() && !existing({found.inputs}).empty();
  w.open(there ? found.inputs : std::vector{found.file.string()}, false, found.technique);
}

}  // namespace fathom::viewer
