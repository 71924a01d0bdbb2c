// SPDX-License-Identifier: BSD-3-Clause
// What to measure next when many variants compete: plain logic that knows neither a device nor a
// window, so that a command runs it in one go and the window in slices. A sweep has stages: each
// keeps the fastest variants of the stage before and times them again, in rounds of shuffled order
// (so that slow moments of a shared machine hit all variants alike). A variant is checked before
// its first trial; one that fails takes no further part.
#pragma once

#include "app/engine/core/random.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace fathom {

class VariantSweep {
 public:
  struct Stage {
    std::size_t keep;  // at most this many of the fastest; 0: all
    int trials;        // of each, in this stage
  };
  enum class State { Waiting, Passed, Failed };
  struct Row {
    int variant;  // the caller's number
    State state = State::Waiting;
    std::string detail;  // when it failed
    std::vector<double> ms;
    double medianMs() const;  // 0 without trials
  };
  struct Step {
    bool check;  // else a trial
    std::size_t row;
  };

  VariantSweep() = default;
  VariantSweep(const std::vector<int>& variants, std::vector<Stage> stages, std::uint64_t seed);

  /// All once, the best quarter three times more, the best twentieth ten times more: successive
  /// halving.
  static std::vector<Stage> halving(std::size_t count);
  /// All variants, this many trials each.
  static std::vector<Stage> rounds(int trials) { return {{0, trials}}; }

  bool finished() const { return queue_.empty(); }
  Step next() const { return queue_.front(); }  // not finished()
  /// The answer to next(), a check or a trial.
  void checked(bool passed, std::string detail);
  void timed(double ms);
  /// Ends the sweep; results so far are kept.
  void cancel() { queue_.clear(), stages_.clear(); }

  const std::vector<Row>& rows() const { return rows_; }
  /// The fastest row among those tried most often; -1 when none has passed.
  int best() const;
  /// Steps done, and their number when every check passes.
  std::size_t done() const { return done_; }
  std::size_t total() const { return total_; }

 private:
  void fill();
  void pop();
  std::vector<std::size_t> survivors(std::size_t keep) const;

  std::vector<Row> rows_;
  std::deque<Stage> stages_;
  std::deque<Step> queue_;
  std::size_t done_ = 0, total_ = 0;
  Random random_{1};
};

}  // namespace fathom
