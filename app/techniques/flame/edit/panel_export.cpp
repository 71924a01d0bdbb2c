// SPDX-License-Identifier: BSD-3-Clause
// Export, below the image: what is written, how large and how good, and how far it is.
#include "app/techniques/flame/edit/panel_rows.h"
#include "app/techniques/flame/edit/panels.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace fathom::flame {
using namespace ui;
namespace {

/// Beside the file that is open.
std::string suggestedFile(const Editor& editor) {
  const std::filesystem::path open = editor.names().empty() ? "flame" : editor.names()[0];
  return (open.parent_path() / (open.stem().string() + ".png")).string();
}

void drawQuality(const Editor& editor, ExportChoice& choice) {
  const Genome& genome = editor.genome();
  if (choice.size.x <= 0) choice.size = genome.size;
  double width = choice.size.x;
  if (numberRow("Width", width, 4, 1, 16384, "%.0f", "Pixels; the framing stays.")) {
    choice.size.x = int(width);
    const double ratio = double(genome.size.y) / double(genome.size.x);
    choice.size.y = std::max(1, int(std::lround(width * ratio)));
  }
  double height = choice.size.y;
  if (numberRow("Height", height, 4, 1, 16384, "%.0f")) choice.size.y = int(height);
  if (choice.quality <= 0) choice.quality = genome.quality;
  numberRow("Samples", choice.quality, float(choice.quality * 0.01 + 0.1), 1, 1e6, "%.0f",
            "Per pixel.");
}

void drawFormat(ExportChoice& choice) {
  const std::string ending = std::filesystem::path(choice.file).extension().string();
  PictureOptions& picture = choice.picture;
  if (isVideo(choice.file)) {
    numberRow("Frames per second", choice.framesPerSecond, 0.1f, 1, 240, "%.4g");
    return dimText(ending == ".webm" ? "VP9, by ffmpeg" : "H.264, by ffmpeg");
  }
  if (ending == ".png") {
    bool deep = picture.bits == 16;
    if (ImGui::Checkbox("16 bits", &deep)) picture.bits = deep ? 16 : 8;
    Landmarks::note("export:bits");
    ImGui::SameLine();
  } else if (ending == ".exr") {
    ImGui::Checkbox("32-bit floats", &picture.asFloat);
    ImGui::SameLine();
  }
  if (ending != ".ppm") ImGui::Checkbox("Alpha", &picture.transparent);
}

bool canBeWritten(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".png" || ending == ".exr" || ending == ".ppm" || isVideo(file);
}

void drawRunning(ExportJob& job) {
  meter(float(job.progress()), color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  dimText(fmt::format("{:.0f} %", 100 * job.progress()).c_str());
  ImGui::SameLine();
  if (ImGui::SmallButton("Cancel")) job.cancel();
  Landmarks::note("export:cancel");
}

}  // namespace

void drawExport(const TimelineView& view, ExportJob& job, ExportChoice& choice) {
  const Editor& editor = view.editor;
  heading("Export");
  if (choice.file.empty()) choice.file = suggestedFile(editor);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##file", &choice.file);
  Landmarks::note("export:file");
  tooltip(".png, .exr, .ppm; a film as .mp4, .mkv, .webm, or with %d in the name as its frames.");
  drawQuality(editor, choice);
  drawFormat(choice);
  if (job.running()) return drawRunning(job);
  const bool fits = canBeWritten(choice.file) && (!choice.isFilm() || view.timeline().moves());
  std::error_code none;
  const bool there = fits && std::filesystem::exists(choice.file, none);
  ImGui::BeginDisabled(!fits);
  if (ImGui::Button(there ? "Replace the file" : "Export", {-1, 0}))
    job.start(view.timeline(), view.settings, /*seed=*/1, choice);
  ImGui::EndDisabled();
  Landmarks::note("export:start");
  ImGui::PushTextWrapPos(0);
  if (!job.message().empty())
    textIn(fonts().small, job.failed() ? color::kError : color::kSecond, job.message().c_str());
  ImGui::PopTextWrapPos();
  if (!job.message().empty()) Landmarks::note(job.failed() ? "export:failed" : "export:done");
}

}  // namespace fathom::flame
