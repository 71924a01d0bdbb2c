// SPDX-License-Identifier: BSD-3-Clause
// sysconf and uname; /proc and cgroups, where there are any; the XDG base directories.
#include "app/system/machine.h"

#include <dlfcn.h>
#include <locale.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace fathom::system {

namespace fs = std::filesystem;

std::uint64_t memoryBytes() {
  return std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

std::uint64_t memoryLimitBytes() {
  std::uint64_t limit = 0;
  const bool limited = bool(std::ifstream("/sys/fs/cgroup/memory.max") >> limit);
  return limited ? std::min(memoryBytes(), limit) : memoryBytes();
}

std::string name() {
  utsname names{};
  ::uname(&names);
  return std::string(names.sysname) + " " + names.release;
}

bool isTerminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

double toDouble(const char* text, char** end) {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strtod_l(text, end, plain);
}

// Places of files
// -------------------------------------------------------------------------------------------------

namespace {

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

fs::path configFolder() {
  // The specification ignores relative paths.
  if (const fs::path base = variable("XDG_CONFIG_HOME"); base.is_absolute()) return base / "fathom";
  const fs::path home = variable("HOME");
  return (home.empty() ? fs::temp_directory_path() : home) / ".config" / "fathom";
}

fs::path cacheFolder() {
  if (const fs::path base = variable("XDG_CACHE_HOME"); !base.empty()) return base / "fathom";
  const fs::path home = variable("HOME");
  return home.empty() ? fs::path() : home / ".cache" / "fathom";
}

fs::path programFile() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path fileOfAddress(const void* address) {
  Dl_info holder{};
  return ::dladdr(address, &holder) != 0 && holder.dli_fname ? holder.dli_fname : "";
}

}  // namespace fathom::system
