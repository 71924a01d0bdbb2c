// SPDX-License-Identifier: BSD-3-Clause
// Export, below the image: what is written, how large and how good, and how far it is.
#include "app/engine/core/text.h"
#include "app/window/flame/page_rows.h"
#include "app/window/flame/pages.h"

#include <imgui_stdlib.h>

namespace fathom::flame {
using namespace ui;
namespace {

/// What a file's name says about how it is written.
struct Format {
  const char* name;
  const char* ending;
  bool isFilm;
};
constexpr Format kFormats[] = {
    {"PNG picture", ".png", false},     {"OpenEXR picture", ".exr", false},
    {"PPM picture", ".ppm", false},     {"MP4 film (H.264)", ".mp4", true},
    {"MKV film (H.264)", ".mkv", true}, {"WebM film (VP9)", ".webm", true},
    {"PNG frames", "-%04d.png", true},  {"OpenEXR frames", "-%04d.exr", true},
    {"PPM frames", "-%04d.ppm", true},
};

/// Null: nothing that can be written.
const Format* formatOf(const std::string& file) {
  const bool frames = FramePattern::of(file).has_value();
  for (const Format& format : kFormats)
    if (frames == (format.ending[0] == '-') && !endingOf(file).empty() &&
        std::string_view(format.ending).ends_with(endingOf(file)))
      return &format;
  return nullptr;
}

std::string inFormat(const std::string& file, const Format& format) {
  const std::filesystem::path path = file;
  std::string stem = path.stem().string();
  const std::size_t number = stem.rfind('%');
  if (FramePattern::of(stem) && number != std::string::npos) stem.erase(number);
  stem.resize(stem.find_last_not_of("-.#@") + 1);  // npos + 1 is 0
  return (path.parent_path() / ((stem.empty() ? "flame" : stem) + format.ending)).string();
}

/// Beside the file that is open.
std::string suggestedFile(const Editor& editor) {
  const std::filesystem::path open = editor.names().empty() ? "flame" : editor.names()[0];
  return (open.parent_path() / (open.stem().string() + ".png")).string();
}

void drawFile(ExportChoice& choice, bool moves) {
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##file", &choice.file);
  Landmarks::note("export:file");
  tooltip("%d or %04d in the name is the number of a film's frame.");
  rowLabel("Format");
  const Format* const format = formatOf(choice.file);
  const bool open =
      ImGui::BeginCombo("##format", format ? format->name : "", ImGuiComboFlags_HeightLarge);
  Landmarks::note("export:format");
  if (!open) return;
  for (const Format& other : kFormats) {
    if (other.isFilm && !moves) continue;
    if (ImGui::Selectable(other.name, &other == format)) choice.file = inFormat(choice.file, other);
    Landmarks::note(std::string("format:") + other.name);
  }
  ImGui::EndCombo();
}

/// Size and samples, the genome's until others are chosen. A film of curves keeps its size.
void drawQuality(const Editor& editor, ExportChoice& choice) {
  const Genome& genome = editor.genome();
  glm::ivec2 size = choice.size.x > 0 ? choice.size : genome.size;
  ImGui::BeginDisabled(choice.isFilm() && !editor.editable());
  double width = size.x, height = size.y;
  if (numberRow("Width", width, 4, 1, 16384, "%.0f", "Pixels; the framing stays.")) {
    const double ratio = double(genome.size.y) / double(genome.size.x);
    choice.size = {int(width), std::clamp(int(std::lround(width * ratio)), 1, 16384)};
  }
  if (numberRow("Height", height, 4, 1, 16384, "%.0f")) choice.size = {size.x, int(height)};
  ImGui::EndDisabled();
  double quality = choice.quality > 0 ? choice.quality : genome.quality;
  if (numberRow("Samples", quality, float(quality * 0.01 + 0.1), 1, 1e6, "%.0f", "Per pixel."))
    choice.quality = quality;
}

void drawBits(ExportChoice& choice) {
  const std::string ending = endingOf(choice.file);
  PictureOptions& picture = choice.picture;
  if (isVideo(choice.file)) {
    numberRow("Frame rate", choice.framesPerSecond, 0.1f, 1, 240, "%.4g", "Frames per second.");
    return;
  }
  if (ending == ".png") {
    bool deep = picture.bits == 16;
    if (ImGui::Checkbox("16 bits", &deep)) picture.bits = deep ? 16 : 8;
    Landmarks::note("export:bits");
    ImGui::SameLine();
  } else if (ending == ".exr") {
    ImGui::Checkbox("32-bit floats", &picture.asFloat);
    Landmarks::note("export:float");
    ImGui::SameLine();
  }
  if (ending == ".ppm") return;
  ImGui::Checkbox("Alpha", &picture.transparent);
  Landmarks::note("export:alpha");
}

/// Why this cannot be exported; null: it can.
const char* problemOf(const ExportChoice& choice, bool moves) {
  if (!formatOf(choice.file))
    return "Expected a file that ends in .png, .exr, .ppm, .mp4, .mkv or .webm.";
  return choice.isFilm() && !moves ? "A film needs keyframes; one flame is open." : nullptr;
}

void drawRunning(ExportJob& job) {
  meter(float(job.progress()), color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  dimText(fmt::format("{:.0f} %", 100 * job.progress()).c_str());
  ImGui::SameLine();
  if (ImGui::SmallButton("Cancel")) job.cancel();
  Landmarks::note("export:cancel");
}

/// The question before a file is replaced; true: it may be.
bool mayReplace(const std::string& file) {
  if (!ImGui::BeginPopup("replace")) return false;
  dimText((std::filesystem::path(file).filename().string() + " exists.").c_str());
  const bool replace = ImGui::Button("Replace", {px(100), 0});
  Landmarks::note("export:replace");
  ImGui::SameLine();
  const bool keep = ImGui::Button("Keep", {px(100), 0});
  Landmarks::note("export:keep");
  if (replace || keep) ImGui::CloseCurrentPopup();
  closeOnEscape();
  ImGui::EndPopup();
  return replace;
}

/// How the last one ended.
void drawMessage(const ExportJob& job) {
  static std::string seen;
  if (!job.message().empty()) {
    ImGui::PushTextWrapPos(0);
    textIn(fonts().small, job.failed() ? color::kError : color::kAccent, job.message().c_str());
    ImGui::PopTextWrapPos();
    Landmarks::note(job.failed() ? "export:failed" : "export:done");
    if (seen != job.message()) ImGui::SetScrollHereY(1);
  }
  seen = job.message();
}

}  // namespace

void drawExport(const TimelineView& view, ExportJob& job, ExportChoice& choice) {
  const Editor& editor = view.editor;
  const bool moves = view.timeline().moves();
  heading("Export");
  if (choice.file.empty()) choice.file = suggestedFile(editor);
  drawFile(choice, moves);
  drawQuality(editor, choice);
  drawBits(choice);
  if (job.running()) return drawRunning(job);
  const char* const problem = problemOf(choice, moves);
  ImGui::BeginDisabled(problem != nullptr);
  const bool pressed = ImGui::Button("Export", {-1, 0});
  ImGui::EndDisabled();
  Landmarks::note("export:start");
  const bool there = !problem && job.wouldReplace(view.timeline(), choice);
  if (pressed && there) ImGui::OpenPopup("replace");
  if ((pressed && !there) || mayReplace(choice.file))
    job.start(view.timeline(), view.settings, /*seed=*/1, choice);
  if (problem) {
    ImGui::PushTextWrapPos(0);
    textIn(fonts().small, color::kSecond, problem);
    ImGui::PopTextWrapPos();
  } else {
    drawMessage(job);
  }
}

}  // namespace fathom::flame
