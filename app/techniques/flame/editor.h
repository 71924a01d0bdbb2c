// SPDX-License-Identifier: BSD-3-Clause
// The editor of the genomes that are open: what is selected, triangles and camera under the mouse,
// the history of all of them, and variants of the genome drawn small to pick from. The panels
// (panel_*.cpp) show it.
#pragma once

#include "app/core/jobs.h"
#include "app/techniques/flame/editing.h"
#include "app/techniques/flame/rendering.h"
#include "app/techniques/flame/timeline.h"
#include "app/techniques/facets.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::flame {

/// A genome to pick, and its picture once it is drawn.
struct Thumbnail {
  Genome genome;
  std::string title;
  gpu::Texture picture;  // as displayed
};

class Editor {
 public:
  /// The timeline stays the caller's; edits are made through change() and edit().
  explicit Editor(Timeline& timeline) : timeline_(timeline) {}

  /// Other genomes are open now; they count as saved.
  void reset();
  /// What is seen at the playhead.
  const Genome& genome() const { return timeline_.shown(); }
  bool open() const { return timeline_.open(); }
  /// False: a film that can only be looked at.
  bool editable() const { return timeline_.editable(); }
  const Timeline& timeline() const { return timeline_; }
  /// Takes the place of what is seen; between keyframes it becomes one.
  void change(Genome genome);
  /// Edits of times, of several genomes, of one that is not seen.
  void edit(const std::function<void(Timeline&)>& how);
  /// Timeline::freeze(); the film cannot be brought back, and its keyframes count as unsaved.
  void freeze(double frames);

  /// Once per frame: ends the step when no gesture goes on. What the picture needs since last time.
  Effect takeChange();
  /// A gesture goes on: the picture is to be quick rather than good.
  bool inGesture() const { return inGesture_; }
  /// A panel's control is held in this frame.
  void widgetHeld(bool held) { widgetHeld_ = widgetHeld_ || held; }

  bool canUndo() const;
  bool canRedo() const;
  void undo();
  void redo();
  bool unsaved() const;
  void markSaved();

  bool interact(const PictureInput& input);
  void drawOverlay(PictureOverlay& overlay) const;

  /// The xform that the panel shows; xforms.size(): the final one.
  std::size_t selected() const;
  void select(std::size_t index) { selected_ = index; }
  Xform xform(std::size_t index) const;
  void setXform(std::size_t index, Xform xform);
  std::size_t xformCount() const;  // the final one included

  bool triangles = true;       // are shown and can be dragged
  bool postTriangles = false;  // the same for post transformations

  // Thumbnails
  enum class Offer { Mutations, Random };
  /// New ones from this seed; work() has them drawn.
  void offer(Offer what, std::uint64_t seed);
  const std::vector<Thumbnail>& offered() const { return offered_; }
  std::uint64_t seed() const { return seed_; }
  Offer offering() const { return offering_; }
  /// The genome that is offered at an index; without its picture.
  static Thumbnail offerOf(const Genome& from, Offer what, std::uint64_t seed, std::size_t index);
  /// Takes in thumbnails that are drawn on another thread; true while there are more to come.
  bool work(gpu::Context& gpu);

 private:
  struct Hit {
    std::size_t xform = 0;
    Corner corner = Corner::O;
    bool post = false;
    bool operator==(const Hit&) const = default;
  };
  /// All genomes at one moment of the history, shared with other moments where they are equal.
  struct State {
    std::vector<std::shared_ptr<const Genome>> genomes;
    std::size_t current = 0;  // where the playhead stood
    double time = 0;
    bool operator==(const State& other) const;
  };
  enum class Gesture { None, Waiting, Triangle, Camera };
  using Clock = std::chrono::steady_clock;

  State stateNow() const;
  bool pending() const;
  void restore(const State& state, std::size_t current, double time);
  std::optional<Hit> hitAt(const PictureInput& input) const;
  void dragTriangle(const PictureInput& input);
  void dragCamera(const PictureInput& input);
  bool wheelTurns() const { return Clock::now() < wheelUntil_; }
  void drawTriangle(PictureOverlay& overlay, std::size_t index, bool post) const;

  Timeline& timeline_;
  std::optional<HistoryOf<State>> history_;  // since the first edit
  State saved_;
  std::uint64_t settledAt_ = 0;  // revision of the timeline that the history knows
  mutable std::uint64_t comparedAt_ = 0;
  mutable bool unsaved_ = false;  // at that revision
  std::size_t selected_ = 0;
  bool changed_ = false, widgetHeld_ = false, inGesture_ = false;

  Gesture gesture_ = Gesture::None;
  std::optional<Hit> hot_;
  Genome before_;  // when the gesture began
  glm::dvec2 pressedAt_{0}, grip_{0};
  Clock::time_point wheelUntil_{};

  std::vector<Thumbnail> offered_;
  std::size_t asked_ = 0;  // of them, how many were given to the other thread
  Genome offeredFrom_;
  std::uint64_t seed_ = 1, offers_ = 0;
  Offer offering_ = Offer::Mutations;
  std::unique_ptr<JobQueue> jobs_;
};

/// The genome as it is drawn while a gesture goes on: smaller, and with few samples.
Genome previewOf(const Genome& genome);

}  // namespace fathom::flame
