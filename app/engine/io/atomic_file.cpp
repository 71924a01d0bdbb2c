// SPDX-License-Identifier: BSD-3-Clause
// POSIX calls rather than streams: the file needs positions, permissions and the reason of a
// failure.
#include "app/engine/io/atomic_file.h"

#include "app/engine/core/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// Where the bytes belong: links are followed, so that renaming replaces the file, not the link.
fs::path resolved(const fs::path& target) {
  std::error_code error;
  return fs::is_symlink(target, error) ? fs::weakly_canonical(target, error) : target;
}

fs::path temporaryBeside(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  return target.parent_path() /
         fmt::format(".{}.{}-{}.part", target.filename().string(), ::getpid(), count++);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  const fs::path place = resolved(target_);
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (place.filename().empty() || fs::is_directory(status))
    fail("{}: expected a file to write, found a folder", target_.string());
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor_ = ::open(place.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = temporaryBeside(place);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (descriptor_ >= 0) return;
  const int reason = errno;
  temporary_.clear();
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  if (reason == ENOENT && !fs::exists(folder, error))
    fail("{}: expected an existing folder \"{}\", found none", target_.string(), folder.string());
  fail("{}: expected a place that can be written, found: {}", target_.string(),
       std::strerror(reason));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::failWriting(int error) const {
  fail("{}: expected room to write, found: {}", target_.string(), std::strerror(error));
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  if (!temporary_.empty()) {
    writeAt(end_, bytes);
    end_ += bytes.size();
    return;
  }
  while (!bytes.empty()) {  // a pipe has no positions
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) failWriting(written < 0 ? errno : EIO);
    bytes = bytes.subspan(std::size_t(written));
  }
}

void AtomicFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), off_t(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) failWriting(written < 0 ? errno : EIO);
    offset += std::uint64_t(written);
    bytes = bytes.subspan(std::size_t(written));
  }
}

void AtomicFile::commit() {
  const fs::path place = resolved(target_);
  // A file that is replaced keeps its permissions.
  struct stat old {};
  if (!temporary_.empty() && ::stat(place.c_str(), &old) == 0)
    (void)!::fchmod(descriptor_, old.st_mode & 07777);
  if (::close(std::exchange(descriptor_, -1)) != 0) failWriting(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), place.c_str()) != 0) failWriting(errno);
  temporary_.clear();
}

void writeFile(const fs::path& target, std::string_view contents) {
  AtomicFile file(target);
  file.append(contents);
  file.commit();
}

std::string readFile(const fs::path& file, std::uint64_t limit) {
  std::error_code error;
  if (fs::is_directory(file, error)) fail("{}: expected a file, found a folder", file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("{}: expected a readable file, found: {}", file.string(), std::strerror(errno));
  const std::uint64_t bytes = fs::file_size(file, error);
  if (!error && bytes > limit)
    fail("{}: expected at most {} bytes, found {}", file.string(), limit, bytes);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace fathom
