// SPDX-License-Identifier: BSD-3-Clause
// How far long work has come, and whether it should stop. Written by a worker, read by the window
// or the progress line; the two may be on different threads. Locks live in the source file: most
// headers of techniques name this class.
#pragma once

#include "app/engine/core/error.h"

#include <atomic>
#include <memory>
#include <string>

namespace fathom {

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

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
  void answerQuestions();
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
  struct Shared;  // phase and question, behind a lock
  static std::atomic<bool>& interruptFlag() {
    static std::atomic<bool> flag{false};
    return flag;
  }
  std::unique_ptr<Shared> shared_;
  std::atomic<double> total_{0}, done_{0};
  std::atomic<bool> cancelled_{false};
};

}  // namespace fathom
