// SPDX-License-Identifier: BSD-3-Clause
// The history of the editor: when a step ends, and what undo, redo and saving make of it.
#include "app/window/flame/editor.h"

#include "app/engine/flame/genome/io.h"

namespace fathom::flame {

constexpr double kWheelRestsMs = 250;

void Editor::reset(std::vector<std::string> names) {
  names_ = std::move(names);
  taken_.clear();
  history_ = History<State>(stateNow());
  saved_ = history_.settled();
  settledAt_ = comparedAt_ = timeline_.revision();
  unsaved_ = false;
  select(0);
  dragging_ = false;
}

// ---- History

bool Editor::State::operator==(const State& other) const {
  return std::equal(genomes.begin(), genomes.end(), other.genomes.begin(), other.genomes.end(),
                    [](const auto& a, const auto& b) { return a == b || *a == *b; });
}

Editor::State Editor::stateNow() const {
  const std::vector<Genome>& genomes = timeline_.genomes();
  State state{{}, timeline_.current(), timeline_.time()};
  state.genomes.reserve(genomes.size());
  for (std::size_t i = 0; i < genomes.size(); ++i) {
    // Equal ones of the last step stand at the same place, or one beside it.
    std::shared_ptr<const Genome> same;
    for (std::size_t near = i > 0 ? i - 1 : 0; near <= i + 1 && !same; ++near)
      if (near < history_.settled().genomes.size() &&
          *history_.settled().genomes[near] == genomes[i])
        same = history_.settled().genomes[near];
    state.genomes.push_back(same ? same : std::make_shared<const Genome>(genomes[i]));
  }
  return state;
}

void Editor::edit(const std::function<void(Timeline&)>& how) {
  if (!open() || !editable()) return;
  how(timeline_);
}

void Editor::freeze(double frames) {
  if (!open() || editable()) return;
  timeline_.freeze(frames);
  history_ = History<State>(stateNow());
  saved_ = {};
  settledAt_ = timeline_.revision();
}

void Editor::change(Genome next) {
  if (!open() || next == genome()) return;
  edit([&](Timeline& timeline) { timeline.setShown(std::move(next)); });
}

void Editor::take(Genome other, const std::string& what) {
  if (!open() || other == genome()) return;
  taken_ = what;
  change(std::move(other));
}

void Editor::show(std::size_t flame) {
  if (!open() || flame >= timeline_.genomes().size()) return;
  timeline_.select(flame);
}

bool Editor::pending() const {
  return settledAt_ != timeline_.revision() && history_.pending(stateNow());
}

void Editor::advance() {
  if (!open()) return;
  const bool held = std::exchange(widgetHeld_, false);
  const bool waiting = pending();
  const bool going = dragging_ || wheelTurning() || (held && waiting);
  if (waiting && !going) history_.settle(stateNow());
  if (!going) settledAt_ = timeline_.revision();
  inGesture_ = going;
}

void Editor::wheelTurned() { sinceWheel_.emplace(); }

bool Editor::wheelTurning() const { return sinceWheel_ && sinceWheel_->ms() < kWheelRestsMs; }

Editor::Time Editor::undoTime() const {
  return pending() ? std::chrono::steady_clock::now() : history_.undoTime();
}

void Editor::goTo(const State& state, std::size_t current, double time) {
  std::vector<Genome> genomes;
  genomes.reserve(state.genomes.size());
  for (const auto& genome : state.genomes) genomes.push_back(*genome);
  timeline_.replaceAll(std::move(genomes), current, time);
  settledAt_ = timeline_.revision();
}

/// The playhead goes to where the edit was made.
void Editor::undo() {
  if (!undoTime()) return;
  const State now = stateNow();
  const State from = pending() ? now : history_.settled();
  goTo(history_.undo(now), from.current, from.time);
}

void Editor::redo() {
  if (!redoTime()) return;
  const State to = history_.redo(stateNow());
  goTo(to, to.current, to.time);
}

bool Editor::unsaved() const {
  if (comparedAt_ != timeline_.revision()) {
    unsaved_ = !(stateNow() == saved_);
    comparedAt_ = timeline_.revision();
  }
  return unsaved_;
}

void Editor::markSaved() {
  saved_ = stateNow();
  comparedAt_ = timeline_.revision();
  unsaved_ = false;
}

std::optional<TechniqueFile> Editor::savable() const {
  if (!open() || !editable()) return std::nullopt;
  fs::path name = names_.empty() ? "new.flame" : names_[0];
  if (name.extension() == ".json") name.replace_extension(".flame");
  if (!taken_.empty()) name.replace_filename(name.stem().string() + "-" + taken_ + ".flame");
  return TechniqueFile{"genome", {".flame", ".flam3"}, name.string()};
}

std::string Editor::content() const {
  return open() ? genomesXml(timeline_.genomes()) : std::string();
}

void Editor::recover(const std::string& file) {
  timeline_.replaceAll(readGenomes(file).genomes, 0, 0);
}

void Editor::save(const std::string& file) {
  writeGenomes(file, timeline_.genomes());
  markSaved();
  names_ = {file};
  if (onSave_) onSave_(file);
  taken_.clear();
}

// ---- Another device

std::any Editor::keep() {
  if (!undoTime() && !redoTime() && !unsaved()) return {};
  return std::pair(timeline_, Lasting(lasting()));
}

void Editor::restore(std::any kept) {
  auto& [timeline, rest] = std::any_cast<std::pair<Timeline, Lasting>&>(kept);
  reset();
  timeline_ = std::move(timeline);
  lasting() = std::move(rest);
  unsaved_ = !(stateNow() == saved_);
  comparedAt_ = timeline_.revision();
}

// ---- Xforms

std::size_t Editor::xformCount() const {
  return open() ? genome().xforms.size() + (genome().finalXform ? 1 : 0) : 0;
}

std::size_t Editor::selected() const {
  return std::min(selected_, std::max<std::size_t>(xformCount(), 1) - 1);
}

void Editor::toggle(std::size_t index) {
  if (index == selected()) {
    if (others_.empty()) return;
    selected_ = *others_.begin();
    others_.erase(others_.begin());
  } else if (others_.erase(index) == 0) {
    others_.insert(index);
  }
}

void Editor::lead(std::size_t index) {
  if (index == selected()) return;
  if (others_.erase(index) == 0) return select(index);
  others_.insert(selected());
  selected_ = index;
}

std::vector<std::size_t> Editor::selection() const {
  std::set<std::size_t> all{selected()};
  for (const std::size_t index : others_)
    if (index < xformCount()) all.insert(index);
  return {all.begin(), all.end()};
}

bool Editor::isSelected(std::size_t index) const {
  return index == selected() || others_.contains(index);
}

Xform Editor::xform(std::size_t index) const {
  return index < genome().xforms.size() ? genome().xforms[index] : *genome().finalXform;
}

}  // namespace fathom::flame
