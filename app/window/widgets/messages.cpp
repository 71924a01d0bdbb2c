// SPDX-License-Identifier: BSD-3-Clause
// A stack of small windows over the picture; the same message in a row is shown once, counted.
#include "app/window/widgets/messages.h"

#include "app/engine/core/progress.h"
#include "app/window/ui/widgets.h"

namespace fathom::viewer {
using namespace ui;

constexpr std::chrono::seconds kNoteTime{4};
constexpr std::size_t kMaxMessages = 3, kMaxBytes = 1000;  // ImGui ends with a text of very many
constexpr int kSettleFrames =
    3;  // of a new message: its size is known after the first, its position after the second

void Messages::add(std::string text, bool isError) {
  const auto until = std::chrono::steady_clock::now() + kNoteTime;
  if (text.size() > kMaxBytes) text.replace(kMaxBytes, std::string::npos, "...");
  if (!items_.empty() && items_.back().text == text) {
    items_.back().until = until;
    ++items_.back().count;
    return;
  }
  items_.push_back({std::move(text), isError, until, 1});
  framesToSettle_ = kSettleFrames;
  if (items_.size() > kMaxMessages) items_.erase(items_.begin());
}

void Messages::countError(const std::string& text) {
  ++errorCount_;
  log::line(log::Level::Normal, "fathom: " + text);
}

void Messages::error(std::string text) {
  countError(text);
  add(std::move(text), true);
}

void Messages::note(std::string text) { add(std::move(text), false); }

bool Messages::fading() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& i) { return !i.isError; });
}

void Messages::draw(const Area& area) {
  framesToSettle_ = std::max(0, framesToSettle_ - 1);
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(items_, [&](const Item& item) { return !item.isError && now >= item.until; });
  float bottom = area.y + area.height - px(14);
  for (std::size_t i = items_.size(); i-- > 0;) {
    const Item& item = items_[i];
    ImGui::SetNextWindowPos({area.x + px(14), bottom}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSizeConstraints({px(160), 0},
                                        {std::max(px(220), area.width - px(28)), 1e4f});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, color::rgb(item.isError ? 0x2b1a1c : 0x1b2027, 0.97f));
    ImGui::PushStyleColor(ImGuiCol_Border, item.isError ? color::rgb(0x6b3436) : color::kLine);
    ImGui::Begin(("##message" + std::to_string(i)).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove);
    const ImVec4 tint = item.isError ? color::kError : color::kAccent;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled(
        {at.x + px(5), at.y + ImGui::GetTextLineHeight() / 2}, px(4.5f), packed(tint));
    ImGui::SetCursorScreenPos({at.x + px(18), at.y});
    ImGui::PushTextWrapPos(area.width - px(90));
    std::string text = item.text;
    if (item.count > 1) text += "  (" + std::to_string(item.count) + " times)";
    noteLetters(text);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    Landmarks::note(item.isError ? "message:error" : "message:note");
    bool close = false;
    if (item.isError) {
      ImGui::SameLine(0, px(16));
      const IdScope scope{int(i)};
      ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(6), 0});
      close = ImGui::Button("Close");
      ImGui::PopStyleVar();
      Landmarks::note("message:close");
    }
    bottom = ImGui::GetWindowPos().y - px(8);
    ImGui::End();
    ImGui::PopStyleColor(2);
    if (close) items_.erase(items_.begin() + std::ptrdiff_t(i));
  }
}

}  // namespace fathom::viewer
