// SPDX-License-Identifier: BSD-3-Clause
// The other frames of files with a number in their names: which there are, those that are kept in
// memory, and playing them. Files are read by a thread of its own, one frame after the other.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/deep/bands/inputs.h"
#include "app/window/parts.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::deep {

class FramePlayer : public Playing {
 public:
  using Clock = std::chrono::steady_clock;
  explicit FramePlayer(std::uint64_t cacheBytes = 0);  // 0: a quarter of the memory budget

  /// These were opened: looks which frames of the first there are. What is kept of the same files
  /// stays.
  void open(const std::vector<std::string>& inputs);
  /// Frames of which one is shown; empty when there are not two.
  const std::vector<int>& frames() const { return frames_; }
  std::size_t shown() const { return shown_; }    // index into frames()
  std::size_t wanted() const { return wanted_; }  // the newest that was asked for
  bool isKept(std::size_t frame) const { return kept_.contains(frame); }
  const std::string& complaint() const { return complaint_; }

  void show(std::size_t frame);
  void play(bool on);
  bool isPlaying() const { return playing_; }
  double framesPerSecond = 24;

  /// A frame that is due and read, to be adopted by the caller; null: none yet. Reads on meanwhile.
  std::shared_ptr<const Loaded> take();

  bool animated() const override { return false; }
  std::optional<Clock::time_point> dueAt() const override;

 private:
  std::vector<std::string> filesOf(std::size_t frame) const;
  void request(std::size_t frame);
  void keep(std::size_t frame, std::shared_ptr<const Loaded> read);

  std::uint64_t cacheBytes_;
  std::vector<std::string> patterns_;  // per input: with a place for the frame, or the file itself
  std::vector<int> frames_;
  std::size_t shown_ = 0, wanted_ = 0;
  bool playing_ = false;
  Clock::time_point due_{};
  std::map<std::size_t, std::shared_ptr<const Loaded>> kept_;
  std::optional<std::size_t> reading_;
  std::uint64_t generation_ = 0;  // of what is open: answers of an older one are not taken
  std::string complaint_;
  JobQueue jobs_{1};  // last: it waits for what uses the rest
};

}  // namespace fathom::deep
