// SPDX-License-Identifier: BSD-3-Clause
// What long work says while it goes on: how far it is (and whether it is to stop), and lines for
// standard error.
#pragma once

#include "app/engine/core/error.h"

namespace fathom {

class Progress {
 public:
  /// Starts a phase that ends at `total` units ("rows", "triangles", ...).
  void begin(std::string phase, double total);
  /// Reports units done in this phase and throws Cancelled when the user asked to stop.
  void advance(double units);
  void throwIfCancelled() const {
    if (cancelled()) throw Cancelled();
  }
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_ || interrupted(); }

  /// Asks the user and waits for the answer; true at once where nobody answers (command line).
  /// Throws Cancelled.
  bool confirm(const std::string& question);
  /// Announces that questions will be answered: whoever shows them calls this before work begins.
  void answerQuestions() { someoneAnswers_ = true; }
  /// The question that waits for an answer; empty: none.
  std::string question() const;
  void answer(bool yes);

  std::string phase() const;
  /// 0..1 within the phase; 0 while the total is unknown.
  double fraction() const;
  double done() const { return done_; }
  double total() const { return total_; }

  /// Set by Ctrl+C (main.cpp installs the handler): cancels every Progress in the program.
  static void interrupt() { interruptFlag() = true; }
  static bool interrupted() { return interruptFlag(); }
  /// What was interrupted has ended, and the program goes on (a notebook).
  static void resume() { interruptFlag() = false; }

 private:
  static std::atomic<bool>& interruptFlag() {
    static std::atomic<bool> flag{false};
    return flag;
  }
  mutable std::mutex mutex_;  // of phase, question and answer
  std::condition_variable answered_;
  std::string phase_, question_;
  std::optional<bool> answer_;
  std::atomic<double> total_{0}, done_{0};
  std::atomic<bool> cancelled_{false}, someoneAnswers_{false};
};

}  // namespace fathom

namespace fathom::log {

enum class Level { Quiet, Normal, Verbose };
void setLevel(Level level);
Level level();
/// Takes each warning, without "fathom: warning: ", on any thread, in a program that runs commands
/// inside itself (app/python): notebooks do not show standard error. Set once, before there are
/// any.
void setSink(void (*sink)(const std::string& warning));

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
