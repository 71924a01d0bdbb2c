// SPDX-License-Identifier: BSD-3-Clause
// Undo and redo with one step per gesture and the time of each, for whatever is edited: genomes,
// keys of a focus pull, settings. States are kept whole, so they should share what is large.
#pragma once

namespace fathom {

/// The caller edits freely and calls settle() whenever no gesture is in progress: what has changed
/// since then is one step. States are compared by ==.
template <class State>
class History {
 public:
  using Clock = std::chrono::steady_clock;
  explicit History(State start) : settled_(std::move(start)) {}
  /// True when there was a step to keep, made at that time.
  bool settle(const State& now, Clock::time_point at = Clock::now()) {
    if (!pending(now)) return false;
    past_.push_back({at, std::exchange(settled_, now)});
    if (past_.size() > kMaxSteps) past_.erase(past_.begin());
    future_.clear();
    return true;
  }
  /// True while `now` holds edits that settle() would keep.
  bool pending(const State& now) const { return !(now == settled_); }
  /// When the step that would be taken back, or done again, was settled; none: there is none.
  std::optional<Clock::time_point> undoTime() const {
    return past_.empty() ? std::nullopt : std::optional(past_.back().at);
  }
  std::optional<Clock::time_point> redoTime() const {
    return future_.empty() ? std::nullopt : std::optional(future_.back().at);
  }
  /// What has changed by itself is no step.
  void follow(const State& now) { settled_ = now; }
  const State& settled() const { return settled_; }
  /// The state one step back; what was not settled is settled first.
  State undo(const State& now) {
    settle(now);
    if (!past_.empty()) move(past_, future_);
    return settled_;
  }
  State redo(const State& now) {
    settle(now);
    if (!future_.empty()) move(future_, past_);
    return settled_;
  }

 private:
  static constexpr std::size_t kMaxSteps = 256;
  struct Step {
    Clock::time_point at;
    State state;  // before it, or after it
  };
  void move(std::vector<Step>& from, std::vector<Step>& to) {
    to.push_back({from.back().at, std::exchange(settled_, std::move(from.back().state))});
    from.pop_back();
  }
  State settled_;
  std::vector<Step> past_, future_;
};

}  // namespace fathom
