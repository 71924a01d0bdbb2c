// SPDX-License-Identifier: BSD-3-Clause
// A folder of its own for each test that writes files, gone when the test ends.
#pragma once

namespace fathom::test {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::string file(std::string_view name) const { return (path_ / name).string(); }
  /// What it holds, sorted by name.
  std::vector<std::string> names() const;
  /// Writes a small file and returns its path; folders on the way are made.
  std::filesystem::path write(std::string_view name, std::string_view contents) const;

 private:
  std::filesystem::path path_;
};

/// The whole file as text. Throws Error when it cannot be read.
std::string readText(const std::filesystem::path& file);
/// What a binary PPM has behind its header of three lines.
std::vector<std::uint8_t> ppmBytes(const std::filesystem::path& file);

/// A file of the source tree, or of $FATHOM_TEST_SOURCE: sourcePath("tests/gpu/data/bad.comp").
std::filesystem::path sourcePath(std::string_view relative);

}  // namespace fathom::test
