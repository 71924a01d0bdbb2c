// SPDX-License-Identifier: BSD-3-Clause
// Whose mistake is it? The user's input throws Error: file, what was expected, what was found. Ours
// stops the program in FATHOM_CHECK, with both values. Nothing else reports failure. Every source
// includes this: only the small half of fmt, and no templates that could be functions.
#pragma once

namespace fathom {

/// What could not be done, in one line, for the user: `FILE: what was expected, what was found`.
/// Caught in main.cpp (standard error, exit code 1) and in the viewer (a message; the old result
/// stays).
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

/// The command line or a setting is wrong: exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// No OpenGL 4.5 to be had: exit code 77.
class NoDeviceError : public Error {
 public:
  using Error::Error;
};

/// The program was built without a library that this needs: exit code 78.
class NotBuiltError : public Error {
 public:
  using Error::Error;
};

/// Another process of the same run has failed and says why: nothing is printed here.
class PeerFailed : public std::runtime_error {
 public:
  explicit PeerFailed(int exitCode)
      : std::runtime_error("another rank failed"), exitCode_(exitCode) {}
  int exitCode() const { return exitCode_; }

 private:
  int exitCode_;
};

/// The user asked to stop (Ctrl+C, a closed window): exit code 130.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

namespace detail {
[[noreturn]] void failFormatted(fmt::string_view format, fmt::format_args args);
[[noreturn]] void failUsageFormatted(fmt::string_view format, fmt::format_args args);
}  // namespace detail

/// Throws an Error with this message.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  detail::failFormatted(format, fmt::make_format_args(args...));
}
/// Throws a UsageError with this message.
template <class... Args>
[[noreturn]] void failUsage(fmt::format_string<Args...> format, Args&&... args) {
  detail::failUsageFormatted(format, fmt::make_format_args(args...));
}

[[noreturn]] void checkFailed(const char* file, int line, const char* what,
                              const std::string& values);

namespace detail {
template <class T>
std::string show(const T& value) {
  if constexpr (fmt::is_formattable<T>::value)
    return fmt::format("{}", value);
  else
    return "?";
}
}  // namespace detail

}  // namespace fathom

/// Aborts with both values when `a op b` does not hold: our mistake, never the user's.
#define FATHOM_CHECK_OP(a, op, b)                                                       \
  do {                                                                                  \
    const auto& fathomA = (a);                                                          \
    const auto& fathomB = (b);                                                          \
    if (!(fathomA op fathomB))                                                          \
      ::fathom::checkFailed(                                                            \
          __FILE__, __LINE__, #a " " #op " " #b,                                        \
          ::fathom::detail::show(fathomA) + " and " + ::fathom::detail::show(fathomB)); \
  } while (false)
#define FATHOM_CHECK(condition)                                                       \
  do {                                                                                \
    if (!(condition)) ::fathom::checkFailed(__FILE__, __LINE__, #condition, "false"); \
  } while (false)
