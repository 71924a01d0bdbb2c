// SPDX-License-Identifier: BSD-3-Clause
// The page of modes: a bar per mode for the newest picture, and the history of a turn.
#include "app/engine/gpu/memory_account.h"
#include "app/window/active_pixel/panel_parts.h"
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

#include <algorithm>

namespace fathom::active_pixel {
using namespace ui;
namespace {

const ImVec4 kModeColors[kModeCount] = {color::rgb(0xf0706a), color::rgb(0xf0ad4e),
                                        color::rgb(0x35c4b5)};
constexpr const char* kModeAbout[kModeCount] = {
    "The whole frame is read back; the processor compresses it.",
    "The drawn region is read back; the processor compresses it.",
    "The GPU compresses; only active pixels are read back."};

/// Reading back and compressing end to end, to the scale of the slowest mode.
void bar(const ModeHistory::Sample& sample, double slowest, ImVec4 tint) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, px(14)};
  ImGui::Dummy(size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, {low.x + size.x, low.y + size.y}, packed(color::kRaised), px(3));
  const float read = low.x + size.x * float(sample.readMs / slowest);
  const float end = read + size.x * float(sample.compressMs / slowest);
  draw.AddRectFilled(low, {std::max(read, low.x + px(1)), low.y + size.y}, packed(tint), px(3));
  draw.AddRectFilled({read, low.y}, {std::max(end, read + px(1)), low.y + size.y},
                     packed(tint, 0.45f), px(3));
}

void modeRow(int mode, const ModeHistory::Sample& sample, double slowest) {
  ImGui::PushID(mode);
  textIn(fonts().strong, kModeColors[mode], kModeNames[mode]);
  tooltip(kModeAbout[mode]);
  ImGui::SameLine(px(80));
  monoText(fmt::format("{:7.2f} ms", sample.totalMs()).c_str());
  ImGui::SameLine(0, px(14));
  dimText(gpu::bytesText(std::int64_t(sample.bytes)).c_str());
  bar(sample, slowest, kModeColors[mode]);
  Landmarks::note(fmt::format("modes:{}", kModeNames[mode]));
  dimText(fmt::format("read back {:.2f} ms, compress {:.2f} ms", sample.readMs, sample.compressMs)
              .c_str());
  ImGui::Dummy({0, px(4)});
  ImGui::PopID();
}

void history(const ModeHistory& modes) {
  heading("Measured so far");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, px(110)};
  ImGui::Dummy(size);
  Landmarks::note("modes:history");
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 high{low.x + size.x, low.y + size.y};
  draw.AddRectFilled(low, high, packed(color::kRaised), px(3));
  float slowest = 0;
  for (const ModeHistory::Picture& picture : modes.pictures())
    for (const ModeHistory::Sample& sample : picture)
      slowest = std::max(slowest, float(sample.totalMs()));
  for (int mode = 0; mode < kModeCount; ++mode) {
    std::vector<float> values;
    for (const ModeHistory::Picture& picture : modes.pictures())
      values.push_back(float(picture[std::size_t(mode)].totalMs()));
    plotLine(draw, low, high, values, slowest * 1.08f, kModeColors[mode], false);
  }
  dimText(fmt::format("{} times, the top is {:.1f} ms", modes.pictures().size(), slowest).c_str());
}

}  // namespace

void drawModesPage(const ModeHistory& modes, bool& turn) {
  ImGui::AlignTextToFramePadding();
  dimText("Turn the scene");
  ImGui::SameLine(0, px(12));
  switchControl("turn", turn);
  Landmarks::note("modes:turn");
  ImGui::Dummy({0, px(4)});
  if (modes.pictures().empty()) {
    dimText("Measuring ...");
    return;
  }
  heading("Slowest part of the picture");
  const ModeHistory::Picture& now = modes.pictures().back();
  double slowest = 1e-6;
  for (const ModeHistory::Sample& sample : now) slowest = std::max(slowest, sample.totalMs());
  for (int mode = 0; mode < kModeCount; ++mode) modeRow(mode, now[std::size_t(mode)], slowest);
  dimText("Full: reading back. Pale: compressing.");
  dimText("Bytes are those of all parts to the host.");
  ImGui::Dummy({0, px(6)});
  history(modes);
}

}  // namespace fathom::active_pixel
