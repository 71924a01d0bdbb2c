// SPDX-License-Identifier: BSD-3-Clause
// The strip at the bottom: its tabs, and the pages of comparison, histogram, files and timings.
#include "app/engine/core/text.h"
#include "app/engine/io/picture.h"
#include "app/window/panels/panels.h"
#include "app/window/ui/widgets.h"
#include "app/window/widgets/timings_panel.h"
#include "app/window/workspace/actions.h"

#include <imgui_stdlib.h>

namespace fathom::viewer {
using namespace ui;
namespace {

// ---- Comparison

void drawMeasures(Workspace& w) {
  const auto& measures = w.compare.measures();
  if (!measures)
    return wrappedText(fonts().text, color::kDim,
                       w.compare.working() ? "Measuring"
                       : w.document.complete() && w.compare.imageB() && !w.compare.imageA()
                           ? "A and B differ in size."
                           : "Waiting for the image");
  const PictureDifference& d = measures->difference;
  fact("PSNR", 84, d.max == 0 ? "equal" : fmt::format("{:.2f} dB", d.psnr));
  fact("SSIM", 84, fmt::format("{:.5f}", d.ssim));
  fact("FLIP", 84, fmt::format("{:.5f}", measures->flip));
  Landmarks::note(fmt::format("compare:FLIP={:.3f}", measures->flip));
  tooltip("The difference that people see when A and B alternate, 0 to 1 (LDR-FLIP)");
  fact("Largest", 84, fmt::format("{:.5g}", measures->largest));
  fact("Mean", 84, fmt::format("{:.5g}", d.mae));
  fact("RMSE", 84, fmt::format("{:.5g}", std::pow(10.0, -d.psnr / 20)));
}

void drawCompareButtons(Workspace& w) {
  const bool hasB = w.compare.has();
  wrappedText(fonts().text, color::kDim,
              hasB ? ("B: " + w.compare.name())
                   : "B is the reference for A: settings, another technique, or a file.");
  if (button("Set as reference", "compare:store", {0, 0},
             "The current settings and their image become B (K). B stays when the technique or the "
             "file changes."))
    setReference(w);
  ImGui::SameLine();
  if (button("From a file...", "compare:file"))
    w.browser.open(FileBrowser::Purpose::Reference, pictureEndings());
  if (!hasB) return;
  const bool swaps = w.compare.canSwap();
  if (button("Swap", "compare:swap", {0, 0}, "Swap the settings of A and B (X).", swaps))
    w.compare.swap(w.gpu, w.document);
  ImGui::SameLine();
  if (button("Clear", "compare:clear")) return w.compare.clear();
  ImGui::SetNextItemWidth(px(140));
  ImGui::SliderFloat("##gain", &w.compare.differenceGain, 0.25f, 256, "A - B x %.3g",
                     ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  Landmarks::note("compare:gain");
  choiceList("compare:metric", w.display.difference,
             {"A - B", "|A - B|", "(A - B)\u00b2", "|A - B| / |B|", "(A - B)\u00b2 / B\u00b2"}, 140,
             "What the view of the difference (Q) shows, of luminance");
}

/// Only what differs, and the times: all else is the same on both sides.
void drawDifferences(Workspace& w) {
  if (!ImGui::BeginTable("differences", 3, kRows)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  textIn(fonts().small, color::kFaint, "Differences");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kAccent, "A");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kSecond, "B");
  const auto row = [](const std::string& name, const std::string& a, const std::string& b) {
    tableRow([&] { dimText(name); }, [&] { monoText(a); }, [&] { monoText(b); });
    Landmarks::note("compare:" + name);
  };
  for (const FieldValue& value : valuesOf(w.document.technique()->settings()))
    for (const FieldValue& other : w.compare.values())
      if (value.name == other.name && value.text != other.text)
        row(value.name, value.text, other.text);
  row("GPU, sum of passes", fmt::format("{:.3f} ms, once", w.gpu.timings().gpuSumMs()),
      w.compare.gpuMs() > 0 ? fmt::format("{:.3f} ms, once", w.compare.gpuMs()) : "");
  ImGui::EndTable();
}

void drawComparePage(Workspace& w) {
  const float height = ImGui::GetContentRegionAvail().y;
  ImGui::BeginChild("actions", {px(270), height}, false, ImGuiWindowFlags_NavFlattened);
  w.reportErrors([&] { drawCompareButtons(w); });
  ImGui::EndChild();
  if (!w.compare.has() || !w.document.technique()) return;
  ImGui::SameLine(0, px(16));
  ImGui::BeginChild("measures", {px(230), height});
  drawMeasures(w);
  ImGui::EndChild();
  ImGui::SameLine(0, px(16));
  drawDifferences(w);
}

// ---- Histogram

void drawBins(const PictureStatistics& s, ImVec2 low, ImVec2 high) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::uint32_t most = 1;
  for (const auto& channel : s.bins)
    for (const std::uint32_t count : channel) most = std::max(most, count);
  // Counts differ by orders of magnitude: their logarithm is drawn.
  const double top = std::log1p(double(most));
  static const ImVec4 tints[] = {color::rgb(0xf0706a), color::rgb(0x7bc86c), color::rgb(0x6ea8fe)};
  // Bars end between whole pixels: where there are fewer pixels than bins, the highest of them.
  const float step = (high.x - low.x) / float(PictureStatistics::kBins);
  const int each = std::max(1, int(std::ceil(1 / step)));
  for (std::size_t c = 0; c < 3; ++c)
    for (int i = 0; i < PictureStatistics::kBins; i += each) {
      const int end = std::min(i + each, PictureStatistics::kBins);
      const auto bins = s.bins[c].begin();
      const std::uint32_t count = *std::max_element(bins + i, bins + end);
      if (count == 0) continue;
      const float height = float(std::log1p(double(count)) / top) * (high.y - low.y);
      draw.AddRectFilled({std::round(low.x + step * float(i)), high.y - height},
                         {std::round(low.x + step * float(end)), high.y}, packed(tints[c], 0.45f));
    }
  for (const double count : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7}) {
    if (count > most) break;
    const float y = high.y - float(std::log1p(count) / top) * (high.y - low.y);
    draw.AddLine({low.x, y}, {high.x, y}, packed(color::kLine, 0.7f));
    const std::string text = fmt::format("{:.0f}", count);
    const ImVec2 size = textSize(fonts().small, text);
    drawText(draw, fonts().small, {low.x - size.x - px(6), y - size.y / 2}, color::kDim, text);
  }
  const float span = s.high - s.low;
  for (int i = 0; i <= 4; ++i) {
    const float x = low.x + (high.x - low.x) * float(i) / 4;
    const std::string text = fmt::format("{:.3g}", s.low + span * float(i) / 4);
    const ImVec2 size = textSize(fonts().small, text);
    const float at = std::clamp(x - size.x / 2, low.x, high.x - size.x);
    drawText(draw, fonts().small, {at, high.y + px(4)}, color::kDim, text);
  }
}

void drawHistogramPage(Workspace& w) {
  const auto& latest = w.statistics.latest();
  if (!latest) return dimText("The histogram follows when the image is complete.");
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float info = std::min(px(190), std::max(px(160), room.x * 0.3f));
  ImGui::BeginChild("numbers", {info, room.y});
  fact("Smallest", 84, fmt::format("{:.5g}", latest->low));
  fact("Largest", 84, fmt::format("{:.5g}", latest->high));
  if (latest->invalid > 0) fact("NaN, inf", 84, std::to_string(latest->invalid));
  wrappedText(fonts().small, color::kFaint, "Pixels (log) over linear value");
  ImGui::EndChild();
  const ImVec2 low(at.x + info + px(56), at.y + px(4));
  const ImVec2 high(at.x + room.x - px(8), at.y + room.y - px(22));
  if (high.x - low.x > px(60) && high.y - low.y > px(30)) drawBins(*latest, low, high);
  Landmarks::note("histogram", {low.x, low.y}, {high.x, high.y});
}

// ---- Files of the folder

constexpr std::chrono::seconds kBetweenReads{2};

/// Endings that some technique opens.
std::vector<std::string> knownEndings(const Workspace& w) {
  std::vector<std::string> all;
  for (const TechniqueEntry& entry : w.document.available())
    all.insert(all.end(), entry.info.endings.begin(), entry.info.endings.end());
  return all;
}

/// Reads the folder again when it is another one, and now and then.
void readFolder(Workspace& w, const std::string& file) {
  Workspace::FolderFiles& files = w.folderFiles;
  const std::string folder = fs::path(absoluteInput(file)).parent_path().string();
  if (files.folder == folder && Clock::now() - files.readAt < kBetweenReads) return;
  files.folder = folder;
  files.names = filesBeside(file, knownEndings(w));
  files.readAt = Clock::now();
}

/// One file; true when it was clicked.
bool drawFile(Workspace& w, const fs::path& file, bool open, ImVec2 size) {
  const std::string name = file.filename().string();
  const ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + size.x, low.y + size.y);
  const IdScope scope{name.c_str()};
  const bool clicked = ImGui::InvisibleButton("##file", size);
  const bool visible = ImGui::IsItemVisible(), over = ImGui::IsItemHovered();
  if (visible) Landmarks::note("file:" + name);
  if (visible) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(low, high, packed(open ? color::kPress : color::kRaised), px(4));
    const gpu::Texture* const small =
        w.thumbnails.ofFile(w.gpu, w.sets.thumbnail({file.string()}), file);
    if (small) {
      drawPictureWithin(draw, *small, {low.x + px(4), low.y + px(4)},
                        {high.x - px(4), high.y - px(22)});
      Landmarks::note("thumbnail:" + name);
    }
    if (open || over) draw.AddRect(low, high, packed(open ? color::kAccent : color::kLine), px(4));
    drawText(draw, fonts().small, {low.x + px(6), high.y - px(20)}, color::kText,
             fitting(fonts().small, name, size.x - px(12)));
    tooltip(name);
  }
  return clicked;
}

void drawFilesPage(Workspace& w) {
  const Engine* const technique = w.document.technique();
  std::error_code ignored;
  if (!technique || technique->inputs().empty() ||
      !fs::is_regular_file(technique->inputs()[0], ignored))
    return dimText("The input is not a file.");
  readFolder(w, technique->inputs()[0]);
  const Workspace::FolderFiles& files = w.folderFiles;
  ImGui::SetNextItemWidth(px(220));
  ImGui::InputTextWithHint("##files", "Filter by name", &w.folderFiles.filter);
  Landmarks::note("files:filter");
  ImGui::SameLine(0, px(12));
  std::vector<std::string> shown;
  for (const std::string& name : files.names)
    if (lowered(name).find(lowered(files.filter)) != std::string::npos) shown.push_back(name);
  const std::string count = shown.size() == files.names.size()
                                ? fmt::format("{} files in {}", shown.size(), files.folder)
                                : fmt::format("{} of {} files", shown.size(), files.names.size());
  textToFit(fonts().small, color::kDim, count);
  ImGui::BeginChild("##grid", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
  const ImVec2 size(px(136), px(100));
  const float gap = px(8), width = ImGui::GetContentRegionAvail().x;
  const std::size_t columns = std::size_t(std::max(1, int((width + gap) / (size.x + gap))));
  const std::string current = absoluteInput(technique->inputs()[0]);
  std::string chosen;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i % columns != 0) ImGui::SameLine(0, gap);
    const fs::path file = fs::path(files.folder) / shown[i];
    if (drawFile(w, file, file.string() == current, size)) chosen = file.string();
  }
  ImGui::EndChild();
  if (chosen.empty() || chosen == current) return;
  w.keepView = true;
  w.open({chosen});
}

// ---- Recording

void drawRunning(Workspace& w) {
  dimText(fmt::format("Recording {} images", w.recorder.pictures));
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(8));
  meter(float(w.recorder.progress()), color::kAccent, px(220), px(6));
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - px(8));
  if (button("Stop", "record:stop")) cancelRecording(w);
}

void drawRecorder(Workspace& w) {
  if (!w.document.hasPicture()) return;
  ImGui::AlignTextToFramePadding();
  if (w.recorder.running()) return drawRunning(w);
  if (button("Record...", "record:start", {0, 0},
             "Renders this image repeatedly and writes a bench file with the median of every pass, "
             "checked against the reference."))
    w.browser.open(FileBrowser::Purpose::SaveTimings, {".json", ".csv"}, "timings.json");
  ImGui::SameLine(0, px(8));
  ImGui::SetNextItemWidth(px(72));
  ImGui::InputInt("##pictures", &w.recorder.pictures,
                  0);  // without buttons, which would hide the number
  Landmarks::note("record:pictures");
  w.recorder.pictures = std::clamp(w.recorder.pictures, 1, 100000);
  ImGui::SameLine(0, px(8));
  dimText("pictures");
}

}  // namespace

// ---- The strips

void drawTechniqueStrip(Workspace& w, const Area& area) {
  beginFixed("##technique strip", area, color::kPanel, {px(14), px(8)},
             ImGuiWindowFlags_NoScrollWithMouse);
  edge({area.x, area.y}, {area.x + area.width, area.y});
  w.document.active().parts().panels->drawStrip();
  ImGui::End();
}

void drawBottomStrip(Workspace& w, const Area& area) {
  beginFixed("##bottom", area, color::kPanel, {px(16), px(10)});
  edge({area.x, area.y}, {area.x + area.width, area.y});
  const std::string page = w.frontPage();
  const auto isShown = [&](const std::string& name) {
    Landmarks::note("panel:" + name, {area.x, area.y}, {area.x + area.width, area.y + area.height});
  };
  if (!page.empty()) {
    isShown(page);
    w.document.active().parts().panels->drawPage(page);
    ImGui::End();
    return;
  }
  const glm::ivec2 origin =
      w.document.technique() ? w.document.technique()->frame().origin : glm::ivec2(0);
  isShown(PanelLayout::tabNames[std::size_t(w.layout.tab())]);
  switch (w.layout.tab()) {
    case PanelLayout::Tab::Inspector:
      w.inspector.draw(w.display, origin);
      break;
    case PanelLayout::Tab::Timings:
      drawRecorder(w);
      w.timings.draw(w.gpu.timings());
      break;
    case PanelLayout::Tab::Memory:
      drawMemoryPanel(w.gpu.memory());
      break;
    case PanelLayout::Tab::Histogram:
      drawHistogramPage(w);
      break;
    case PanelLayout::Tab::Files:
      drawFilesPage(w);
      break;
    case PanelLayout::Tab::Compare:
      drawComparePage(w);
      break;
  }
  ImGui::End();
}

}  // namespace fathom::viewer
