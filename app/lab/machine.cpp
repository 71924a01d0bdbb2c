// SPDX-License-Identifier: BSD-3-Clause
// Where Linux keeps these facts: /proc/cpuinfo and /etc/os-release.
#include "app/lab/machine.h"

#include "app/system/machine.h"

namespace fathom::bench {
namespace {

/// Without blanks and quotes around it.
std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"");
  const std::size_t last = text.find_last_not_of(" \t\r\"");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// The text after `key` on the first line of `file` that starts with it.
std::string entryOf(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    return trimmed(line.substr(line.find(separator) + 1));
  }
  return "unknown";
}

}  // namespace

std::string dateOfToday() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

Machine thisMachine(DeviceFacts device) {
  return {std::move(device), entryOf("/proc/cpuinfo", "model name", ':'),
          entryOf("/etc/os-release", "PRETTY_NAME", '=') + ", " + system::name(), dateOfToday()};
}

}  // namespace fathom::bench
