// SPDX-License-Identifier: BSD-3-Clause
// The genomes that are open, over time: keyframes and a playhead, the genome shown where the
// playhead is, and edits that keep times ascending. Plain values: neither a window nor a GPU is
// needed to test any of it.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/motion/motion.h"

namespace fathom::flame {

/// Two views of the playhead; Timeline::follow() acts on what was assigned.
struct PlayheadSettings {
  int flame = 1;   // which genome, counted from 1; where genomes move, the last one asked for
  float time = 0;  // frames
};

void describe(PlayheadSettings& playhead, FieldVisitor& field);

struct PlaybackSettings {
  float frameRate = 24;  // frames per second, within the limits below
  bool loop = true;
  bool motionBlur = false;
};
constexpr float kMinFrameRate = 1, kMaxFrameRate = 120;

void describe(PlaybackSettings& playback, FieldVisitor& field);

/// Genomes move when there are several of one size with ascending times; otherwise each is on
/// itself. A Motion of another kind moves as well, but cannot be edited.
class Timeline {
 public:
  /// `current`: where the playhead is at first.
  void adopt(std::vector<Genome> genomes, std::size_t current = 0);
  /// A film that is no list of keyframes, and the genome with which it begins.
  void adopt(std::shared_ptr<const Motion> film, Genome first);

  const std::vector<Genome>& genomes() const { return genomes_; }
  bool open() const { return !genomes_.empty(); }
  bool moves() const { return film_ || keyframesMove_; }
  bool editable() const { return !film_; }
  double firstTime() const;
  double lastTime() const;

  /// Where the playhead is, in frames; may be outside of the film.
  double time() const { return time_; }
  void setTime(double time);
  /// The keyframe under the playhead or, between two, the one before; of genomes that do not move,
  /// the one that is shown.
  std::size_t current() const { return current_; }
  /// Moves the playhead there.
  void select(std::size_t index);
  /// The playhead as settings. They follow every movement; what is assigned to them is only asked
  /// for until follow().
  PlayheadSettings& playhead() { return asked_; }
  const PlayheadSettings& playhead() const { return asked_; }
  /// Moves to what was assigned to playhead(). False when there is no such genome; playhead() is
  /// then what it was before.
  bool follow();
  /// False: what is shown is between two keyframes, or within a film that has none.
  bool onKeyframe() const;
  /// What is shown at the playhead; outside of the film its first or last moment.
  const Genome& shown() const;
  /// The time that shown() is of.
  double shownTime() const;
  /// Null unless it moves.
  std::shared_ptr<const Motion> motion() const;
  /// Times of the keyframes around the playhead, the one under it left out.
  std::optional<double> timeBefore() const;
  std::optional<double> timeAfter() const;
  /// Counts up with every edit.
  std::uint64_t revision() const { return revision_; }

  // Edits. Where one is not possible, nothing happens and the answer is false.

  /// Takes the place of what is shown: of the keyframe under the playhead or, between two, as a new
  /// one there. All keyframes take on its size.
  void setShown(Genome genome);
  /// Takes the place of the genome at an index, wherever the playhead is.
  void setAt(std::size_t index, Genome genome);
  /// Make what is shown a keyframe at the playhead.
  bool addKeyframe();
  /// The last one stays.
  bool removeKeyframe(std::size_t index);
  /// A copy halfway to the next keyframe; of the last one, as far behind it as the one before is
  /// before it.
  bool duplicateKeyframe(std::size_t index);
  /// As near to a time as its neighbors allow; `whole`: to whole frames. The playhead follows when
  /// it stood there.
  bool moveKeyframe(std::size_t index, double to, bool whole);
  /// Genomes without times become keyframes, spaced by `frames`.
  void spread(double frames);
  /// A film of another kind becomes keyframes: one every `frames`, and the last one.
  void freeze(double frames);
  /// Other genomes in place of all; the playhead goes to a time and, where nothing moves, an index.
  void replaceAll(std::vector<Genome> genomes, std::size_t current, double time);

  /// Differs when the picture at a time differs, as far as genomes decide it. `halfShutter`: frames
  /// that contribute before and after it.
  std::uint64_t fingerprint(double time, double halfShutter) const;

 private:
  void changed();
  void place(std::size_t current, double time);
  std::size_t indexAt(double time) const;
  std::uint64_t fingerprintOf(std::size_t index) const;

  std::vector<Genome> genomes_;
  std::shared_ptr<const Motion> film_;  // null: genomes_ are all there is
  bool keyframesMove_ = false;
  double time_ = 0;
  std::size_t current_ = 0;
  PlayheadSettings asked_;
  int followedFlame_ = 1;  // asked_.flame, as it was last followed
  std::uint64_t revision_ = 0;
  // Made when they are asked for, forgotten with every edit.
  mutable std::shared_ptr<const Motion> motion_;
  mutable std::optional<Genome> between_;
  struct Print {
    Genome genome;
    std::uint64_t value = 0;
  };
  mutable std::vector<Print> prints_;
  mutable std::uint64_t printed_ = 0;  // revision_ that they are of
};

/// True for keyframes: several, times ascending, one size.
bool areKeyframes(const std::vector<Genome>& genomes);

}  // namespace fathom::flame
