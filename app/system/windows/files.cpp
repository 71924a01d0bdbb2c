// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of the C library, whose reasons read as elsewhere.
#include "app/system/files.h"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

namespace fathom::system {
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
