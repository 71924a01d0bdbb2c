// SPDX-License-Identifier: BSD-3-Clause
// The clocks: wall-clock time since an event, for time budgets and for the durations that commands
// print, and the time that processors spent.
#pragma once

namespace fathom {

/// Milliseconds since some moment of the past. Monotonic: changes of the system's clock do not
/// matter.
inline double steadyMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

/// Milliseconds that all threads of this process have spent on processors: other programs disturb
/// it far less than wall-clock time.
inline double processorMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

/// Starts when it is made, by the clock of steadyMs().
class Stopwatch {
 public:
  void restart() { start_ = steadyMs(); }
  double ms() const { return steadyMs() - start_; }
  double seconds() const { return ms() * 1e-3; }

 private:
  double start_ = steadyMs();
};

}  // namespace fathom
