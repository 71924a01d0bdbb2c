// SPDX-License-Identifier: BSD-3-Clause
// The clocks: wall-clock time since an event, for time budgets and for the durations that commands
// print, and the time that processors spent. They stay in the source file: <chrono> is one of the
// heavier standard headers.
#pragma once

namespace fathom {

/// Milliseconds since some moment of the past. Monotonic: changes of the system's clock do not
/// matter.
double steadyMs();
/// Milliseconds that all threads of this process have spent on processors: other programs disturb
/// it far less than wall-clock time.
double processorMs();

/// Starts when it is made, by the clock of steadyMs().
class Stopwatch {
 public:
  Stopwatch() { restart(); }
  void restart() { startNs_ = nowNs(); }
  double ms() const { return double(nowNs() - startNs_) * 1e-6; }
  double seconds() const { return double(nowNs() - startNs_) * 1e-9; }

 private:
  static std::int64_t nowNs();
  std::int64_t startNs_;
};

}  // namespace fathom
