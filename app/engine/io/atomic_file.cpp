// SPDX-License-Identifier: BSD-3-Clause
// A hidden file beside the target, which takes its permissions and then its name.
#include "app/engine/io/atomic_file.h"

#include "app/engine/core/error.h"
#include "app/system/process.h"

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
         fmt::format(".{}.{}-{}.part", target.filename().string(), system::processId(), count++);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  const fs::path place = resolved(target_);
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (place.filename().empty() || fs::is_directory(status))
    fail("{}: expected a file to write, found a folder", target_.string());
  std::error_code reason;
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    reason = file_.open(place);
  } else {
    temporary_ = temporaryBeside(place);
    reason = file_.create(temporary_);
  }
  if (!reason) return;
  temporary_.clear();
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  if (reason == std::errc::no_such_file_or_directory && !fs::exists(folder, error))
    fail("{}: expected an existing folder \"{}\", found none", target_.string(), folder.string());
  fail("{}: expected a place that can be written, found: {}", target_.string(), reason.message());
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
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
