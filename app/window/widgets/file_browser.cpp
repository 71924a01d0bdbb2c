// SPDX-License-Identifier: BSD-3-Clause
// The dialog: path field, folder filtered by file endings, places beside it.
#include "app/window/widgets/file_browser.h"

#include "app/engine/core/text.h"
#include "app/window/ui/widgets.h"

#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace fathom::viewer {
using namespace ui;
namespace {

bool endsIn(const std::string& name, const std::vector<std::string>& endings) {
  if (endings.empty()) return true;
  const std::string lower = lowered(name);
  return std::any_of(endings.begin(), endings.end(),
                     [&](const std::string& ending) { return lower.ends_with(ending); });
}

// By Purpose.
constexpr const char* kTitles[] = {
    "Open",      "Add inputs", "Reference image", "Choose a file",
    "Export as", "Save",       "Save session",    "Record timings to a bench file"};

/// ImGui calls back while the field has the keyboard; with whether the stem is to be selected.
int editPath(ImGuiInputTextCallbackData* data) {
  const std::string text(data->Buf, std::size_t(data->BufTextLen));
  if (std::exchange(*static_cast<bool*>(data->UserData), false)) {
    const std::size_t name = text.find_last_of('/') + 1, dot = text.find_last_of('.');
    data->SelectionStart = int(name);
    data->SelectionEnd = data->CursorPos = int(dot > name && dot != text.npos ? dot : text.size());
  }
  // As in Emacs, a path that begins anew behind another one replaces it, typed or pasted.
  const std::string before = text.substr(0, std::size_t(data->CursorPos));
  std::size_t anew = before.rfind("//");
  if (anew == before.npos) anew = before.rfind("/~/");
  if (anew == before.npos && before.ends_with("/~")) anew = before.size() - 2;
  if (anew == before.npos) return 0;
  data->DeleteChars(data->CursorPos, data->BufTextLen - data->CursorPos);
  data->DeleteChars(0, int(anew) + 1);
  return 0;
}

}  // namespace

void FileBrowser::open(Purpose purpose, std::vector<std::string> endings,
                       const std::string& suggestion) {
  purpose_ = purpose;
  endings_ = std::move(endings);
  open_ = focusField_ = selectStem_ = true;
  replacing_.clear();
  std::error_code ignored;
  if (folder_.empty()) folder_ = fs::current_path(ignored);
  path_ = suggestion.empty() ? std::string() : (folder_ / suggestion).string();
  const fs::path folder = fs::path(path_).parent_path();
  readFolder(fs::is_directory(folder, ignored) ? folder : folder_);
}

void FileBrowser::openForSetting(std::string setting, std::vector<std::string> endings,
                                 const std::string& current) {
  std::error_code ignored;
  const fs::path file = current.empty() ? fs::path() : fs::absolute(current, ignored);
  open(Purpose::Setting, std::move(endings), fs::exists(file, ignored) ? file.string() : "");
  setting_ = std::move(setting);
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

void FileBrowser::drawPlaces(const std::vector<Place>& places, float width,
                             std::vector<std::string>& chosen) {
  ImGui::BeginChild("places", {width, 0}, false, ImGuiWindowFlags_NavFlattened);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    if (place.inputs.empty()) {
      heading(place.title.c_str());
      continue;
    }
    const IdScope scope{int(i)};
    const std::string shown = fitting(fonts().text, place.title, ImGui::GetContentRegionAvail().x);
    if (ImGui::Selectable(shown.c_str())) chosen = place.inputs;
    Landmarks::note("browser:place:" + place.title);
    tooltip(place.about);
  }
  ImGui::EndChild();
}

void FileBrowser::escape() {
  if (replacing_.empty())
    open_ = false;
  else
    replacing_.clear();
}

void FileBrowser::drawQuestion(std::vector<std::string>& chosen) {
  const std::string name = fs::path(replacing_).filename().string();
  ImGui::AlignTextToFramePadding();
  textIn(fonts().strong, color::kSecond, (name + " exists. Replace it?"));
  ImGui::SameLine();
  const bool replace = button("Replace", "browser:replace");
  ImGui::SameLine();
  const bool keep = button("Cancel", "browser:keep");
  if (replace) chosen = {replacing_};
  if (replace || keep) replacing_.clear();
}

void FileBrowser::drawFolder(std::vector<std::string>& chosen, const Preview& preview) {
  if (!ImGui::BeginTable("folder", 3, kRows)) return;
  ImGui::TableSetupColumn("picture", ImGuiTableColumnFlags_WidthFixed, px(52));
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("bytes", ImGuiTableColumnFlags_WidthFixed, px(90));
  fs::path enter;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    ImGui::TableNextRow(ImGuiTableRowFlags_None, px(34));
    ImGui::TableNextColumn();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::IsRectVisible({px(48), px(30)}))
      if (const gpu::Texture* small = entry.folder ? nullptr : preview(folder_ / entry.name)) {
        const float scale =
            std::min(px(48) / float(small->width()), px(30) / float(small->height()));
        ImGui::GetWindowDrawList()->AddImage(
            imageOf(*small), corner,
            {corner.x + float(small->width()) * scale, corner.y + float(small->height()) * scale});
        Landmarks::note("browser:thumbnail", {corner.x, corner.y},
                        {corner.x + px(48), corner.y + px(30)});
      }
    ImGui::TableNextColumn();
    const std::string label = entry.folder ? entry.name + "/" : entry.name;
    noteLetters(label);
    if (entry.folder) ImGui::PushStyleColor(ImGuiCol_Text, color::kThird);
    if (ImGui::Selectable(
            label.c_str(), selected_[i],
            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick,
            {0, px(28)})) {
      if (entry.folder) {
        enter = folder_ / entry.name;
      } else {
        if (!ImGui::GetIO().KeyCtrl || saving()) selected_.assign(entries_.size(), false);
        selected_[i] = true;
        path_ = (folder_ / entry.name).string();
        const bool byKey = ImGui::GetIO().NavVisible;
        if ((ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) || byKey) && !saving())
          chosen = selectedPaths();
      }
    }
    if (entry.folder) ImGui::PopStyleColor();
    Landmarks::note("browser:file:" + entry.name);
    ImGui::TableNextColumn();
    if (!entry.folder) monoText(gpu::bytesText(std::int64_t(entry.bytes)), color::kDim);
  }
  ImGui::EndTable();
  if (!enter.empty()) readFolder(enter);
}

bool pathField(const char* hint, std::string& path, bool& selectStem) {
  noteLetters(path);
  return ImGui::InputTextWithHint(
      "##path", hint, &path,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways, editPath,
      &selectStem);
}

std::string fullPath(std::string path, const std::vector<std::string>& endings) {
  const char* const home = std::getenv("HOME");
  if (home && (path == "~" || path.starts_with("~/"))) path.replace(0, 1, home);
  if (endings.empty()) return path;
  // "a.png" typed before ".exr"; or no ending at all.
  while (fs::path(path).has_extension() && endsIn(fs::path(path).stem().string(), endings))
    path = fs::path(path).replace_extension().string();
  std::error_code ignored;
  if (!fs::path(path).has_extension() && !fs::is_directory(path, ignored)) path += endings[0];
  return path;
}

std::string problemOf(const std::string& path, const std::vector<std::string>& endings) {
  std::error_code ignored;
  const fs::path file = path, folder = fs::absolute(file, ignored).parent_path();
  if (!fs::is_directory(folder, ignored))
    return folder.string() + ": expected a folder that exists, found none";
  if (!endsIn(path, endings))
    return fmt::format("{}: expected a name that ends in {}, found another",
                       file.filename().string(), fmt::join(endings, " or "));
  return {};
}

void FileBrowser::accept(const std::string& path, std::vector<std::string>& chosen) {
  std::error_code ignored;
  problem_.clear();
  if (fs::is_directory(path, ignored))
    readFolder(path), path_.clear();
  else if (saving() && !(problem_ = problemOf(path, endings_)).empty())
    return;
  else if (purpose_ > Purpose::SavePlace && fs::exists(path, ignored))
    replacing_ = path;
  else
    chosen = {path};
}

std::vector<std::string> FileBrowser::draw(const std::vector<Place>& places,
                                           const Preview& preview) {
  std::vector<std::string> chosen;
  if (!open_) return chosen;
  beginDialog(kTitles[int(purpose_)], {px(900), px(560)}, &open_);
  const float wide = px(92);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - wide -
                          ImGui::GetStyle().ItemSpacing.x);
  if (std::exchange(focusField_, false)) ImGui::SetKeyboardFocusHere();
  const bool takesScenes = purpose_ == Purpose::Open || purpose_ == Purpose::Add;
  const bool entered =
      pathField(takesScenes ? "A path, or a scene such as hairball:strands=2000" : "A path", path_,
                selectStem_);
  Landmarks::note("browser:path");
  ImGui::SameLine();
  const bool pressed = button(saving() ? "Save" : "Open", "browser:ok", {wide, 0});
  const std::vector<std::string> several = selectedPaths();
  // After a click on an entry, Enter is for the dialog.
  const bool enter = enterPressed();
  if ((pressed || enter) && several.size() > 1)
    chosen = several;
  else if ((entered || pressed || enter) && !path_.empty())
    accept(fullPath(path_, saving() ? endings_ : std::vector<std::string>{}), chosen);
  if (!replacing_.empty()) drawQuestion(chosen);
  if (ImGui::Button("Up")) readFolder(folder_.parent_path());
  ImGui::SameLine();
  const char* home = std::getenv("HOME");
  if (home && ImGui::Button("Home")) readFolder(home);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  textToFit(fonts().text, problem_.empty() ? color::kDim : color::kError,
            problem_.empty() ? folder_.string() : problem_);
  if (!problem_.empty()) Landmarks::note("browser:problem");
  ImGui::Separator();
  if (!saving() && purpose_ != Purpose::Setting) {
    drawPlaces(places, px(230), chosen);
    ImGui::SameLine(0, px(14));
  }
  drawFolder(chosen, preview);
  ImGui::End();
  if (!chosen.empty()) open_ = false;
  return chosen;
}

}  // namespace fathom::viewer
