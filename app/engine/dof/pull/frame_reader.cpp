// SPDX-License-Identifier: BSD-3-Clause
// One frame at a time; a wish that comes meanwhile waits.
#include "app/engine/dof/pull/frame_reader.h"

#include "app/engine/io/frame_sequence.h"

#include <algorithm>
#include <utility>

namespace fathom::dof {

void FrameReader::open(const std::vector<std::string>& inputs) {
  ++generation_, reading_.reset(), ready_.reset();
  patterns_.clear(), frames_.clear();
  shown_ = wanted_ = 0;
  complaint_.clear();
  for (const std::string& input : inputs) {
    const std::string pattern = patternOfNumbered(input);
    patterns_.push_back(pattern.empty() || !FramePattern::of(pattern) ? input : pattern);
  }
  const auto first = patterns_.empty() ? std::nullopt : FramePattern::of(patterns_[0]);
  if (!first) return;
  frames_ = first->found();
  for (const int frame : frames_)
    if (first->at(frame) == inputs[0]) shown_ = wanted_ = frame;
  if (frames_.size() < 2) frames_.clear();
}

void FrameReader::want(int frame) {
  if (frames_.empty()) return;
  const auto after = std::upper_bound(frames_.begin(), frames_.end(), frame);
  wanted_ = after == frames_.begin() ? frames_.front() : *std::prev(after);
  if (wanted_ != shown_ && !reading_) request(wanted_);
}

void FrameReader::request(int frame) {
  reading_ = frame;
  complaint_.clear();
  std::vector<std::string> files;
  for (const std::string& pattern : patterns_) {
    const auto place = FramePattern::of(pattern);
    files.push_back(place ? place->at(frame) : pattern);
  }
  const auto generation = generation_;
  jobs_.submit(
      [this, read = read_, frame, files, generation]() -> JobQueue::Delivery {
        // Deliveries can be copied, what was read cannot.
        const auto loaded = std::make_shared<std::unique_ptr<LoadedInputs>>(read(files));
        return [this, frame, loaded, generation] {
          if (generation != generation_) return;
          ready_ = std::move(*loaded);
          reading_.reset(), shown_ = frame;
        };
      },
      [this, generation](std::exception_ptr error) {
        if (generation != generation_) return;
        reading_.reset(), wanted_ = shown_;
        try {
          std::rethrow_exception(error);
        } catch (const std::exception& why) {
          complaint_ = why.what();
        }
      });
}

std::unique_ptr<LoadedInputs> FrameReader::take() {
  jobs_.deliver();
  if (!reading_ && wanted_ != shown_) request(wanted_);
  return std::move(ready_);
}

}  // namespace fathom::dof
