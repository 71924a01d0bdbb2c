// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/editor.h"

#include "app/techniques/flame/operations.h"

#include <algorithm>

namespace fathom::flame {
namespace {

constexpr double kPreviewSide = 400;  // pixels of the longer side, at most
constexpr double kPreviewQuality = 6;

}  // namespace

Genome previewOf(const Genome& genome) {
  const glm::dvec2 size(genome.size);
  const double share = std::min(1.0, kPreviewSide / std::max(size.x, size.y));
  Genome preview = framed(genome, glm::max(glm::ivec2(size * share + 0.5), glm::ivec2(1)));
  // What zoom would multiply is kept out, so that the preview takes the same time everywhere.
  preview.scale = pixelsPerUnit(preview), preview.zoom = 0;
  preview.quality = std::min(preview.quality, kPreviewQuality);
  preview.supersample = 1;
  preview.estimatorRadius = std::max(genome.estimatorRadius * share, genome.estimatorMinimum);
  return preview;
}

void Editor::reset() {
  edited_.clear();
  selected_ = 0;
  gesture_ = Gesture::None;
  hot_.reset();
  offered_.clear();
  ++offers_;
}

Editor::Edited& Editor::edited() {
  return edited_.try_emplace(current_, Edited{History(genome()), genome()}).first->second;
}

void Editor::change(Genome next) {
  if (next == genome()) return;
  edited();  // keeps the genome as it was
  genomes_[current_] = std::move(next);
  changed_ = true;
}

Effect Editor::takeChange() {
  if (!open()) return Effect::None;
  const bool held = std::exchange(widgetHeld_, false);
  const bool pending = edited_.contains(current_) && edited().history.pending(genome());
  const bool going = gesture_ == Gesture::Triangle || gesture_ == Gesture::Camera || wheelTurns() ||
                     (held && pending);
  if (pending && !going) edited().history.settle(genome());
  if (std::exchange(inGesture_, going) != going) return changed_ = false, Effect::Rebuild;
  return std::exchange(changed_, false) ? Effect::Redraw : Effect::None;
}

bool Editor::canUndo() const {
  const auto at = edited_.find(current_);
  return at != edited_.end() &&
         (at->second.history.canUndo() || at->second.history.pending(genome()));
}

bool Editor::canRedo() const {
  const auto at = edited_.find(current_);
  return at != edited_.end() && at->second.history.canRedo();
}

void Editor::undo() {
  genomes_[current_] = edited().history.undo(genome());
  changed_ = true;
}

void Editor::redo() {
  genomes_[current_] = edited().history.redo(genome());
  changed_ = true;
}

bool Editor::unsaved() const {
  return std::any_of(edited_.begin(), edited_.end(), [&](const auto& entry) {
    return !(genomes_[entry.first] == entry.second.saved);
  });
}

void Editor::markSaved() {
  for (auto& [index, entry] : edited_) entry.saved = genomes_[index];
}

std::size_t Editor::xformCount() const {
  return open() ? genome().xforms.size() + (genome().finalXform ? 1 : 0) : 0;
}

std::size_t Editor::selected() const {
  return std::min(selected_, std::max<std::size_t>(xformCount(), 1) - 1);
}

Xform Editor::xform(std::size_t index) const {
  return index < genome().xforms.size() ? genome().xforms[index] : *genome().finalXform;
}

void Editor::setXform(std::size_t index, Xform xform) {
  Genome next = genome();
  (index < next.xforms.size() ? next.xforms[index] : *next.finalXform) = std::move(xform);
  change(std::move(next));
}

}  // namespace fathom::flame
