// SPDX-License-Identifier: BSD-3-Clause
// Edits outlive a signal, a crash or a lost GPU: while there are unsaved ones, what save() would
// write lies in the configuration folder, and the next start offers it.
#pragma once

#include "app/window/document/document.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

class Recovery {
 public:
  /// The folder that holds the files; none: nothing is kept (scripts).
  void keepIn(std::filesystem::path folder) { folder_ = std::move(folder); }

  /// Writes the edits when they have changed, at most every other second unless `now`; removes them
  /// once they are saved. Throws Error.
  void update(const Document& document, bool now = false);

  /// The user gave the edits up.
  void discardOwn() { remove(); }

  /// What a program that is gone has left.
  struct Found {
    std::filesystem::path file;  // the edits, under their own name
    std::string technique;
    std::vector<std::string> inputs;  // that were open
  };
  std::optional<Found> find() const;
  /// Forgets what was found.
  void discard(const Found& found) const;

 private:
  void remove();
  std::filesystem::path own() const;  // folder of this process
  std::filesystem::path folder_;
  std::string written_;
  Clock::time_point last_{};
};

}  // namespace fathom::viewer
