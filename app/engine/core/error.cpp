// SPDX-License-Identifier: BSD-3-Clause
// Where every fail() and failUsage() throws from and every failed check aborts.
#include "app/engine/core/error.h"

namespace fathom {

void detail::failFormatted(fmt::string_view format, fmt::format_args args) {
  throw Error(fmt::vformat(format, args));
}

void detail::failUsageFormatted(fmt::string_view format, fmt::format_args args) {
  throw UsageError(fmt::vformat(format, args));
}

void checkFailed(const char* file, int line, const char* what, const std::string& values) {
  std::fprintf(stderr, "fathom: internal error at %s:%d: expected %s, found %s\n", file, line, what,
               values.c_str());
  std::abort();
}

}  // namespace fathom
