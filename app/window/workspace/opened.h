// SPDX-License-Identifier: BSD-3-Clause
// What was opened since the window started, in that order, to go to and fro: view, settings and
// what else belongs to a set of files come back with it.
#pragma once

#include "app/window/workspace/file_sets.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

class Opened {
 public:
  /// `technique`: what shows it now; each set is listed once.
  void note(const std::vector<std::string>& inputs, const std::string& technique);
  struct Entry {
    RecentSet set;
    std::string technique;  // name
  };
  const std::vector<Entry>& entries() const { return entries_; }
  /// The one that is shown.
  bool isShown(const Entry& entry) const { return &entry == &entries_[shown_]; }
  /// The one `by` places after it, around the end; none when there is no other.
  std::optional<Entry> neighbor(int by) const;

 private:
  std::vector<Entry> entries_;
  std::size_t shown_ = 0;
};

}  // namespace fathom::viewer
