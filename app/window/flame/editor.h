// SPDX-License-Identifier: BSD-3-Clause
// The genomes that are open, as something that is edited: changes go through here, become steps of
// a history, one per gesture, and can be saved. Also which xform is selected.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/flame/timeline.h"
#include "app/window/history.h"
#include "app/window/parts.h"

namespace fathom::flame {

class Editor : public Editing {
 public:
  using Saved = std::function<void(const std::string& file)>;
  /// The timeline stays the caller's; edits are made through change() and edit(). `saved` is told
  /// which file was written.
  explicit Editor(Timeline& timeline, Saved saved = {})
      : timeline_(timeline), onSave_(std::move(saved)) {}

  /// Other genomes are open now, read from these files; they count as saved.
  void reset(std::vector<std::string> names = {});
  /// The files that are open; after save() the one that was written.
  const std::vector<std::string>& names() const { return names_; }
  bool open() const { return timeline_.open(); }
  /// False: a film that can be viewed only.
  bool editable() const { return timeline_.editable(); }
  const Timeline& timeline() const { return timeline_; }
  /// What is shown at the playhead.
  const Genome& genome() const { return timeline_.shown(); }

  /// Replaces what is shown; between keyframes it becomes one.
  void change(Genome genome);
  void change(const std::function<void(Genome&)>& how) {
    Genome next = genome();
    how(next);
    change(std::move(next));
  }
  /// Replaces it by a genome that was made or found elsewhere: saving proposes a file of its own,
  /// whose name ends in `what`.
  void take(Genome other, const std::string& what);
  /// Another flame of the file becomes current.
  void show(std::size_t flame);
  /// Edits of times, of several genomes, of one that is not shown.
  void edit(const std::function<void(Timeline&)>& how);
  /// Timeline::freeze(); the film cannot be brought back, and its keyframes count as unsaved.
  void freeze(double frames);

  // Gestures: all changes during one are one step.

  /// A panel's control is held in this frame.
  void widgetHeld(bool held) { widgetHeld_ = widgetHeld_ || held; }
  /// A tool drags something over the picture, from now on or no longer.
  void setDragging(bool dragging) { dragging_ = dragging; }
  /// A turn of the wheel; turns that follow soon belong to the same gesture.
  void wheelTurned();
  bool wheelTurning() const;
  /// Once per frame: ends the step when no gesture is in progress.
  void advance();
  /// A gesture is in progress: the picture is to be quick rather than good.
  bool inGesture() const { return inGesture_; }

  Time undoTime() const override;
  Time redoTime() const override { return history_.redoTime(); }
  void undo() override;
  void redo() override;
  std::optional<TechniqueFile> savable() const override;
  void save(const std::string& file) override;
  std::string content() const override;
  void recover(const std::string& file) override;
  bool unsaved() const override;
  std::any keep() override;
  void restore(std::any kept) override;
  void markSaved();

  /// The xform that is shown and edited; xforms.size(): the final one.
  std::size_t selected() const;
  void select(std::size_t index) { selected_ = index, others_.clear(); }
  /// Selects another one beside it, or no longer.
  void toggle(std::size_t index);
  /// Shows one; what is selected stays so if it is among that.
  void lead(std::size_t index);
  /// All that are selected, ascending; at least selected().
  std::vector<std::size_t> selection() const;
  bool isSelected(std::size_t index) const;
  Xform xform(std::size_t index) const;
  std::size_t xformCount() const;  // the final one included

 private:
  /// All genomes at one moment of the history, shared with other moments where they are equal.
  struct State {
    std::vector<std::shared_ptr<const Genome>> genomes;
    std::size_t current = 0;  // where the playhead stood
    double time = 0;
    bool operator==(const State& other) const;
  };
  using Lasting = std::tuple<std::vector<std::string>, std::string, History<State>, State,
                             std::uint64_t, std::size_t>;
  auto lasting() { return std::tie(names_, taken_, history_, saved_, settledAt_, selected_); }

  State stateNow() const;
  bool pending() const;
  void goTo(const State& state, std::size_t current, double time);

  Timeline& timeline_;
  Saved onSave_;
  std::vector<std::string> names_;
  std::string taken_;  // what saving proposes as the end of the name; empty: the file itself
  History<State> history_{State{}};
  State saved_;
  std::uint64_t settledAt_ = 0;  // revision of the timeline that the history knows
  mutable std::uint64_t comparedAt_ = 0;
  mutable bool unsaved_ = false;  // at that revision
  std::size_t selected_ = 0;
  std::set<std::size_t> others_;  // selected beside it
  bool widgetHeld_ = false, dragging_ = false, inGesture_ = false;
  std::optional<Stopwatch> sinceWheel_;
};

}  // namespace fathom::flame
