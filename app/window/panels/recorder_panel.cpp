// SPDX-License-Identifier: BSD-3-Clause
// The controls of the recorder, in a row above the timings.
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"
#include "app/window/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::viewer {
using namespace ui;
namespace {

void drawRunning(Workspace& w) {
  dimText(fmt::format("Recording {} pictures", w.picturesToRecord).c_str());
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(8));
  meter(float(w.recorder.progress()), color::kAccent, px(220), px(6));
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - px(8));
  if (ImGui::Button("Stop")) w.recorder.cancel(w.document);
  Landmarks::note("record:stop");
}

void drawPath(Workspace& w) {
  Recorder& recorder = w.recorder;
  ImGui::SameLine(0, px(18));
  if (recorder.recordingPath()) {
    if (ImGui::Button("End path")) recorder.stopPath();
    Landmarks::note("record:path");
  } else {
    if (ImGui::Button("New path")) recorder.startPath();
    Landmarks::note("record:path");
    tooltip("Records the camera's path from now on; recorded pictures then follow it.");
  }
  ImGui::SameLine(0, px(8));
  const std::size_t places = recorder.path().size();
  dimText(recorder.recordingPath() ? fmt::format("{} places: move the camera", places).c_str()
          : places > 0             ? fmt::format("{} places", places).c_str()
                                   : "fixed camera");
  if (places == 0 || recorder.recordingPath()) return;
  ImGui::SameLine(0, px(8));
  if (ImGui::Button("Clear path")) recorder.setPath({});
  Landmarks::note("record:forget");
}

}  // namespace

void drawRecorder(Workspace& w) {
  if (!w.document.hasPicture()) return;
  ImGui::AlignTextToFramePadding();
  if (w.recorder.running()) return drawRunning(w);
  if (ImGui::Button("Record...")) {
    w.recorder.stopPath();
    w.browser.open(FileBrowser::Purpose::SaveTimings, {".json"}, "timings.json");
  }
  Landmarks::note("record:start");
  tooltip(
      "Renders this picture repeatedly and writes a bench file with the median of every pass, "
      "checked against the reference.");
  ImGui::SameLine(0, px(8));
  ImGui::SetNextItemWidth(px(72));
  ImGui::InputInt("##pictures", &w.picturesToRecord,
                  0);  // without buttons, which would hide the number
  Landmarks::note("record:pictures");
  w.picturesToRecord = std::clamp(w.picturesToRecord, 1, 100000);
  ImGui::SameLine(0, px(8));
  dimText("pictures");
  if (w.document.hasCamera()) drawPath(w);
}

}  // namespace fathom::viewer
