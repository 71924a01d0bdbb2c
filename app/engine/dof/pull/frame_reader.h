// SPDX-License-Identifier: BSD-3-Clause
// The other frames of numbered files that are open: which there are, and reading one on a thread
// of its own.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/engine.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::dof {

class FrameReader {
 public:
  /// `read` runs on another thread, and may throw Error.
  using Read =
      std::function<std::unique_ptr<LoadedInputs>(const std::vector<std::string>& inputs)>;
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
  const std::string& complaint() const { return complaint_; }
  /// The inputs with a place for the frame's number.
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  void request(int frame);

  Read read_;
  std::vector<std::string> patterns_;
  std::vector<int> frames_;
  int shown_ = 0, wanted_ = 0;
  std::optional<int> reading_;
  std::string complaint_;
  std::uint64_t generation_ = 0;  // of what is open: answers of an older one are not taken
  std::unique_ptr<LoadedInputs> ready_;
  JobQueue jobs_{1};  // last: it waits for what uses the rest
};

}  // namespace fathom::dof
