// SPDX-License-Identifier: BSD-3-Clause
// Who touched a word of memory, and whether two who did were in any order. A pass is a dispatch; a
// phase the time between two barriers of a work group. Two accesses of one word by different
// invocations, one of them a write, are ordered
//   in one pass, in one group   by a barrier between them: they are in different phases
//   in one pass, in two groups  by atomics, if at all (GroupOrder)
//   in two passes               by a memory barrier between the passes
// Two atomic accesses need no order, and two that store one constant do no harm. An atomic one and
// a plain one need it, also if that only reads.
#pragma once

namespace fathom::races {

enum class AccessKind : std::uint8_t { Read, Write, Atomic };

struct Access {
  std::int64_t pass = -1;  // -1: none
  std::uint32_t invocation = 0, group = 0, phase = 0, place = 0;
  AccessKind kind = AccessKind::Read;
  std::uint32_t constant = 0;  // which constant a write stores, by any number of its own; 0: none
};

class GroupOrder;

/// The last write, and two of the last reads: of different invocations, if possible of different
/// groups.
class WordHistory {
 public:
  /// Keeps the access; returns an earlier one that nothing orders with it. What passes before
  /// `visible` did is ordered by memory barriers. `order`: of the groups of this pass; none:
  /// nothing orders them.
  std::optional<Access> add(const Access& access, std::int64_t visible,
                            GroupOrder* order = nullptr);

 private:
  Access write_;
  std::array<Access, 2> reads_;
};

/// Of the words of a buffer, a texture, or the shared memory of a group. Words beyond kMaxWords are
/// not watched.
class MemoryHistory {
 public:
  static constexpr std::uint64_t kMaxWords = 1u << 22;
  std::optional<Access> add(std::uint64_t word, const Access& access, std::int64_t visible,
                            GroupOrder* order = nullptr);
  /// Words [first, end) got their values otherwise.
  void forget(std::uint64_t first, std::uint64_t end);

 private:
  std::unordered_map<std::uint64_t, WordHistory> words_;
};

/// How work groups of one dispatch come to be in an order: by atomics. Whoever changes a word by an
/// atomic hands on all that its group did before its last barrier (with a memory barrier); whoever
/// changes the same word later comes after that, and so does its group after its next barrier. This
/// is how the last group to count itself may read what all others have written (release and
/// acquire: Boehm and Adve, "Foundations of the C++ Concurrency Memory Model", 2008). Of one
/// dispatch; accesses come in the order in which they happened.
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
