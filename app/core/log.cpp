// SPDX-License-Identifier: BSD-3-Clause
#include "app/core/log.h"

#include <atomic>
#include <cstdio>

namespace fathom::log {
namespace {
std::atomic<Level> current{Level::Normal};
}

void setLevel(Level level) { current = level; }
Level level() { return current; }

void line(Level level, const std::string& text) {
  if (level <= current) std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace fathom::log
