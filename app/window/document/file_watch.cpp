// SPDX-License-Identifier: BSD-3-Clause
// Times and sizes by std::filesystem, polled: this works on network folders too.
#include "app/window/document/file_watch.h"

#include <system_error>

namespace fathom::viewer {

bool FileWatch::read(const std::filesystem::path& path, State& state) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  state.time = std::filesystem::last_write_time(path, error);
  if (!error) state.bytes = std::filesystem::file_size(path, error);
  return !error;
}

void FileWatch::watch(const std::vector<std::string>& files) {
  files_.clear();
  for (const std::string& name : files) {
    File file{name, {}, {}};
    if (!read(file.path, file.known)) continue;
    file.last = file.known;
    files_.push_back(file);
  }
  next_ = std::chrono::steady_clock::now() + kInterval;
}

bool FileWatch::changed() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + kInterval;
  bool any = false;
  for (File& file : files_) {
    State state;
    if (!read(file.path, state)) continue;  // being replaced, or deleted
    if (state != file.known && state == file.last) {
      file.known = state;
      any = true;
    }
    file.last = state;
  }
  return any;
}

}  // namespace fathom::viewer
