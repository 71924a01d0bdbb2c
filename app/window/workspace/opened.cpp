// SPDX-License-Identifier: BSD-3-Clause
// Places in the list stay, so that going on and going back are inverse to each other.
#include "app/window/workspace/opened.h"

#include <algorithm>

namespace fathom::viewer {

void Opened::note(const std::vector<std::string>& inputs, const std::string& technique) {
  RecentSet set;
  for (const std::string& input : inputs) set.inputs.push_back(absoluteInput(input));
  if (set.inputs.empty()) return;
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.set == set; });
  shown_ = std::size_t(known - entries_.begin());
  if (known == entries_.end())
    entries_.push_back({std::move(set), technique});
  else
    known->technique = technique;
}

std::optional<Opened::Entry> Opened::neighbor(int by) const {
  const int count = int(entries_.size());
  if (count < 2) return std::nullopt;
  return entries_[std::size_t(((int(shown_) + by) % count + count) % count)];
}

}  // namespace fathom::viewer
