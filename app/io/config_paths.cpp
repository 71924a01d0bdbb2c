// SPDX-License-Identifier: BSD-3-Clause
// The XDG base directory specification, as far as Fathom needs it.
#include "app/io/config_paths.h"

#include <cstdlib>

namespace fathom {
namespace {

namespace fs = std::filesystem;

fs::path folder(const char* variable, const char* underHome) {
  // The specification ignores relative paths.
  if (const char* base = std::getenv(variable); base && fs::path(base).is_absolute())
    return fs::path(base) / "fathom";
  const char* home = std::getenv("HOME");
  return (home && *home ? fs::path(home) : fs::temp_directory_path()) / underHome / "fathom";
}

}  // namespace

fs::path configFolder() { return folder("XDG_CONFIG_HOME", ".config"); }
fs::path cacheFolder() { return folder("XDG_CACHE_HOME", ".cache"); }

}  // namespace fathom
