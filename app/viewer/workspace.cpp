// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/workspace.h"

#include <algorithm>
#include <filesystem>

namespace fathom::viewer {
namespace {
constexpr std::size_t kMaxRecent = 12;
}

void remember(std::vector<std::string>& recent, const std::string& input) {
  std::error_code error;
  std::string name = input;
  if (std::filesystem::exists(input, error))
    name = std::filesystem::absolute(input, error).lexically_normal().string();
  std::erase(recent, name);
  recent.insert(recent.begin(), name);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

void Workspace::open(const std::vector<std::string>& inputs, bool add) {
  std::vector<std::string> all = inputs;
  if (add && document.technique()) {
    all = document.technique()->inputs();
    for (const std::string& input : inputs)
      if (std::find(all.begin(), all.end(), input) == all.end()) all.push_back(input);
  }
  confirmUnsaved([this, all] { reportErrors([&] { document.open(all); }); });
}

void Workspace::confirmUnsaved(std::function<void()> action) {
  if (document.unsaved())
    pendingAction = std::move(action);
  else
    action();
}

std::string Workspace::frontPage() const {
  if (const Panels* panels = document.panels())
    for (const TechniquePage& page : panels->pages())
      if (page.place == TechniquePage::Place::Strip && page.name == layout.page) return page.name;
  return {};
}

}  // namespace fathom::viewer
