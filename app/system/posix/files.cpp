// SPDX-License-Identifier: BSD-3-Clause
// Descriptors. A write that a signal interrupts goes on.
#include "app/system/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::system {
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
