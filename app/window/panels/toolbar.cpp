// SPDX-License-Identifier: BSD-3-Clause
// The toolbar over the picture: how the picture is displayed, zoom, and the comparison. What is on
// is lit. Where the window is narrow, the rest is behind a button.
#include "app/window/panels/panels.h"
#include "app/window/workspace/actions.h"

namespace fathom::viewer {
using namespace ui;
namespace {

using Channel = DisplaySettings::Channel;
using Show = Comparison::Show;

/// Puts a group of controls on the line when it fits, else into a popup behind "...".
class Line {
 public:
  explicit Line(float width) : width_(width) {}
  template <class Draw>
  void group(float needed, Draw&& draw) {
    if (overflows_ || ImGui::GetCursorPosX() + needed + px(40) > width_) {
      if (!overflows_) startOverflow();
      if (popup_) draw(), ImGui::NewLine();
      return;
    }
    draw();
    ImGui::SameLine(0, px(14));
  }
  ~Line() {
    if (popup_) ImGui::EndPopup();
  }

 private:
  void startOverflow() {
    overflows_ = true;
    if (button("...", "tool:more")) ImGui::OpenPopup("##more");
    popup_ = ImGui::BeginPopup("##more");
  }
  float width_;
  bool overflows_ = false, popup_ = false;
};

bool tool(const char* label, bool on, const char* about, const char* landmark,
          bool enabled = true) {
  const bool pressed = barButton(label, landmark, on, about, enabled);
  ImGui::SameLine(0, px(2));
  return pressed;
}

/// A slider whose right click resets it.
void slider(const char* name, float& value, float low, float high, float original,
            const char* format, const char* about) {
  {
    const SliderTrack track(value, low, high, false, px(116));
    ImGui::SliderFloat((std::string("##") + name).c_str(), &value, low, high, format,
                       ImGuiSliderFlags_AlwaysClamp);
  }
  Landmarks::note(std::string("tool:") + name);
  tooltip(about);
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) value = original;
}

void drawExposure(Workspace& w) {
  ImGui::AlignTextToFramePadding();
  dimText("Exposure");
  ImGui::SameLine(0, px(6));
  slider("exposure", w.display.exposureStops, -12, 12, 0, "%+.2f",
         "Stops; [ and ] change it by half a stop, 0 resets it. Ctrl+click types a value.");
}

void drawChannels(Workspace& w) {
  struct Name {
    Channel channel;
    const char *label, *about, *landmark;
  };
  static constexpr Name kNames[] = {{Channel::R, "R", "Red only (R)", "tool:r"},
                                    {Channel::G, "G", "Green only (G)", "tool:g"},
                                    {Channel::B, "B", "Blue only (B)", "tool:b"},
                                    {Channel::A, "A", "Alpha (A)", "tool:a"},
                                    {Channel::Luminance, "L", "Luminance (L)", "tool:l"}};
  for (const Name& name : kNames) {
    const bool on = w.display.channel == name.channel;
    if (tool(name.label, on, name.about, name.landmark))
      w.display.channel = on ? Channel::Rgba : name.channel;
  }
}

void drawRange(Workspace& w) {
  if (tool("Normalize", w.display.normalize, "Smallest value black, largest white (N)",
           "tool:normalize"))
    w.display.normalize = !w.display.normalize;
  if (tool("False color", w.display.falseColor, "Values as colors, with a scale (V)",
           "tool:false-color"))
    w.display.falseColor = !w.display.falseColor;
}

/// From linear values to display values: offset, curve, and the curve's own number.
void drawTone(Workspace& w) {
  DisplaySettings& d = w.display;
  slider("offset", d.offset, -1, 1, 0, "Offset %+.3f", "Added after exposure. Right click: 0.");
  ImGui::SameLine(0, px(6));
  if (d.falseColor)
    return choiceList("tool:color-map", d.map, {"Inferno", "Viridis", "Cubehelix", "Gray"}, 104,
                      "Colors of values between 0 and 1");
  choiceList("tool:curve", d.curve, {"sRGB", "Gamma", "Filmic", "OCIO"}, 96,
             "How linear values become display values");
  if (d.curve != DisplaySettings::Curve::Gamma) return;
  ImGui::SameLine(0, px(6));
  slider("gamma", d.gamma, 0.5f, 4, 2.2f, "Gamma %.2f", "Exponent of the curve. Right click: 2.2.");
}

/// As wide as the longest text that may stand there: what follows stays in place.
void fixedText(const std::string& text, const char* longest) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawText(*ImGui::GetWindowDrawList(), fonts().mono,
           {at.x, at.y + ImGui::GetStyle().FramePadding.y}, color::kDim, text);
  ImGui::Dummy({textSize(fonts().mono, longest).x, ImGui::GetFrameHeight()});
}

void drawZoom(Workspace& w) {
  if (tool("Fit", w.view.fitted(), "Zoom to fit (F)", "tool:fit")) w.view.fit();
  if (tool("1:1", w.view.zoom() == 1 && !w.view.fitted(), "Actual size (1)", "tool:one"))
    w.view.oneToOne();
  fixedText(fmt::format("{:.0f} %", double(w.view.zoom()) * 100), "25600 %");
}

void drawCompare(Workspace& w) {
  const bool has = w.compare.has();
  if (tool(has ? "Reference" : "Set reference", has, "Set the image as reference B (K)",
           "compare:keep", w.document.hasPicture()))
    setReference(w);
  if (!has) return;
  struct Mode {
    Show show;
    const char *label, *about, *landmark;
  };
  static constexpr Mode kModes[] = {
      {Show::Split, "Split", "A left of the line, B right of it (S)", "compare:split"},
      {Show::Difference, "A - B", "Difference in false color (Q)", "compare:difference"},
      {Show::B, "Flip", "B in place of A (Z; hold C)", "compare:flip"}};
  for (const Mode& mode : kModes)
    if (tool(mode.label, w.compare.show == mode.show, mode.about, mode.landmark))
      w.compare.toggle(mode.show);
  const auto& measures = w.compare.measures();
  const std::string text = !measures ? ""
                           : measures->difference.max == 0
                               ? "equal"
                               : fmt::format("{:.2f} dB", measures->difference.psnr);
  fixedText(text, "100.00 dB");
  if (!measures) return;
  Landmarks::note("compare:psnr");
  tooltip(fmt::format("PSNR {}, SSIM {:.4f}, FLIP {:.4f}, largest {:.4g}", text,
                      measures->difference.ssim, measures->flip, measures->largest));
}

}  // namespace

void drawToolbar(Workspace& w, const Area& area) {
  beginFixed("##toolbar", area, color::kPanel,
             {px(12), std::round((area.height - ImGui::GetFrameHeight()) / 2)});
  edge({area.x, area.y + area.height - 1}, {area.x + area.width, area.y + area.height - 1});
  {
    const auto wide = [](std::initializer_list<const char*> labels) {
      float sum = 0;
      for (const char* label : labels) sum += buttonWidth(label) + px(2);
      return sum;
    };
    Line line(area.width);
    line.group(px(190), [&] { drawExposure(w); });
    line.group(wide({"Fit", "1:1"}) + px(60), [&] { drawZoom(w); });
    line.group(wide({"R", "G", "B", "A", "L"}), [&] { drawChannels(w); });
    const float compare = w.compare.has() ? wide({"Reference", "Split", "A - B", "Flip"}) + px(90)
                                          : wide({"Set reference"});
    line.group(compare, [&] { drawCompare(w); });
    line.group(wide({"Normalize", "False color"}), [&] { drawRange(w); });
    line.group(px(104), [&] {
      choiceList("tool:background", w.display.background, {"Checker", "Black", "Gray", "White"},
                 104, "Background of transparent pixels");
    });
    const bool gamma = !w.display.falseColor && w.display.curve == DisplaySettings::Curve::Gamma;
    line.group(px(gamma ? 346 : 226), [&] { drawTone(w); });
  }
  ImGui::End();
}

}  // namespace fathom::viewer
