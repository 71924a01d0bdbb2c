// SPDX-License-Identifier: BSD-3-Clause
// Sets of files that are opened together: recent ones, what is kept with each of them (technique,
// view, settings of inputs), their order in this session, samples, and changes on disk.
#pragma once

#include "app/engine/io/session.h"
#include "app/window/widgets/file_browser.h"

namespace fathom::viewer {

/// Notices when files on disk change: polls time and size once a second, and reports a change once
/// the file has been stable for one interval.
class FileWatch {
 public:
  /// Replaces the watched files; names that are no files (scenes) are ignored.
  void watch(const std::vector<std::string>& files);
  /// True once after a file has changed and then been stable for one interval.
  bool changed();
  static constexpr std::chrono::milliseconds kInterval{1000};

 private:
  /// Time and bytes; none: no file.
  using State = std::optional<std::pair<fs::file_time_type, std::uintmax_t>>;
  struct File {
    fs::path path;
    State known, last;
  };
  static State stateOf(const fs::path& path);
  std::vector<File> files_;
  std::chrono::steady_clock::time_point next_{};
};

/// Inputs as they were opened together; paths of files are absolute.
using FileSet = std::vector<std::string>;

/// Adds a set at the front; each is listed once. Sets with a file that is gone are left out.
void addRecent(std::vector<FileSet>& recent, const std::vector<std::string>& inputs);
/// Without those that name a file that is gone.
std::vector<FileSet> existing(std::vector<FileSet> recent);
/// "Balls.exr + 2 more", and all of their paths, a line each.
std::string titleOf(const FileSet& set);
std::string pathsOf(const FileSet& set);

/// Absolute and normal, where it is a file; scenes stay as they are.
std::string absoluteInput(const std::string& input);
FileSet absoluteInputs(std::vector<std::string> inputs);

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
  void keepIn(fs::path folder) { folder_ = std::move(folder); }
  bool keeps() const { return !folder_.empty(); }
  /// What was kept for these inputs; an empty session when nothing was. A damaged file counts as
  /// none.
  Session load(const std::vector<std::string>& inputs) const;
  /// Throws Error. Only the newest hundred are kept.
  void save(const std::vector<std::string>& inputs, const Session& state) const;
  /// The technique that showed them last; empty: not known.
  std::string techniqueOf(const std::vector<std::string>& inputs) const;
  /// Where the small picture of a set is.
  fs::path thumbnail(const std::vector<std::string>& inputs) const;

 private:
  fs::path fileOf(const std::vector<std::string>& inputs, const char* ending) const;
  fs::path folder_;
};

/// What was opened since the window started, in that order: view, settings and whatever else
/// belongs to a set of files come back with it.
class Opened {
 public:
  /// `technique`: what shows it, now if `shown`; each set is listed once.
  void note(const std::vector<std::string>& inputs, const std::string& technique,
            bool shown = true);
  void forget(const std::vector<std::string>& inputs);
  struct Entry {
    FileSet set;
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

/// What can be opened without files of one's own: scenes made by the program, and the flames and
/// models that are installed with it, by technique.
struct Sample {
  std::string title, about;
  std::vector<std::string> inputs;
};
struct SampleGroup {
  std::string technique, title, about;
  std::vector<Sample> samples;  // not empty; the first opens with a click on the card
};
/// In the order of the registry; samples whose files are missing are left out.
const std::vector<SampleGroup>& samples();

/// Samples and recent sets as places of the file browser.
std::vector<FileBrowser::Place> placesOf(const std::vector<FileSet>& recent);

}  // namespace fathom::viewer
