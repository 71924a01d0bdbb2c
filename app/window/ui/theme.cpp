// SPDX-License-Identifier: BSD-3-Clause
// Fonts come from the system or from a bundle; without any, ImGui's bitmap font will do.
#include "app/window/ui/theme.h"

#include "app/engine/core/progress.h"
#include "app/system/machine.h"

#include <imgui_internal.h>

namespace fathom::ui {
namespace {

float scaleNow = 1.0f;
Fonts fontsNow;
bool areMissing = false, anyNoted = false;
ImVector<ImWchar> ranges;  // of letters, read when the atlas is built

/// Of the fonts: Latin, punctuation, arrows, the few mathematical signs that labels use, and what
/// was noted.
ImFontGlyphRangesBuilder& letters() {
  static ImFontGlyphRangesBuilder all;
  constexpr ImWchar always[] = {0x0020, 0x024f, 0x2010, 0x2030, 0x2190, 0x21ff, 0x2212,
                                0x2215, 0x2248, 0x2265, 0x25a0, 0x25ff, 0};
  if (!all.GetBit(' ')) all.AddRanges(always);
  return all;
}

/// Where a bundled program keeps the file of this path's name: it need not be installed there.
fs::path bundled(const fs::path& file) {
  return system::programFile().parent_path().parent_path() / "share/fathom/fonts" / file.filename();
}

// For letters that the fonts above lack.
constexpr const char* kOfAllScripts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf", "C:/Windows/Fonts/msgothic.ttc",
    "C:/Windows/Fonts/malgun.ttf"};

/// The first of these system fonts that exists; ImGui's own bitmap font when none does.
ImFont* loadFirst(std::initializer_list<const char*> files, float size) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (const char* file : files) {
    for (const fs::path& path : {bundled(file), fs::path(file)}) {
      std::error_code ignored;
      if (!fs::exists(path, ignored)) continue;
      if (ImFont* font =
              atlas.AddFontFromFileTTF(path.string().c_str(), size, &config, ranges.Data)) {
        config.MergeMode = true;
        for (const char* more : kOfAllScripts)
          if (anyNoted && fs::exists(more, ignored))
            atlas.AddFontFromFileTTF(more, size, &config, ranges.Data);
        return font;
      }
      log::warn("{}: expected a TrueType font, could not read it", path.string());
    }
  }
  return atlas.AddFontDefault();
}

void loadFonts() {
  ImGui::GetIO().Fonts->Clear();
  ranges.clear();
  letters().BuildRanges(&ranges);
  const auto size = [](float points) { return float(int(points * scaleNow + 0.5f)); };
  const char *inter = "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
             *dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  fontsNow.text = loadFirst({inter, dejaVu}, size(17));
  fontsNow.small = loadFirst({inter, dejaVu}, size(14));
  fontsNow.strong = loadFirst({"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
                               "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"},
                              size(17));
  fontsNow.mono = loadFirst({"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
                             "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"},
                            size(16));
  ImGui::GetIO().FontDefault = fontsNow.text;
  areMissing = false;
}

void setColors(ImVec4* c) {
  using namespace color;
  c[ImGuiCol_Text] = kText;
  c[ImGuiCol_TextDisabled] = kFaint;
  c[ImGuiCol_WindowBg] = kPanel;
  c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  c[ImGuiCol_PopupBg] = rgb(0x191d24);
  c[ImGuiCol_Border] = rgb(0x626d80);  // outlines of controls: 3:1 on panels and on the controls
  c[ImGuiCol_FrameBg] = kRaised;
  c[ImGuiCol_FrameBgHovered] = kHover;
  c[ImGuiCol_FrameBgActive] = kPress;
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(0x191d24);
  c[ImGuiCol_MenuBarBg] = kBar;
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  c[ImGuiCol_ScrollbarGrab] = kHover;
  c[ImGuiCol_ScrollbarGrabHovered] = kPress;
  c[ImGuiCol_ScrollbarGrabActive] = kFaint;
  c[ImGuiCol_CheckMark] = kAccent;
  c[ImGuiCol_SliderGrab] = kAccent;
  c[ImGuiCol_SliderGrabActive] = rgb(0x5fe0d2);
  c[ImGuiCol_Button] = kRaised;
  c[ImGuiCol_ButtonHovered] = kHover;
  c[ImGuiCol_ButtonActive] = kPress;
  c[ImGuiCol_Header] = rgb(0x212833);
  c[ImGuiCol_HeaderHovered] = kHover;
  c[ImGuiCol_HeaderActive] = kPress;
  c[ImGuiCol_Separator] = kLine;
  c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = kAccent;
  c[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
  c[ImGuiCol_Tab] = {0, 0, 0, 0};
  c[ImGuiCol_TabHovered] = kHover;
  c[ImGuiCol_TabActive] = kRaised;
  c[ImGuiCol_PlotLines] = kAccent;
  c[ImGuiCol_PlotHistogram] = kAccent;
  c[ImGuiCol_TableHeaderBg] = kPanel;
  c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = kLine;
  c[ImGuiCol_TableRowBg] = {0, 0, 0, 0};
  c[ImGuiCol_TableRowBgAlt] = {1, 1, 1, 0.018f};
  c[ImGuiCol_TextSelectedBg] = rgb(0x35c4b5, 0.35f);
  c[ImGuiCol_NavHighlight] = {0, 0, 0, 0};  // the window draws the focus of all controls
  c[ImGuiCol_ModalWindowDimBg] = {0, 0, 0, 0.55f};
}

}  // namespace

void applyTheme(float scale) {
  scaleNow = scale;
  ImGuiStyle style;
  setColors(style.Colors);
  style.WindowPadding = {14, 12};
  style.FramePadding = {9, 5};
  style.CellPadding = {6, 4};
  style.ItemSpacing = {8, 7};
  style.ItemInnerSpacing = {7, 5};
  style.ScrollbarSize = 11;
  style.GrabMinSize = 12;
  style.WindowRounding = 8;
  style.ChildRounding = 6;
  style.FrameRounding = 5;
  style.PopupRounding = 7;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 4;
  style.TabRounding = 5;
  style.WindowBorderSize = 1;
  style.FrameBorderSize = 1;
  style.PopupBorderSize = 1;
  style.WindowTitleAlign = {0.5f, 0.5f};
  style.DisabledAlpha = 0.6f;
  style.CircleTessellationMaxError = 0.2f;
  style.ScaleAllSizes(scale);
  ImGui::GetStyle() = style;
  loadFonts();
}

const Fonts& fonts() { return fontsNow; }
float uiScale() { return scaleNow; }

void noteLetters(std::string_view text) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned letter = ' ';
    at += static_cast<unsigned char>(*at) < 0x80 ? 1 : ImTextCharFromUtf8(&letter, at, end);
    if (letter > IM_UNICODE_CODEPOINT_MAX || letters().GetBit(letter)) continue;
    letters().SetBit(letter);
    areMissing = anyNoted = true;
  }
}
bool lettersMissing() { return areMissing; }

void textIn(ImFont* font, ImVec4 textColor, const std::string& text) {
  noteLetters(text);
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, textColor);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

ImVec2 textSize(ImFont* font, const std::string& text) {
  noteLetters(text);
  return font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str());
}

void drawText(ImDrawList& draw, ImFont* font, ImVec2 at, ImVec4 textColor, const std::string& text,
              float align) {
  noteLetters(text);
  if (align != 0) at.x -= textSize(font, text).x * align;
  draw.AddText(font, font->FontSize, at, packed(textColor), text.c_str());
}

void heading(const char* text) {
  std::string upper(text);
  for (char& c : upper) c = char(std::toupper(static_cast<unsigned char>(c)));
  ImGui::Dummy({0, px(2)});
  textIn(fonts().small, color::kFaint, upper);
}

}  // namespace fathom::ui
