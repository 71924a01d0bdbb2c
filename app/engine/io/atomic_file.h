// SPDX-License-Identifier: BSD-3-Clause
// A file that appears complete or not at all: written beside its final place and renamed by
// commit(). Whatever ends the work early (an error, Ctrl+C, an exception) leaves the old file
// untouched.
#pragma once

#include "app/system/machine.h"

namespace fathom {

class AtomicFile {
 public:
  /// Creates the temporary file. Throws Error naming `target` when its folder is missing, not
  /// writable, or `target` is a folder. A device or pipe (/dev/null, /dev/stdout) is written
  /// directly.
  explicit AtomicFile(fs::path target);
  ~AtomicFile();  // removes the temporary file unless committed

  const fs::path& target() const { return target_; }
  /// Where the bytes go until commit(), for programs that write them.
  const fs::path& place() const { return temporary_.empty() ? target_ : temporary_; }

  /// Writes behind the last byte written by append(). Throws Error (disk full, ...).
  void append(std::span<const std::byte> bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  /// Writes at a byte position; independent of append().
  void writeAt(std::uint64_t offset, std::span<const std::byte> bytes);

  /// Closes the file and puts it in its final place. Throws Error.
  void commit();

 private:
  void check(std::error_code error) const;  // throws Error
  fs::path target_;
  fs::path temporary_;  // empty when target_ is written directly
  system::OutputFile file_;
  std::uint64_t end_ = 0;
};

/// Before the process ends without its destructors: what is not committed leaves nothing, nor does
/// what was noted as unfinished, a file or a folder with all that is in it.
void removeUnfinishedFiles();
void noteUnfinished(const fs::path& path, bool isOne);

/// A folder for temporary files, which goes with all that is in it, as unfinished files do.
class TemporaryFolder {
 public:
  /// Its name begins so. Throws Error.
  explicit TemporaryFolder(const std::string& beginning);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Writes a whole file that way.
void writeFile(const fs::path& target, std::span<const std::byte> contents);
inline void writeFile(const fs::path& target, std::string_view contents) {
  writeFile(target, std::as_bytes(std::span(contents)));
}

/// Opens what is to be read: a regular file, or a link to one. Throws Error for all else: a pipe or
/// a device need not end.
std::ifstream openFile(const fs::path& file);
/// The first bytes of a regular file, at most `count`; empty where there is none to read.
std::string startOf(const fs::path& file, std::size_t count);
/// The whole file as bytes; throws Error as openFile() does and beyond `limit` bytes, however many
/// the file claims to have.
std::string readFile(const fs::path& file, std::uint64_t limit = 1u << 30);

}  // namespace fathom
