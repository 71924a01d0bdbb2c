// SPDX-License-Identifier: BSD-3-Clause
// How the window looks: colors, spacing and fonts, set once at the start for the monitor's scale.
#pragma once

#include "app/engine/core/image.h"

#include <imgui.h>

namespace fathom::ui {

namespace color {
inline ImVec4 rgb(unsigned hex, float alpha = 1.0f) {
  return {float(hex >> 16 & 255) / 255, float(hex >> 8 & 255) / 255, float(hex & 255) / 255, alpha};
}
inline const ImVec4 kCanvas = rgb(0x0b0d11);  // behind the picture
inline const ImVec4 kPanel = rgb(0x14171d);   // panels
inline const ImVec4 kBar = rgb(0x101318);     // top bar and status line
inline const ImVec4 kRaised = rgb(0x1d222b);  // frames of controls
inline const ImVec4 kHover = rgb(0x272e3a);
inline const ImVec4 kPress = rgb(0x323b4a);
inline const ImVec4 kLine = rgb(0x262c36);  // borders
inline const ImVec4 kText = rgb(0xe4e8ef);
inline const ImVec4 kDim = rgb(0x9ba6b8);     // labels, secondary text
inline const ImVec4 kFaint = rgb(0x8590a4);   // headings, notes: 4.5:1 on panels and controls
inline const ImVec4 kAccent = rgb(0x35c4b5);  // what is active; picture A
inline const ImVec4 kSecond = rgb(0xf0ad4e);  // picture B
inline const ImVec4 kThird = rgb(0x6ea8fe);   // wall clock, links
inline const ImVec4 kError = rgb(0xf0706a);
}  // namespace color

/// A color of the picture (linear) as the window's 8 bits want it.
inline ImVec4 fromLinear(float r, float g, float b, float alpha = 1.0f) {
  return {srgbFromLinear(r), srgbFromLinear(g), srgbFromLinear(b), alpha};
}
inline ImU32 packed(ImVec4 c, float alpha = 1.0f) {
  return ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, c.w * alpha});
}

struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;
  ImFont* small = nullptr;
  ImFont* mono = nullptr;  // numbers: every digit is as wide as the others
};

/// Sets colors, spacing and fonts of the current ImGui context; `scale` is 2 on a HiDPI monitor.
void applyTheme(float scale);
const Fonts& fonts();
float uiScale();
/// A length in the design's units (1 = one pixel on an ordinary monitor).
inline float px(float length) { return length * uiScale(); }

/// Names may be in any script: letters that the fonts lack are loaded by the next applyTheme().
/// What the functions below draw is noted by them.
void noteLetters(std::string_view text);
bool lettersMissing();  // some were noted since

/// Text in one of the fonts and a color.
void textIn(ImFont* font, ImVec4 textColor, const std::string& text);
inline void dimText(const std::string& text) { textIn(fonts().text, color::kDim, text); }
inline void monoText(const std::string& text, ImVec4 textColor = color::kText) {
  textIn(fonts().mono, textColor, text);
}
/// How much room it takes.
ImVec2 textSize(ImFont* font, const std::string& text);
/// Text into a draw list; `align` is the share of its width that lies left of `at`.
void drawText(ImDrawList& draw, ImFont* font, ImVec2 at, ImVec4 textColor, const std::string& text,
              float align = 0);
/// A small capital heading above a group of rows.
void heading(const char* text);

}  // namespace fathom::ui
