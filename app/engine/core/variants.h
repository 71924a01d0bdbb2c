// SPDX-License-Identifier: BSD-3-Clause
// An implementation space: named dimensions with named values, and named constraints that say which
// combinations make sense (Lier, Franke, Stamminger, Selgrad 2016). A technique writes its space
// once, as a constexpr table; command line, benches, tuner, tests and window enumerate it.
//
//   inline constexpr VariantSpace kSpace{
//       {{"chunk", "Who loads entries.", {{"block", "", "256 at once"}, {"warp", "", "few"}}},
//        {"order", "Which end comes first.", {{"ftb", "", "front to back"}, ...}}},
//       {{"C1", "nothing saturates from behind", [](const Variant& v) { ... }}}};
//   static_assert(kSpace.count() == 320);
//
// Variants are enumerated with the last dimension fastest. Values marked `extension` are our own:
// they are not counted, and their variants follow the counted ones. Files keep ids, never indices.
#pragma once

#include "app/engine/core/random.h"

namespace fathom {

inline constexpr int kMaxDimensions = 12;
inline constexpr int kMaxValues = 6;
inline constexpr int kMaxConstraints = 8;

/// The index of the chosen value in each dimension; 0 in dimensions that the space lacks.
using Variant = std::array<std::uint8_t, kMaxDimensions>;

struct VariantValue {
  std::string_view name;
  std::string_view base;   // the value of the same dimension that this one refines; empty: none
  std::string_view about;  // one line
  bool extension = false;  // not counted
};

struct VariantDimension {
  std::string_view name, about;
  VariantValue values[kMaxValues];

  constexpr int count() const {
    int n = 0;
    while (n < kMaxValues && !values[n].name.empty()) ++n;
    return n;
  }
  /// -1 when there is no such value.
  constexpr int find(std::string_view value) const {
    for (int i = 0; i < count(); ++i)
      if (values[i].name == value) return i;
    return -1;
  }
};

struct VariantConstraint {
  std::string_view name;    // "C1"
  std::string_view reason;  // "back to front leaves nothing to skip: early must be none"
  bool (*holds)(const Variant&) = nullptr;
};

struct VariantSpace {
  VariantDimension dimensions[kMaxDimensions];
  VariantConstraint constraints[kMaxConstraints];

  constexpr int dimensionCount() const {
    int n = 0;
    while (n < kMaxDimensions && !dimensions[n].name.empty()) ++n;
    return n;
  }
  /// The index of the first constraint that a variant breaks; none when it is valid.
  constexpr std::optional<int> broken(const Variant& variant) const {
    for (int i = 0; i < kMaxConstraints && !constraints[i].name.empty(); ++i)
      if (!constraints[i].holds(variant)) return i;
    return std::nullopt;
  }
  constexpr bool valid(const Variant& variant) const {
    for (int d = 0; d < dimensionCount(); ++d)
      if (variant[std::size_t(d)] >= dimensions[d].count()) return false;
    return !broken(variant);
  }
  /// True when one of its values is not counted.
  constexpr bool extension(const Variant& variant) const {
    for (int d = 0; d < dimensionCount(); ++d)
      if (dimensions[d].values[variant[std::size_t(d)]].extension) return true;
    return false;
  }

  /// Valid variants without extensions.
  constexpr int count() const { return countOf(false); }
  /// All valid variants.
  constexpr int countAll() const { return countOf(false) + countOf(true); }
  /// Of 0 .. countAll() - 1; the counted ones come first.
  Variant at(int index) const;
  /// The inverse of at(); -1 when the variant is not valid.
  int index(const Variant& variant) const;

  /// The next combination, valid or not; false after the last.
  constexpr bool advance(Variant& variant) const {
    for (int d = dimensionCount(); d-- > 0;) {
      auto& choice = variant[std::size_t(d)];
      if (++choice < dimensions[d].count()) return true;
      choice = 0;
    }
    return false;
  }
  /// The value's name that a variant has in a dimension.
  constexpr std::string_view value(const Variant& variant, int dimension) const {
    return dimensions[dimension].values[variant[std::size_t(dimension)]].name;
  }

  /// "block.peel.a.copy": the names of its values, in order.
  std::string id(const Variant& variant) const;
  /// Throws UsageError that names the dimension and the nearest value, or the broken constraint.
  Variant parse(std::string_view id) const;
  /// The same variant with one dimension changed, when that is valid. Otherwise other dimensions
  /// follow: the valid variant with that choice that keeps most of the others (the first such).
  /// Throws UsageError naming the constraint when no variant has this choice.
  Variant with(const Variant& variant, int dimension, int choice) const;
  /// Why a choice is impossible while the others stay; empty when it is possible.
  std::string whyNot(const Variant& variant, int dimension, int choice) const;

 private:
  constexpr int countOf(bool isExtension) const {
    int n = 0;
    Variant variant{};
    do {
      if (!broken(variant) && extension(variant) == isExtension) ++n;
    } while (advance(variant));
    return n;
  }
};

/// The values of a dimension as a choice of the settings wants them: names, and a line for each.
std::vector<std::string> valueNames(const VariantDimension& dimension);
std::vector<std::string> valueLines(const VariantDimension& dimension);

/// All valid variants in the order of at(): for loops, where at() would search each time.
std::vector<Variant> allVariants(const VariantSpace& space);

/// One active target with what it refines, nearest first: {"early-each", "early-block",
/// "early-none"}. Targets are named dimension-value; others (capabilities of the device) may be
/// added.
using TargetChain = std::vector<std::string>;

/// The targets of a variant, one chain per dimension.
std::vector<TargetChain> targetsOf(const VariantSpace& space, const Variant& variant);

// ---- Which variants to measure next

// What to measure next when many variants compete: plain logic that knows neither a device nor a
// window, so that a command runs it in one go and the window in slices. A sweep has stages: each
// keeps the fastest variants of the stage before and times them again, in rounds of shuffled order
// (so that slow moments of a shared machine hit all variants alike). A variant is checked before
// its first trial; one that fails takes no further part.

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
