// SPDX-License-Identifier: BSD-3-Clause
// Messages on standard error. Standard output belongs to results alone.
#pragma once

#include <fmt/core.h>

#include <string>

namespace fathom::log {

enum class Level { Quiet, Normal, Verbose };
void setLevel(Level level);
Level level();

/// One line as it is, when this level is wanted.
void line(Level level, const std::string& text);

namespace detail {
void formatLine(Level level, const char* prefix, fmt::string_view format, fmt::format_args args);
}

/// A warning to the user; shown unless --quiet.
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  detail::formatLine(Level::Normal, "fathom: warning: ", format, fmt::make_format_args(args...));
}
/// Shown with --verbose.
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  detail::formatLine(Level::Verbose, "", format, fmt::make_format_args(args...));
}

}  // namespace fathom::log
