// SPDX-License-Identifier: BSD-3-Clause
// The editor of the genomes that are open: what is selected, triangles and camera under the mouse,
// history, and variants of the genome drawn small to pick from. The panels (panel_*.cpp) show it.
#pragma once

#include "app/core/jobs.h"
#include "app/techniques/flame/editing.h"
#include "app/techniques/flame/rendering.h"
#include "app/techniques/picture_editing.h"

#include <chrono>
#include <map>
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
  /// The genomes stay the caller's; edits are made through change().
  Editor(std::vector<Genome>& genomes, const std::size_t& current)
      : genomes_(genomes), current_(current) {}

  /// Other genomes are open now; they count as saved.
  void reset();
  const Genome& genome() const { return genomes_[current_]; }
  bool open() const { return !genomes_.empty(); }
  void change(Genome genome);

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
  struct Edited {
    History history;
    Genome saved;
  };
  enum class Gesture { None, Waiting, Triangle, Camera };
  using Clock = std::chrono::steady_clock;

  Edited& edited();
  std::optional<Hit> hitAt(const PictureInput& input) const;
  void dragTriangle(const PictureInput& input);
  void dragCamera(const PictureInput& input);
  bool wheelTurns() const { return Clock::now() < wheelUntil_; }
  void drawTriangle(PictureOverlay& overlay, std::size_t index, bool post) const;

  std::vector<Genome>& genomes_;
  const std::size_t& current_;
  std::map<std::size_t, Edited> edited_;  // those that were changed
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
