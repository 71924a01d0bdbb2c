// SPDX-License-Identifier: BSD-3-Clause
// A file written at positions, with the system's own reasons for what fails.
#pragma once

namespace fathom::system {

class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// A file that is not there yet.
  std::error_code create(const fs::path& path);
  /// What is there: a device, a pipe.
  std::error_code open(const fs::path& path);
  /// All of the bytes, at a position from the beginning.
  std::error_code writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
  /// All of the bytes, behind those written last: for what has no positions.
  std::error_code write(std::span<const std::byte> bytes);
  /// Some failures of writing show only here.
  std::error_code close();

 private:
  int descriptor_ = -1;
};

/// Whether this user may make files in it; else why not.
std::error_code mayWriteIn(const fs::path& folder);

}  // namespace fathom::system
