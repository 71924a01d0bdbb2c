// SPDX-License-Identifier: BSD-3-Clause
// A hidden file beside the target, which takes its permissions and then its name.
#include "app/engine/io/atomic_file.h"

#include "app/engine/core/error.h"
#include "app/system/machine.h"
#include "app/system/process.h"

namespace fathom {
namespace {

/// Where the bytes belong: links are followed, so that renaming replaces the file, not the link.
fs::path resolved(const fs::path& target) {
  std::error_code error;
  return fs::is_symlink(target, error) ? fs::weakly_canonical(target, error) : target;
}

/// Names have 255 bytes at most: a long one is cut.
fs::path temporaryBeside(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  return target.parent_path() / fmt::format(".{:.200}.{}-{}.part", target.filename().string(),
                                            system::processId(), count++);
}

std::mutex unfinishedMutex;
std::set<fs::path> unfinished;  // temporary files and folders

}  // namespace

void noteUnfinished(const fs::path& path, bool isOne) {
  std::set<fs::path> added;
  if (isOne) added.insert(path);  // where there is no memory for it, nobody holds the lock
  const std::lock_guard lock(unfinishedMutex);
  isOne ? unfinished.merge(added) : void(unfinished.erase(path));
}

void removeUnfinishedFiles() {
  const std::lock_guard lock(unfinishedMutex);
  std::error_code ignored;
  for (const fs::path& path : unfinished) fs::remove_all(path, ignored);
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  const fs::path place = resolved(target_);
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (place.filename().empty() || fs::is_directory(status))
    fail("{}: expected a file to write, found a folder", target_.string());
  constexpr fs::perms kWritable =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  if (fs::is_regular_file(status) && (status.permissions() & kWritable) == fs::perms::none)
    fail("{}: expected a file that may be replaced, found a read-only one", target_.string());
  std::error_code reason;
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    reason = file_.open(place);
  } else {
    temporary_ = temporaryBeside(place);
    noteUnfinished(temporary_, true);
    reason = file_.create(temporary_);
    if (reason) noteUnfinished(std::exchange(temporary_, {}), false);
  }
  if (!reason) return;
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  if (reason == std::errc::no_such_file_or_directory && !fs::exists(folder, error))
    fail("{}: expected an existing folder \"{}\", found none", target_.string(), folder.string());
  fail("{}: expected a place that can be written, found: {}", target_.string(), reason.message());
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (temporary_.empty()) return;
  fs::remove(temporary_, ignored);
  noteUnfinished(temporary_, false);
}

void AtomicFile::check(std::error_code error) const {
  if (error) fail("{}: expected room to write, found: {}", target_.string(), error.message());
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  if (temporary_.empty()) return check(file_.write(bytes));  // a pipe has no positions
  writeAt(end_, bytes);
  end_ += bytes.size();
}

void AtomicFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes) {
  check(file_.writeAt(offset, bytes));
}

void AtomicFile::commit() {
  check(file_.close());
  if (temporary_.empty()) return;
  const fs::path place = resolved(target_);
  // A file that is replaced keeps its permissions.
  std::error_code error;
  if (const fs::file_status old = fs::status(place, error); fs::exists(old))
    fs::permissions(temporary_, old.permissions(), error);
  error.clear();
  fs::rename(temporary_, place, error);
  check(error);
  noteUnfinished(temporary_, false);
  temporary_.clear();
}

TemporaryFolder::TemporaryFolder(const std::string& beginning) {
  std::error_code failure;
  path_ = system::newTemporaryFolder(beginning, failure);
  if (failure) fail("temporary files: expected room for a folder, found: {}", failure.message());
  noteUnfinished(path_, true);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  noteUnfinished(path_, false);
}

void writeFile(const fs::path& target, std::span<const std::byte> contents) {
  AtomicFile file(target);
  file.append(contents);
  file.commit();
}

std::ifstream openFile(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) fail("{}: no such file", file.string());
  if (fs::is_directory(status)) fail("{}: expected a file, found a folder", file.string());
  if (fs::exists(status) && !fs::is_regular_file(status))
    fail("{}: expected a file, found a pipe or a device", file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("{}: expected a readable file, found: {}", file.string(), std::strerror(errno));
  return in;
}

std::string startOf(const fs::path& file, std::size_t count) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  std::string start(count, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), std::streamsize(count));
  start.resize(std::size_t(in.gcount()));
  return start;
}

std::string readFile(const fs::path& file, std::uint64_t limit) {
  constexpr std::size_t kBlock = 1 << 16;
  std::ifstream in = openFile(file);
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  std::string text;
  text.reserve(error || bytes > limit ? 0 : std::size_t(bytes) + kBlock);
  for (std::size_t kept = 0; in && kept <= limit; kept = text.size()) {
    text.resize(kept + kBlock);
    in.read(text.data() + kept, kBlock);
    text.resize(kept + std::size_t(in.gcount()));
  }
  if (in.bad()) fail("{}: expected a readable file, reading failed", file.string());
  if (text.size() > limit)
    fail("{}: expected at most {} bytes, found {}", file.string(), limit,
         error ? text.size() : std::max<std::uint64_t>(bytes, text.size()));
  return text;
}

}  // namespace fathom
