// SPDX-License-Identifier: BSD-3-Clause
// The page of files: what lies in the folder of the open file, as small pictures with a field that
// filters them by name; a click opens one, seen as the one before.
#include "app/window/ui/landmarks.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/widgets.h"
#include "app/window/panels/panels.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace fathom::viewer {
using namespace ui;
namespace {

constexpr std::chrono::seconds kBetweenReads{2};

std::string lowered(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

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
  const std::string folder = std::filesystem::path(absoluteInput(file)).parent_path().string();
  if (files.folder == folder && Clock::now() - files.readAt < kBetweenReads) return;
  files.folder = folder;
  files.names = filesBeside(file, knownEndings(w));
  files.readAt = Clock::now();
}

/// One file; true when it was clicked.
bool drawFile(Workspace& w, const std::filesystem::path& file, bool open, ImVec2 size) {
  const std::string name = file.filename().string();
  const ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + size.x, low.y + size.y);
  ImGui::PushID(name.c_str());
  const bool clicked = ImGui::InvisibleButton("##file", size);
  const bool visible = ImGui::IsItemVisible(), over = ImGui::IsItemHovered();
  if (visible) Landmarks::note("file:" + name);
  if (visible) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(low, high, packed(open ? color::kPress : color::kRaised), px(4));
    const gpu::Texture* const small =
        w.thumbnails.ofFile(w.gpu, w.sets.thumbnail({file.string()}), file);
    if (small) {
      const float room = size.y - px(26);
      const float scale =
          std::min((size.x - px(8)) / float(small->width()), room / float(small->height()));
      const float wide = float(small->width()) * scale, tall = float(small->height()) * scale;
      const ImVec2 at(low.x + (size.x - wide) / 2, low.y + px(4) + (room - tall) / 2);
      draw.AddImage(reinterpret_cast<ImTextureID>(std::uintptr_t(small->id())), at,
                    {at.x + wide, at.y + tall});
      Landmarks::note("thumbnail:" + name);
    }
    if (open || over) draw.AddRect(low, high, packed(open ? color::kAccent : color::kLine), px(4));
    const ImVec4 clip(low.x + px(6), low.y, high.x - px(6), high.y);
    draw.AddText(fonts().small, fonts().small->FontSize, {clip.x, high.y - px(20)},
                 packed(color::kText), name.c_str(), nullptr, 0, &clip);
    tooltip(name);
  }
  ImGui::PopID();
  return clicked;
}

}  // namespace

void drawFilesPage(Workspace& w) {
  const Engine* const technique = w.document.technique();
  std::error_code ignored;
  if (!technique || technique->inputs().empty() ||
      !std::filesystem::is_regular_file(technique->inputs()[0], ignored))
    return dimText("What is open is no file of a folder.");
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
  textToFit(fonts().small, color::kDim, count, ImGui::GetContentRegionAvail().x);
  ImGui::BeginChild("##grid");
  const ImVec2 size(px(136), px(100));
  const float gap = px(8), width = ImGui::GetContentRegionAvail().x;
  const std::size_t columns = std::size_t(std::max(1, int((width + gap) / (size.x + gap))));
  const std::string current = absoluteInput(technique->inputs()[0]);
  std::string chosen;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i % columns != 0) ImGui::SameLine(0, gap);
    const std::filesystem::path file = std::filesystem::path(files.folder) / shown[i];
    if (drawFile(w, file, file.string() == current, size)) chosen = file.string();
  }
  ImGui::EndChild();
  if (chosen.empty() || chosen == current) return;
  w.keepView = true;
  w.open({chosen});
}

}  // namespace fathom::viewer
