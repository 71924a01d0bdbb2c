// SPDX-License-Identifier: BSD-3-Clause
#include "app/bench/machine.h"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <utility>

namespace fathom::bench {
namespace {

/// The text after `key` on the first line of `file` that starts with it.
std::string entryOf(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    std::string value = line.substr(line.find(separator) + 1);
    const std::size_t first = value.find_first_not_of(" \t\"");
    const std::size_t last = value.find_last_not_of(" \t\"");
    return first == std::string::npos ? "" : value.substr(first, last - first + 1);
  }
  return "unknown";
}

}  // namespace

Machine thisMachine(DeviceFacts device) {
  utsname names{};
  uname(&names);
  const std::time_t now = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  const Clocks clocks = readClocks(device);
  return {
      std::move(device),
      entryOf("/proc/cpuinfo", "model name", ':'),
      entryOf("/etc/os-release", "PRETTY_NAME", '=') + ", " + names.sysname + " " + names.release,
      date,
      {},
      clocks};
}

}  // namespace fathom::bench
