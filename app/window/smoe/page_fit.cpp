// SPDX-License-Identifier: BSD-3-Clause
// The page that fits: what to, how, how far it is, and what saving the model costs.
#include "app/window/smoe/parts.h"

#include "app/engine/gpu/memory_account.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/smoe/model/file_format.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>
#include <imgui_stdlib.h>

namespace fathom::smoe {
using namespace ui;
namespace {

constexpr double kExactPsnr = 100;  // dB; what is beyond is rounding
constexpr int kMaxSteps = 20000;

void intRow(const char* label, int& value, int low, int high, float speed, const char* about) {
  const IdScope scope{label};
  rowLabel(label, about);
  ImGui::DragInt("##value", &value, speed, low, high, "%d", ImGuiSliderFlags_AlwaysClamp);
  Landmarks::note(std::string("fit:") + label);
}

/// dB over the fit so far, with the range at its sides and the stages as ticks.
void drawCurve(const std::vector<FitPoint>& curve) {
  const PlotGround plot("fit:curve", px(110));
  if (curve.empty()) return;
  double smallest = INFINITY, largest = -INFINITY;
  for (const FitPoint& p : curve)
    smallest = std::min(smallest, p.psnr), largest = std::max(largest, p.psnr);
  const double bottom = std::floor(smallest), top = std::max(std::ceil(largest), bottom + 1);
  std::vector<float> values;
  values.reserve(curve.size());
  for (const FitPoint& p : curve) values.push_back(float(p.psnr - bottom));
  const float step = plot.size.x / float(std::max<std::size_t>(curve.size() - 1, 1));
  for (std::size_t i = 1; i < curve.size(); ++i)
    if (curve[i].stage != curve[i - 1].stage) {
      const float x = plot.low.x + step * float(i);
      plot.draw.AddLine({x, plot.low.y}, {x, plot.high.y}, packed(color::kLine));
    }
  plot.line(values, float(top - bottom), color::kAccent, true);
  ImFont* font = fonts().small;
  const auto label = [&](float y, double value) {
    const std::string text = fmt::format("{:.0f} dB", value);
    drawText(plot.draw, font, {plot.low.x + px(4), y}, color::kDim, text);
  };
  label(plot.low.y + px(2), top);
  label(plot.high.y - font->FontSize - px(2), bottom);
  if (ImGui::IsItemHovered()) {
    const float t = (ImGui::GetIO().MousePos.x - plot.low.x) / std::max(step, 1e-3f);
    const FitPoint& p =
        curve[std::size_t(std::clamp(int(std::lround(t)), 0, int(curve.size()) - 1))];
    ImGui::SetTooltip("%s, step %d\n%.2f dB after %.1f s", p.stage.c_str(), p.iteration, p.psnr,
                      p.seconds);
  }
}

void drawFitSource(SmoeWindowParts& page) {
  heading("Fit a model to");
  ImGui::SetNextItemWidth(-1);
  const std::string named = page.engine.models()->source.empty()
                                ? "an image, a folder or a scene"
                                : page.engine.models()->source + " (of this model)";
  ImGui::InputTextWithHint("##source", named.c_str(), &page.engine.settingsStruct().source);
  Landmarks::note("fit:source");
  tooltip("An image, a folder of views or frames, or a scene.",
          "A scene is drawn as a grid of views: a light field.");
  const std::string name = page.engine.source().name();
  if (ImGui::BeginCombo("##scenes", "or choose a scene", ImGuiComboFlags_HeightLarge)) {
    for (const SceneInfo& word : builtInScenes()) {
      if (ImGui::Selectable(word.name.c_str(), word.name == name))
        page.engine.settingsStruct().source = word.name;
      tooltip(word.about);
    }
    ImGui::EndCombo();
  }
  Landmarks::note("fit:scenes");
  if (!isSceneSpec(name)) return;
  CaptureRequest& capture = page.engine.source().capture();
  rowLabel("Views", "Columns and rows of cameras.");
  ImGui::DragInt2("##grid", &capture.grid.x, 0.05f, 1, 17, "%d", ImGuiSliderFlags_AlwaysClamp);
  rowLabel("Size (px)");
  ImGui::DragInt2("##size", &capture.size.x, 1, 16, 1024, "%d", ImGuiSliderFlags_AlwaysClamp);
}

void drawFitButtons(SmoeWindowParts& page) {
  FitJob& fit = page.engine.fit();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 half((ImGui::GetContentRegionAvail().x - gap) / 2, 0);
  const bool running = fit.running() || fit.waiting();
  if (running) {
    if (button("Stop", "fit:stop", half, "The model stays as it is; the fit can continue later."))
      fit.stop();
  } else if (button("Train", "fit:start", half, "A new model, from scratch.")) {
    page.request.replace = [&fit, seed = page.form.seed] { fit.start(false, std::uint64_t(seed)); };
  }
  ImGui::SameLine();
  if (fit.state() == FitJob::State::Stopped) {
    if (button("Continue", "fit:continue", half, "From where it stopped.")) fit.resume();
  } else if (fit.state() == FitJob::State::Done) {
    if (button("More steps", "fit:continue", half, "Adds the number of steps above."))
      fit.continueFor(page.form.moreSteps);
  } else {
    if (button("Continue model", "fit:continue", half, "Starts from the model that is open.",
               !running))
      fit.start(true, std::uint64_t(page.form.seed));
  }
  if (button("Add components", "fit:add", half,
             "Splits components where the error is, then continues.", !running && fit.fitter()))
    fit.addComponents(page.form.added, page.form.moreSteps);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(half.x);
  ImGui::DragInt("##added", &page.form.added, 5, 1, kMaxComponents, "%d more",
                 ImGuiSliderFlags_AlwaysClamp);
}

/// Where the fit errs.
void drawHeat(const gpu::Texture& heat) {
  if (!heat) return;
  dimText("Error map");
  const float width = ImGui::GetContentRegionAvail().x;
  const float scale = std::min(width / float(heat.width()), px(200) / float(heat.height()));
  ImGui::Image(imageOf(heat), {float(heat.width()) * scale, float(heat.height()) * scale});
  Landmarks::note("fit:heat");
  tooltip(fmt::format("The largest of the three channels, times {:.0f}.", ErrorHeat::kGain));
}

void drawFitState(SmoeWindowParts& page) {
  const FitJob& fit = page.engine.fit();
  if (page.engine.source().busy()) {
    const Progress* progress = page.engine.source().progress();
    const std::string phase = progress ? progress->phase() : std::string();
    meter(progress ? float(progress->fraction()) : 0, color::kAccent,
          ImGui::GetContentRegionAvail().x, px(6));
    dimText(phase.empty() ? "reading" : phase);
    return;
  }
  const Fitter* fitter = fit.fitter();
  if (!fitter) {
    if (fit.running()) dimText(fit.fittingAlpha() ? "fitting alpha" : "starting");
    return;
  }
  const bool done = fit.state() == FitJob::State::Done;
  meter(done ? 1 : float(fit.progress().fraction()), color::kAccent,
        ImGui::GetContentRegionAvail().x, px(6));
  if (fit.running()) dimText(fit.progress().phase());
  const std::vector<FitPoint>& curve = fitter->curve();
  const char* state = fit.running() ? "" : done ? ", done" : ", stopped";
  if (!curve.empty())
    monoText(fmt::format("{:.2f} dB  {}  {:.0f} s{}", curve.back().psnr, curve.back().stage,
                         curve.back().seconds, state));
  Landmarks::note(fit.running() ? "fit:running" : "fit:resting");
  dimText(fmt::format("{} components, step {}", page.engine.models()->components.size(),
                      fitter->iteration()));
  drawCurve(curve);
  drawHeat(page.heat.texture());
}

void drawSaving(SmoeWindowParts& page) {
  heading("Saving");
  const bool measured = !page.checks.costs().empty();
  if (ImGui::BeginTable("encodings", 4, ImGuiTableFlags_SizingStretchProp)) {
    for (const char* title : {"As", "Bits", "File", measured ? "PSNR" : ""})
      ImGui::TableSetupColumn(title);
    ImGui::TableHeadersRow();
    for (int i = 0; i < kEncodings; ++i) {
      nextRow();
      const std::string name = encodingName(Encoding(i));
      if (ImGui::RadioButton(name.c_str(), int(page.engine.settingsStruct().encoding) == i))
        page.engine.settingsStruct().encoding = Encoding(i);
      Landmarks::note("fit:encoding=" + name);
      const bool known = std::size_t(i) < page.checks.costs().size();
      const std::size_t bytes = known ? page.checks.costs()[std::size_t(i)].bytes
                                      : page.engine.models().bytesAs(Encoding(i));
      ImGui::TableNextColumn();
      if (bytes == 0) continue;  // packed, not measured yet
      monoText(fmt::format("{:.0f}",
                           8.0 * double(bytes) / double(allComponents(*page.engine.models()))));
      ImGui::TableNextColumn();
      monoText(gpu::bytesText(std::int64_t(bytes)));
      ImGui::TableNextColumn();
      if (known) {
        const double psnr = page.checks.costs()[std::size_t(i)].psnr;
        monoText(psnr < kExactPsnr ? fmt::format("{:.2f}", psnr) : "exact");
      }
    }
    ImGui::EndTable();
  }
  if (button("Measure", "fit:measure", {px(100), 0},
             "Decodes the model as each encoding saves it. Packed models are refitted first.",
             !page.checks.measuringCosts() && !page.engine.fit().running()))
    page.checks.askCosts(page.engine.models().current(),
                         page.engine.source().matches() ? page.engine.source().ready() : nullptr,
                         page.engine.drawn() ? page.engine.drawn()->window.at : ViewCoordinates(0),
                         double(page.engine.settingsStruct().packingLoss));
  ImGui::SameLine();
  dimText(page.checks.measuringCosts()  ? "measuring"
          : !measured                   ? "dB of each encoding"
          : page.checks.againstSource() ? "dB against the source"
                                        : "dB against f32");
  if (measured && !page.checks.measuringCosts()) Landmarks::note("fit:measured");
  if (page.engine.models().unsaved()) textIn(fonts().text, color::kSecond, "Not saved yet: Ctrl+S");
  wrappedText(fonts().small, color::kDim,
              "At low rates packed files beat JPEG, and mostly WebP; AVIF is ahead of them.");
}

}  // namespace

void drawFitPage(SmoeWindowParts& page) {
  drawFitSource(page);
  ImGui::Dummy({0, px(4)});
  intRow("Components", page.engine.settingsStruct().components, 1, kMaxComponents, 10,
         "More show more detail; the file and the time grow with them.");
  intRow("Steps", page.engine.settingsStruct().steps, 0, kMaxSteps, 5,
         "Gradient descent steps after initialization.");
  rowLabel("SSIM",
           "Weight of SSIM in the loss, next to the squared error: sharper texture, fewer dB.");
  ImGui::SliderFloat("##ssim", &page.engine.settingsStruct().ssim, 0, 1, "%.2f",
                     ImGuiSliderFlags_AlwaysClamp);
  Landmarks::note("fit:SSIM");
  intRow("More steps", page.form.moreSteps, 1, kMaxSteps, 5, "Steps added by Continue.");
  const bool drawsPictures = page.engine.source().ready() && page.engine.source().ready()->dims > 2;
  if (drawsPictures)  // which views each step sees; nothing of a picture's fit is random
    intRow("Seed", page.form.seed, 1, 1 << 30, 0.1f, "The same seed gives the same model.");
  drawFitButtons(page);
  drawFitState(page);
  drawSaving(page);
}

}  // namespace fathom::smoe
