// SPDX-License-Identifier: BSD-3-Clause
// Undo and redo with one step per gesture, for whatever is edited: genomes, keys of a focus pull.
// States are kept whole, so they should share what is large.
#pragma once

namespace fathom {

/// The caller edits freely and calls settle() whenever no gesture is in progress: what has changed
/// since then is one step. States are compared by ==.
template <class State>
class History {
 public:
  explicit History(State start) : settled_(std::move(start)) {}
  /// True when there was a step to keep.
  bool settle(const State& now) {
    if (!pending(now)) return false;
    past_.push_back(std::exchange(settled_, now));
    if (past_.size() > kMaxSteps) past_.erase(past_.begin());
    future_.clear();
    return true;
  }
  /// True while `now` holds edits that settle() would keep.
  bool pending(const State& now) const { return !(now == settled_); }
  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  const State& settled() const { return settled_; }
  /// The state one step back; what was not settled is settled first.
  State undo(const State& now) {
    settle(now);
    if (!past_.empty()) {
      future_.push_back(std::move(settled_));
      settled_ = std::move(past_.back());
      past_.pop_back();
    }
    return settled_;
  }
  State redo(const State& now) {
    settle(now);
    if (!future_.empty()) {
      past_.push_back(std::move(settled_));
      settled_ = std::move(future_.back());
      future_.pop_back();
    }
    return settled_;
  }

 private:
  static constexpr std::size_t kMaxSteps = 256;
  State settled_;
  std::vector<State> past_, future_;
};

}  // namespace fathom
