// SPDX-License-Identifier: BSD-3-Clause
// Counting frames, and the files that a script asks for.
#include "app/window/script.h"

#include "app/engine/io/atomic_file.h"
#include "app/engine/io/flat_formats.h"
#include "app/window/platform/window.h"
#include "app/window/ui/landmarks.h"
#include "app/window/workspace/workspace.h"

namespace fathom::viewer {

void Script::startRecording(Workspace& w) {
  if (options_.record.empty() || recordingStarted_ || !w.document.complete()) return;
  w.reportErrors([&] { w.recorder.start(w.document, options_.record, w.picturesToRecord); });
  recordingStarted_ = true;
}

bool Script::countFrame(const Document& document, bool rested) {
  const Playing* const playing = document.active().playing();
  const std::uint64_t picture = document.pictures().generation();
  const bool newPicture =
      playing && playing->animated() && std::exchange(countedPicture_, picture) != picture;
  return active() && (rested || newPicture) && ++countedFrames_ >= options_.frames;
}

void Script::saveScreenshot(const Capture& capture) const {
  writePngBytes(options_.screenshot, capture.width, capture.height, 4, capture.rgba);
}

void Script::writeLandmarks(bool idle) {
  if (options_.landmarks.empty()) return;
  std::string text = ui::Landmarks::text() + fmt::format("marks {} 0 0 0\n", marks_);
  if (idle) text += "idle 0 0 0 0\n";
  if (text != landmarks_) writeFile(options_.landmarks, landmarks_ = text);
}

}  // namespace fathom::viewer
