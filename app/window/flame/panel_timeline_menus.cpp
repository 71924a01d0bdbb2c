// SPDX-License-Identifier: BSD-3-Clause
// Menus of the timeline: how a keyframe becomes the next one, and keyframes made of flames.
#include "app/window/flame/panel_rows.h"
#include "app/window/flame/panels.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/keyframes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::flame {
using namespace ui;
namespace {

constexpr int kMaxKeyframes = 10000;

template <class E>
void comboRow(const char* label, E& value, std::initializer_list<const char*> names) {
  rowLabel(label);
  const std::vector<const char*> list(names);
  int index = int(value);
  if (ImGui::Combo((std::string("##") + label).c_str(), &index, list.data(), int(list.size())))
    value = E(index);
}

void drawShutter(Genome& g) {
  heading("Shutter");
  comboRow("Filter", g.temporalFilter, {"box", "gaussian", "exp"});
  numberRow("Width", g.temporalFilterWidth, 0.005f, 0, 100, "%.3f frames",
            "How long the shutter is open; 0: a still.");
  if (g.temporalFilter == TemporalFilter::Exp)
    numberRow("Exponent", g.temporalFilterExp, 0.01f, -20, 20, "%.2f");
  double samples = g.temporalSamples;
  if (numberRow("Moments", samples, 1, 1, 4096, "%.0f")) g.temporalSamples = int(samples);
}

void drawSegmentMenu(const TimelineView& view) {
  ImGui::SetNextWindowSize({px(340), 0});
  if (!ImGui::BeginPopup("segment")) return;
  const Timeline& timeline = view.timeline();
  const std::vector<Genome>& keys = timeline.genomes();
  const std::size_t index = std::min(timeline.current(), keys.size() - 2);
  Genome next = keys[index];
  textIn(fonts().strong, color::kText,
         fmt::format("Frame {:g} to {:g}", next.time, keys[index + 1].time).c_str());
  rowLabel("Motion");
  int how = int(next.interpolation);
  if (segments("interpolation", how, {"linear", "smooth"}, ImGui::GetContentRegionAvail().x))
    next.interpolation = Interpolation(how);
  if (index == 0 || index + 2 >= keys.size()) {
    ImGui::PushTextWrapPos(0);
    textIn(fonts().small, color::kDim, "The first and the last segment are linear in any case.");
    ImGui::PopTextWrapPos();
  }
  comboRow("Matrices", next.matrixInterpolation, {"log: turn and grow", "linear", "old", "older"});
  comboRow("Palette", next.paletteInterpolation, {"hsv", "hsv circular", "rgb", "sweep"});
  if (next.paletteInterpolation == PaletteInterpolation::HsvCircular)
    numberRow("RGB share", next.hsvRgbPaletteBlend, 0.005f, 0, 1, "%.2f");
  drawShutter(next);
  if (!(next == keys[index])) view.editor.edit([&](Timeline& t) { t.setAt(index, next); });
  ImGui::Dummy({0, px(4)});
  if (ImGui::Button("Apply to all segments", {-1, 0}))
    view.editor.edit([&](Timeline& t) {
      for (std::size_t i = 0; i < t.genomes().size(); ++i) {
        Genome genome = t.genomes()[i];
        genome.interpolation = next.interpolation;
        genome.matrixInterpolation = next.matrixInterpolation;
        genome.paletteInterpolation = next.paletteInterpolation;
        genome.hsvRgbPaletteBlend = next.hsvRgbPaletteBlend;
        genome.temporalFilter = next.temporalFilter;
        genome.temporalFilterWidth = next.temporalFilterWidth;
        genome.temporalFilterExp = next.temporalFilterExp;
        genome.temporalSamples = next.temporalSamples;
        t.setAt(i, std::move(genome));
      }
    });
  Landmarks::note("segment:all");
  closeOnEscape();
  ImGui::EndPopup();
}

void makeSequence(const TimelineView& view, int frames, int loops, double stagger) {
  view.editor.edit([&](Timeline& t) {
    std::vector<Genome> flock = t.genomes();
    for (Genome& genome : flock)
      if (genome.size != flock[0].size) genome = framed(genome, flock[0].size);
    t.replaceAll(sheepSequence(flock, frames, loops, stagger), 0, 0);
  });
  view.ruler.fit(view.timeline().firstTime(), view.timeline().lastTime());
  ImGui::CloseCurrentPopup();
}

/// Of what cannot be edited as it is.
void drawFreezing(const TimelineView& view) {
  static double every = 10;
  textIn(fonts().strong, color::kText, "Keyframes of this film");
  ImGui::PushTextWrapPos(0);
  textIn(fonts().small, color::kDim,
         "A film of curves can only be viewed; keyframes made of it can be edited and saved as "
         "flames.");
  ImGui::PopTextWrapPos();
  numberRow("Every", every, 0.2f, 1, 10000, "%.0f frames");
  every = std::round(every);
  const double count =
      std::ceil((view.timeline().lastTime() - view.timeline().firstTime()) / every) + 1;
  ImGui::BeginDisabled(count > kMaxKeyframes);
  if (ImGui::Button("Make keyframes", {-1, 0})) {
    view.editor.freeze(every);
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndDisabled();
  Landmarks::note("film:freeze");
}

void drawSequences(const TimelineView& view) {
  static double frames = 60, loops = 1, stagger = 0, apart = 60;
  const std::size_t flames = view.timeline().genomes().size();
  textIn(fonts().strong, color::kText, flames == 1 ? "A loop" : "Loops and edges");
  ImGui::PushTextWrapPos(0);
  textIn(fonts().small, color::kDim,
         flames == 1 ? "The flame turns: every frame becomes a keyframe."
                     : "Each flame turns, then becomes the next one: every frame is a keyframe.");
  ImGui::PopTextWrapPos();
  numberRow("Frames", frames, 0.5f, 1, 1000, "%.0f", "Of each loop and each edge.");
  numberRow("Loops", loops, 0.05f, flames == 1 ? 1 : 0, 100, "%.0f");
  if (flames > 1)
    numberRow("Stagger", stagger, 0.005f, 0, 1, "%.2f", "How far apart in time xforms change.");
  const double total = frames * (loops * double(flames) + double(flames - 1)) + 1;
  const bool fits = total <= kMaxKeyframes;
  ImGui::BeginDisabled(!fits);
  if (ImGui::Button(
          fits ? fmt::format("Make {:.0f} keyframes", total).c_str() : "Too many keyframes",
          {-1, 0}))
    makeSequence(view, int(frames), int(loops), stagger);
  ImGui::EndDisabled();
  Landmarks::note("film:sequence");
  if (flames > 1) {
    ImGui::Dummy({0, px(4)});
    textIn(fonts().strong, color::kText, "Equal spacing");
    numberRow("Frames apart", apart, 0.5f, 1, 10000, "%.0f");
    if (ImGui::Button("Space evenly", {-1, 0})) {
      view.editor.edit([&](Timeline& t) { t.spread(std::round(apart)); });
      view.ruler.fit(view.timeline().firstTime(), view.timeline().lastTime());
      ImGui::CloseCurrentPopup();
    }
    Landmarks::note("film:spread");
  }
}

void drawFilmMenu(const TimelineView& view) {
  ImGui::SetNextWindowSize({px(340), 0});
  if (!ImGui::BeginPopup("film")) return;
  if (view.timeline().editable())
    drawSequences(view);
  else
    drawFreezing(view);
  closeOnEscape();
  ImGui::EndPopup();
}

}  // namespace

void drawTimelineMenus(const TimelineView& view) {
  drawSegmentMenu(view);
  drawFilmMenu(view);
}

}  // namespace fathom::flame
