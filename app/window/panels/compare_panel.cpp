// SPDX-License-Identifier: BSD-3-Clause
// The page of the comparison: what B is, error measures, means about the cursor, and a table of the
// settings and times in which A and B differ.
#include "app/window/panels/panels.h"

#include "app/engine/io/image_file.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <fmt/format.h>

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace fathom::viewer {
using namespace ui;
namespace {

void drawMeasures(Workspace& w) {
  const auto& measures = w.compare.measures();
  const auto fact = [](const char* name, const std::string& value) {
    dimText(name);
    ImGui::SameLine(px(84));
    monoText(value.c_str());
  };
  if (!measures) {
    ImGui::PushTextWrapPos(0);
    dimText(w.compare.working() ? "Measuring"
            : w.document.complete() && w.compare.imageB() && !w.compare.imageA()
                ? "A and B differ in size."
                : "Waiting for the picture");
    ImGui::PopTextWrapPos();
    return;
  }
  const PictureDifference& d = measures->difference;
  fact("PSNR", d.max == 0 ? "equal" : fmt::format("{:.2f} dB", d.psnr));
  fact("SSIM", fmt::format("{:.5f}", d.ssim));
  fact("Largest", fmt::format("{:.5g}", measures->largest));
  fact("Mean", fmt::format("{:.5g}", d.mae));
  fact("RMSE", fmt::format("{:.5g}", std::pow(10.0, -d.psnr / 20)));
}

/// The means of A and B about the cursor, and how far they are apart.
void drawRegion(Workspace& w) {
  const Image *a = w.compare.imageA(), *b = w.compare.imageB();
  const auto pixel = w.inspector.pixel();
  if (!a || !b || !pixel || a->width != b->width || a->height != b->height) return;
  constexpr int kReach = 4;
  glm::vec3 sumA(0), sumB(0);
  float largest = 0, count = 0;
  for (int y = pixel->y - kReach; y <= pixel->y + kReach; ++y)
    for (int x = pixel->x - kReach; x <= pixel->x + kReach; ++x) {
      if (x < 0 || y < 0 || x >= a->width || y >= a->height) continue;
      const glm::vec3 first(a->at(x, y)), second(b->at(x, y)), apart = glm::abs(first - second);
      sumA += first, sumB += second, count += 1;
      largest = std::max({largest, apart.r, apart.g, apart.b});
    }
  if (count == 0) return;
  textIn(fonts().small, color::kFaint,
         fmt::format("9 x 9 pixels at {}, {}", pixel->x, pixel->y).c_str());
  const auto line = [&](const char* name, glm::vec3 v, ImVec4 tint) {
    textIn(fonts().strong, tint, name);
    ImGui::SameLine(px(24));
    monoText(fmt::format("{:.4f} {:.4f} {:.4f}", v.r, v.g, v.b).c_str());
  };
  line("A", sumA / count, color::kAccent);
  line("B", sumB / count, color::kSecond);
  monoText(fmt::format("largest {:.4g}", largest).c_str(), color::kDim);
  Landmarks::note("compare:region");
}

/// What the view of the difference shows.
void drawMetric(DisplaySettings::Difference& metric) {
  static constexpr const char* kTitles[] = {"A - B", "|A - B|", "(A - B)\u00b2", "|A - B| / |B|",
                                            "(A - B)\u00b2 / B\u00b2"};
  ImGui::SetNextItemWidth(px(140));
  const bool open = ImGui::BeginCombo("##metric", kTitles[int(metric)]);
  Landmarks::note("compare:metric");
  if (!open) return tooltip("What the view of the difference (Q) shows, of luminance");
  for (int i = 0; i < int(std::size(kTitles)); ++i) {
    if (ImGui::Selectable(kTitles[i], i == int(metric))) metric = DisplaySettings::Difference(i);
    Landmarks::note("compare:metric=" + std::to_string(i));
  }
  ImGui::EndCombo();
}

void drawCompareButtons(Workspace& w) {
  const bool hasB = w.compare.has();
  ImGui::PushTextWrapPos(0);
  textIn(fonts().text, color::kDim,
         hasB ? ("B: " + w.compare.name()).c_str()
              : "B is what A is compared with: these settings, another technique, or a file.");
  ImGui::PopTextWrapPos();
  if (ImGui::Button("Set as reference")) w.compare.store(w.gpu, w.document);
  Landmarks::note("compare:store");
  tooltip(
      "The current settings and their picture become B (K). B stays when the technique or the "
      "file changes.");
  ImGui::SameLine();
  if (ImGui::Button("From a file..."))
    w.browser.open(FileBrowser::Purpose::Reference, pictureEndings());
  Landmarks::note("compare:file");
  if (!hasB) return;
  ImGui::BeginDisabled(!w.compare.canSwap());
  if (ImGui::Button("Swap")) w.compare.swap(w.gpu, w.document);
  ImGui::EndDisabled();
  tooltip("A takes the settings of B, and B those of A (X).");
  ImGui::SameLine();
  if (ImGui::Button("Clear")) return w.compare.clear();
  Landmarks::note("compare:clear");
  ImGui::SetNextItemWidth(px(140));
  ImGui::SliderFloat("##gain", &w.compare.differenceGain, 0.25f, 256, "A - B x %.3g",
                     ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  Landmarks::note("compare:gain");
  drawMetric(w.display.difference);
}

/// Only what differs: all else is the same on both sides.
void drawDifferences(Workspace& w) {
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("differences", 3, flags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  textIn(fonts().small, color::kFaint, "Differences");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kAccent, "A");
  ImGui::TableNextColumn();
  textIn(fonts().strong, color::kSecond, "B");
  const auto row = [](const std::string& name, const std::string& a, const std::string& b) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    dimText(name.c_str());
    ImGui::TableNextColumn();
    monoText(a.c_str());
    ImGui::TableNextColumn();
    monoText(b.c_str());
    Landmarks::note("compare:" + name);
  };
  for (const FieldValue& value : valuesOf(w.document.technique()->settings()))
    for (const FieldValue& other : w.compare.values())
      if (value.name == other.name && value.text != other.text)
        row(value.name, value.text, other.text);
  row("GPU, sum of passes", fmt::format("{:.3f} ms", w.gpu.timings().gpuSumMs()),
      w.compare.gpuMs() > 0 ? fmt::format("{:.3f} ms", w.compare.gpuMs()) : "");
  ImGui::EndTable();
}

}  // namespace

void drawComparePage(Workspace& w) {
  const float height = ImGui::GetContentRegionAvail().y;
  ImGui::BeginChild("actions", {px(270), height});
  w.reportErrors([&] { drawCompareButtons(w); });
  ImGui::EndChild();
  if (!w.compare.has() || !w.document.technique()) return;
  ImGui::SameLine(0, px(16));
  ImGui::BeginChild("measures", {px(230), height});
  drawMeasures(w);
  drawRegion(w);
  ImGui::EndChild();
  ImGui::SameLine(0, px(16));
  drawDifferences(w);
}

}  // namespace fathom::viewer
