// SPDX-License-Identifier: BSD-3-Clause
// Undo keeps whole pulls: they are a few dozen numbers.
#include "app/window/dof/focus_track.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"

namespace fathom::dof {
namespace {

constexpr int kMaxFrame = 1000000;
constexpr std::size_t kMaxSteps = 200;            // of undo
constexpr auto kPause = std::chrono::seconds(1);  // after which a change by hand is another one

auto placeOf(FocusPull::Keys& keys, int frame) {
  return std::find_if(keys.begin(), keys.end(),
                      [&](const auto& key) { return key.first == double(frame); });
}

void put(FocusPull::Keys& keys, int frame, double value) {
  if (const auto at = placeOf(keys, frame); at != keys.end())
    at->second = value;
  else
    keys.emplace_back(frame, value), std::sort(keys.begin(), keys.end());
}

struct TrackSnapshot : EditSnapshot {
  FocusPull pull, saved;
  std::vector<FocusPull> done, undone;
  std::string file;
  int frame = 1, first = 1, last = 48;
};

}  // namespace

bool FocusTrack::hasKey(Lane lane, int frame) const {
  const FocusPull::Keys& all = keys(lane);
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& key) { return key.first == double(frame); });
}

// Frames
// -------------------------------------------------------------------------------------------------

void FocusTrack::setRange(int first, int last) {
  first_ = std::clamp(first, -kMaxFrame, kMaxFrame - 1);
  last_ = std::clamp(last, first_ + 1, kMaxFrame);
  if (frame_ < first_ || frame_ > last_) goTo(frame_);
}

void FocusTrack::goTo(int frame) {
  player_.stop();
  frame = std::clamp(frame, first_, last_);
  if (frame != frame_) ++version_;
  frame_ = frame;
}

void FocusTrack::goToKey(int by) {
  std::optional<int> nearest;
  for (const Lane lane : kLanes)
    for (const auto& [at, value] : keys(lane)) {
      const int frame = int(std::lround(at));
      if ((frame - frame_) * by > 0 && (!nearest || (frame - *nearest) * by < 0)) nearest = frame;
    }
  if (nearest) goTo(*nearest);
}

void FocusTrack::play(bool on) {
  if (!on) return player_.stop();
  if (!isPlaying()) player_.start(frame_ >= last_ ? first_ : frame_, {first_, last_}, Clock::now());
}

void FocusTrack::advance(Clock::time_point now, bool drawn) {
  if (!isPlaying() || !drawn) return;
  const int due = player_.frameAt(now, {first_, last_});
  if (due != frame_) frame_ = due, ++version_;
}

// Keys
// -------------------------------------------------------------------------------------------------

/// Before a change: changes of one gesture are one step.
void FocusTrack::remember(const std::string& gesture) {
  ++version_;
  const bool goesOn = !gesture.empty() && gesture == gesture_;
  gesture_ = gesture;
  if (goesOn) return;
  undone_.clear();
  done_.push_back(pull_);
  if (done_.size() > kMaxSteps) done_.erase(done_.begin());
}

void FocusTrack::setKey(Lane lane, double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  remember({});
  put(changed(lane), frame_, value);
}

void FocusTrack::follow(Lane lane, double value, Clock::time_point now) {
  if (!(value > 0) || !std::isfinite(value)) return;
  if (now - followed_ > kPause) gesture_.clear();
  followed_ = now;
  remember(fmt::format("follow {} {}", int(lane), frame_));
  put(changed(lane), frame_, value);
}

void FocusTrack::deleteKeys() {
  if (!hasKey(Lane::Focus, frame_) && !hasKey(Lane::FNumber, frame_)) return;
  remember({});
  for (const Lane lane : kLanes)
    std::erase_if(changed(lane), [&](const auto& key) { return key.first == double(frame_); });
}

void FocusTrack::dragKey(Lane lane, int from, int to) {
  const std::string gesture = fmt::format("drag {} {}", int(lane), from);
  if (gesture_ == gesture)
    pull_ = done_.back();  // keys that were passed on the way are there again
  else if (from == to)
    return;
  to = std::clamp(to, first_, last_);
  if (!hasKey(lane, from)) return;
  remember(gesture);
  FocusPull::Keys& all = changed(lane);
  const auto key = placeOf(all, from);
  const double value = key->second;
  all.erase(key);
  put(all, to, value);
}

void FocusTrack::open(FocusPull pull, const std::string& file) {
  pull_ = std::move(pull), saved_ = pull_;
  file_ = file;
  done_.clear(), undone_.clear(), gesture_.clear();
  const std::vector<int> frames = pull_.frames();
  if (frames.size() > 1) setRange(frames.front(), frames.back());
  ++version_;
}

// Editing
// -------------------------------------------------------------------------------------------------

void FocusTrack::undo() {
  if (done_.empty()) return;
  undone_.push_back(std::exchange(pull_, done_.back()));
  done_.pop_back();
  gesture_.clear(), ++version_;
}

void FocusTrack::redo() {
  if (undone_.empty()) return;
  done_.push_back(std::exchange(pull_, undone_.back()));
  undone_.pop_back();
  gesture_.clear(), ++version_;
}

std::optional<TechniqueFile> FocusTrack::savable() const {
  if (pull_.empty()) return std::nullopt;
  return TechniqueFile{"focus pull", {".json"}, file_.empty() ? "focus-pull.json" : file_};
}

void FocusTrack::save(const std::string& file) {
  if (!file.ends_with(".json"))
    fail("{}: expected a name that ends in .json for a focus pull, found another", file);
  writeFile(file, jsonOf(pull_));
  file_ = file, saved_ = pull_;
}

std::unique_ptr<EditSnapshot> FocusTrack::keep() {
  auto kept = std::make_unique<TrackSnapshot>();
  kept->pull = pull_, kept->saved = saved_;
  kept->done = done_, kept->undone = undone_;
  kept->file = file_;
  kept->frame = frame_, kept->first = first_, kept->last = last_;
  return kept;
}

void FocusTrack::restore(std::unique_ptr<EditSnapshot> kept) {
  const auto* const from = dynamic_cast<const TrackSnapshot*>(kept.get());
  if (!from) return;
  pull_ = from->pull, saved_ = from->saved;
  done_ = from->done, undone_ = from->undone;
  file_ = from->file;
  frame_ = from->frame, first_ = from->first, last_ = from->last;
  ++version_;
}

}  // namespace fathom::dof
