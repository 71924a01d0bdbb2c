// SPDX-License-Identifier: BSD-3-Clause
// Lines for people on standard error. Standard output belongs to results alone.
#pragma once

#include <fmt/format.h>

#include <string>

namespace fathom::log {

enum class Level { Quiet, Normal, Verbose };
void setLevel(Level level);
Level level();

void line(Level level, const std::string& text);

/// Something the user should know; shown unless --quiet.
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  line(Level::Normal, "fathom: warning: " + fmt::format(format, std::forward<Args>(args)...));
}
/// Shown with --verbose.
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  line(Level::Verbose, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace fathom::log
