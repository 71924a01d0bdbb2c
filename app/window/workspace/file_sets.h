// SPDX-License-Identifier: BSD-3-Clause
// What belongs to a set of files and not to the user: the technique that showed them, visibility,
// roles, crop, region, view, focus. Each set has a file of its own in the configuration folder, and
// a small picture beside it; the newest sets are the recent ones.
#pragma once

#include "app/engine/io/session.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

/// Inputs as they were opened together; paths of files are absolute.
struct RecentSet {
  std::vector<std::string> inputs;
  bool operator==(const RecentSet&) const = default;
};

/// Adds a set at the front; each is listed once. Sets with a file that is gone are left out.
void addRecent(std::vector<RecentSet>& recent, const std::vector<std::string>& inputs);
/// Without those that name a file that is gone.
std::vector<RecentSet> existing(const std::vector<RecentSet>& recent);
/// "Balls.exr + 2 more", and all of their paths, a line each.
std::string titleOf(const RecentSet& set);
std::string pathsOf(const RecentSet& set);

/// Absolute and normal, where it is a file; scenes stay as they are.
std::string absoluteInput(const std::string& input);

/// Names of the files in its folder with one of these endings (".png"), sorted; none given: with
/// its own.
std::vector<std::string> filesBeside(const std::string& file,
                                     const std::vector<std::string>& endings = {});
/// The file `by` places after this one, by name, among those of its folder with its ending, around
/// the end; none when there is no other.
std::optional<std::string> neighborFile(const std::string& file, int by);

/// The states of sets, read and written on demand.
class FileSets {
 public:
  /// The folder that holds them; none: nothing is kept (scripts).
  void keepIn(std::filesystem::path folder) { folder_ = std::move(folder); }
  bool keeps() const { return !folder_.empty(); }
  /// What was kept for these inputs; an empty session when nothing was. A damaged file counts as
  /// none.
  Session load(const std::vector<std::string>& inputs) const;
  /// Throws Error. Only the newest hundred are kept.
  void save(const std::vector<std::string>& inputs, const Session& state) const;
  /// The technique that showed them last; empty: not known.
  std::string techniqueOf(const std::vector<std::string>& inputs) const;
  /// Where the small picture of a set is.
  std::filesystem::path thumbnail(const std::vector<std::string>& inputs) const;

 private:
  std::filesystem::path fileOf(const std::vector<std::string>& inputs, const char* ending) const;
  std::filesystem::path folder_;
};

}  // namespace fathom::viewer
