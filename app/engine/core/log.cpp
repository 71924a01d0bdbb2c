// SPDX-License-Identifier: BSD-3-Clause
// The level is one for the whole program: main and the flags set it, workers read it.
#include "app/engine/core/log.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <string>

namespace fathom::log {
namespace {
std::atomic<Level> current{Level::Normal};
}

void setLevel(Level level) { current = level; }
Level level() { return current; }

void line(Level level, const std::string& text) {
  if (level <= current) std::fprintf(stderr, "%s\n", text.c_str());
}

void detail::formatLine(Level level, const char* prefix, fmt::string_view format,
                        fmt::format_args args) {
  if (level <= current) line(level, prefix + fmt::vformat(format, args));
}

}  // namespace fathom::log
