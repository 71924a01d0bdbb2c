// SPDX-License-Identifier: BSD-3-Clause
// The pull of focus in the window: a track of keys with the frame that is shown, playing, undo and
// the file that it is saved to; and its control: what a frame's keys say goes to the settings, what
// is changed by hand becomes keys, and the frames of a sequence come with it, read one at a time on
// another thread.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/core/player.h"
#include "app/engine/dof/engine.h"
#include "app/engine/dof/focus_pull.h"
#include "app/engine/io/frame_sequence.h"
#include "app/window/history.h"
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
  void play(bool on);
  bool isPlaying() const { return player_.playing(); }
  /// Playing: moves to the frame that is due, once the last one was drawn. Frames that are not
  /// drawn in time are passed over.
  void advance(Clock::time_point now, bool drawn);

  /// A key at the frame shown, or a new value of the one that is there. Values are above 0.
  void setKey(Lane lane, double value);
  /// A key of a value that is being changed by hand: one undo step as long as it moves.
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

  bool moves(const std::string& setting) const override;

  Time undoTime() const override {
    return history_.pending(pull_) ? Clock::now() : history_.undoTime();
  }
  Time redoTime() const override {
    return history_.pending(pull_) ? std::nullopt : history_.redoTime();
  }
  void undo() override;
  void redo() override;
  std::optional<TechniqueFile> savable() const override;
  void save(const std::string& file) override;
  bool unsaved() const override { return !(pull_ == saved_); }
  std::string content() const override { return jsonOf(pull_); }
  void recover(const std::string& file) override;
  std::any keep() override;
  void restore(std::any kept) override;

 private:
  using Lasting = std::tuple<FocusPull, FocusPull, History<FocusPull>, std::string, int, int, int>;
  auto lasting() { return std::tie(pull_, saved_, history_, file_, frame_, first_, last_); }
  FocusPull::Keys& changed(Lane lane) { return lane == Lane::Focus ? pull_.focus : pull_.fNumber; }
  void remember(const std::string& gesture);

  FocusPull pull_, saved_;
  History<FocusPull> history_{{}};  // pulls are a few dozen numbers: they are kept whole
  std::string file_;
  std::string gesture_;  // what the last change was part of; empty: it stands alone
  Clock::time_point followed_{};
  std::uint64_t version_ = 1;
  int frame_ = 1, first_ = 1, last_ = 48;
  Player player_;
};

/// The other frames of numbered files that are open: which there are, and reading one.
class FrameReader {
 public:
  /// These were opened: looks which frames of the first there are.
  void open(const std::vector<std::string>& inputs);
  /// Ascending; empty when there are not two.
  const std::vector<int>& frames() const { return inputs_.frames; }
  /// The one that is open.
  int shown() const { return shown_; }
  /// Asks for this frame, or for the last one before it that is there; the newest wish counts.
  void want(int frame);
  bool isBusy() const { return reading_.has_value() || wanted_ != shown_; }
  /// What was read since the last call, to be adopted; null: nothing.
  std::unique_ptr<LoadedInputs> take();
  /// Why the last frame could not be read; empty: it was.
  const std::string& error() const { return error_; }
  /// The inputs with a place for the frame's number.
  const std::vector<std::string>& patterns() const { return inputs_.patterns; }

 private:
  void request(int frame);

  NumberedInputs inputs_;
  int shown_ = 0, wanted_ = 0;
  std::optional<int> reading_;
  std::string error_;
  std::unique_ptr<LoadedInputs> ready_;
  JobQueue jobs_;  // last: it waits for what uses the rest
};

class PullControl {
 public:
  using Clock = FocusTrack::Clock;
  /// The engine must outlive this.
  explicit PullControl(DofEngine& engine);

  FocusTrack& track() { return track_; }
  const FocusTrack& track() const { return track_; }
  /// Other inputs are open than `before`; keys stay with the same shot, unless there are new ones.
  void opened(const std::vector<std::string>& before);
  /// Once per frame of the window: brings keys, frames and what is set by hand together.
  void advance(Clock::time_point now);
  /// Makes what is shown a key at the frame shown.
  void setKey(FocusTrack::Lane lane);
  std::vector<Shortcut> actions();

  /// The line that renders these keys; empty when no file holds them yet and no line could.
  std::string command() const;
  /// Why a frame of the sequence is not shown; empty: it is.
  const std::string& error() const { return reader_.error(); }
  /// Of the settings, as keys hold it.
  double valueOf(FocusTrack::Lane lane) const;

 private:
  void nameFile();
  void takeFrame();
  void apply();
  void followHand(Clock::time_point now);
  std::string focusArgument() const;

  Shot& shot_;
  const DofEngine& engine_;
  FocusTrack track_;
  FrameReader reader_;
  std::string named_;              // file of the keys among the inputs
  std::uint64_t applied_ = 0;      // version of the track
  float focus_ = 0, fNumber_ = 0;  // of the settings, when they were last looked at
};

/// The timeline below the picture: transport, keys, a lane of them for the focus and one for the
/// f-number.
void drawPullStrip(PullControl& pull);

}  // namespace fathom::dof
