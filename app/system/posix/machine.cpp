// SPDX-License-Identifier: BSD-3-Clause
// sysconf and uname; /proc and cgroups, where there are any; the XDG base directories.
#include "app/system/machine.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace fathom::system {
namespace {
std::uint64_t mostMemory = UINT64_MAX;
}

std::uint64_t memoryBytes() {
  return std::min(std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE)),
                  mostMemory);
}

void limitMemory(std::uint64_t bytes) {
  mostMemory = bytes;
#ifndef __SANITIZE_ADDRESS__  // whose own maps count as the program's
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

std::uint64_t memoryLimitBytes() {
  std::uint64_t limit = 0;
  const bool limited = bool(std::ifstream("/sys/fs/cgroup/memory.max") >> limit);
  return limited ? std::min(memoryBytes(), limit) : memoryBytes();
}

std::uint64_t peakMemoryBytes() {
  rusage used{};
  return ::getrusage(RUSAGE_SELF, &used) == 0 ? std::uint64_t(used.ru_maxrss) << 10 : 0;
}

namespace {

/// What stands after `separator` on the first line of `file` that starts with `key`, without
/// quotes.
std::string entryOf(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t first = line.find_first_not_of(" \t\"", line.find(separator) + 1);
    const std::size_t last = line.find_last_not_of(" \t\"");
    return first <= last ? line.substr(first, last - first + 1) : "";
  }
  return "unknown";
}

}  // namespace

std::string name() {
  utsname names{};
  ::uname(&names);
  return std::string(names.sysname) + " " + names.release;
}

std::string distribution() { return entryOf("/etc/os-release", "PRETTY_NAME", '='); }

std::string processorName() { return entryOf("/proc/cpuinfo", "model name", ':'); }

bool isTerminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

std::size_t readInput(std::span<std::byte> bytes, bool (*stopped)()) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (!stopped()) {
    if (::poll(&input, 1, 100) <= 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count >= 0 || errno != EINTR) return std::size_t(std::max<ssize_t>(count, 0));
  }
  return 0;
}

void setVariable(const char* name, const std::string& value, bool replace) {
  ::setenv(name, value.c_str(), replace);
}

double toDouble(const char* text, char** end) {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strtod_l(text, end, plain);
}

// ---- Places of files

namespace {

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// $HOME, else what the system's list of users says; a user without one has a folder that is
/// nowhere: never a shared one.
fs::path homeFolder() {
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home;
  const passwd* const user = ::getpwuid(::geteuid());
  return user && user->pw_dir && user->pw_dir[0] == '/' ? user->pw_dir : "/nonexistent";
}

}  // namespace

fs::path configFolder() {
  // The specification ignores relative paths.
  if (const fs::path base = variable("XDG_CONFIG_HOME"); base.is_absolute()) return base / "fathom";
  return homeFolder() / ".config" / "fathom";
}

fs::path newTemporaryFolder(const std::string& beginning, std::error_code& failure) {
  const fs::path folder = fs::temp_directory_path(failure);
  if (failure) return {};
  std::string name = (folder / (beginning + "-XXXXXX")).string();
  if (!::mkdtemp(name.data())) failure = {errno, std::generic_category()};
  return name;
}

fs::path programFile() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path fileOfAddress(const void* address) {
  Dl_info holder{};
  return ::dladdr(address, &holder) != 0 && holder.dli_fname ? holder.dli_fname : "";
}

// ---- Files

namespace {

std::error_code lastError() { return {errno, std::generic_category()}; }

/// Calls `some(bytes left)`, which writes a part of them, until all are written.
template <class WriteSome>
std::error_code writeAll(std::span<const std::byte> bytes, const WriteSome& some) {
  while (!bytes.empty()) {
    const ssize_t written = some(bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return lastError();
    if (written == 0) return {EIO, std::generic_category()};
    bytes = bytes.subspan(std::size_t(written));
  }
  return {};
}

}  // namespace

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::error_code OutputFile::create(const fs::path& path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return descriptor_ >= 0 ? std::error_code() : lastError();
}

std::error_code OutputFile::open(const fs::path& path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return descriptor_ >= 0 ? std::error_code() : lastError();
}

std::error_code OutputFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes) {
  const std::byte* const first = bytes.data();
  return writeAll(bytes, [&](std::span<const std::byte> left) {
    return ::pwrite(descriptor_, left.data(), left.size(), off_t(offset) + (left.data() - first));
  });
}

std::error_code OutputFile::write(std::span<const std::byte> bytes) {
  return writeAll(bytes, [&](std::span<const std::byte> left) {
    return ::write(descriptor_, left.data(), left.size());
  });
}

std::error_code OutputFile::close() {
  return ::close(std::exchange(descriptor_, -1)) == 0 ? std::error_code() : lastError();
}

std::error_code mayWriteIn(const fs::path& folder) {
  return ::access(folder.c_str(), W_OK) == 0 ? std::error_code() : lastError();
}

}  // namespace fathom::system
