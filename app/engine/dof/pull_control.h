// SPDX-License-Identifier: BSD-3-Clause
// The pull in the window: what a frame's keys say goes to the settings, what is changed by hand
// becomes keys, and the frames of a sequence come with it.
#pragma once

#include "app/engine/dof/blur.h"
#include "app/engine/dof/pull/focus_track.h"
#include "app/engine/dof/pull/frame_reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::dof {

class PullControl {
 public:
  using Clock = FocusTrack::Clock;
  /// Both must outlive this.
  PullControl(Shot& shot, const Blur& blur);

  FocusTrack& track() { return track_; }
  const FocusTrack& track() const { return track_; }
  /// Other inputs are open than `before`; keys stay with the same shot, unless there are new ones.
  void opened(const std::vector<std::string>& before);
  /// Once per frame of the window: what the picture needs since the last call.
  Effect advance(Clock::time_point now);
  /// Makes what is shown a key at the frame shown.
  void setKey(FocusTrack::Lane lane);
  std::vector<TechniqueAction> actions();

  /// The line that renders these keys; empty when no file holds them yet and no line could.
  std::string command() const;
  /// Why a frame of the sequence is not shown; empty: it is.
  const std::string& complaint() const { return reader_.complaint(); }
  /// Of the settings, as keys hold it.
  double valueOf(FocusTrack::Lane lane) const;

 private:
  void nameFile();
  bool takeFrame();
  bool apply();
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

}  // namespace fathom::dof
