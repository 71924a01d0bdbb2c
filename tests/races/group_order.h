// SPDX-License-Identifier: BSD-3-Clause
// How work groups of one dispatch come to be in an order: by atomics. Whoever changes a word by an
// atomic hands on all that its group did before its last barrier (with a memory barrier); whoever
// changes the same word later comes after that, and so does its group after its next barrier. This
// is how the last group to count itself may read what all others have written (release and acquire:
// Boehm and Adve, "Foundations of the C++ Concurrency Memory Model", 2008).
#pragma once

#include "tests/races/word_history.h"

namespace fathom::races {

/// Of one dispatch; accesses come in the order in which they happened.
class GroupOrder {
 public:
  /// Dispatches of more groups are not followed: nothing orders their groups, as far as is known.
  static constexpr std::size_t kMaxGroups = 512;

  /// An atomic access to a word of a buffer; `object` tells buffers apart.
  void atomic(std::uint64_t object, std::uint64_t word, const Access& access);
  /// True when the earlier access, of another group, is done before `now`.
  bool isOrdered(const Access& before, const Access& now);

 private:
  using Phases = std::map<std::uint32_t, std::uint32_t>;  // group: what it did before this phase
  struct Group {
    Phases known;    // by all of it
    Phases learned;  // by some of it, in phase `at`
    std::uint32_t at = 0;
  };
  /// The group as of this phase: what one of it has learned is known to all after a barrier.
  Group& groupAt(const Access& access);
  static void join(Phases& to, const Phases& from);

  std::map<std::uint32_t, Group> groups_;
  std::unordered_map<std::uint64_t, Phases> released_;  // by word
};

}  // namespace fathom::races
