// SPDX-License-Identifier: BSD-3-Clause
// The pull in the window: what a frame's keys say goes to the settings, what is changed by hand
// becomes keys, and the frames of a sequence come with it, read one at a time on another thread.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/dof/engine.h"
#include "app/window/dof/focus_track.h"

namespace fathom::dof {

/// The other frames of numbered files that are open: which there are, and reading one.
class FrameReader {
 public:
  /// `read` runs on another thread, and may throw Error.
  using Read = std::function<std::unique_ptr<LoadedInputs>(const std::vector<std::string>& inputs)>;
  explicit FrameReader(Read read) : read_(std::move(read)) {}

  /// These were opened: looks which frames of the first there are.
  void open(const std::vector<std::string>& inputs);
  /// Ascending; empty when there are not two.
  const std::vector<int>& frames() const { return frames_; }
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
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  void request(int frame);

  Read read_;
  std::vector<std::string> patterns_;
  std::vector<int> frames_;
  int shown_ = 0, wanted_ = 0;
  std::optional<int> reading_;
  std::string error_;
  std::uint64_t generation_ = 0;  // of what is open: answers of an older one are not taken
  std::unique_ptr<LoadedInputs> ready_;
  JobQueue jobs_{1};  // last: it waits for what uses the rest
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
  std::vector<TechniqueAction> actions();

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
  const Blur& blur_;
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
