// SPDX-License-Identifier: BSD-3-Clause
// The rule, once, and which accesses are worth keeping.
#include "tests/races/word_history.h"

namespace fathom::races {
namespace {

bool isOrdered(const Access& before, const Access& now, std::int64_t visible, GroupOrder* order) {
  if (before.pass < 0) return true;
  if (before.pass != now.pass) return before.pass < visible;
  if (before.invocation == now.invocation) return true;
  if (before.group == now.group) return before.phase != now.phase;
  return order && order->isOrdered(before, now);
}

/// Two writes that need no order among themselves.
bool agree(const Access& a, const Access& b) {
  if (a.kind == AccessKind::Atomic && b.kind == AccessKind::Atomic) return true;
  return a.kind == AccessKind::Write && b.kind == AccessKind::Write && a.pass == b.pass &&
         a.constant != 0 && a.constant == b.constant;
}

bool isSame(const Access& a, const Access& b) {
  return a.pass == b.pass && a.invocation == b.invocation;
}

}  // namespace

std::optional<Access> WordHistory::add(const Access& access, std::int64_t visible,
                                       GroupOrder* order) {
  std::optional<Access> met;
  if (!agree(write_, access) && !isOrdered(write_, access, visible, order)) met = write_;
  if (access.kind == AccessKind::Read) {
    if (isSame(reads_[0], access)) {
      reads_[0] = access;
    } else {
      // The older of the two goes, unless it is the only one of another group.
      if (reads_[1].pass != access.pass || reads_[1].group == access.group ||
          reads_[0].group != access.group)
        reads_[1] = reads_[0];
      reads_[0] = access;
    }
    return met;
  }
  for (const Access& read : reads_)
    if (!met && !isOrdered(read, access, visible, order)) met = read;
  // A plain write of one's own is not forgotten over an atomic one.
  const bool keepsPlain = access.kind == AccessKind::Atomic && isSame(write_, access) &&
                          write_.phase == access.phase && write_.kind == AccessKind::Write;
  // Nor is it that one wrote two values, one after the other.
  const bool isOther = isSame(write_, access) && write_.phase == access.phase &&
                       write_.kind == AccessKind::Write && write_.constant != access.constant;
  if (!keepsPlain) write_ = access;
  if (isOther && !keepsPlain) write_.constant = 0;
  return met;
}

std::optional<Access> MemoryHistory::add(std::uint64_t word, const Access& access,
                                         std::int64_t visible, GroupOrder* order) {
  if (word >= kMaxWords) return std::nullopt;
  return words_[word].add(access, visible, order);
}

void MemoryHistory::forget(std::uint64_t first, std::uint64_t end) {
  if (words_.empty() || first >= end) return;
  if (end - first < words_.size()) {
    for (std::uint64_t word = first; word < end; ++word) words_.erase(word);
    return;
  }
  for (auto word = words_.begin(); word != words_.end();)
    word = word->first >= first && word->first < end ? words_.erase(word) : std::next(word);
}

void GroupOrder::join(Phases& to, const Phases& from) {
  for (const auto& [group, phase] : from) {
    std::uint32_t& mine = to[group];
    mine = std::max(mine, phase);
  }
}

GroupOrder::Group& GroupOrder::groupAt(const Access& access) {
  Group& group = groups_[access.group];
  if (access.phase > group.at) {
    join(group.known, group.learned);
    group.learned.clear();
    group.at = access.phase;
  }
  return group;
}

void GroupOrder::atomic(std::uint64_t object, std::uint64_t word, const Access& access) {
  if (groups_.size() >= kMaxGroups && !groups_.contains(access.group)) return;
  Group& group = groupAt(access);
  Phases& released = released_[object << 40 ^ word];
  join(group.learned, released);
  join(released, group.known);
  // Nothing done in the first phase lies before a barrier.
  if (access.phase > 0) released[access.group] = std::max(released[access.group], access.phase);
}

bool GroupOrder::isOrdered(const Access& before, const Access& now) {
  if (!groups_.contains(now.group)) return false;
  const Phases& known = groupAt(now).known;
  const auto found = known.find(before.group);
  return found != known.end() && before.phase < found->second;
}

}  // namespace fathom::races
