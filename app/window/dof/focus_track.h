// SPDX-License-Identifier: BSD-3-Clause
// A pull that is made in the window: its keys, the frame that is shown, playing, undo, and the file
// that it is saved to. Knows nothing of the picture: who owns it applies what a frame says.
#pragma once

#include "app/engine/core/player.h"
#include "app/engine/dof/focus_pull.h"
#include "app/window/parts.h"

namespace fathom::dof {

class FocusTrack : public Playing, public Editing {
 public:
  using Clock = Player::Clock;
  enum class Lane { Focus, FNumber };
  static constexpr Lane kLanes[] = {Lane::Focus, Lane::FNumber};

  const FocusPull& pull() const { return pull_; }
  const FocusPull::Keys& keys(Lane lane) const {
    return lane == Lane::Focus ? pull_.focus : pull_.fNumber;
  }
  bool hasKey(Lane lane, int frame) const;
  /// Counts what has changed: keys, or the frame.
  std::uint64_t version() const { return version_; }

  int frame() const { return frame_; }
  int first() const { return first_; }
  int last() const { return last_; }
  /// The frames that are played; at least two.
  void setRange(int first, int last);
  /// Shows a frame of them; playing stops.
  void goTo(int frame);
  /// To the next key of any lane, or the one before (`by` -1).
  void goToKey(int by);
  void play(bool on);
  bool isPlaying() const { return player_.playing(); }
  void setFrameRate(double framesPerSecond) { player_.frameRate = framesPerSecond; }
  /// Playing: moves to the frame that is due, once the last one was drawn. Frames that are not
  /// drawn in time are passed over.
  void advance(Clock::time_point now, bool drawn);

  /// A key at the frame shown, or a new value of the one that is there. Values are above 0.
  void setKey(Lane lane, double value);
  /// The same for a value that is being changed by hand: one undo step as long as it moves.
  void follow(Lane lane, double value, Clock::time_point now);
  /// All keys at the frame shown.
  void deleteKeys();
  /// While a key is dragged: from where it was to another frame, which may have had one.
  void dragKey(Lane lane, int from, int to);
  void endDrag() { gesture_.clear(); }
  /// Another pull, from a file (empty: from none); nothing is left to undo.
  void open(FocusPull pull, const std::string& file);
  const std::string& file() const { return file_; }

  bool animated() const override { return isPlaying(); }
  std::optional<Clock::time_point> dueAt() const override { return player_.dueAt(Clock::now()); }

  bool canUndo() const override { return !done_.empty(); }
  bool canRedo() const override { return !undone_.empty(); }
  void undo() override;
  void redo() override;
  std::optional<TechniqueFile> savable() const override;
  void save(const std::string& file) override;
  bool unsaved() const override { return !(pull_ == saved_); }
  std::string content() const override { return jsonOf(pull_); }
  std::unique_ptr<EditSnapshot> keep() override;
  void restore(std::unique_ptr<EditSnapshot> kept) override;

 private:
  FocusPull::Keys& changed(Lane lane) { return lane == Lane::Focus ? pull_.focus : pull_.fNumber; }
  void remember(const std::string& gesture);

  FocusPull pull_, saved_;
  std::vector<FocusPull> done_, undone_;
  std::string file_;
  std::string gesture_;  // what the last change was part of; empty: it stands alone
  Clock::time_point followed_{};
  std::uint64_t version_ = 1;
  int frame_ = 1, first_ = 1, last_ = 48;
  Player player_;
};

}  // namespace fathom::dof
