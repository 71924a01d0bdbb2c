// SPDX-License-Identifier: BSD-3-Clause
// The XDG base directory specification, as far as Fathom needs it.
#include "app/engine/io/config_paths.h"

#include <cstdlib>

namespace fathom {

std::filesystem::path configFolder() {
  // The specification ignores relative paths.
  const char* base = std::getenv("XDG_CONFIG_HOME");
  if (base && std::filesystem::path(base).is_absolute())
    return std::filesystem::path(base) / "fathom";
  const char* home = std::getenv("HOME");
  const bool known = home && *home;
  return (known ? std::filesystem::path(home) : std::filesystem::temp_directory_path()) /
         ".config" / "fathom";
}

}  // namespace fathom
