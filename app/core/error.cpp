// SPDX-License-Identifier: BSD-3-Clause
#include "app/core/error.h"

#include <cstdio>
#include <cstdlib>

namespace fathom {

void checkFailed(const char* file, int line, const char* what, const std::string& values) {
  std::fprintf(stderr, "fathom: internal error at %s:%d: expected %s, found %s\n", file, line, what,
               values.c_str());
  std::abort();
}

}  // namespace fathom
