// SPDX-License-Identifier: BSD-3-Clause
// Vector clocks of groups, which tick at barriers.
#include "tests/races/group_order.h"

namespace fathom::races {

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
