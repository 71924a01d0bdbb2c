// SPDX-License-Identifier: BSD-3-Clause
// The clock of a phase of compositing, and the thread that does phases one after the other.
#pragma once

#include <future>

namespace fathom::deep {

/// How long a phase of compositing took. Phases run beside each other and are given in wall time;
/// with FATHOM_RANKS_IN_TURN=1 in the environment they follow each other and are given in the
/// processor time of the whole process, which other work on the machine hardly disturbs
/// (docs/measure_compositing.py).
class PhaseWatch {
 public:
  PhaseWatch() : start_(nowMs()) {}
  double ms() const { return nowMs() - start_; }

  static bool inTurn();

 private:
  static double nowMs();
  double start_;
};

/// A thread that does pieces of work one after the other, in the order in which they were given;
/// or, where there may be no other thread, the caller does each at once. The first exception is
/// kept, and what comes after it is still called: ranks wait for each other in there.
class SerialWorker {
 public:
  explicit SerialWorker(bool ownThread);
  ~SerialWorker();  // all work is done first
  SerialWorker(const SerialWorker&) = delete;
  SerialWorker& operator=(const SerialWorker&) = delete;

  std::shared_future<void> submit(std::function<void()> work);
  void drain();
  /// Keeps an exception of the calling thread as if work had thrown it, unless there is one.
  void note(std::exception_ptr failure);
  bool failed() const;
  void rethrow() const;

 private:
  void loop();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void()>> waiting_;
  std::exception_ptr failure_;
  bool busy_ = false, ending_ = false;
  std::thread thread_;
};

}  // namespace fathom::deep
