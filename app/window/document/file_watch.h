// SPDX-License-Identifier: BSD-3-Clause
// Notices when files on disk change: polls time and size once a second, and reports a change once
// the file has been stable for one interval.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fathom::viewer {

class FileWatch {
 public:
  /// Replaces the watched files; names that are no files (scenes) are ignored.
  void watch(const std::vector<std::string>& files);
  /// True once after a file has changed and then been stable for one interval.
  bool changed();
  static constexpr std::chrono::milliseconds kInterval{1000};

 private:
  struct State {
    std::filesystem::file_time_type time;
    std::uintmax_t bytes = 0;
    bool operator==(const State&) const = default;
  };
  struct File {
    std::filesystem::path path;
    State known, last;
  };
  static bool read(const std::filesystem::path& path, State& state);
  std::vector<File> files_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace fathom::viewer
