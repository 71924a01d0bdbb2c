// SPDX-License-Identifier: BSD-3-Clause
// Opening with the question about unsaved edits before it, recent inputs, and what is in front of
// the strips.
#include "app/viewer/workspace/workspace.h"

#include <algorithm>
#include <filesystem>

namespace fathom::viewer {
namespace {
constexpr std::size_t kMaxRecent = 12;
}

void addRecent(std::vector<std::string>& recent, const std::string& input) {
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
  if (const Panels* panels = document.active().panels())
    for (const TechniquePage& page : panels->pages())
      if (page.place == TechniquePage::Place::Strip && page.name == layout.page()) return page.name;
  return {};
}

bool Workspace::inFront(PanelLayout::Tab tab) const {
  return layout.bottom && layout.tab() == tab && frontPage().empty();
}

bool Workspace::inFront(const std::string& page) const {
  return layout.bottom && frontPage() == page;
}

void Workspace::toggle(PanelLayout::Tab tab) {
  const bool hide = inFront(tab);
  layout.showTab(tab);
  layout.bottom = !hide;
}

void Workspace::toggle(const std::string& page) {
  const bool hide = inFront(page);
  layout.showPage(page);
  layout.bottom = !hide;
}

bool Workspace::stripShown() const {
  const Panels* const panels = document.active().panels();
  const auto strip = panels ? panels->strip() : std::nullopt;
  if (!strip || layout.strip == PanelLayout::Strip::Hidden) return false;
  return strip->wanted || layout.strip == PanelLayout::Strip::Shown;
}

float Workspace::stripHeight() const {
  return stripShown() ? document.active().panels()->strip()->height : 0;
}

}  // namespace fathom::viewer
