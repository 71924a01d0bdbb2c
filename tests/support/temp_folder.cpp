// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/temp_folder.h"

#include "app/engine/core/error.h"
#include "app/system/machine.h"

namespace fathom::test {

namespace fs = std::filesystem;

TempFolder::TempFolder() {
  std::error_code failure;
  path_ = system::newTemporaryFolder("fathom-test", failure);
  if (failure) fail("a temporary folder: expected to make it, found: {}", failure.message());
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TempFolder::names() const {
  std::vector<std::string> list;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    list.push_back(entry.path().filename().string());
  std::sort(list.begin(), list.end());
  return list;
}

fs::path TempFolder::write(std::string_view name, std::string_view contents) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out.write(contents.data(), std::streamsize(contents.size()));
  if (!out.flush()) fail("{}: expected to write this file, could not", file.string());
  return file;
}

std::string readText(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("{}: expected a readable file, found none", file.string());
  std::ostringstream text;  // what is under /proc has no size
  text << in.rdbuf();
  return std::move(text).str();
}

std::vector<std::uint8_t> ppmBytes(const fs::path& file) {
  const std::string text = readText(file);
  std::size_t at = 0;
  for (int line = 0; line < 3; ++line) at = text.find('\n', at) + 1;
  return {text.begin() + std::ptrdiff_t(at), text.end()};
}

fs::path sourcePath(std::string_view relative) {
  const char* elsewhere = std::getenv("FATHOM_TEST_SOURCE");  // tests/gpu_machine
  return fs::path(elsewhere ? elsewhere : FATHOM_SOURCE_DIR) / relative;
}

}  // namespace fathom::test
