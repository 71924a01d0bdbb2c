// SPDX-License-Identifier: BSD-3-Clause
// The dialog: path field, folder filtered by file endings, built-in scenes, recent inputs.
#include "app/viewer/widgets/file_browser.h"

#include "app/gpu/memory_account.h"
#include "app/ui/landmarks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace fathom::viewer {
using namespace ui;
namespace {

namespace fs = std::filesystem;

bool endsIn(const std::string& name, const std::vector<std::string>& endings) {
  if (endings.empty()) return true;
  std::string lower = name;
  for (char& c : lower) c = char(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(endings.begin(), endings.end(),
                     [&](const std::string& ending) { return lower.ends_with(ending); });
}

const char* titleOf(FileBrowser::Purpose purpose) {
  switch (purpose) {
    case FileBrowser::Purpose::Open:
      return "Open";
    case FileBrowser::Purpose::Add:
      return "Add inputs";
    case FileBrowser::Purpose::SaveFile:
      return "Save";
    case FileBrowser::Purpose::SavePicture:
      return "Save picture";
    case FileBrowser::Purpose::SaveTimings:
      return "Record timings to a bench file";
    case FileBrowser::Purpose::SaveSession:
      return "Save session";
  }
  return "";
}

}  // namespace

void FileBrowser::open(Purpose purpose, std::vector<std::string> endings,
                       const std::string& suggestion) {
  purpose_ = purpose;
  endings_ = std::move(endings);
  open_ = focusField_ = true;
  std::error_code ignored;
  if (folder_.empty()) folder_ = fs::current_path(ignored);
  path_ = suggestion.empty() ? std::string() : (folder_ / suggestion).string();
  const fs::path folder = fs::path(path_).parent_path();
  readFolder(fs::is_directory(folder, ignored) ? folder : folder_);
}

void FileBrowser::readFolder(const fs::path& folder) {
  std::error_code error;
  std::vector<Entry> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    const bool isFolder = it->is_directory(ignored);
    if (name.starts_with(".") || (!isFolder && !endsIn(name, endings_))) continue;
    const std::uintmax_t bytes = isFolder ? 0 : it->file_size(ignored);
    entries.push_back({name, isFolder, ignored ? 0 : bytes});
  }
  if (error) {
    problem_ = folder.string() + ": " + error.message();
    return;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.folder != b.folder ? a.folder : a.name < b.name;
  });
  problem_.clear();
  folder_ = folder;
  entries_ = std::move(entries);
  selected_.assign(entries_.size(), false);
}

std::vector<std::string> FileBrowser::selectedPaths() const {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (selected_[i] && !entries_[i].folder) paths.push_back((folder_ / entries_[i].name).string());
  return paths;
}

void FileBrowser::drawPlaces(const std::vector<std::string>& recent,
                             const std::vector<std::pair<std::string, std::string>>& scenes,
                             float width, std::vector<std::string>& chosen) {
  ImGui::BeginChild("places", {width, 0});
  if (!scenes.empty()) heading("Built-in scenes");
  for (const auto& [scene, about] : scenes) {
    if (ImGui::Selectable(scene.c_str())) chosen = {scene};
    Landmarks::note("browser:scene:" + scene);
    tooltip(about);
  }
  heading("Recent");
  if (recent.empty()) dimText("None yet");
  for (const std::string& input : recent) {
    if (ImGui::Selectable((fs::path(input).filename().string() + "##" + input).c_str()))
      chosen = {input};
    tooltip(input);
  }
  ImGui::EndChild();
}

void FileBrowser::drawFolder(std::vector<std::string>& chosen) {
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("folder", 2, flags)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("bytes", ImGuiTableColumnFlags_WidthFixed, px(90));
  fs::path enter;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string label = entry.folder ? entry.name + "/" : entry.name;
    if (entry.folder) ImGui::PushStyleColor(ImGuiCol_Text, color::kThird);
    if (ImGui::Selectable(
            label.c_str(), selected_[i],
            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
      if (entry.folder) {
        enter = folder_ / entry.name;
      } else {
        if (!ImGui::GetIO().KeyCtrl || saving()) selected_.assign(entries_.size(), false);
        selected_[i] = true;
        path_ = (folder_ / entry.name).string();
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !saving())
          chosen = selectedPaths();
      }
    }
    if (entry.folder) ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    if (!entry.folder) monoText(gpu::bytesText(std::int64_t(entry.bytes)).c_str(), color::kDim);
  }
  ImGui::EndTable();
  if (!enter.empty()) readFolder(enter);
}

std::vector<std::string> FileBrowser::draw(
    const std::vector<std::string>& recent,
    const std::vector<std::pair<std::string, std::string>>& scenes) {
  std::vector<std::string> chosen;
  if (!open_) return chosen;
  beginDialog(titleOf(purpose_), {px(900), px(560)}, open_);
  const float button = px(92);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button -
                          ImGui::GetStyle().ItemSpacing.x);
  if (std::exchange(focusField_, false)) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint("##path", "A path, or a scene such as hairball:strands=2000", &path_,
                               ImGuiInputTextFlags_EnterReturnsTrue);
  Landmarks::note("browser:path");
  ImGui::SameLine();
  const bool pressed = ImGui::Button(saving() ? "Save" : "Open", {button, 0});
  Landmarks::note("browser:ok");
  if ((entered || pressed) && !path_.empty()) {
    std::error_code ignored;
    const std::vector<std::string> several = selectedPaths();
    if (fs::is_directory(path_, ignored))
      readFolder(fs::path(path_)), path_.clear();
    else if (pressed && several.size() > 1)
      chosen = several;
    else
      chosen = {path_};
  }
  if (ImGui::Button("Up")) readFolder(folder_.parent_path());
  ImGui::SameLine();
  const char* home = std::getenv("HOME");
  if (home && ImGui::Button("Home")) readFolder(home);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  textIn(fonts().text, problem_.empty() ? color::kDim : color::kError,
         problem_.empty() ? folder_.string().c_str() : problem_.c_str());
  ImGui::Separator();
  if (!saving()) {
    drawPlaces(recent, scenes, px(230), chosen);
    ImGui::SameLine(0, px(14));
  }
  drawFolder(chosen);
  ImGui::End();
  if (!chosen.empty()) open_ = false;
  return chosen;
}

}  // namespace fathom::viewer
