// SPDX-License-Identifier: BSD-3-Clause
// Sees when files on disk change: their time and size are asked for once a second, and a change
// counts once it has come to rest.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fathom::viewer {

class FileWatch {
 public:
  /// From now on these; words that name no file are passed over.
  void watch(const std::vector<std::string>& files);
  /// True once after one of the files was changed and has been the same for one interval.
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
