// SPDX-License-Identifier: BSD-3-Clause
// The export sheet, one for all techniques: file, format, size, samples, depth, alpha, and whether
// the display's exposure and curve are in it.
#include "app/engine/core/text.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/video_file.h"
#include "app/window/panels/panels.h"
#include "app/window/ui/widgets.h"
#include "app/window/workspace/actions.h"

namespace fathom::viewer {
using namespace ui;
namespace {

/// What a file's name says about how it is written.
struct Format {
  const char* name;
  const char* ending;
  bool isFilm;
};
constexpr Format kFormats[] = {
    {"PNG image", ".png", false},          {"OpenEXR image", ".exr", false},
    {"PPM image", ".ppm", false},          {"MP4 video (H.264)", ".mp4", true},
    {"MKV video (H.264)", ".mkv", true},   {"WebM video (VP9)", ".webm", true},
    {"GIF animation", ".gif", true},       {"PNG frames", "-%04d.png", true},
    {"OpenEXR frames", "-%04d.exr", true}, {"PPM frames", "-%04d.ppm", true},
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
  const fs::path path = file;
  std::string stem = path.stem().string();
  const std::size_t number = stem.rfind('%');
  if (FramePattern::of(stem) && number != std::string::npos) stem.erase(number);
  stem.resize(stem.find_last_not_of("-.#@") + 1);  // npos + 1 is 0
  return (path.parent_path() / ((stem.empty() ? "picture" : stem) + format.ending)).string();
}

bool hasFilm(Workspace& w) {
  const Exporting* const part = w.document.active().parts().exporting;
  return part && part->hasFilm();
}

/// What may be typed; the format's own first, which is added where there is none.
std::vector<std::string> endingsOf(Workspace& w) {
  const Format* const now = formatOf(w.exportSheet.choice.file);
  std::vector<std::string> all{now ? endingOf(std::string("a") + now->ending) : ".png"};
  for (const Format& format : kFormats)
    if (format.ending[0] == '.' && (!format.isFilm || hasFilm(w)) && format.ending != all[0])
      all.emplace_back(format.ending);
  return all;
}

/// True when Enter was pressed in the field.
bool drawFile(Workspace& w) {
  Workspace::ExportSheet& sheet = w.exportSheet;
  const float choose = buttonWidth("...") + ImGui::GetStyle().ItemSpacing.x;
  if (std::exchange(sheet.appears, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - choose);
  const std::vector<std::string> endings = endingsOf(w);
  const bool entered = pathField("A path", sheet.choice.file, sheet.selectStem);
  Landmarks::note("export:file");
  if (ImGui::IsItemDeactivated()) sheet.choice.file = fullPath(sheet.choice.file, endings);
  if (hasFilm(w)) tooltip("%d or %04d in the name stands for the frame number.");
  ImGui::SameLine();
  if (button("...", "export:choose")) {
    sheet.open = false;
    w.browser.open(FileBrowser::Purpose::SavePlace, endings, sheet.choice.file);
  }
  return entered;
}

void drawFormat(Workspace& w) {
  ExportChoice& choice = w.exportSheet.choice;
  rowLabel("Format");
  const Format* const format = formatOf(choice.file);
  const bool open =
      ImGui::BeginCombo("##format", format ? format->name : "", ImGuiComboFlags_HeightLarge);
  Landmarks::note("export:format");
  if (!open) return;
  for (const Format& other : kFormats) {
    if (other.isFilm && !hasFilm(w)) continue;
    if (ImGui::Selectable(other.name, &other == format)) choice.file = inFormat(choice.file, other);
    Landmarks::note(std::string("format:") + other.name);
  }
  ImGui::EndCombo();
}

/// What is shown, multiples of it, or one's own.
void drawSize(Workspace& w) {
  ExportChoice& choice = w.exportSheet.choice;
  const WindowParts& parts = w.document.active().parts();
  const Exporting* const part = parts.exporting;
  const glm::ivec2 own = part ? part->size() : w.document.pictures().size();
  const bool fixed = part ? part->sizeIsFixed(choice) : !w.document.hasCamera() && !parts.anySize;
  if (fixed) choice.size = {0, 0};
  const glm::ivec2 size = choice.size.x > 0 ? choice.size : own;
  const double ratio = double(own.y) / std::max(own.x, 1);
  const auto wide = [&](double width) {
    return glm::ivec2(int(width), std::clamp(int(std::lround(width * ratio)), 1, 16384));
  };
  ImGui::BeginDisabled(fixed);
  rowLabel("Size", fixed ? "Files have their own size." : nullptr);
  const std::pair<const char*, glm::ivec2> kinds[] = {
      {"As is", own}, {"2 x", own * 2}, {"4 x", own * 4}, {"3840 wide", wide(3840)}};
  int index = -1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    names.emplace_back(kinds[i].first);
    if (index < 0 && size == kinds[i].second) index = int(i);
  }
  if (segments("export:size", index, names, ImGui::GetContentRegionAvail().x))
    choice.size = index == 0 ? glm::ivec2(0) : glm::min(kinds[index].second, glm::ivec2(16384));
  double width = size.x, height = size.y;
  if (numberRow("Width", width, 4, 1, 16384, "%.0f", "Pixels; the height follows."))
    choice.size = wide(width);
  if (numberRow("Height", height, 4, 1, 16384, "%.0f")) choice.size = {size.x, int(height)};
  ImGui::EndDisabled();
  if (!part) return;
  rowLabel("Memory");
  dimText(part->memory(choice));
  double samples = choice.samples > 0 ? choice.samples : part->samples();
  if (numberRow("Samples", samples, float(samples * 0.01 + 0.1), 1, 1e6, "%.0f", "Per pixel."))
    choice.samples = samples;
}

void switchRow(const char* label, bool& on, const char* landmark, const char* about) {
  rowLabel(label, about);
  switchControl(landmark, on);
}

/// Depth, alpha and display: what the format has of them.
void drawBits(Workspace& w) {
  ExportChoice& choice = w.exportSheet.choice;
  const std::string ending = endingOf(choice.file);
  if (isVideo(choice.file)) {
    numberRow("Frame rate", choice.framesPerSecond, 0.1f, 1, 240, "%.4g", "Frames per second.");
    return;
  }
  const bool own = w.document.active().parts().exporting != nullptr;
  const bool displayed = choice.displayed && !own && ending != ".exr";
  if (ending == ".exr") {
    int index = choice.asFloat;
    rowLabel("Depth", "Per channel.");
    if (segments("export:float", index, {"16-bit half", "32-bit float"}, px(260)))
      choice.asFloat = index == 1;
  } else if (ending == ".png") {
    ImGui::BeginDisabled(displayed);
    int index = !displayed && choice.bits == 16;
    rowLabel("Depth", displayed ? "The display has 8 bits." : "Per channel.");
    if (segments("export:bits", index, {"8 bits", "16 bits"}, px(180)))
      choice.bits = index == 1 ? 16 : 8;
    ImGui::EndDisabled();
  }
  if (ending != ".ppm") {
    ImGui::BeginDisabled(displayed);
    switchRow("Alpha", choice.alpha, "export:alpha", "Off: over black, or the flame's background.");
    ImGui::EndDisabled();
  }
  if (!own && ending != ".exr")
    switchRow("As displayed", choice.displayed, "export:displayed",
              "On: with the exposure, channel and curve of the display, over its background. Off: "
              "linear values in sRGB.");
}

/// What is written now, how far it is, and a way to end it.
void drawRunning(Workspace& w, const std::string& file) {
  const auto work = w.document.active().working();
  meter(work ? float(work->share) : 0, color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  const std::string name = fs::path(file).filename().string();
  dimText(work ? fmt::format("{}, {:.0f} %", name, 100 * work->share) : name);
  if (button("Cancel the export", "export:cancel")) cancelExport(w);
  ImGui::SameLine();
  if (button("Hide", "export:hide", {px(120), 0})) w.exportSheet.open = false;
}

/// Buttons, or the question before a file is replaced.
void drawEnd(Workspace& w, bool entered) {
  Workspace::ExportSheet& sheet = w.exportSheet;
  const std::string file = fullPath(sheet.choice.file, endingsOf(w));
  const Format* const format = formatOf(file);
  const bool film = format && format->isFilm && !hasFilm(w);
  const Exporting* const part = w.document.active().parts().exporting;
  const std::string first = part ? part->firstFile(sheet.choice) : file;
  const std::string problem = film ? "An animation needs keyframes; a still is open."
                              : isInput(first, w.document.technique()->inputs())
                                  ? fileName(first) + " is open here. Choose another name."
                                  : problemOf(file, endingsOf(w));
  if (!problem.empty()) {
    wrappedText(fonts().small, color::kSecond, problem);
    Landmarks::note("export:problem");
  }
  std::error_code ignored;
  bool start = false;
  if (sheet.asks) {
    wrappedText(fonts().text, color::kSecond, (fileName(first) + " exists. Replace it?"));
    start = button("Replace", "export:replace", {px(120), 0});
    ImGui::SameLine();
    if (button("Keep", "export:keep", {px(120), 0}) || start) sheet.asks = false;
  } else {
    ImGui::BeginDisabled(!problem.empty());
    const bool waits = !w.exporting().empty();
    start =
        defaultButton(waits ? "Add to queue" : "Export", "export:start", {px(120), 0}) || entered;
    ImGui::EndDisabled();
    start = start && problem.empty();
    ImGui::SameLine();
    if (button("Cancel", "export:close", {px(120), 0})) sheet.open = false;
    if (start && fs::exists(first, ignored)) start = false, sheet.asks = true;
  }
  if (!start) return;
  sheet.choice.file = file;
  w.reportErrors([&] { startExport(w); });
}

}  // namespace

void drawExport(Workspace& w) {
  if (Exporting* const part = w.document.active().parts().exporting)
    if (const auto end = part->takeEnd())
      end->failed ? w.messages.error(end->message) : w.messages.note(end->message);
  if (!w.exportSheet.open || !w.document.technique() || w.browser.isOpen()) return;
  beginDialog("Export", {px(600), px(420)}, &w.exportSheet.open);
  Landmarks::noteWindow("export");
  const bool entered = drawFile(w);
  drawFormat(w);
  drawSize(w);
  drawBits(w);
  ImGui::Dummy({0, px(4)});
  const std::string running = w.exporting().empty() ? w.exportSheet.rendering : w.exporting();
  if (running.empty() || !w.exporting().empty()) drawEnd(w, entered);
  if (!running.empty()) drawRunning(w, running);
  ImGui::End();
}

}  // namespace fathom::viewer
