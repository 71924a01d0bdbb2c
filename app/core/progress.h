// SPDX-License-Identifier: BSD-3-Clause
// How far long work has come, and whether it should stop. Written by a worker, read by the window
// or the progress line; both sides may be on different threads.
#pragma once

#include "app/core/error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

namespace fathom {

class Progress {
 public:
  /// Starts a phase that ends at `total` units ("rows", "triangles", ...).
  void begin(std::string phase, double total) {
    const std::lock_guard lock(mutex_);
    phase_ = std::move(phase);
    total_ = total;
    done_ = 0;
  }
  /// Reports units done in this phase and throws Cancelled when the user asked to stop.
  void advance(double units) {
    double done = done_.load();
    while (!done_.compare_exchange_weak(done, done + units)) {
    }
    throwIfCancelled();
  }
  void throwIfCancelled() const {
    if (cancelled()) throw Cancelled();
  }
  void cancel() { cancelled_ = true; }

  /// Asks the user and waits for the answer; true at once where nobody answers (command line).
  /// Throws Cancelled.
  bool confirm(const std::string& question) {
    if (!answers_) return true;
    std::unique_lock lock(mutex_);
    question_ = question;
    answer_.reset();
    while (!answer_) {
      throwIfCancelled();
      answered_.wait_for(lock, std::chrono::milliseconds(50));
    }
    question_.clear();
    return *answer_;
  }
  /// Somebody will answer questions: whoever shows them. Called before the work begins.
  void answerQuestions() { answers_ = true; }
  /// What waits for an answer; empty: nothing.
  std::string question() const {
    const std::lock_guard lock(mutex_);
    return question_;
  }
  void answer(bool yes) {
    {
      const std::lock_guard lock(mutex_);
      answer_ = yes;
    }
    answered_.notify_all();
  }
  bool cancelled() const { return cancelled_ || interrupted(); }

  std::string phase() const {
    const std::lock_guard lock(mutex_);
    return phase_;
  }
  /// 0..1 within the phase; 0 while the total is unknown.
  double fraction() const {
    const double total = total_;
    return total > 0 ? std::min(1.0, done_ / total) : 0.0;
  }
  double done() const { return done_; }
  double total() const { return total_; }

  /// Set by Ctrl+C (main.cpp installs the handler): cancels every Progress in the program.
  static void interrupt() { interruptFlag() = true; }
  static bool interrupted() { return interruptFlag(); }

 private:
  static std::atomic<bool>& interruptFlag() {
    static std::atomic<bool> flag{false};
    return flag;
  }
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  std::string phase_, question_;
  std::optional<bool> answer_;
  std::atomic<bool> answers_{false};
  std::atomic<double> total_{0}, done_{0};
  std::atomic<bool> cancelled_{false};
};

}  // namespace fathom
