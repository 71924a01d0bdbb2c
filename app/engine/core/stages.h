// SPDX-License-Identifier: BSD-3-Clause
// Work in ordered stages under a time budget. A stage states a key: a value of everything that it
// reads (the settings it uses, camera, size, shader generation, ...), compared with ==. When the
// key differs from the one that its result was made of, the stage runs again, and so do all after
// it. Nothing is flagged stale by hand, and keys have types: two that differ cannot look alike.
#pragma once

namespace fathom {

/// The time that one slice of work may take, from now on.
class TimeBudget {
 public:
  explicit TimeBudget(double ms);
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  bool limited() const;
  bool spent() const { return leftMs() <= 0; }
  /// At most 0 once it is spent.
  double leftMs() const;

 private:
  double endMs_;  // on the steady clock
};

class Stages {
 public:
  /// One slice of a stage, of at most about so many milliseconds; true when the stage is complete.
  using Step = std::function<bool(double leftMs)>;

  /// Adds a stage after those that are there. `key` must not have side effects; `begin` runs when
  /// the stage starts (again), before its first step, and may be empty.
  template <class MakeKey>
  void add(std::string name, MakeKey key, Step step, std::function<void()> begin = {}) {
    using Key = std::decay_t<decltype(key())>;
    auto made = std::make_shared<std::optional<Key>>();
    stages_.push_back({std::move(name), std::move(begin), std::move(step),
                       [made, key] { return made->has_value() && !(**made == key()); },
                       [made, key] { *made = key(); }, [made] { made->reset(); }});
  }

  /// Goes on where it stopped, from the first stage whose key has changed, until all are complete
  /// (true) or the budget is spent (false); at least one step is done. `settle` runs before the
  /// clock is read, so that it sees what steps have queued on a device; it is not called without a
  /// limit. What a step throws leaves its stage to be started again by the next call.
  bool run(double budgetMs, const std::function<void()>& settle = {});

  /// The stage of this name and all after it run again, whatever their keys.
  void invalidate(const std::string& name);
  void invalidateAll();

  /// A key differs from what its stage was last made of, or failed with.
  bool changed() const;
  /// All stages are complete, and no key has changed since.
  bool complete() const { return at_ == stages_.size() && firstIncomplete() == stages_.size(); }
  /// The name of the stage that the next step belongs to; empty when all are complete.
  std::string current() const;

 private:
  struct Stage {
    std::string name;
    std::function<void()> begin;
    Step step;
    std::function<bool()> changed;  // there is a key that begin() saw, and it differs
    std::function<void()> remember;
    std::function<void()> forget;
  };
  /// First stage that is not complete under the current keys.
  std::size_t firstIncomplete() const;
  void restartFrom(std::size_t stage);

  std::vector<Stage> stages_;
  std::size_t at_ = 0;  // stages before this are complete
  bool begun_ = false;  // the one at at_
};

}  // namespace fathom
