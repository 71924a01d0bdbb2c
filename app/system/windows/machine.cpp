// SPDX-License-Identifier: BSD-3-Clause
// Counters, folders and modules of Windows. Names of files are UTF-8 throughout: fathom.manifest
// asks for it.
#include "app/system/machine.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
#include <winternl.h>
//
#include <psapi.h>

namespace fathom::system {
namespace {
std::uint64_t mostMemory = UINT64_MAX;
}

std::uint64_t memoryBytes() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  ::GlobalMemoryStatusEx(&status);
  return std::min<std::uint64_t>(status.ullTotalPhys, mostMemory);
}

void limitMemory(std::uint64_t bytes) {
  mostMemory = bytes;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit{};
  limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
  limit.ProcessMemoryLimit = bytes;
  const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);  // lives as long as the process
  ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
  ::AssignProcessToJobObject(job, ::GetCurrentProcess());
}

std::uint64_t memoryLimitBytes() { return memoryBytes(); }

std::uint64_t peakMemoryBytes() {
  PROCESS_MEMORY_COUNTERS used{};
  return ::GetProcessMemoryInfo(::GetCurrentProcess(), &used, sizeof used) ? used.PeakWorkingSetSize
                                                                           : 0;
}

std::string name() {
  RTL_OSVERSIONINFOW version{};  // GetVersionEx() says 6.2 of everything
  version.dwOSVersionInfoSize = sizeof version;
  using Get = LONG(WINAPI*)(RTL_OSVERSIONINFOW*);
  const auto get = reinterpret_cast<Get>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll"), "RtlGetVersion")));
  if (get) get(&version);
  return fmt::format("Windows {}.{}.{}", version.dwMajorVersion, version.dwMinorVersion,
                     version.dwBuildNumber);
}

namespace {

std::string registered(const wchar_t* key, const wchar_t* value) {
  wchar_t text[256];
  DWORD bytes = sizeof text;
  const LSTATUS read =
      ::RegGetValueW(HKEY_LOCAL_MACHINE, key, value, RRF_RT_REG_SZ, nullptr, text, &bytes);
  return read == ERROR_SUCCESS ? fs::path(text).string() : "unknown";
}

/// When a thread ends, MinGW's libraries destroy its thread_local objects and free their memory, by
/// two keys in the order in which these were made. The first of these objects would make them the
/// wrong way round.
[[gnu::constructor(101)]] void makeKeyOfDestructors() {
  __cxxabiv1::__cxa_thread_atexit([](void*) {}, nullptr, nullptr);
}

/// Before main(): files and streams have no "\r" added, a console shows UTF-8, and one that was
/// opened for this program alone, by a double click, closes.
const bool streamsSet = [] {
  _fmode = _O_BINARY;
  for (const int stream : {0, 1, 2}) ::_setmode(stream, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  DWORD others[2];
  return ::GetConsoleProcessList(others, 2) == 1 && ::FreeConsole();
}();

}  // namespace

std::string distribution() {
  return registered(L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion", L"ProductName");
}

std::string processorName() {
  return registered(L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0", L"ProcessorNameString");
}

bool isTerminal(std::FILE* stream) {
  DWORD mode = 0;  // _isatty() is true of NUL too
  const auto file = reinterpret_cast<HANDLE>(::_get_osfhandle(::_fileno(stream)));
  return ::GetConsoleMode(file, &mode) != 0;
}

std::size_t readInput(std::span<std::byte> bytes, bool (*stopped)()) {
  const HANDLE input = ::GetStdHandle(STD_INPUT_HANDLE);
  const bool isPipe = ::GetFileType(input) == FILE_TYPE_PIPE;
  while (!stopped()) {
    DWORD waiting = 0, count = 0;
    // A closed pipe cannot be looked into; reading it says so too.
    if (isPipe && ::PeekNamedPipe(input, nullptr, 0, nullptr, &waiting, nullptr) && waiting == 0) {
      ::Sleep(20);
      continue;
    }
    ::ReadFile(input, bytes.data(), DWORD(bytes.size()), &count, nullptr);
    return count;
  }
  return 0;
}

// Nothing here sets a locale.
double toDouble(const char* text, char** end) { return std::strtod(text, end); }

void setVariable(const char* name, const std::string& value, bool replace) {
  if (replace || !std::getenv(name)) ::_putenv_s(name, value.c_str());
}

// ---- Places of files

fs::path configFolder() {
  for (const wchar_t* name : {L"XDG_CONFIG_HOME", L"APPDATA"})
    if (const wchar_t* base = ::_wgetenv(name); base && fs::path(base).is_absolute())
      return fs::path(base) / "fathom";
  return "C:/nonexistent/fathom";  // a place that is nobody's: never a shared one
}

fs::path newTemporaryFolder(const std::string& beginning, std::error_code& failure) {
  const fs::path parent = fs::temp_directory_path(failure);  // each user has one
  for (unsigned n = 0; !failure && n < 1000; ++n) {
    const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count() + n;
    const fs::path folder =
        parent / fmt::format("{}-{:x}-{:x}", beginning, ::GetCurrentProcessId(), ticks);
    if (fs::create_directory(folder, failure)) return folder;
  }
  return {};
}

namespace {

fs::path fileOfModule(HMODULE module) {
  std::wstring name(32768, L'\0');
  name.resize(::GetModuleFileNameW(module, name.data(), DWORD(name.size())));
  return name;
}

}  // namespace

fs::path programFile() { return fileOfModule(nullptr); }

fs::path fileOfAddress(const void* address) {
  HMODULE module = nullptr;
  constexpr DWORD kFlags =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  const bool found = ::GetModuleHandleExW(kFlags, static_cast<LPCWSTR>(address), &module);
  return found ? fileOfModule(module) : fs::path();
}

// ---- Files

namespace {

std::error_code lastError() { return {errno, std::generic_category()}; }

/// Writes `bytes`, at a position when one is given.
std::error_code writeAll(int descriptor, std::span<const std::byte> bytes,
                         std::optional<std::uint64_t> offset) {
  constexpr std::size_t kAtOnce = std::size_t(1) << 30;
  const auto file = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
  while (!bytes.empty()) {
    OVERLAPPED place{};
    if (offset) place.Offset = DWORD(*offset), place.OffsetHigh = DWORD(*offset >> 32);
    DWORD written = 0;
    if (!::WriteFile(file, bytes.data(), DWORD(std::min(bytes.size(), kAtOnce)), &written,
                     offset ? &place : nullptr)) {
      const DWORD reason = ::GetLastError();
      const bool full = reason == ERROR_DISK_FULL || reason == ERROR_HANDLE_DISK_FULL;
      return {full ? ENOSPC : EIO, std::generic_category()};
    }
    bytes = bytes.subspan(written);
    if (offset) *offset += written;
  }
  return {};
}

}  // namespace

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::_close(descriptor_);
}

std::error_code OutputFile::create(const fs::path& path) {
  // Shared, so that what is not committed can be removed before it is closed.
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  constexpr int kFlags = _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT;
  const HANDLE made = ::CreateFileW(path.c_str(), GENERIC_WRITE, kShared, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
  descriptor_ = made == INVALID_HANDLE_VALUE  // then the C library says why
                    ? ::_wopen(path.c_str(), kFlags, _S_IREAD | _S_IWRITE)
                    : ::_open_osfhandle(reinterpret_cast<std::intptr_t>(made), _O_BINARY);
  return descriptor_ >= 0 ? std::error_code() : lastError();
}

std::error_code OutputFile::open(const fs::path& path) {
  descriptor_ = ::_wopen(path.c_str(), _O_WRONLY | _O_BINARY | _O_NOINHERIT);
  return descriptor_ >= 0 ? std::error_code() : lastError();
}

std::error_code OutputFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes) {
  return writeAll(descriptor_, bytes, offset);
}

std::error_code OutputFile::write(std::span<const std::byte> bytes) {
  return writeAll(descriptor_, bytes, std::nullopt);
}

std::error_code OutputFile::close() {
  return ::_close(std::exchange(descriptor_, -1)) == 0 ? std::error_code() : lastError();
}

std::error_code mayWriteIn(const fs::path& folder) {
  // Rights are lists here: only an attempt tells.
  const fs::path probe = folder / fmt::format(".{}.part", ::GetCurrentProcessId());
  const HANDLE made = ::CreateFileW(probe.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
  if (made == INVALID_HANDLE_VALUE) return std::make_error_code(std::errc::permission_denied);
  ::CloseHandle(made);
  return {};
}

}  // namespace fathom::system
