// SPDX-License-Identifier: BSD-3-Clause
// Opening with the question about unsaved edits before it, recent inputs, and what is in front of
// the strips.
#include "app/window/workspace/workspace.h"

#include "app/engine/engine.h"
#include "app/window/document/flat_picture.h"
#include "app/window/platform/window.h"

namespace fathom::viewer {
namespace {

/// What no technique shows by itself, and the one in use shows with what is open: keys of a pull.
bool belongsToOpen(const Document& document, const std::vector<std::string>& inputs) {
  if (!techniquesFor(document.available(), inputs).empty()) return false;
  std::vector<std::string> all = document.technique()->inputs();
  all.insert(all.end(), inputs.begin(), inputs.end());
  const TechniqueEntry* const entry =
      findTechnique(document.available(), all, {document.info().name});
  return entry && entry->info.name == document.info().name;
}

}  // namespace

void Workspace::open(const std::vector<std::string>& inputs, bool add, const std::string& technique,
                     const std::string& session) {
  openedBy = session;
  std::vector<std::string> all = inputs;
  if (document.technique() && (add || belongsToOpen(document, inputs))) {
    all = document.technique()->inputs();
    for (const std::string& input : inputs)
      if (std::find(all.begin(), all.end(), input) == all.end()) all.push_back(input);
  }
  const std::string last = technique.empty() && all == inputs ? sets.techniqueOf(all) : technique;
  const auto openAll = [this, all, last] {
    try {
      if (!last.empty()) document.prefer(last);
      document.open(all);
      start.open = false;
    } catch (const Error& e) {
      openingFailed(e.what());
    }
  };
  if (document.active().parts().keepsEdits(all)) return openAll();
  // Another technique's files end the engine, and what it is writing.
  const bool stays = document.technique() && document.active().entry()->accepts(all);
  stays ? confirmUnsaved(openAll) : confirmLeaving(openAll);
}

void Workspace::openingFailed(const std::string& error) {
  if (document.technique()) return messages.error(error);
  const std::string message = openedBy.empty() ? error : openedBy + ": " + error;
  messages.countError(message);
  start.open = true, start.message = message;
}

void Workspace::openNeighbor(int by) {
  const Engine* const technique = document.technique();
  if (!technique || technique->inputs().size() != 1) return;
  if (const auto next = neighborFile(technique->inputs()[0], by))
    keepView = true, open({*next});
  else
    messages.note("There is no other file of this kind in the folder");
}

bool Workspace::receiveImages() {
  using Kind = sent_images::Event::Kind;
  if (listenAt == 0) receiver.reset();
  try {
    if (listenAt > 0 && !receiver)
      receiver = std::make_unique<ImageReceiver>(listenAt, Window::wake);
  } catch (const Error& error) {  // another window listens there
    messages.countError(error.what()), messages.note(error.what());
    listenAt = 0;
  }
  const std::vector<sent_images::Event> events = sent_images::takeEvents();
  for (const auto& [kind, input, focus] : events) {
    if (kind == Kind::Error) messages.error(input);
    const std::vector<std::string> inputs{input};
    const bool shown = document.technique() && document.technique()->inputs() == inputs;
    if (kind == Kind::Closed) opened.forget(inputs), start.open |= shown;
    if (kind != Kind::Created) continue;
    const bool loses = document.technique() && (document.unsaved() || !exporting().empty());
    if (shown || (focus && !loses)) {
      open(inputs);
    } else {
      opened.note(inputs, kFlatPicture, false);
      messages.note(titleOf(inputs) + " is in the menu File > Opened");
    }
  }
  return !events.empty() || messages.settling();
}

void Workspace::showOpened(int by) {
  if (const auto other = opened.neighbor(by))
    open(other->set, false, other->technique);
  else
    messages.note("Nothing else was opened since the start");
}

void Workspace::confirmUnsaved(std::function<void()> action) {
  if (document.unsaved())
    unsavedEdits.ask(std::move(action));
  else
    action();
}

std::string Workspace::exporting() const {
  const Exporting* const part = document.active().parts().exporting;
  return part ? part->file() : std::string();
}

void Workspace::confirmLeaving(std::function<void()> action) {
  if (exporting().empty()) return confirmUnsaved(std::move(action));
  runningExport.ask(std::move(action));
}

ValueRange Workspace::valueRange() const {
  const auto& latest = statistics.latest();
  return latest ? ValueRange{latest->low, latest->high} : ValueRange{};
}

std::string Workspace::frontPage() const {
  for (const TechniquePage& page : document.active().parts().pages())
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
  const auto strip = document.active().parts().strip();
  if (!strip || layout.strip == PanelLayout::Strip::Hidden) return false;
  return strip->wanted || layout.strip == PanelLayout::Strip::Shown;
}

float Workspace::stripHeight() const {
  return stripShown() ? document.active().parts().panels->strip()->height : 0;
}

}  // namespace fathom::viewer
